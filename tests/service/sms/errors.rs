//! Errors of Twilio, and opt-outs of the contact here and at Twilio.

use serde_json::{Value, json};

use super::{ADA, Line, NUMBER, PUBLIC, TOKEN, Twilio, a_channel, text, written};
use crate::support::{Receiver, Server, Store};

pub(super) async fn errors_and_opt_outs(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.unsubscribed"]});
    line.client.post("/api/v1/webhooks", &hook).await.expect(201);
    line.says("SM1", "Hello").await;
    let contact = line.only_contact().await;
    assert_eq!(contact["phone"], ADA);
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let hello = json!({"type": "text", "text": "Hello"});
    let opted_in = async || {
        let contact = line.only_contact().await;
        let on_channel = |it: &&Value| it["channel_id"] == line.channel.as_str();
        contact["identities"].as_array().unwrap().iter().find(on_channel).unwrap()["opted_in"].clone()
    };
    let path = line.messages().await;
    let has = |id: &Value, status: &'static str| {
        let id = id.clone();
        move |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["id"] == id && it["status"] == status)
    };
    let error_of = |list: &Value, id: &Value| {
        list["data"].as_array().unwrap().iter().find(|it| it["id"] == *id).unwrap()["error"]["code"].clone()
    };

    // Twilio is busy, then accepts the message.
    twilio.fail_next(429, 20429, "Too Many Requests");
    let message = line.client.post(&send, &hello).await.expect(202);
    line.client.until(&path, has(&message["id"], "sent")).await;
    assert_eq!(twilio.sent(2).await.len(), 2);

    // Twilio may have sent the message, and a report confirms it.
    twilio.fail_next(500, 20500, "Internal Server Error");
    let message = line.client.post(&send, &hello).await.expect(202);
    line.client.until(&path, has(&message["id"], "uncertain")).await;
    let unclear = twilio.sent(3).await.remove(2);
    line.reports(&unclear, &[("MessageStatus", "sent")]).await;
    let list = line.client.until(&path, has(&message["id"], "sent")).await;
    let confirmed = list["data"].as_array().unwrap().iter().find(|it| it["id"] == message["id"]).unwrap();
    assert_eq!((&confirmed["provider_message_id"], &confirmed["error"]), (&json!("SM99"), &Value::Null));

    twilio.fail_next(400, 21614, "'To' number is not a valid mobile number");
    let message = line.client.post(&send, &hello).await.expect(202);
    let list = line.client.until(&path, has(&message["id"], "failed")).await;
    assert_eq!(error_of(&list, &message["id"]), "unreachable");

    // The contact has opted out at Twilio, and the next message meets it.
    twilio.fail_next(400, 21610, "Attempt to send to unsubscribed recipient");
    let message = line.client.post(&send, &hello).await.expect(202);
    let list = line.client.until(&path, has(&message["id"], "suppressed")).await;
    assert_eq!(error_of(&list, &message["id"]), "unsubscribed");
    assert_eq!(opted_in().await, false);
    assert_eq!(line.client.post(&send, &hello).await.expect(202)["error"]["code"], "unsubscribed");
    line.says("SM2", "Start").await;
    assert_eq!(opted_in().await, true);
    line.says("SM3", "STOP").await;
    assert_eq!(opted_in().await, false);
    line.says("SM4", "unstop").await;
    assert_eq!(opted_in().await, true);
    // A word of the account at Twilio.
    let mut form = written("SM5", "Halt");
    form.push(("OptOutType", "STOP"));
    line.signed(&line.inbound, &form).await;
    assert_eq!(opted_in().await, false);
    let told = receiver.until("three events", |received| received.len() >= 3).await;
    let mut sources: Vec<String> = told.iter().map(|it| text(&it.envelope()["data"]["source"])).collect();
    sources.sort();
    assert_eq!(sources, ["keyword", "provider", "provider"]);
    assert_eq!(twilio.sent(5).await.len(), 5, "nothing confirms an opt-out");
}
