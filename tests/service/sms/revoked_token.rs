//! A replaced auth token: three refused messages disconnect the channel, and its messages wait until it is connected
//! again.

use serde_json::{Value, json};

use super::{Line, NUMBER, PUBLIC, RENEWED, TOKEN, Twilio, a_channel, member, text, written};
use crate::support::{Server, Store};

pub async fn messages_wait_while_the_token_is_revoked(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let numbers = [0, 1, 2].map(|number| format!("+491761234200{number}"));
    for (number, from) in numbers.iter().enumerate() {
        let id = format!("SM{number}");
        let form = written(&id, "Hello").into_iter();
        let form: Vec<(&str, &str)> =
            form.map(|(name, value)| (name, if name == "From" { from.as_str() } else { value })).collect();
        line.signed(&line.inbound, &form).await;
    }
    let contacts = line.client.get("/api/v1/contacts").await.expect(200)["data"].as_array().unwrap().clone();
    let write = async |contact: &Value| {
        let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
        let message = line.client.post(&send, &json!({"type": "text", "text": "Hi"})).await.expect(202);
        format!("/api/v1/messages/{}", text(&message["id"]))
    };
    twilio.account.lock().unwrap().token = RENEWED.to_owned();
    let mut messages = Vec::new();
    for contact in &contacts {
        messages.push(write(contact).await);
    }
    let lost = line.client.until(&line.path(), |it| it["status"] == "disconnected").await;
    assert_eq!(lost["health"]["problems"][0]["code"], "invalid_token", "{lost}");
    messages.push(write(&contacts[0]).await);
    // Inbound messages are accepted in every status of the channel.
    line.says("SM9", "Are you there?").await;

    twilio.account.lock().unwrap().token = TOKEN.to_owned();
    let connected = line.client.call("POST", &format!("{}/connect", line.path()), None).await.expect(200);
    assert_eq!(connected["status"], "connected", "{connected}");
    for message in &messages {
        line.client.until(message, |it| it["status"] == "sent").await;
    }
    // Calls with a wrong token are not among them.
    let sent = twilio.sent(4).await;
    assert_eq!((messages.len(), sent.len()), (4, 4), "each message is sent once");
    for number in &numbers {
        assert!(sent.iter().any(|form| member(form, "To") == Some(number.as_str())), "{number}: {sent:?}");
    }
    let feed = "/api/v1/events?types=channel.disconnected";
    let page = line.client.until(feed, |page| page["data"][0].is_object()).await;
    let reasons: Vec<&Value> = page["data"].as_array().unwrap().iter().map(|it| &it["data"]["reason"]).collect();
    assert_eq!(reasons, ["invalid_token"]);
}
