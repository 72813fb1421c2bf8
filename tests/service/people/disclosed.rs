//! The export of a contact's data.

use serde_json::{Value, json};

use crate::support::{Server, Store};

/// Checks that the export has each part, with the contact's data.
pub fn is_whole(kept: &Value) {
    let names: Vec<&String> = kept.as_object().unwrap().keys().collect();
    let mut parts = [
        "contact",
        "conversations",
        "messages",
        "custom_events",
        "events",
        "flow_runs",
        "enrollments",
        "rejected_rows",
    ];
    let mut sorted = names.clone();
    sorted.sort_unstable();
    parts.sort_unstable();
    assert_eq!(sorted, parts.iter().collect::<Vec<_>>());
    for part in parts.iter().filter(|part| **part != "contact") {
        assert!(!kept[part].as_array().unwrap().is_empty(), "{part} of {kept}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_all_pages_of_a_contact_as_one_object() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    let made = client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    for number in 0..120 {
        let event = json!({"name": "order.paid", "data": {"number": number}});
        client.post("/api/v1/contacts/external_id:ada/events", &event).await.expect(201);
    }
    client
        .post("/api/v1/contacts/external_id:ada/send-message", &json!({"type": "text", "text": "Hi"}))
        .await
        .expect(202);
    let reply = client.get("/api/v1/contacts/external_id:ada/export").await;
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"contact.json\""));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let kept = reply.expect(200);
    assert_eq!(kept["contact"]["external_id"], "ada");
    let numbers: Vec<i64> =
        kept["custom_events"].as_array().unwrap().iter().map(|it| it["data"]["number"].as_i64().unwrap()).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..120).collect::<Vec<_>>(), "each event is exported once");
    assert_eq!(kept["messages"][0]["text"], "Hi");
    assert_eq!(kept["events"][0]["type"], "contact.created");
    let by_id = format!("/api/v1/contacts/{}/export", made["id"].as_str().unwrap());
    client.delete("/api/v1/contacts/external_id:ada").await.expect(204);
    assert_eq!(client.get(&by_id).await.expect(200)["messages"][0]["text"], "Hi", "a deleted contact is exported");
    client.get("/api/v1/contacts/external_id:ada/export").await.expect(404);
}
