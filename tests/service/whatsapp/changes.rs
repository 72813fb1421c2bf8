//! A contact comes by an advertisement, edits and deletes messages, and reacts to the answer.

use serde_json::{Value, json};

use super::{GraphApi, Line, NUMBER, PUBLIC, text, written};
use crate::support::{Server, Store};

impl Line {
    /// Delivers a message of the contact with these members.
    async fn writes(&self, id: &str, members: &Value) {
        self.deliver(&[written(NUMBER, id, members)]).await;
    }
}

pub(super) async fn a_contact_comes_by_an_advertisement_edits_and_deletes(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let nodes = json!([
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Summer"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let triggers = json!([{"type": "referral", "ref": "120226305854810726"}]);
    let definition = json!({"start": "say", "triggers": triggers, "nodes": nodes});
    line.client.publish_flow("Summer", &definition).await;

    let referral = json!({"source_url": "https://fb.me/3cr4Wqqkv", "source_id": "120226305854810726",
        "source_type": "ad", "body": "Summer is here", "headline": "Chat with us", "media_type": "image",
        "ctwa_clid": "Aff-n8ZTODiE79d22KtAwQKj9e"});
    line.writes("wamid.in1", &json!({"type": "text", "text": {"body": "Hello"}, "referral": referral})).await;
    line.writes("wamid.in2", &json!({"type": "text", "text": {"body": "My secret"}})).await;
    let path = line.messages().await;
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["status"] == "sent");
    let list = line.client.until(&path, sent).await;
    let of = |list: &Value, text: &str| {
        let found = list["data"].as_array().unwrap().iter().find(|it| it["text"] == text);
        found.cloned().unwrap_or_else(|| panic!("{text}: {list}"))
    };
    let shown = json!({"source": "ad", "ref": "120226305854810726", "url": "https://fb.me/3cr4Wqqkv",
                       "ad_id": "120226305854810726", "headline": "Chat with us"});
    assert_eq!(of(&list, "Hello")["referral"], shown);
    let (answer, secret) = (of(&list, "Summer"), of(&list, "My secret"));
    let unread = line.conversation().await["unread_count"].clone();

    let edit = |body: &str| {
        let message = json!({"type": "text", "text": {"body": body}});
        json!({"type": "edit", "edit": {"original_message_id": "wamid.in1", "message": message}})
    };
    let emoji = |emoji: &str| json!({"type": "reaction", "reaction": {"message_id": answer["provider_message_id"], "emoji": emoji}});
    let revoke = |id: &str| json!({"type": "revoke", "revoke": {"original_message_id": id}});
    for (id, members) in [
        ("wamid.e1", edit("Hello, all")),
        ("wamid.e1", edit("Repeated")),
        ("wamid.r1", emoji("👍")),
        ("wamid.r2", emoji("❤️")),
        ("wamid.d1", revoke("wamid.in2")),
        ("wamid.d2", revoke("wamid.unknown")),
    ] {
        line.writes(id, &members).await;
    }
    let list = line.client.get(&path).await.expect(200);
    let edited = of(&list, "Hello, all");
    assert_eq!(edited["edits"], json!([{"text": "Hello", "at": "2026-01-01T00:00:00.000Z"}]));
    let reactions = |list: &Value| of(list, "Summer")["reactions"].clone();
    assert_eq!(reactions(&list), json!([{"emoji": "❤️", "at": "2026-01-01T00:00:00.000Z"}]));
    let deleted = line.client.get(&format!("/api/v1/messages/{}", text(&secret["id"]))).await.expect(200);
    assert_eq!((&deleted["text"], &deleted["attachments"]), (&Value::Null, &json!([])));
    assert_eq!(deleted["deleted_by_contact_at"], "2026-01-01T00:00:00.000Z");
    assert_eq!(list["data"].as_array().unwrap().len(), 3, "{list}");
    assert_eq!(line.conversation().await["unread_count"], unread);

    let removed = json!({"type": "reaction", "reaction": {"message_id": answer["provider_message_id"]}});
    line.writes("wamid.r3", &removed).await;
    assert_eq!(reactions(&line.client.get(&path).await.expect(200)), json!([]));
}
