//! A revoked token: three refused messages disconnect the channel, and its messages wait until it is connected again.

use serde_json::{Value, json};

use super::{GraphApi, Line, NUMBER, PUBLIC, text, written};
use crate::support::{Server, Store};

pub async fn messages_wait_while_the_token_is_revoked(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let hear = async |from: &str, id: &str, words: &str| {
        let members = json!({"from": from, "from_user_id": null, "type": "text", "text": {"body": words}});
        let mut value = written(NUMBER, id, &members);
        value["contacts"] = json!([]);
        line.deliver(&[value]).await;
    };
    for number in 0..3 {
        hear(&format!("491761234200{number}"), &format!("wamid.{number}"), "Hello").await;
    }
    let contacts = line.contacts().await;
    let write = async |contact: &Value| {
        let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
        let message = line.client.post(&send, &json!({"type": "text", "text": "Hi"})).await.expect(202);
        format!("/api/v1/messages/{}", text(&message["id"]))
    };
    api.meta.lock().unwrap().is_revoked = true;
    let mut messages = Vec::new();
    for contact in &contacts {
        messages.push(write(contact).await);
    }
    let lost = line.client.until(&line.path(), |it| it["status"] == "disconnected").await;
    assert_eq!(lost["health"]["problems"][0]["code"], "invalid_token", "{lost}");
    messages.push(write(&contacts[0]).await);
    assert_eq!(messages.len(), 4);
    // Inbound messages are accepted in every status of the channel. One contact opts out.
    hear(&text(&contacts[1]["identities"][0]["address"]), "wamid.stop", "STOP").await;

    let before = {
        let mut meta = api.meta.lock().unwrap();
        meta.is_revoked = false;
        meta.calls.len()
    };
    assert_eq!(line.turn("connect").await.expect(200)["status"], "connected");
    for (number, message) in messages.iter().enumerate() {
        let status = if number == 1 { "suppressed" } else { "sent" };
        line.client.until(message, |it| it["status"] == status).await;
    }
    let calls = api.meta.lock().unwrap().calls[before..].to_vec();
    let sent = calls.iter().filter(|call| call.body["text"]["body"] == "Hi").count();
    assert_eq!(sent, messages.len() - 1, "each waiting message is sent once, and none after the opt-out: {calls:?}");
    let feed = "/api/v1/events?types=channel.disconnected";
    let page = line.client.until(feed, |page| page["data"][0].is_object()).await;
    let reasons: Vec<&Value> = page["data"].as_array().unwrap().iter().map(|it| &it["data"]["reason"]).collect();
    assert_eq!(reasons, ["invalid_token"]);
}
