//! Merges of two contacts.

use serde_json::{Value, json};

use crate::support::{Client, Server};

async fn make(client: &Client, contact: &Value) -> String {
    let made = client.post("/api/v1/contacts", contact).await.expect(201);
    format!("/api/v1/contacts/{}", made["id"].as_str().unwrap())
}

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// Missing values of the survivor are filled, it replaces the merged contact in look-ups, and it gets its history.
/// Other requests about the merged contact are rejected.
pub async fn a_merged_contact_resolves_to_its_survivor(server: &Server) {
    let client = server.new_client("Merges", "full");
    client.post("/api/v1/custom-fields", &json!({"name": "Plan", "type": "text"})).await.expect(201);
    client.post("/api/v1/custom-fields", &json!({"name": "Size", "type": "text"})).await.expect(201);
    let stays =
        json!({"external_id": "stays", "first_name": "Ada", "custom_fields": {"plan": "gold"}, "tags": ["one"]});
    let gone = json!({"external_id": "gone", "first_name": "A.", "last_name": "Lovelace", "email": "ada@example.com",
        "custom_fields": {"plan": "tin", "size": "L"}, "tags": ["one", "two"]});
    let (stays, gone) = (make(&client, &stays).await, make(&client, &gone).await);
    let message =
        client.post(&format!("{gone}/send-message"), &json!({"type": "text", "text": "Hello"})).await.expect(202);
    let message = format!("/api/v1/messages/{}", message["id"].as_str().unwrap());
    client.until(&message, |message| message["status"] != "queued" && message["status"] != "sending").await;
    client.post(&format!("{gone}/events"), &json!({"name": "order.paid"})).await.expect(201);
    client.put(&gone, &json!({"subscribed": false})).await.expect(200);

    let merge = format!("{gone}/merge");
    let into = json!({"into": id(&stays)});
    let own = client.post(&merge, &json!({"into": id(&gone)})).await.expect(422);
    assert_eq!((&own["errors"][0]["pointer"], &own["errors"][0]["code"]), (&json!("/into"), &json!("same_contact")));
    let nobody = client.post(&merge, &json!({"into": "external_id:nobody"})).await.expect(422);
    assert_eq!(nobody["errors"][0]["code"], "unknown_contact");
    let headers = [("content-type", "application/json"), ("idempotency-key", "merge-1")];
    let after = client.send("POST", &merge, &headers, Some(into.to_string().into_bytes())).await.unwrap().expect(200);
    let again = client.send("POST", &merge, &headers, Some(into.to_string().into_bytes())).await.unwrap();
    assert_eq!((again.header("idempotency-replayed"), again.expect(200)), (Some("true"), after.clone()));
    assert_eq!(
        (&after["first_name"], &after["last_name"], &after["email"]),
        (&json!("Ada"), &json!("Lovelace"), &json!("ada@example.com"))
    );
    assert_eq!((&after["external_id"], &after["subscribed"]), (&json!("stays"), &json!(false)));
    assert_eq!(after["custom_fields"], json!({"plan": "gold", "size": "L"}));
    assert_eq!(after["tags"].as_array().unwrap().len(), 2);

    let seen = client.send("GET", &gone, &[], None).await.unwrap();
    assert_eq!(seen.header("content-location"), Some(stays.as_str()));
    assert_eq!(seen.expect(200), after);
    let by_name = client.send("GET", "/api/v1/contacts/email:ada@example.com", &[], None).await.unwrap();
    assert_eq!((by_name.header("content-location"), by_name.status), (Some(stays.as_str()), 200));
    let by_id = client.send("GET", &stays, &[], None).await.unwrap();
    assert_eq!((by_id.header("content-location"), by_id.status), (None, 200));
    for (verb, path, body) in [
        ("PATCH", gone.clone(), json!({"first_name": "B"})),
        ("POST", merge.clone(), into.clone()),
        ("POST", format!("{stays}/merge"), json!({"into": id(&gone)})),
        ("POST", format!("{gone}/tags"), json!({"name": "two"})),
        ("POST", format!("{gone}/send-message"), json!({"type": "text", "text": "Hello"})),
        ("POST", format!("{gone}/events"), json!({"name": "order.paid"})),
        ("POST", format!("{gone}/erase"), json!({})),
        ("POST", format!("{gone}/restore"), json!({})),
        ("DELETE", gone.clone(), Value::Null),
    ] {
        let body = Some(body).filter(|body| !body.is_null()).map(|body| body.to_string().into_bytes());
        let refused = client.send(verb, &path, &[("content-type", "application/json")], body).await.unwrap();
        let refused = refused.expect(409);
        assert_eq!(
            (&refused["code"], &refused["merged_into"]),
            (&json!("contact_merged"), &json!(id(&stays))),
            "{verb} {path}"
        );
    }
    client.get("/api/v1/contacts/external_id:gone").await.expect(404);

    client.until(&message, |message| message["contact_id"] == id(&stays)).await;
    let kinds = format!("{gone}/timeline?kind=message,custom_event&limit=100");
    let history = client.until(&kinds, |page| page["data"].as_array().unwrap().len() == 2).await;
    assert_eq!(history, client.get(&kinds.replace(id(&gone), id(&stays))).await.expect(200));
    let events = client.get(&format!("{stays}/timeline?kind=event&limit=100")).await.expect(200);
    let merged =
        events["data"].as_array().unwrap().iter().find(|it| it["summary"]["data"]["merged"]["id"] == id(&gone));
    assert_eq!(merged.map(|it| &it["summary"]["type"]), Some(&json!("contact.updated")), "{events}");
    let kept = client.get(&format!("{gone}/export")).await.expect(200);
    assert_eq!((&kept["contact"]["id"], kept["custom_events"].as_array().unwrap().len()), (&json!(id(&stays)), 1));

    client.delete(&stays).await.expect(204);
    client.get(&gone).await.expect(404);
    assert_eq!(client.put(&gone, &json!({})).await.code(), "not_found", "the response equals that for the survivor");
}

