//! Messages of strangers: delivery as by a provider, and a check of the stored contacts, conversations and messages.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::{Client, Reply};

/// The expected texts of each contact, by its address.
pub type Written = BTreeMap<String, Vec<String>>;

/// Repeats a request after 503 as providers do, until it is accepted.
pub async fn deliver(request: impl AsyncFn() -> Reply) {
    for _ in 0..240 {
        let reply = request().await;
        match reply.status {
            200 => return,
            503 => tokio::time::sleep(Duration::from_millis(250)).await,
            status => panic!("{status}: {}", reply.text),
        }
    }
    panic!("the server answers 503 for a minute");
}

/// Returns the path of the messages of the only conversation, oldest first.
pub async fn only_messages(client: &Client) -> String {
    let conversation = client.only("/api/v1/conversations").await;
    format!("/api/v1/conversations/{}/messages?sort=created_at", conversation["id"].as_str().unwrap())
}

/// Checks that each address has one contact with one conversation, that each message is stored once, and that each
/// object has one event. At most 100 messages.
pub async fn check_inbox(client: &Client, written: &Written) {
    let list = async |path: &str| {
        let page = client.until(&format!("{path}?limit=100"), |_| true).await;
        page["data"].as_array().unwrap().clone()
    };
    let (contacts, conversations) = (list("/api/v1/contacts").await, list("/api/v1/conversations").await);
    assert_eq!([contacts.len(), conversations.len()], [written.len(); 2], "one contact and one conversation each");
    for (address, texts) in written {
        let has_address = |it: &&Value| {
            let mut identities = it["identities"].as_array().unwrap().iter();
            identities.any(|identity| identity["address"] == address.as_str())
        };
        let own: Vec<&Value> = contacts.iter().filter(has_address).collect();
        let [contact] = &own[..] else { panic!("{address} has {} contacts", own.len()) };
        let is_own = |it: &&Value| it["contact_id"] == contact["id"];
        let own: Vec<&Value> = conversations.iter().filter(is_own).collect();
        let [conversation] = &own[..] else { panic!("{address} has {} conversations", own.len()) };
        let path = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
        let messages = list(&path).await;
        let mut found: Vec<&str> = messages.iter().map(|it| it["text"].as_str().unwrap()).collect();
        let mut expected: Vec<&str> = texts.iter().map(String::as_str).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "messages of {address}");
    }
    let messages: usize = written.values().map(Vec::len).sum();
    let objects =
        [("contact.created", written.len()), ("conversation.created", written.len()), ("message.received", messages)];
    for (kind, count) in objects {
        let path = format!("/api/v1/events?types={kind}&limit=100");
        let page = client.until(&path, |page| page["data"].as_array().unwrap().len() >= count).await;
        assert_eq!(page["data"].as_array().unwrap().len(), count, "events {kind}");
    }
}

/// The pauses in milliseconds between the first two messages of each stranger.
pub const PAUSES: [u64; 10] = [0, 0, 0, 0, 2, 5, 10, 50, 200, 200];

/// Runs both requests, the second one after a pause.
pub async fn in_turn(pause: u64, first: impl Future<Output = ()>, second: impl Future<Output = ()>) {
    let later = async {
        tokio::time::sleep(Duration::from_millis(pause)).await;
        second.await;
    };
    futures::join!(first, later);
}
