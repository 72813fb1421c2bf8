//! A contact comes by a start link, edits a message and reacts to the answer.

use serde_json::{Value, json};

use super::{BotApi, Line, PUBLIC, TOKEN, ada, chat, text};
use crate::support::{Server, Store};

/// The update of a message that the contact edited at this second.
fn edited(update: i64, message: i64, second: i64, text: &str) -> Value {
    json!({"update_id": update, "edited_message": {
        "message_id": message, "date": 1_767_225_600, "edit_date": 1_767_225_600 + second, "chat": chat(),
        "from": ada(), "text": text}})
}

/// The update of the reactions to a message at this second.
fn reacted(update: i64, message: i64, second: i64, emojis: &[&str]) -> Value {
    let emojis: Vec<Value> = emojis.iter().map(|emoji| json!({"type": "emoji", "emoji": emoji})).collect();
    json!({"update_id": update, "message_reaction": {
        "chat": chat(), "message_id": message, "user": ada(), "date": 1_767_225_600 + second, "old_reaction": [],
        "new_reaction": emojis}})
}

pub(super) async fn a_contact_comes_by_a_link_edits_and_reacts(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let greeting = |text: &str| {
        json!([{"id": "say", "type": "send_message", "message": {"type": "text", "text": text}, "next": "end"},
               {"id": "end", "type": "end"}])
    };
    let start = json!([{"type": "keyword", "match": "starts_with", "keywords": ["/start"]}]);
    let start = json!({"start": "say", "triggers": start, "nodes": greeting("Welcome")});
    line.client.publish_flow("Start", &start).await;
    let link = json!([{"type": "referral", "ref": "spring", "match": "exact"}]);
    let link = json!({"start": "say", "triggers": link, "nodes": greeting("Spring")});
    line.client.publish_flow("Link", &link).await;

    line.says(1, "/start spring").await;
    assert_eq!(api.called("sendMessage", 1).await[0].body["text"], "Spring", "the exact referral precedes a prefix");
    let path = line.messages().await;
    let list = line.client.until(&path, |list| list["data"][1]["status"] == "sent").await;
    let referral = json!({"source": "start_link", "ref": "spring", "url": null, "ad_id": null, "headline": null});
    assert_eq!((&list["data"][0]["referral"], &list["data"][1]["referral"]), (&referral, &Value::Null));
    assert_eq!(list["data"][0]["provider_message_id"], "42:1");
    let sent: i64 = text(&list["data"][1]["provider_message_id"]).parse().unwrap();
    let conversation = async || line.client.get("/api/v1/conversations").await.expect(200)["data"][0].clone();
    let events = async || line.client.get("/api/v1/events?limit=100").await.expect(200)["data"].clone();
    // Later events of the flow would look like events of the edits.
    line.client.until("/api/v1/flow-runs", |runs| runs["data"][0]["status"] == "completed").await;
    let before = conversation().await;

    let updates = [
        edited(2, 1, 60, "/start summer"),
        edited(3, 1, 70, "Hello"),
        reacted(4, sent, 80, &["👍"]),
        reacted(5, 1, 80, &["🔥"]),
        reacted(6, 1, 90, &[]),
        // Repeated and unknown messages have no effect.
        edited(2, 1, 60, "/start summer"),
        reacted(5, 1, 80, &["🔥"]),
        edited(7, 99, 90, "Never seen"),
        reacted(8, 99, 90, &["👍"]),
    ];
    for update in &updates {
        let reply = line.update(update).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""), "{update}");
    }
    let list = line.client.get(&path).await.expect(200);
    let messages = list["data"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{list}");
    let (said, answer) = (&messages[0], &messages[1]);
    assert_eq!((&said["text"], &said["edited_at"]), (&json!("Hello"), &json!("2026-01-01T00:01:10.000Z")));
    let earlier = json!([{"text": "/start spring", "at": "2026-01-01T00:01:00.000Z"},
                         {"text": "/start summer", "at": "2026-01-01T00:01:10.000Z"}]);
    assert_eq!((&said["edits"], &said["reactions"]), (&earlier, &json!([])));
    assert_eq!(answer["reactions"], json!([{"emoji": "👍", "at": "2026-01-01T00:01:20.000Z"}]));
    assert_eq!((&answer["edits"], &answer["deleted_by_contact_at"]), (&json!([]), &Value::Null));
    assert_eq!(conversation().await, before, "changes are not unread messages");
    assert_eq!(api.called("sendMessage", 1).await.len(), 1, "no flow starts");
    assert!(!events().await.to_string().contains("/start summer"), "no event contains a change");
}
