//! Several servers of one database.

use serde_json::json;

use crate::support::{Client, EventStream, Server};

/// Changes at one server are streamed by the other, and a stream can resume at another server.
pub async fn streams_changes_made_at_the_other_server(server: &Server) {
    let twin = server.twin();
    let elsewhere = Client::new(&twin.base, Some(&server.key));
    let mut here = EventStream::ready(&server.base, &server.key).await;
    let mut there = EventStream::ready(&twin.base, &server.key).await;
    for number in 0..5 {
        let contact = json!({"external_id": number.to_string()});
        elsewhere.post("/api/v1/contacts", &contact).await.expect(201);
        let told = here.until(|it| it.id.is_some()).await;
        assert_eq!(told.data["data"]["object"]["external_id"], number.to_string());
        assert_eq!(there.until(|it| it.id.is_some()).await, told);
    }
    let last = here.last_id;
    drop(here);
    elsewhere.post("/api/v1/contacts", &json!({"external_id": "missed"})).await.expect(201);
    let missed = there.until(|it| it.id.is_some()).await;
    let mut moved = EventStream::open(&twin.base, &server.key, last).await;
    assert_eq!(moved.next().await, missed);
    assert_eq!(moved.next().await.event, "ready");
}
