//! Messages are sent with a signature, and their reports count in any order.

use serde_json::{Value, json};

use super::{Conduct, Line, Provider, signature};
use crate::support::receiver::Received;
use crate::support::{Receiver, Server, Store};

pub(super) async fn sends_signed_messages_and_accepts_reports_in_any_order(store: Store) {
    let server = Server::start(store, &[]);
    let receiver = Receiver::start();
    let kinds = json!(["message.sent", "message.delivered", "message.read", "message.failed", "conversation.resolved"]);
    server.client().post("/api/v1/webhooks", &json!({"url": receiver.url, "events": kinds})).await.expect(201);
    let mut provider = Provider::start(Conduct::Takes).await;
    let line = Line::open(&server, &provider).await;
    line.says("m1", "+4930", "Hello").await.expect(202);
    let conversation = line.only_conversation().await;
    let path = format!("/api/v1/conversations/{}", conversation["id"].as_str().unwrap());

    let note = line.client.post(&format!("{path}/messages"), &json!({"type": "note", "text": "Who is she?"})).await;
    let note = note.expect(202);
    assert_eq!(
        (&note["status"], &note["direction"], &note["private"]),
        (&json!("noted"), &json!("internal"), &json!(true))
    );
    let reply = json!({"type": "text", "text": "Zoë 🦀", "quick_replies": [{"title": "Yes"}]});
    let reply = line.client.post(&format!("{path}/messages"), &reply).await.expect(202);
    let got = provider.next().await;
    let header = |name: &str| got.headers[name].as_str();
    assert_eq!(header("webhook-id"), reply["id"].as_str().unwrap());
    let expected = signature(&line.secret, header("webhook-id"), header("webhook-timestamp"), &got.body);
    assert_eq!(header("webhook-signature"), expected);
    let body: Value = serde_json::from_slice(&got.body).unwrap();
    assert_eq!((&body["type"], &body["to"]), (&json!("message"), &json!({"address": "+4930"})));
    assert_eq!((&body["message"]["text"], &body["message"]["id"]), (&json!("Zoë 🦀"), &reply["id"]));
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["status"] == "sent");
    line.client.until(&Line::messages(&conversation), sent).await;

    line.reports("p-9", "read").await.expect(404);
    line.reports("p-1", "read").await.expect(202);
    for late in ["read", "delivered", "failed"] {
        line.reports("p-1", late).await.expect(200);
    }
    let list = line.client.get(&Line::messages(&conversation)).await.expect(200);
    let statuses: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, ["received", "noted", "read"], "the contact's message, the note and the reply");

    for expected in [json!("resolved"), json!("resolved")] {
        let resolved = line.client.call("POST", &format!("{path}/resolve"), None).await.expect(200);
        assert_eq!((&resolved["status"], &resolved["handler"]), (&expected, &json!("bot")));
    }
    line.says("m2", "+4930", "One more thing").await.expect(202);
    let again = line.client.until(&path, |it| it["status"] == "open").await;
    assert_eq!((&again["handler"], &again["reopen_count"]), (&json!("bot"), &json!(1)));
    let told = receiver.until("three events", |received| received.len() >= 3).await;
    let mut kinds: Vec<String> = told.iter().map(Received::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ["conversation.resolved", "message.read", "message.sent"]);
}

pub(super) async fn marks_interrupted_sends_uncertain_and_sends_once(store: Store) {
    let server = Server::start(store, &[]);
    let mut provider = Provider::start(Conduct::BreaksOff).await;
    let line = Line::open(&server, &provider).await;
    line.says("m1", "+4930", "Hello").await.expect(202);
    let conversation = line.only_conversation().await;
    let path = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
    for text in ["first", "second"] {
        line.client.post(&path, &json!({"type": "text", "text": text})).await.expect(202);
    }
    let uncertain =
        |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "uncertain").count();
    let list = line.client.until(&Line::messages(&conversation), |list| uncertain(list) == 2).await;
    let texts = [provider.next().await, provider.next().await].map(|got| {
        let body: Value = serde_json::from_slice(&got.body).unwrap();
        body["message"]["text"].clone()
    });
    assert_eq!(texts, ["first", "second"], "each message is sent once, in order");
    assert!(provider.got.try_recv().is_err(), "nothing was sent a second time");
    let first = list["data"].as_array().unwrap().iter().find(|it| it["text"] == "first").unwrap();
    line.reports(first["id"].as_str().unwrap(), "delivered").await.expect(202);
}
