//! Limits on the number of streams and on the buffer of each.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::timeout;

use crate::support::{EventStream, Server};

/// The number of contacts of 36 kB in a batch, and the number of batches: more than the stream's buffer and the
/// kernel's.
const BATCH: i64 = 20;
const BATCHES: i64 = 20;

/// The sixth stream of a key is rejected, and another key has its own limit. A closed stream frees its slot at once.
pub async fn limits_streams_per_client_and_frees_closed_ones(server: &mut Server) {
    let mut open = Vec::new();
    for _ in 0..5 {
        open.push(EventStream::ready(&server.base, &server.key).await);
    }
    let refused = EventStream::ask(&server.base, &server.key, None, None).await;
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "5"));
    let problem: Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
    assert_eq!((&problem["code"], &problem["limit"]), (&json!("stream_limit"), &json!(5)));
    assert!(problem["detail"].as_str().unwrap().contains("5 streams open"), "{problem}");
    EventStream::ready(&server.base, &server.new_key(&server.workspace, "read")).await;

    open.pop();
    let began = Instant::now();
    while EventStream::ask(&server.base, &server.key, None, None).await.status() != 200 {
        assert!(began.elapsed() < Duration::from_secs(3), "a stream slot is free after its client disconnects");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

/// The server buffers a limited amount for a slow client. The lost events are sent when the client reconnects.
pub async fn closes_streams_of_slow_clients_with_the_reason(server: &mut Server) {
    let client = server.client();
    for field in 0..9 {
        let field = json!({"key": format!("text_{field}"), "name": format!("Text {field}"), "type": "text"});
        client.post("/api/v1/custom-fields", &field).await.expect(201);
    }
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let address = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let mut slow = socket.connect(address).await.unwrap();
    let head = format!("GET /api/v1/stream HTTP/1.1\r\nHost: tidings\r\nAuthorization: Bearer {}\r\n\r\n", server.key);
    slow.write_all(head.as_bytes()).await.unwrap();
    let mut first = [0; 1_024];
    assert!(slow.read(&mut first).await.unwrap() > 0);
    let mut quick = EventStream::ready(&server.base, &server.new_key(&server.workspace, "read")).await;
    let before = server.memory();

    let long = "x".repeat(4_000);
    let values: Value = (0..9).map(|it| (format!("text_{it}"), json!(long))).collect::<serde_json::Map<_, _>>().into();
    let mut created = 0;
    for batch in 0..BATCHES {
        let contact = |it| json!({"external_id": format!("{batch}-{it}"), "custom_fields": values});
        let operations: Vec<_> = (0..BATCH).map(|it| json!({"action": "create", "contact": contact(it)})).collect();
        let made = client.post("/api/v1/contacts/batch", &json!({"operations": operations})).await.expect(200);
        // On a busy machine an operation may fail because the store has no connection in time.
        created += made["outcomes"].as_array().unwrap().iter().filter(|it| it["status"] == 201).count() as i64;
        // A fast client gets everything, however slow the other one is.
        while quick.last_id < Some(created) {
            quick.next().await;
        }
        // Reads a little, so the connection is not closed as idle.
        let _ = timeout(Duration::from_secs(1), slow.read_exact(&mut vec![0; 64 * 1_024])).await;
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 200 << 20, "{} MiB", grown >> 20);

    let mut text = Vec::new();
    timeout(Duration::from_secs(20), slow.read_to_end(&mut text)).await.expect("the server closes the stream").unwrap();
    let text = String::from_utf8_lossy(&text);
    let end = text.rsplit("event: ").next().unwrap();
    assert!(end.starts_with("end\n") && end.contains("\"reason\":\"slow\""), "{}", &end[..end.len().min(300)]);
    let last = text.rsplit("\nid: ").next().unwrap().split('\n').next().unwrap().parse().unwrap();
    assert!(last < created, "{last}");
    let mut again = EventStream::open(&server.base, &server.key, Some(last)).await;
    assert_eq!(again.next().await.id, Some(last + 1));
    assert_eq!(again.until(|it| it.event == "ready").await.id, Some(created));
}
