//! A contact stops marketing messages in WhatsApp, and resumes them.

use serde_json::{Value, json};

use super::{ACCOUNT, APP_SECRET, GraphApi, Line, NUMBER, PUBLIC, signature, text, with_metadata};
use crate::support::{Server, Store};

impl Line {
    /// Delivers the preference of the only contact, as Meta sends it to the callback URL of the app.
    async fn prefers(&self, value: &str, seconds: i64) {
        let preference = json!({"wa_id": "5491123456789", "user_id": "AR.1349", "category": "marketing_messages",
                                "detail": "User requested a change", "value": value, "timestamp": seconds});
        let value = with_metadata(NUMBER, json!({"user_preferences": [preference]}));
        let changes = json!([{"field": "user_preferences", "value": value}]);
        let body = json!({"entry": [{"id": ACCOUNT, "changes": changes}]}).to_string();
        let reply = self.post(&body, Some(&signature(APP_SECRET, &body))).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    }

    /// Sends a broadcast to all contacts; returns the numbers of sent and of suppressed messages.
    async fn broadcast(&self, name: &str) -> (Value, Value) {
        let body = json!({"name": name, "audience": {"all": []}, "message": {"type": "text", "text": name}});
        let path = format!("/api/v1/broadcasts/{}", self.client.create("/api/v1/broadcasts", &body).await);
        self.client.post(&format!("{path}/send"), &json!({})).await.expect(202);
        let is_one = |it: &Value, outcome: &str| it["stats"][outcome] == 1;
        let done = self.client.until(&path, |it| is_one(it, "sent") || is_one(it, "suppressed")).await;
        (done["stats"]["sent"].clone(), done["stats"]["suppressed"].clone())
    }
}

pub(super) async fn a_contact_stops_and_resumes_marketing_messages(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    line.says("wamid.1", "Hello").await;
    assert_eq!(line.broadcast("One").await, (json!(1), json!(0)));

    line.prefers("stop", 1_767_225_600).await;
    assert_eq!(line.broadcast("Two").await, (json!(0), json!(1)));
    let list = line.client.get(&line.messages().await).await.expect(200);
    let suppressed = list["data"].as_array().unwrap().iter().find(|it| it["text"] == "Two").unwrap();
    assert_eq!(suppressed["error"]["code"], "marketing_stopped", "{list}");
    // Other messages are still sent.
    let contact = line.contacts().await.remove(0);
    assert_eq!((&contact["subscribed"], &contact["identities"][0]["opted_in"]), (&json!(true), &json!(true)));
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let reply = line.client.post(&send, &json!({"type": "text", "text": "Reply"})).await.expect(202);
    line.until(&line.messages().await, &reply["id"], "sent").await;

    line.prefers("resume", 1_767_225_700).await;
    line.prefers("stop", 1_767_225_600).await;
    assert_eq!(line.broadcast("Three").await, (json!(1), json!(0)), "a late repetition changes nothing");
    let sent: Vec<Value> = api.sent(3).await.iter().map(|it| it["text"]["body"].clone()).collect();
    assert_eq!(sent, ["One", "Reply", "Three"]);
}
