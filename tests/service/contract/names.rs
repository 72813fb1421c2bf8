//! References to missing objects, and names that are taken.

use serde_json::json;

use crate::support::Server;

/// Lists reject an unknown tag, as searches do, and accept the same contact identifiers as paths.
pub async fn filters_accept_names_of_contacts_and_tags(server: &Server) {
    let client = server.new_client("Names", "full");
    let ada = json!({"external_id": "ada 1", "email": "ada@example.com", "phone": "+49301234567", "tags": ["vip"]});
    let ada = client.post("/api/v1/contacts", &ada).await.expect(201);
    let path = format!("/api/v1/contacts/{}", ada["id"].as_str().unwrap());

    let unknown_id = "tag_01h455vb4pex5vsknk084sn02q";
    for tag in ["nobody", unknown_id] {
        let refused = client.get(&format!("/api/v1/contacts?tag=vip&tag={tag}")).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["parameter"], &error["code"]), (&json!("tag"), &json!("unknown_tag")));
        let searched = json!({"filter": {"field": "tags", "op": "has", "value": tag}});
        let searched = client.post("/api/v1/contacts/search", &searched).await.expect(422);
        assert_eq!(searched["errors"][0]["code"], "unknown_tag");
    }
    assert_eq!(client.get("/api/v1/contacts?tag=VIP").await.expect(200)["data"][0]["id"], ada["id"]);

    let text = json!({"type": "text", "text": "Hello"});
    client.post(&format!("{path}/send-message"), &text).await.expect(202);
    for name in ["external_id:ada%201", "email:ADA@example.com", "phone:+49301234567", "phone:%2B49301234567"] {
        let list = client.get(&format!("/api/v1/conversations?contact_id={name}")).await.expect(200);
        assert_eq!(list["data"][0]["contact_id"], ada["id"], "{name}");
        client.get(&format!("/api/v1/flow-runs?contact_id={name}")).await.expect(200);
    }
    for (name, code) in [("external_id:nobody", "unknown_contact"), ("ada", "invalid_id")] {
        for list in ["conversations", "flow-runs"] {
            let refused = client.get(&format!("/api/v1/{list}?contact_id={name}")).await.expect(422);
            let error = &refused["errors"][0];
            assert_eq!((&error["parameter"], &error["code"]), (&json!("contact_id"), &json!(code)), "{list}");
        }
    }
}

/// The response to a taken name or key contains the object that has it.
pub async fn returns_the_object_that_has_a_taken_name(server: &Server) {
    let client = server.new_client("Taken", "full");
    let cases = [
        ("/api/v1/tags", json!({"name": "VIP"}), json!({"name": "vip"}), "name_taken"),
        (
            "/api/v1/custom-fields",
            json!({"name": "Plan", "type": "text"}),
            json!({"name": "plan", "type": "url"}),
            "key_taken",
        ),
        (
            "/api/v1/bot-fields",
            json!({"name": "Hours", "type": "text"}),
            json!({"name": "hours", "type": "date"}),
            "key_taken",
        ),
    ];
    for (path, first, second, code) in cases {
        let made = client.post(path, &first).await.expect(201);
        let refused = client.post(path, &second).await;
        assert_eq!((refused.code().as_str(), &refused.expect(409)["existing_id"]), (code, &made["id"]), "{path}");
    }
    let vip = client.get("/api/v1/tags").await.expect(200)["data"][0]["id"].clone();
    let tag = client.create("/api/v1/tags", &json!({"name": "other"})).await;
    let renamed = client.put(&format!("/api/v1/tags/{tag}"), &json!({"name": "ViP"})).await;
    assert_eq!(renamed.expect(409)["existing_id"], vip);
}

/// If a path has two IDs, the response says which object is missing.
pub async fn names_the_missing_object_of_two_ids(server: &Server) {
    let client = server.new_client("Two", "full");
    let made = client.post("/api/v1/contacts", &json!({"external_id": "ada", "tags": ["vip"]})).await.expect(201);
    let (contact, tag) = (made["id"].as_str().unwrap(), made["tags"][0]["id"].as_str().unwrap());
    let other = client.create("/api/v1/tags", &json!({"name": "other"})).await;
    let nobody = "contact_01h455vb4pex5vsknk084sn02q";
    let sequence = "seq_01h455vb4pex5vsknk084sn02q";
    let hook = "hook_01h455vb4pex5vsknk084sn02q";
    let delivery = "dlv_01h455vb4pex5vsknk084sn02q";
    for (method, path, missing) in [
        ("DELETE", format!("contacts/{nobody}/tags/{tag}"), "contact"),
        ("DELETE", format!("contacts/nonsense/tags/{tag}"), "contact"),
        ("DELETE", format!("contacts/{contact}/tags/{other}"), "tag"),
        ("DELETE", format!("contacts/{contact}/tags/nonsense"), "tag"),
        ("POST", format!("contacts/{contact}/custom-fields/plan"), "custom_field"),
        ("POST", format!("contacts/{nobody}/custom-fields/plan"), "contact"),
        ("GET", format!("contacts/{contact}/sequences/{sequence}"), "sequence"),
        ("GET", format!("contacts/{nobody}/sequences/{sequence}"), "contact"),
        ("GET", format!("webhooks/{hook}/deliveries/{delivery}"), "webhook"),
    ] {
        let body = json!({"value": "gold"});
        let reply = client.call(method, &format!("/api/v1/{path}"), (method == "POST").then_some(&body)).await;
        let problem = reply.expect(404);
        assert_eq!((&problem["code"], &problem["missing"]), (&json!("not_found"), &json!(missing)), "{path}");
        assert!(problem["detail"].as_str().unwrap().contains(&missing.replace('_', " ")), "{problem}");
    }
    // A path with one ID needs no such hint.
    assert_eq!(client.get(&format!("/api/v1/contacts/{nobody}")).await.expect(404).get("missing"), None);
}
