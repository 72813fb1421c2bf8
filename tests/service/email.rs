//! An `email` channel in both directions: set-up, mails of contacts by each relay, threads, returned mail and errors.
//!
//! The mail server and the signatures of relays are implemented again, so the product's code does not test itself.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use crate::support::inbox::only_messages;
use crate::support::{Client, Reply, Server};

mod erasure;
mod errors;
mod files;
mod first_messages;
mod mail_in;
mod mail_server;
mod relays;
mod setup;
mod threads;
mod unsubscribe;

use mail_server::{AUTHORITY, MailServer, USER};

const SETTINGS: [(&str, &str); 2] =
    [("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example"), ("TIDINGS__EGRESS__EXTRA_CA_FILE", AUTHORITY)];

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn a_channel(mail: &MailServer, auth: &str) -> Value {
    json!({"kind": "email", "name": "Mail", "is_default": true,
           "config": {"from": {"address": "hello@shop.example", "name": "The Shop"},
                      "smtp": {"host": mail.host, "port": 2525}, "inbound": {"auth": auth}},
           "secrets": {"smtp_user": USER.0, "smtp_password": USER.1}})
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Headers of a request that is signed by Standard Webhooks.
fn signature(secret: &str, body: &[u8]) -> [(&'static str, String); 3] {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let at = now();
    let signed = [format!("in_1.{at}.").as_bytes(), body].concat();
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &signed);
    [
        ("webhook-id", "in_1".to_owned()),
        ("webhook-timestamp", at.to_string()),
        ("webhook-signature", format!("v1,{}", STANDARD.encode(tag.as_ref()))),
    ]
}

fn written(id: &str, subject: &str, body: &str) -> String {
    format!(
        "From: Ada King <Ada@example.com>\r\nTo: hello@shop.example\r\nMessage-ID: <{id}@example.com>\r\n\
             Subject: {subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    )
}

/// A connected channel, from the relay's side.
struct Line {
    client: Client,
    nobody: Client,
    path: String,
    inbound: String,
    secret: String,
}

impl Line {
    async fn open(server: &Server, mail: &MailServer) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", &a_channel(mail, "standard_webhooks")).await;
        assert!(!made.text.contains(USER.1), "{}", made.text);
        let made = made.expect(201);
        assert_eq!(made["status"], "connected", "{made}");
        let path = format!("/api/v1/channels/{}", text(&made["id"]));
        let (inbound, secret) = (text(&made["inbound_path"]), text(&made["secrets"]["inbound_secret"]));
        Self { nobody: client.with_key(None), client, path, inbound, secret }
    }

    async fn post(&self, content_type: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let headers = [&[("content-type", content_type)][..], headers].concat();
        self.nobody.send("POST", &self.inbound, &headers, Some(body.to_vec())).await.unwrap()
    }

    /// Posts a signed mail.
    async fn arrives(&self, mail: &str) -> Reply {
        let signed = signature(&self.secret, mail.as_bytes());
        let headers: Vec<(&str, &str)> = signed.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.post("message/rfc822", &headers, mail.as_bytes()).await
    }

    /// The kept requests that were not understood.
    async fn unparsed(&self) -> Vec<Value> {
        self.client.list(&format!("{}/unparsed", self.path)).await
    }

    async fn contacts(&self) -> Vec<Value> {
        self.client.list("/api/v1/contacts").await
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        only_messages(&self.client).await
    }

    /// Sends a message to the only contact, and waits for a status.
    async fn send_until(&self, status: &'static str) -> Value {
        let contact = self.contacts().await.remove(0);
        let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
        let sent = self.client.post(&send, &json!({"type": "text", "text": "Hello"})).await.expect(202);
        let is_one = move |it: &Value, id: &Value| it["id"] == *id && it["status"] == status;
        let id = sent["id"].clone();
        let has = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| is_one(it, &id));
        let list = self.client.until(&self.messages().await, has).await;
        list["data"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap().clone()
    }
}

on_both! {
    first_mails_of_a_stranger_create_one_contact in first_messages,
    an_erasure_leaves_nothing_of_a_contact in erasure,
    a_channel_is_stored_only_if_the_log_in_works in setup,
    a_contact_and_a_member_write_to_each_other in threads,
    a_mail_contains_the_files_of_a_message in files,
    flows_and_broadcasts_send_files in files,
    mail_arrives_by_each_relay in relays,
    one_click_opts_out in unsubscribe,
    the_files_of_a_mail_are_stored_once in files,
    a_mail_server_of_this_machine_posts_its_mail in mail_in,
    the_answers_of_a_mail_server_decide in errors,
}
