//! An opt-out while Telegram answers the call of the first of two parts.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::Semaphore;

use super::{BotApi, Line, PUBLIC, TOKEN, text};
use crate::support::{Server, Store};

pub async fn an_opt_out_between_two_parts_stops_the_message(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    line.says(1, "Hello").await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&line.only_contact().await["id"]));
    let gate = Arc::new(Semaphore::new(0));
    api.bots.lock().unwrap().gate = Some(Arc::clone(&gate));
    // 4,097 UTF-16 code units.
    let long = json!({"type": "text", "text": format!("1{}", "🦀".repeat(2_048))});
    let message = line.client.post(&send, &long).await.expect(202);
    api.called("sendMessage", 1).await;
    line.says(2, "stop").await;
    gate.add_permits(10);

    let path = format!("/api/v1/messages/{}", text(&message["id"]));
    let stopped = line.client.until(&path, |it| it["status"] == "failed").await;
    assert_eq!((&stopped["error"]["code"], &stopped["error"]["part"]), (&json!("stopped"), &json!(1)), "{stopped}");
    let parts = stopped["parts"].as_array().unwrap();
    let statuses: Vec<&str> = parts.iter().map(|it| it["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["sent", "failed"], "{stopped}");
    let calls = api.called("sendMessage", 1).await;
    let sent = calls.iter().filter(|call| text(&call.body["text"]).contains('🦀')).count();
    assert_eq!(sent, 1, "the second part is not sent");
}
