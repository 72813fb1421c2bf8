//! Objects that only one operation needs.

use serde_json::json;
use tidings_credentials::system::SystemIds;
use tidings_domain::ports::Ids;
use tidings_http::routes::Route;

use crate::support::Client;
use crate::support::seed::Seed;

/// Creates a broadcast without recipients; it is scheduled if `sent`.
pub(super) async fn another_broadcast(seed: &Seed, sent: bool) -> String {
    let body = json!({"name": "Another", "audience": {"any": []}, "scheduled_at": "2999-01-01T00:00:00.000Z",
        "message": {"type": "text", "text": "Hi"}});
    let path = format!("/api/v1/broadcasts/{}", seed.client.create("/api/v1/broadcasts", &body).await);
    if sent {
        seed.client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    }
    path
}

/// Creates a completed broadcast that failed for its only recipient.
pub(super) async fn failed_broadcast(seed: &Seed) -> String {
    let contact = json!({"first_name": "Fails", "external_id": format!("sandbox-fail-{}", SystemIds.next())});
    seed.client.post("/api/v1/contacts", &contact).await.expect(201);
    let body = json!({"name": "Fails", "audience": {"field": "first_name", "op": "eq", "value": "Fails"},
        "message": {"type": "text", "text": "Hi"}});
    let path = format!("/api/v1/broadcasts/{}", seed.client.create("/api/v1/broadcasts", &body).await);
    seed.client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    seed.client.until(&path, |it| it["status"] == "completed").await;
    path
}

/// Sends a message that fails; returns its path.
pub(super) async fn failed_message(seed: &Seed) -> String {
    let contact = json!({"external_id": format!("sandbox-fail-{}", SystemIds.next())});
    let contact = seed.client.post("/api/v1/contacts", &contact).await.expect(201);
    let send = format!("/api/v1/contacts/{}/send-message", contact["id"].as_str().unwrap());
    let sent = seed.client.post(&send, &json!({"type": "text", "text": "Hi"})).await.expect(202);
    let path = format!("/api/v1/messages/{}", sent["id"].as_str().unwrap());
    seed.client.until(&path, |it| it["status"] == "failed").await;
    path
}

/// Creates a broadcast that is being sent slowly.
pub(super) async fn slow_broadcast(seed: &Seed) -> String {
    for _ in 0..2 {
        seed.client.post("/api/v1/contacts", &json!({})).await.expect(201);
    }
    let body = json!({"name": "Slow", "audience": {"all": []}, "rate_per_minute": 1,
        "message": {"type": "text", "text": "Hi"}});
    let path = format!("/api/v1/broadcasts/{}", seed.client.create("/api/v1/broadcasts", &body).await);
    seed.client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    seed.client.until(&path, |it| it["status"] == "sending").await;
    path
}

/// Creates an active sequence without enrollments.
pub(super) async fn another_sequence(seed: &Seed) -> String {
    let message = json!({"type": "text", "text": "Hi"});
    let step = json!({"id": "a", "delay": "P9D", "action": {"type": "send_message", "message": message}});
    let body = json!({"name": "Another", "status": "active", "steps": [step]});
    let made = seed.client.post("/api/v1/sequences", &body).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

/// Creates and deletes a contact; returns the path that restores it.
pub(super) async fn deleted(seed: &Seed) -> String {
    let contact = seed.client.create("/api/v1/contacts", &json!({"first_name": "Back"})).await;
    let contact = format!("/api/v1/contacts/{contact}");
    seed.client.delete(&contact).await.expect(204);
    format!("{contact}/restore")
}

/// Adds a tag to a contact; returns the path that removes it.
pub(super) async fn tagged(seed: &Seed, contact: &str) -> String {
    let tagged = seed.client.post(&format!("{contact}/tags"), &json!({"name": "to be removed"})).await.expect(201);
    let tags = tagged["tags"].as_array().unwrap();
    let tag = tags.iter().find(|tag| tag["name"] == "to be removed").unwrap();
    format!("{contact}/tags/{}", tag["id"].as_str().unwrap())
}

/// Creates an object that can be deleted.
pub(super) async fn unwanted(route: &Route, seed: &Seed) -> String {
    let collection = route.path.trim_end_matches("/{id}");
    let body = match route.operation_id {
        "delete_contact" => json!({}),
        "delete_segment" => json!({"name": "Unwanted", "condition": {"all": []}}),
        "delete_saved_reply" => json!({"name": "Unwanted", "text": "x"}),
        "delete_media" => json!("An unwanted file"),
        "delete_sequence" => json!({"name": "Unwanted"}),
        "delete_channel" => json!({"kind": "sandbox"}),
        "delete_flow" => json!({"name": "Unwanted"}),
        "delete_webhook" => json!({"url": "https://example.com/", "events": ["contact.deleted"]}),
        _ => json!({"name": "Unwanted", "type": "text"}),
    };
    let body = if collection.ends_with("/tags") { json!({"name": "unwanted"}) } else { body };
    let client: &Client = &seed.client;
    let made = client.post(collection, &body).await.expect(201);
    format!("{collection}/{}", made["id"].as_str().unwrap())
}
