//! Streams that the server ends.

use std::time::Duration;

use serde_json::json;

use crate::support::{EventStream, Server};

/// Each open stream gets an event, no new one is accepted, and the process ends.
pub async fn reports_a_shutdown_to_open_streams(server: &mut Server) {
    let mut streams = vec![EventStream::ready(&server.base, &server.key).await];
    streams.push(EventStream::ready(&server.base, &server.key).await);
    server.terminate();
    for stream in &mut streams {
        assert_eq!(stream.reason(Duration::from_secs(2)).await, "shutdown");
    }
    let refused = EventStream::ask(&server.base, &server.key, None, None).await;
    assert_eq!(refused.status(), 503);
    assert!(server.wait(), "{}", server.log());
}

/// A hint reports that the sandbox was emptied; a stream cannot resume from its old events.
pub async fn reports_an_emptied_sandbox(server: &mut Server) {
    let (key, _) = super::sandbox(server).await;
    let client = server.client().with_key(Some(&key));
    let mut stream = EventStream::ready(&server.base, &key).await;
    let began = stream.last_id;
    client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    let created = stream.until(|it| it.id.is_some()).await;
    assert_eq!((created.event.as_str(), &created.data["test"]), ("contact.created", &json!(true)));
    client.post("/api/v1/sandbox/reset", &json!({})).await.expect(200);
    let emptied = json!({"id": null, "type": "workspace", "version": null});
    stream.until(|it| it.data["changed"] == emptied).await;
    assert_eq!(EventStream::ask(&server.base, &key, None, began).await.status(), 410);
    client.post("/api/v1/contacts", &json!({"external_id": "bob"})).await.expect(201);
    let next = stream.until(|it| it.id.is_some()).await;
    assert!(next.id > created.id, "{next:?}");
}
