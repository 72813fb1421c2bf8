//! A channel to a provider in both directions: messages are sent with a signature, and signed messages and reports are
//! received once each, in any order.
//!
//! The provider's side is implemented again from the protocol's specification, so the product's code does not test
//! itself.

mod files;
mod messages;
mod opt_outs;
mod provider;
mod sends;
mod signatures;
mod types;

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use crate::support::{Client, Reply, Server};
use provider::{Conduct, Provider};

/// Returns the base64 of HMAC-SHA256 over `id.timestamp.body`.
fn signature(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let content = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat();
    format!("v1,{}", STANDARD.encode(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &content)))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A connected `http` channel, from the provider's side.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    secret: String,
    inbound: String,
}

impl Line {
    async fn open(server: &Server, provider: &Provider) -> Self {
        let client = server.client();
        let body = json!({"kind": "http", "name": "Ours", "is_default": true, "config": {"url": provider.url}});
        let made = client.post("/api/v1/channels", &body).await.expect(201);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        let (channel, secret, inbound) = (text("id"), text("secret"), text("inbound_path"));
        assert_eq!((&made["status"], &made["connected_at"]), (&json!("connecting"), &Value::Null));
        assert_eq!(client.get(&inbound).await.status, 405, "this provider does not verify the URL");
        let connect = format!("/api/v1/channels/{channel}/connect");
        let connected = client.call("POST", &connect, None).await.expect(200);
        assert_eq!(connected["status"], "connected");
        assert!(connected.get("secret").is_none(), "the secret is shown only at creation");
        assert_eq!(connected["inbound_path"], inbound.as_str());
        let writer = client.with_key(Some(&server.new_key(&server.workspace, "write")));
        let reader = client.with_key(Some(&server.new_key(&server.workspace, "read")));
        for path in [format!("/api/v1/channels/{channel}"), "/api/v1/channels".to_owned()] {
            let (written, read) = (writer.get(&path).await, reader.get(&path).await);
            written.expect(200);
            assert!(written.text.contains(&inbound) && written.text.contains(&provider.url), "{path}");
            read.expect(200);
            assert!(!read.text.contains("inbound_path") && !read.text.contains(&provider.url), "{path}: {}", read.text);
        }
        let events = reader.get("/api/v1/events?types=channel.connected").await;
        assert!(!events.text.contains(&provider.url), "{}", events.text);
        Self { nobody: client.with_key(None), client, channel, secret, inbound }
    }

    /// Sends an inbound request with a signature that is `age` seconds old.
    async fn signed(&self, body: &Value, age: i64) -> Reply {
        let bytes = body.to_string().into_bytes();
        let timestamp = (now() as i64 - age).to_string();
        let signature = signature(&self.secret, "in-1", &timestamp, &bytes);
        self.raw(&bytes, &timestamp, &signature).await
    }

    async fn raw(&self, bytes: &[u8], timestamp: &str, signature: &str) -> Reply {
        let headers = [
            ("content-type", "application/json"),
            ("webhook-id", "in-1"),
            ("webhook-timestamp", timestamp),
            ("webhook-signature", signature),
        ];
        self.nobody.send("POST", &self.inbound, &headers, Some(bytes.to_vec())).await.unwrap()
    }

    async fn says(&self, id: &str, address: &str, text: &str) -> Reply {
        let from = json!({"address": address, "name": "Ada"});
        self.signed(&json!({"type": "message", "id": id, "from": from, "text": text}), 0).await
    }

    async fn reports(&self, name: &str, status: &str) -> Reply {
        self.signed(&json!({"type": "status", "provider_message_id": name, "status": status}), 0).await
    }

    async fn only_contact(&self) -> Value {
        self.client.only("/api/v1/contacts").await
    }

    async fn only_conversation(&self) -> Value {
        self.client.only("/api/v1/conversations").await
    }

    fn messages(conversation: &Value) -> String {
        format!("/api/v1/conversations/{}/messages?sort=created_at", conversation["id"].as_str().unwrap())
    }
}

on_both! {
    channel_types_describe_their_configuration in types,
    two_concurrent_first_messages_create_one_contact in messages,
    a_message_keeps_the_referral_of_its_provider in messages,
    a_message_names_the_one_that_it_answers in messages,
    rejects_unsigned_messages_and_stores_nothing in signatures,
    stores_the_files_of_a_message in files,
    accepts_a_replaced_secret_until_its_overlap_ends in signatures,
    sends_signed_messages_and_accepts_reports_in_any_order in sends,
    marks_interrupted_sends_uncertain_and_sends_once in sends,
    opted_out_contacts_get_nothing_until_they_opt_in in opt_outs,
}
