//! Files of contacts: pending until they are fetched, then stored with a safe name and the type of their content.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{BotApi, Line, PUBLIC, TOKEN, ada, chat, text};
use crate::support::{Server, Store};

/// A page that is called a picture.
const PAGE: &[u8] = b"<!DOCTYPE html><html><script>alert(1)</script></html>";

impl Line {
    /// Sends the update of a message with this document; returns the path of the message.
    async fn sends_file(&self, id: i64, document: &Value) -> String {
        let message = json!({"message_id": id, "date": 1_767_225_600, "chat": chat(), "from": ada(),
                             "document": document, "caption": "Look"});
        let reply = self.update(&json!({"update_id": id, "message": message})).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""), "{document}");
        let list = self.client.get(&self.messages().await).await.expect(200);
        let last = list["data"].as_array().unwrap().last().unwrap();
        format!("/api/v1/messages/{}", text(&last["id"]))
    }

    /// Waits until the file of a message cannot be fetched; returns the code of its error.
    async fn lost_file(&self, message: &str) -> Value {
        let message = self.client.until(message, |it| it["attachments"][0]["status"] == "failed").await;
        message["attachments"][0]["error"].clone()
    }
}

pub async fn files_are_pending_until_they_are_fetched(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let gate = Arc::new(Semaphore::new(0));
    let answer = |head: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    };
    {
        let mut bots = api.bots.lock().unwrap();
        bots.gate = Some(Arc::clone(&gate));
        bots.files.push_back(answer("200 OK\r\ncontent-type: image/png", PAGE));
        bots.files.push_back(answer("302 Found\r\nlocation: http://10.0.0.1/file", b""));
    }
    let hostile = "../../a\r\nX: \u{202e}\u{61c}gnp.html";
    let document = json!({"file_id": "AgAC1", "file_name": hostile, "mime_type": "image/png"});
    let message = line.sends_file(1, &document).await;
    let pending = line.client.get(&message).await.expect(200)["attachments"][0].clone();
    assert_eq!((&pending["status"], &pending["name"]), (&json!("pending"), &json!("aX: gnp.html")), "{pending}");
    let url = text(&pending["url"]);
    let early = line.client.get(&url).await;
    assert_eq!((early.status, early.code().as_str()), (425, "file_pending"), "{}", early.text);
    assert!(early.header("retry-after").is_some());
    assert_eq!(line.nobody.get(&url).await.status, 401);
    server.new_client("Neighbour", "full").get(&url).await.expect(404);

    gate.add_permits(1);
    let stored = line.client.until_status(&url, 200).await;
    assert_eq!(stored.bytes, PAGE);
    assert_eq!(stored.header("content-type"), Some("application/octet-stream"), "the content decides, not its sender");
    assert!(stored.header("content-disposition").unwrap().starts_with("attachment; filename=\"aX: gnp.html\""));
    assert_eq!(stored.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(stored.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    let fetched = line.client.get(&message).await.expect(200)["attachments"][0].clone();
    assert_eq!((&fetched["status"], &fetched["url"]), (&Value::Null, &pending["url"]), "{fetched}");
    assert_eq!(fetched["mime_type"], "application/octet-stream", "{fetched}");

    gate.add_permits(1);
    let redirected = line.sends_file(2, &json!({"file_id": "AgAC2"})).await;
    assert_eq!(line.lost_file(&redirected).await, "gone", "a private address is not called");
    let large = line.sends_file(3, &json!({"file_id": "large", "file_size": 21 * 1_024 * 1_024})).await;
    assert_eq!(line.lost_file(&large).await, "too_large");
    let lost = line.client.get(&large).await.expect(200)["attachments"][0]["url"].clone();
    line.client.get(&text(&lost)).await.expect(404);
    let token = TOKEN.split(':').nth(1).unwrap();
    for path in [line.messages().await, "/api/v1/events?limit=100".to_owned(), line.path()] {
        assert!(!line.client.get(&path).await.text.contains(token), "{path} contains the token");
    }
    assert!(!server.log().contains(token), "the log contains the token");
}
