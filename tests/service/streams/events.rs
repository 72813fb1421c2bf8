//! The content of a stream.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Client, EventStream, Server};

/// The promised latency, with a margin for busy machines.
const SOON: Duration = Duration::from_secs(2);

async fn contact(client: &Client, external_id: &str) -> String {
    let made = client.post("/api/v1/contacts", &json!({"external_id": external_id})).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

/// Events have the form of the feed; a note, a snooze and a read mark are hints; events of webhooks are sent only to
/// `full` keys.
pub async fn sends_each_event_once_and_hints_for_other_changes(server: &mut Server) {
    let (key, read) = super::sandbox(server).await;
    let client = server.client().with_key(Some(&key));
    let mut reader = EventStream::ready(&server.base, &read).await;
    let mut full = EventStream::ready(&server.base, &key).await;

    let began = Instant::now();
    let ada = contact(&client, "ada").await;
    let created = reader.next().await;
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!((created.event.as_str(), &created.data["data"]["object"]["id"]), ("contact.created", &json!(ada)));
    let before = created.id.unwrap() - 1;
    let feed = client.get(&format!("/api/v1/events?after={before}&limit=1")).await.expect(200);
    assert_eq!((&feed["data"][0], json!(created.id)), (&created.data, created.data["position"].clone()));
    assert_eq!(full.next().await, created, "every stream gets the same event");

    let heard = json!({"contact": ada, "text": "Are you there?"});
    client.post("/api/v1/sandbox/inbound", &heard).await.expect(202);
    let received = reader.until(|it| it.event == "message.received").await;
    let conversation = received.data["data"]["object"]["conversation_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/conversations/{conversation}");
    let note = client.post(&format!("{path}/messages"), &json!({"type": "note", "text": "Call her"})).await.expect(202);
    let told = reader.until(|it| it.data["changed"]["id"] == note["id"]).await;
    assert_eq!((told.id, told.event.as_str()), (None, "changed"), "a hint has no position");
    let until = json!({"until": "2099-01-01T00:00:00Z"});
    for (action, body) in [("read", json!({})), ("snooze", until), ("reopen", json!({}))] {
        let changed = client.post(&format!("{path}/{action}"), &body).await.expect(200);
        let hint = json!({"id": conversation, "type": "conversation", "version": changed["version"]});
        reader.until(|it| it.data["changed"] == hint).await;
    }

    let hook = json!({"url": "https://example.com/hook", "events": ["message.read"]});
    let hook = client.post("/api/v1/webhooks", &hook).await.expect(201);
    assert_eq!(full.hint("webhook").await, json!({"id": hook["id"], "type": "webhook", "version": 1}));
    let tag = client.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201);
    let next = reader.next().await;
    assert_eq!(next.data["changed"]["id"], tag["id"], "readers get no hint about webhooks");
    client.delete(&format!("/api/v1/tags/{}", tag["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(reader.hint("tag").await["version"], Value::Null, "a deleted tag has no version");
    assert_eq!(client.get("/api/v1/stream?x=1").await.code(), "validation_failed");
}

/// Over repeated disconnects, while others write: each event arrives once and in order.
pub async fn resumes_a_stream_after_a_disconnect(server: &mut Server) {
    let client = server.client();
    let mut stream = EventStream::ready(&server.base, &server.key).await;
    let mut last = stream.last_id.unwrap();
    let writer = tokio::spawn({
        let client = client.clone();
        async move {
            for batch in 0..8 {
                let operation = |it| json!({"action": "create", "contact": {"external_id": format!("{batch}-{it}")}});
                let body = json!({"operations": (0..50).map(operation).collect::<Vec<_>>()});
                client.post("/api/v1/contacts/batch", &body).await.expect(200);
            }
        }
    });
    let mut breaks = 0;
    while last < 400 {
        // After a few events, in the middle of the missed ones or after them.
        for _ in 0..(7 + breaks * 13) {
            let told = stream.next().await;
            if let Some(id) = told.id.filter(|_| told.event != "ready") {
                assert_eq!((id, told.event.as_str()), (last + 1, "contact.created"));
                last = id;
            }
            if last == 400 {
                break;
            }
        }
        breaks += 1;
        drop(stream);
        stream = EventStream::open(&server.base, &server.key, Some(last)).await;
    }
    writer.await.unwrap();
    let ready = stream.until(|it| it.event == "ready").await;
    assert_eq!((ready.id, ready.data), (Some(400), json!({"position": 400})));
    assert!(breaks > 3, "{breaks}");
    contact(&client, "one more").await;
    assert_eq!(stream.next().await.id, Some(401), "no event is repeated or missing");
}

/// A position that never existed and one that expired get different errors.
pub async fn rejects_missing_and_malformed_positions(server: &mut Server) {
    let beyond = EventStream::ask(&server.base, &server.key, None, Some(4_711)).await;
    assert_eq!(beyond.status(), 410);
    let problem: Value = serde_json::from_str(&beyond.text().await.unwrap()).unwrap();
    assert_eq!((&problem["code"], &problem["last_event_id"]), (&json!("events_gone"), &json!(4_711)));
    let headers = [("last-event-id", "evt_1")];
    let malformed = server.client().send("GET", "/api/v1/stream", &headers, None).await.unwrap();
    assert_eq!((malformed.status, malformed.code().as_str()), (400, "invalid_header"));
}
