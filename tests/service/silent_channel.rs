//! Two channels of a workspace. The provider of one accepts requests and does not answer; the other one works.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Client, Receiver, Server, Store};

const TO_SILENT: usize = 60;
const TO_WORKING: usize = 30;
/// Maximum number of requests to the silent provider: half of the slots, and four more after each timeout. Without the
/// limit of a channel, there are 42, and as many after each timeout.
const AT_MOST: usize = 41;

/// Connects an `http` channel and creates contacts with addresses on it; returns the channel's ID.
async fn connected(client: &Client, name: &str, provider: &Receiver, contacts: usize) -> String {
    let channel = json!({"kind": "http", "name": name, "config": {"url": provider.url}});
    let channel = client.post("/api/v1/channels", &channel).await.expect(201)["id"].as_str().unwrap().to_owned();
    client.call("POST", &format!("/api/v1/channels/{channel}/connect"), None).await.expect(200);
    let create = |number| {
        let address = format!("{name}-{number}");
        let identities = json!([{"channel_id": channel, "address": address}]);
        json!({"action": "create", "contact": {"external_id": address, "identities": identities}})
    };
    let operations: Vec<_> = (0..contacts).map(create).collect();
    client.post("/api/v1/contacts/batch", &json!({"operations": operations})).await.expect(200);
    channel
}

/// Sends a message to each of the contacts.
async fn send(client: &Client, name: &str, channel: &str, contacts: usize) {
    for number in 0..contacts {
        let message = json!({"type": "text", "text": "Hello", "channel_id": channel});
        client.post(&format!("/api/v1/contacts/external_id:{name}-{number}/send-message"), &message).await.expect(202);
    }
}

fn messages(provider: &Receiver) -> BTreeSet<String> {
    provider.received().iter().filter_map(|request| request.headers.get("webhook-id").cloned()).collect()
}

async fn a_silent_channel_does_not_delay_another_channel(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    let (silent, working) = (Receiver::start(), Receiver::start());
    let to_silent = connected(&client, "silent", &silent, TO_SILENT).await;
    let to_working = connected(&client, "working", &working, TO_WORKING).await;
    silent.stall(true);
    send(&client, "silent", &to_silent, TO_SILENT).await;
    silent.until("the first requests to the silent provider", |requests| requests.len() >= 32).await;
    send(&client, "working", &to_working, TO_WORKING).await;
    working.until("all messages of the other channel", |requests| requests.len() >= TO_WORKING).await;
    let begun = messages(&silent).len();
    assert!(begun <= AT_MOST, "{begun} messages were sent to a provider that does not answer");
    silent.stall(false);
    silent.until("the other messages after the provider recovered", |requests| requests.len() >= TO_SILENT).await;
    for (provider, expected) in [(&silent, TO_SILENT), (&working, TO_WORKING)] {
        assert_eq!((messages(provider).len(), provider.received().len()), (expected, expected), "each once");
    }
}

on_both! { a_silent_channel_does_not_delay_another_channel }
