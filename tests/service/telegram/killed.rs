//! The server is killed while Telegram answers the call of the second of two parts.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{BotApi, Line, PUBLIC, TOKEN, text};
use crate::support::{Server, Store};

/// Jobs of a killed process are claimed again after this time.
const LEASE: (&str, &str) = ("TIDINGS__ENGINE__LEASE", "PT5S");

pub async fn a_kill_during_the_call_leaves_its_part_uncertain(store: Store) {
    let mut server = Server::start(store, &[PUBLIC, LEASE]);
    let api = BotApi::start().await;
    let mut line = Line::open(&server, &api, TOKEN).await;
    line.says(1, "Hello").await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&line.only_contact().await["id"]));
    api.bots.lock().unwrap().gate = Some(Arc::new(Semaphore::new(1)));
    // 4,097 UTF-16 code units.
    let long = json!({"type": "text", "text": format!("1{}", "🦀".repeat(2_048))});
    let message = line.client.post(&send, &long).await.expect(202);
    api.called("sendMessage", 2).await;
    server.kill();
    api.bots.lock().unwrap().gate = None;
    server.serve();
    line.client = server.client();
    line.nobody = line.client.with_key(None);

    let path = format!("/api/v1/messages/{}", text(&message["id"]));
    let unclear = line.client.until(&path, |it| it["status"] == "uncertain").await;
    assert_eq!((&unclear["error"]["code"], &unclear["error"]["part"]), (&json!("outcome_unknown"), &json!(1)));
    let parts = unclear["parts"].as_array().unwrap();
    let statuses: Vec<&Value> = parts.iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, ["sent", "uncertain"], "{unclear}");

    // Telegram repeats an update if it missed the answer.
    line.says(1, "Hello").await;
    let later = line.client.post(&send, &json!({"type": "text", "text": "Later"})).await.expect(202);
    line.client.until(&format!("/api/v1/messages/{}", text(&later["id"])), |it| it["status"] == "sent").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 3, "the repeated update is known: {list}");
    assert_eq!(api.called("sendMessage", 3).await.len(), 3, "no part is sent twice");
}
