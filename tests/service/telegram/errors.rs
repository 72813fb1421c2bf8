//! Errors of Telegram, and opt-outs of the contact here and at Telegram.

use serde_json::{Value, json};

use super::{BotApi, Line, PUBLIC, TOKEN, ada, chat, text};
use crate::support::{Receiver, Server, Store};

/// The text that confirms an opt-out.
const CONFIRMATION: &str =
    "Sie sind abgemeldet und erhalten hier keine Nachrichten mehr. Mit START melden Sie sich wieder an.";

pub(super) async fn errors_and_opt_outs(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.unsubscribed"]});
    line.client.post("/api/v1/webhooks", &hook).await.expect(201);
    line.says(1, "Hello").await;
    let contact = line.only_contact().await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let hello = json!({"type": "text", "text": "Hello"});
    let opted_in = async || line.only_contact().await["identities"][0]["opted_in"].clone();

    // Telegram asks to wait, then accepts the message.
    let wait = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 1",
                      "parameters": {"retry_after": 1}});
    api.fail_next(429, wait);
    let message = line.client.post(&send, &hello).await.expect(202);
    let path = line.messages().await;
    let has = |id: &Value, status: &'static str| {
        let id = id.clone();
        move |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["id"] == id && it["status"] == status)
    };
    line.client.until(&path, has(&message["id"], "sent")).await;
    assert_eq!(api.called("sendMessage", 2).await.len(), 2);

    // Telegram may have sent the message.
    api.fail_next(500, json!({"ok": false, "error_code": 500, "description": "Request aborted"}));
    let message = line.client.post(&send, &hello).await.expect(202);
    line.client.until(&path, has(&message["id"], "uncertain")).await;

    line.says(2, "stop").await;
    assert_eq!(opted_in().await, false);
    let confirmed = api.called("sendMessage", 4).await;
    assert_eq!(confirmed[3].body["text"], CONFIRMATION, "in the language of Ada's app");
    let is_confirmation = |it: &Value| it["sender"] == json!({"type": "system"}) && it["status"] == "sent";
    line.client.until(&path, |list| list["data"].as_array().unwrap().iter().any(is_confirmation)).await;
    assert_eq!(line.client.post(&send, &hello).await.expect(202)["error"]["code"], "unsubscribed");
    line.says(3, "/start").await;
    assert_eq!(opted_in().await, true);

    // The contact blocked the bot, and the next message meets it.
    let blocked = json!({"ok": false, "error_code": 403, "description": "Forbidden: bot was blocked by the user"});
    api.fail_next(403, blocked);
    let message = line.client.post(&send, &hello).await.expect(202);
    let list = line.client.until(&path, has(&message["id"], "failed")).await;
    let failed = list["data"].as_array().unwrap().iter().find(|it| it["id"] == message["id"]).unwrap();
    assert_eq!(failed["error"]["code"], "blocked");
    assert_eq!(opted_in().await, false);
    line.says(4, "/start").await;
    assert_eq!(opted_in().await, true);
    let status = |status: &str| json!({"status": status});
    let change = json!({"chat": chat(), "from": ada(), "old_chat_member": status("member"),
                        "new_chat_member": status("kicked")});
    let blocked = json!({"update_id": 5, "my_chat_member": change});
    assert_eq!(line.update(&blocked).await.status, 200);
    assert_eq!(opted_in().await, false);
    line.says(6, "/start").await;
    assert_eq!(line.update(&blocked).await.status, 200);
    assert_eq!(opted_in().await, true, "a repeated update has no effect");
    let change = |old: &str, new: &str| {
        json!({"chat": chat(), "from": ada(), "old_chat_member": status(old),
               "new_chat_member": status(new)})
    };
    for (id, old, new, expected) in [(7, "member", "kicked", false), (8, "kicked", "member", true)] {
        let update = json!({"update_id": id, "my_chat_member": change(old, new)});
        assert_eq!(line.update(&update).await.status, 200);
        assert_eq!(opted_in().await, expected, "an unblock ends the opt-out of the block");
    }
    let told = receiver.until("four events", |received| received.len() >= 4).await;
    let mut sources: Vec<String> = told.iter().map(|it| text(&it.envelope()["data"]["source"])).collect();
    sources.sort();
    assert_eq!(sources, ["keyword", "provider", "provider", "provider"]);
    assert_eq!(api.called("sendMessage", 5).await.len(), 5);
}

/// Telegram accepts the first of two parts, and asks to wait before the second one.
pub(super) async fn a_later_try_begins_at_the_refused_part(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    line.says(1, "Hello").await;
    let contact = line.only_contact().await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let wait = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 1",
                      "parameters": {"retry_after": 1}});
    api.fail_next(200, json!({"ok": true, "result": {"message_id": 901}}));
    api.fail_next(429, wait);
    // 4,097 UTF-16 code units.
    let long = json!({"type": "text", "text": format!("1{}", "🦀".repeat(2_048))});
    let message = line.client.post(&send, &long).await.expect(202);
    assert_eq!(message["parts"].as_array().unwrap().len(), 1, "a queued message is not divided yet: {message}");
    let path = line.messages().await;
    let list = line.client.until(&path, |list| list["data"][1]["error"]["part"] == 1).await;
    let waiting = &list["data"][1];
    assert_eq!((&waiting["status"], &waiting["provider_message_id"]), (&json!("sending"), &Value::Null), "{waiting}");
    let parts = &waiting["parts"];
    assert_eq!((&parts[0]["status"], &parts[0]["provider_message_id"]), (&json!("sent"), &json!("901")), "{parts}");
    assert_eq!((&parts[1]["status"], &parts[1]["error"]["code"]), (&json!("pending"), &json!("provider_unavailable")));
    let list = line.client.until(&path, |list| list["data"][1]["status"] == "sent").await;
    let sent = &list["data"][1];
    assert_eq!((&sent["error"], &sent["parts"][1]["status"]), (&Value::Null, &json!("sent")), "{sent}");
    assert_eq!(sent["provider_message_id"], sent["parts"][1]["provider_message_id"], "{sent}");
    let calls = api.called("sendMessage", 3).await;
    let starts: Vec<bool> = calls.iter().map(|call| text(&call.body["text"]).starts_with('1')).collect();
    assert_eq!(starts, [true, false, false], "the first part is sent once");
}
