//! Opted-out contacts and disconnected channels get nothing.

use serde_json::{Value, json};

use super::{Conduct, Line, Provider};
use crate::support::{Receiver, Server, Store};

pub(super) async fn opted_out_contacts_get_nothing_until_they_opt_in(store: Store) {
    let server = Server::start(store, &[]);
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.unsubscribed"]});
    server.client().post("/api/v1/webhooks", &hook).await.expect(201);
    let mut provider = Provider::start(Conduct::AnswersOnce(503)).await;
    let line = Line::open(&server, &provider).await;
    line.says("m1", "+4930", "Hello").await.expect(202);
    line.says("m2", "+4930", " stop").await.expect(202);
    let contact = line.only_contact().await;
    assert_eq!((&contact["identities"][0]["opted_in"], &contact["subscribed"]), (&json!(false), &json!(true)));
    let send = format!("/api/v1/contacts/{}/send-message", contact["id"].as_str().unwrap());
    let hello = json!({"type": "text", "text": "Hello"});
    let suppressed = line.client.post(&send, &hello).await.expect(202);
    assert_eq!((&suppressed["status"], &suppressed["error"]["code"]), (&json!("suppressed"), &json!("unsubscribed")));
    assert_eq!(suppressed["channel_id"], line.channel.as_str(), "the last used channel is chosen");
    line.says("m3", "+4930", "START").await.expect(202);
    line.client.post(&send, &hello).await.expect(202);
    let told = receiver.until("the event", |received| !received.is_empty()).await;
    let data = &told[0].envelope()["data"];
    assert_eq!((&data["source"], &data["channel_id"]), (&json!("keyword"), &json!(line.channel)));
    // The provider was unavailable for a moment; the message was still delivered, with one ID.
    let ids = [provider.next().await, provider.next().await].map(|got| got.headers["webhook-id"].clone());
    assert_eq!(ids[0], ids[1]);
    let conversation = line.only_conversation().await;
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["status"] == "sent");
    line.client.until(&Line::messages(&conversation), sent).await;

    let off = format!("/api/v1/channels/{}/disconnect", line.channel);
    assert_eq!(line.client.call("POST", &off, None).await.expect(200)["status"], "disconnected");
    let held = line.client.post(&send, &hello).await.expect(202);
    assert_eq!(held["error"]["code"], "channel_disconnected");
}
