//! Less common requests.

use serde_json::{Value, json};

use crate::support::{Client, Server};

fn names(contact: &Value) -> Vec<String> {
    contact["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap().to_owned()).collect()
}

async fn told(client: &Client, kind: &str) -> usize {
    let page = client.until("/api/v1/events?limit=100", |page| page["data"].as_array().is_some()).await;
    page["data"].as_array().unwrap().iter().filter(|event| event["type"] == kind).count()
}

/// Replaces all tags at once: removals need `full`, and each difference is one event.
pub async fn the_tags_of_a_contact_are_replaced(server: &Server) {
    let workspace = server.new_workspace("Tags");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    let writer = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    let made = client.post("/api/v1/contacts", &json!({"tags": ["vip", "old"]})).await.expect(201);
    let path = format!("/api/v1/contacts/{}", made["id"].as_str().unwrap());
    let tags = format!("{path}/tags");

    let more = writer.put(&tags, &json!({"tags": ["VIP", "old", "new"]})).await.expect(200);
    assert_eq!(names(&more), ["vip", "old", "new"]);
    let refused = writer.put(&tags, &json!({"tags": ["vip", "new"]})).await;
    assert_eq!(
        (refused.code().as_str(), &refused.expect(403)["required_scope"]),
        ("insufficient_scope", &json!("full"))
    );
    let replaced = client.put(&tags, &json!({"tags": ["vip", "newer", made["tags"][0]["id"]]})).await.expect(200);
    assert_eq!(names(&replaced), ["vip", "newer"]);
    assert_eq!(replaced["version"], json!(3));
    assert_eq!(client.put(&tags, &json!({"tags": ["newer", "vip"]})).await.expect(200), replaced, "nothing changed");
    let page =
        client.until("/api/v1/events?limit=100", |page| page["data"].as_array().is_some_and(|it| it.len() >= 7)).await;
    assert_eq!(page["data"].as_array().unwrap().len(), 7, "version 1, 4 added tags and 2 removed tags");
    assert_eq!((told(&client, "contact.tag_added").await, told(&client, "contact.tag_removed").await), (4, 2));

    let unknown = client.put(&tags, &json!({"tags": ["tag_01h455vb4pex5vsknk084sn02q"]})).await.expect(422);
    assert_eq!(unknown["errors"][0]["pointer"], "/tags/0");
    let many: Vec<String> = (0..101).map(|number| format!("tag {number}")).collect();
    assert_eq!(client.put(&tags, &json!({"tags": many})).await.expect(422)["errors"][0]["code"], "too_many");

    client.delete(&format!("{tags}/name:NEWER")).await.expect(204);
    assert_eq!(client.delete(&format!("{tags}/name:newer")).await.expect(404)["missing"], "tag");
    assert_eq!(names(&client.get(&path).await.expect(200)), ["vip"]);
}

/// A flow is paused and resumed with separate requests or with PATCH.
pub async fn a_flow_is_paused_and_resumed(server: &Server) {
    let client = server.new_client("Flows", "write");
    let definition = json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]});
    let flow = client.create("/api/v1/flows", &json!({"name": "Wait", "definition": definition})).await;
    let path = format!("/api/v1/flows/{flow}");
    assert_eq!(client.call("POST", &format!("{path}/pause"), None).await.code(), "flow_not_active");
    client.post(&format!("{path}/publish"), &json!({})).await.expect(200);
    for (action, status, version) in [("pause", "paused", 3), ("pause", "paused", 3), ("resume", "active", 4)] {
        let headers = [("idempotency-key", "once")];
        let first = client.send("POST", &format!("{path}/{action}"), &headers, None).await.unwrap();
        let shown = first.expect(200);
        assert_eq!((&shown["status"], &shown["version"]), (&json!(status), &json!(version)));
    }
}

/// A renamed bot field is the same object.
pub async fn a_bot_field_is_renamed(server: &Server) {
    let client = server.new_client("Bot fields", "write");
    let field = json!({"name": "Hours", "type": "text", "value": "9 to 5"});
    client.post("/api/v1/bot-fields", &field).await.expect(201);
    let path = "/api/v1/bot-fields/hours";
    let renamed = client.call("PATCH", path, Some(&json!({"name": "Opening hours"}))).await.expect(200);
    assert_eq!((&renamed["name"], &renamed["key"]), (&json!("Opening hours"), &json!("hours")));
    assert_eq!((&renamed["value"], &renamed["version"]), (&json!("9 to 5"), &json!(2)));
    assert_eq!(client.get(path).await.expect(200), renamed);
    let value = client.call("PATCH", path, Some(&json!({"value": "never"}))).await.expect(422);
    assert_eq!(value["errors"][0]["pointer"], "/value");
}
