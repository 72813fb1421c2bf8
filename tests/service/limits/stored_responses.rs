//! Large responses under idempotency keys: those that are not stored are rendered again.

use std::time::Duration;

use serde_json::json;

use super::post;
use crate::support::{Client, Patience, Reply, Server, Store, noise};

fn replayed(reply: &Reply) -> Option<&str> {
    reply.header("idempotency-replayed")
}

/// Creates a contact with these texts in its ten notes; returns its path.
async fn contact(client: &Client, note: impl Fn(u64) -> String) -> String {
    let notes: serde_json::Map<_, _> = (0..10).map(|number| (format!("note_{number}"), json!(note(number)))).collect();
    let made = client.post("/api/v1/contacts", &json!({"first_name": "Ada", "custom_fields": notes})).await.expect(201);
    format!("/api/v1/contacts/{}", made["id"].as_str().unwrap())
}

async fn large_responses_are_rendered_again(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    for number in 0..10 {
        let field = json!({"key": format!("note_{number}"), "name": format!("Note {number}"), "type": "text"});
        client.post("/api/v1/custom-fields", &field).await.expect(201);
    }
    let vip = json!({"name": "vip"});

    // A response that is small in gzip is stored: the replay is the first response, byte for byte.
    let small = contact(&client, |_| "x".repeat(4_000)).await;
    let first = post(&client, &format!("{small}/tags"), "one", &vip).await;
    assert!(first.text.len() > 40_000 && first.status == 201, "{}", first.text.len());
    client.put(&small, &json!({"first_name": "Grace"})).await.expect(200);
    let again = post(&client, &format!("{small}/tags"), "one", &vip).await;
    assert_eq!((replayed(&again), again.status, &again.text), (Some("true"), 201, &first.text));
    assert_eq!(again.header("etag"), first.header("etag"));

    // Otherwise the replay shows the object as it is now.
    let large = contact(&client, |number| noise(number, 4_000)).await;
    let first = post(&client, &format!("{large}/tags"), "two", &vip).await;
    let again = post(&client, &format!("{large}/tags"), "two", &vip).await;
    assert_eq!((replayed(&again), again.status, again.json()), (Some("rendered"), 201, first.expect(201)));
    client.put(&large, &json!({"first_name": "Grace"})).await.expect(200);
    let again = post(&client, &format!("{large}/tags"), "two", &vip).await;
    assert_eq!((replayed(&again), again.json()), (Some("rendered"), client.get(&large).await.expect(200)));
    assert_eq!(again.json()["first_name"], "Grace");
    let other = post(&client, &format!("{large}/tags"), "two", &json!({"name": "other"})).await;
    assert_eq!((other.status, other.code().as_str()), (422, "idempotency_key_reused"));

    // A batch has one record for each outcome.
    let id = large.rsplit('/').next().unwrap();
    let batch = json!({"operations": [
        {"action": "create", "contact": {"first_name": "Small"}},
        {"action": "update", "id": id, "contact": {"last_name": "Hopper"}},
    ]});
    let first = post(&client, "/api/v1/contacts/batch", "three", &batch).await.expect(200);
    let again = post(&client, "/api/v1/contacts/batch", "three", &batch).await;
    assert_eq!((replayed(&again), again.expect(200)), (Some("rendered"), first));

    // A deleted object is rendered as its ID.
    client.delete(&large).await.expect(204);
    let again = post(&client, &format!("{large}/tags"), "two", &vip).await;
    let gone = json!({"id": id, "deleted": true});
    assert_eq!((replayed(&again), again.expect(201)), (Some("rendered"), gone.clone()));
    let again = post(&client, "/api/v1/contacts/batch", "three", &batch).await.expect(200);
    assert_eq!((&again["outcomes"][1]["status"], &again["outcomes"][1]["contact"]), (&json!(200), &gone));

    // An erasure finds compressed responses, too.
    client.post(&format!("{small}/erase"), &json!({})).await.expect(202);
    let (path, mut patience) = (format!("{small}/tags"), Patience::new());
    loop {
        let reply = post(&client, &path, "one", &vip).await;
        if reply.status == 404 {
            break;
        }
        assert!(patience.allows(reply.status), "the stored response still exists after the erasure");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

on_both! {
    large_responses_are_rendered_again,
}
