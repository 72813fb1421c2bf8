//! A revoked token: the channel is disconnected, and its messages wait until it is connected again.

use serde_json::{Value, json};

use super::{BotApi, Line, PUBLIC, TOKEN, text};
use crate::support::{Server, Store};

pub async fn messages_wait_while_the_token_is_revoked(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    line.says(1, "Hello").await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&line.only_contact().await["id"]));
    let write = async |words: &str| {
        line.client.post(&send, &json!({"type": "text", "text": words})).await.expect(202);
    };
    api.bots.lock().unwrap().revoked.push(TOKEN.to_owned());
    write("refused").await;
    api.called("sendMessage", 1).await;
    // The test starts a check. Without a test, three refused messages start one.
    line.client.call("POST", &format!("{}/test", line.path()), None).await.expect(200);
    line.client.until(&line.path(), |it| it["status"] == "disconnected").await;
    write("written later").await;

    let before = {
        let mut bots = api.bots.lock().unwrap();
        bots.revoked.clear();
        bots.calls.len()
    };
    let connected = line.client.call("POST", &format!("{}/connect", line.path()), None).await.expect(200);
    assert_eq!(connected["status"], "connected", "{connected}");
    let are_sent =
        |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "sent").count() == 2;
    line.client.until(&line.messages().await, are_sent).await;
    let calls = api.bots.lock().unwrap().calls[before..].to_vec();
    let sent: Vec<&Value> =
        calls.iter().filter(|call| call.method == "sendMessage").map(|call| &call.body["text"]).collect();
    assert_eq!(sent, ["refused", "written later"], "each waiting message is sent once");
    let feed = "/api/v1/events?types=channel.disconnected";
    let page = line.client.until(feed, |page| page["data"][0].is_object()).await;
    let reasons: Vec<&Value> = page["data"].as_array().unwrap().iter().map(|it| &it["data"]["reason"]).collect();
    assert_eq!(reasons, ["invalid_token"]);
}
