//! Messages of contacts are received once each, with their referral and the message that they answer.

use serde_json::{Value, json};

use super::{Conduct, Line, Provider};
use crate::support::receiver::Received;
use crate::support::{Receiver, Server, Store};

pub(super) async fn two_concurrent_first_messages_create_one_contact(store: Store) {
    let server = Server::start(store, &[]);
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.created", "conversation.created", "message.received"]});
    server.client().post("/api/v1/webhooks", &hook).await.expect(201);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;

    let (one, two, again) = futures::join!(
        line.says("m1", "+4930", "Hello"),
        line.says("m2", "+4930", "Anyone?"),
        line.says("m1", "+4930", "Hello")
    );
    let mut statuses = [one.status, two.status, again.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 202, 202], "{} {} {}", one.text, two.text, again.text);
    assert_eq!(one.json(), again.json());
    line.says("m2", "+4930", "Anyone?").await.expect(200);

    let contact = line.only_contact().await;
    assert_eq!((&contact["first_name"], &contact["identities"][0]["address"]), (&json!("Ada"), &json!("+4930")));
    let conversation = line.only_conversation().await;
    // No flow handles the messages, so the conversation is open; its handler is still the bot.
    let path = format!("/api/v1/conversations/{}", conversation["id"].as_str().unwrap());
    let conversation = line.client.until(&path, |it| it["status"] == "open").await;
    assert_eq!(
        (&conversation["handler"], &conversation["assignee_id"]),
        (&json!("bot"), &Value::Null),
        "{conversation}"
    );
    assert_eq!(conversation["unread_count"], 2);
    assert!(conversation["waiting_since"].is_string());
    let list = line.client.get(&Line::messages(&conversation)).await.expect(200);
    let said: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["provider_message_id"]).collect();
    assert_eq!(said.len(), 2, "{list}");
    assert!(
        list["data"].as_array().unwrap().iter().all(|it| it["status"] == "received" && it["direction"] == "inbound")
    );
    let told = receiver.until("four events", |received| received.len() >= 4).await;
    let mut kinds: Vec<String> = told.iter().map(Received::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ["contact.created", "conversation.created", "message.received", "message.received"]);

    let read = format!("/api/v1/conversations/{}/read", conversation["id"].as_str().unwrap());
    assert_eq!(line.client.call("POST", &read, None).await.expect(200)["unread_count"], 0);
}

pub(super) async fn a_message_keeps_the_referral_of_its_provider(store: Store) {
    let server = Server::start(store, &[]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let of = |id: &str, referral: Value| json!({"type": "message", "id": id, "from": {"address": "+4930"}, "text": "Hi", "referral": referral});
    let accepted = line.signed(&of("m1", json!({"source": "link", "ref": "spring"})), 0).await.expect(202);
    let path = format!("/api/v1/messages/{}", accepted["message_id"].as_str().unwrap());
    let shown = json!({"source": "link", "ref": "spring", "url": null, "ad_id": null, "headline": null});
    assert_eq!(line.client.get(&path).await.expect(200)["referral"], shown);
    let refused = line.signed(&of("m2", json!({"ref": "spring"})), 0).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/referral/source", "{refused}");
}

pub(super) async fn a_message_names_the_one_that_it_answers(store: Store) {
    let server = Server::start(store, &[]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let said = |id: &str, from: &str, answered: Value| json!({"type": "message", "id": id, "from": {"address": from}, "text": "Hi", "reply_to": answered});
    let first = line.signed(&said("m1", "+4930", Value::Null), 0).await.expect(202);
    for (id, from, answered, expected) in [
        ("m2", "+4930", json!("m1"), first["message_id"].clone()),
        ("m3", "+4930", json!("unknown"), Value::Null),
        ("m4", "+4931", json!("m1"), Value::Null),
    ] {
        let accepted = line.signed(&said(id, from, answered), 0).await.expect(202);
        let path = format!("/api/v1/messages/{}", accepted["message_id"].as_str().unwrap());
        assert_eq!(line.client.get(&path).await.expect(200)["reply_to"], expected, "{id}");
    }
    let refused = line.signed(&said("m5", "+4930", json!("")), 0).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/reply_to", "{refused}");

    let list = line.client.get("/api/v1/conversations?sort=created_at").await.expect(200);
    let path = |index: usize| format!("/api/v1/conversations/{}/messages", list["data"][index]["id"].as_str().unwrap());
    let answer = json!({"type": "text", "text": "Hello", "reply_to": first["message_id"]});
    assert_eq!(line.client.post(&path(0), &answer).await.expect(202)["reply_to"], first["message_id"]);
    let refused = line.client.post(&path(1), &answer).await.expect(422);
    let error = &refused["errors"][0];
    assert_eq!((&error["pointer"], &error["code"]), (&json!("/reply_to"), &json!("unknown_message")));
}