/// In every order of merges of each other, an update and an opt-out, one contact is left with all acknowledged changes.
pub async fn merging_loses_no_acknowledged_change(server: &Server) {
    let client = server.new_client("Races of merges", "full");
    let mut won = [0; 2];
    for round in 0..24 {
        let (first, second) =
            (make(&client, &json!({"first_name": "Ada"})).await, make(&client, &json!({"locale": "en"})).await);
        let merge =
            async |from: &str, into: &str| client.post(&format!("{from}/merge"), &json!({"into": id(into)})).await;
        match round % 3 {
            0 => {
                let (one, other) = futures::join!(merge(&first, &second), merge(&second, &first));
                let mut all = [one.status, other.status];
                won[usize::from(one.status == 200)] += 1;
                all.sort_unstable();
                assert_eq!(all, [200, 409], "{} {}", one.text, other.text);
                let (seen, same) = (client.get(&first).await.expect(200), client.get(&second).await.expect(200));
                assert_eq!(seen, same);
            }
            1 => {
                let (patch, opt_out) = (json!({"last_name": "Lovelace"}), json!({"subscribed": false}));
                let (merged, patched, left) =
                    futures::join!(merge(&first, &second), client.put(&first, &patch), client.put(&first, &opt_out));
                merged.expect(200);
                let survivor = client.get(&second).await.expect(200);
                for (reply, name, is) in [(patched, "last_name", json!("Lovelace")), (left, "subscribed", json!(false))]
                {
                    match reply.status {
                        200 => assert_eq!(survivor[name], is, "acknowledged changes are stored: {survivor}"),
                        _ => assert_eq!(reply.code(), "contact_merged"),
                    }
                }
            }
            _ => {
                let hello = json!({"type": "text", "text": "Hello"});
                let send = format!("{first}/send-message");
                let (merged, sent) = futures::join!(merge(&first, &second), client.post(&send, &hello));
                merged.expect(200);
                if sent.status == 409 {
                    assert_eq!(sent.code(), "contact_merged");
                } else {
                    let message = format!("/api/v1/messages/{}", sent.expect(202)["id"].as_str().unwrap());
                    let message =
                        client.until(&message, |it| it["status"] != "queued" && it["status"] != "sending").await;
                    assert!(
                        message["status"] != "suppressed" || message["error"]["code"] == "contact_merged",
                        "{message}"
                    );
                }
            }
        }
    }
    println!("merges of each other: {won:?}");
}
