//! How streams end by themselves.

use std::time::Duration;

use serde_json::json;

use crate::support::{EventStream, Server};

/// Each open stream is told, none is opened meanwhile, and the process ends.
pub async fn a_server_that_stops_says_so(server: &mut Server) {
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

/// Its feed begins anew: who goes on by an old position is told so.
pub async fn an_emptied_sandbox_ends_its_streams(server: &mut Server) {
    let (key, _) = super::sandbox(server).await;
    let key = key.as_str();
    let client = server.client().with_key(Some(key));
    let mut stream = EventStream::ready(&server.base, key).await;
    client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    let created = stream.until(|it| it.id.is_some()).await;
    assert_eq!((created.event.as_str(), &created.data["test"]), ("contact.created", &json!(true)));
    client.post("/api/v1/sandbox/reset", &json!({})).await.expect(200);
    assert_eq!(stream.reason(Duration::from_secs(5)).await, "reset");
    assert_eq!(EventStream::ask(&server.base, key, None, created.id).await.status(), 410);
    EventStream::ready(&server.base, key).await;
}
