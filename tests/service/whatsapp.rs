//! A `whatsapp` channel in both directions: set-up, messages of contacts, a flow with choices, reports and errors.
//!
//! The Graph API is implemented again from its documentation, so the product's code does not test itself.

mod bodies;
mod changes;
mod choices;
mod early_reports;
mod erasure;
mod errors;
mod first_messages;
mod graph_api;
mod marketing;
mod revoked_token;
mod rotated_secret;
mod setup;
mod signatures;
mod templates;

use ring::hmac;
use serde_json::{Value, json};

use crate::support::inbox::only_messages;
use crate::support::{Client, Reply, Server};
use graph_api::GraphApi;

const TOKEN: &str = "EAAJBr1o8ZBxYBAKqs2ZCv";
const APP_SECRET: &str = "614fc2afde15eee07a26b2fe3eaee9b9";
const NUMBER: &str = "106540352242922";
const ACCOUNT: &str = "102290129340398";
const PUBLIC: (&str, &str) = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example");

fn a_channel(api: &GraphApi) -> Value {
    json!({"kind": "whatsapp", "name": "WhatsApp", "is_default": true,
           "config": {"phone_number_id": NUMBER, "waba_id": ACCOUNT, "base_url": api.url},
           "secrets": {"access_token": TOKEN, "app_secret": APP_SECRET}})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn signature(secret: &str, body: impl AsRef<[u8]>) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_ref());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={digits}")
}

/// A connected channel, from the side of WhatsApp.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    inbound: String,
}

impl Line {
    async fn open(server: &Server, api: &GraphApi) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", &a_channel(api)).await;
        assert!(!made.text.contains(TOKEN) && !made.text.contains(APP_SECRET), "{}", made.text);
        let made = made.expect(201);
        let (channel, inbound) = (text(&made["id"]), text(&made["inbound_path"]));
        let line = Self { nobody: client.with_key(None), client, channel, inbound };
        assert_eq!(line.turn("connect").await.expect(200)["status"], "connected");
        assert_eq!(api.callback(), Some(format!("https://tidings.example{}", line.inbound)));
        line
    }

    fn path(&self) -> String {
        format!("/api/v1/channels/{}", self.channel)
    }

    async fn turn(&self, to: &str) -> Reply {
        self.client.call("POST", &format!("{}/{to}", self.path()), None).await
    }

    async fn post(&self, body: impl AsRef<[u8]>, signature: Option<&str>) -> Reply {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(signature.map(|signature| ("x-hub-signature-256", signature)));
        self.nobody.send("POST", &self.inbound, &headers, Some(body.as_ref().to_vec())).await.unwrap()
    }

    /// Delivers values of changes, each with the phone number of its message.
    async fn deliver(&self, values: &[Value]) {
        let changes: Vec<Value> = values.iter().map(|value| json!({"field": "messages", "value": value})).collect();
        let body = json!({"object": "whatsapp_business_account", "entry": [{"id": ACCOUNT, "changes": changes}]});
        // Meta escapes slashes, so the signature is only right over the raw body.
        let body = body.to_string().replace('/', "\\/");
        let reply = self.post(&body, Some(&signature(APP_SECRET, &body))).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    }

    async fn says(&self, id: &str, words: &str) {
        self.deliver(&[written(NUMBER, id, &json!({"type": "text", "text": {"body": words}}))]).await;
    }

    async fn report(&self, status: Value) {
        self.deliver(&[with_metadata(NUMBER, json!({"statuses": [status]}))]).await;
    }

    /// The kept requests that were not understood.
    async fn unparsed(&self) -> Vec<Value> {
        self.client.list(&format!("{}/unparsed", self.path())).await
    }

    async fn contacts(&self) -> Vec<Value> {
        self.client.list("/api/v1/contacts?sort=created_at").await
    }

    /// The only conversation.
    async fn conversation(&self) -> Value {
        self.client.only("/api/v1/conversations").await
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        only_messages(&self.client).await
    }

    /// Waits until a message has this status; returns it.
    async fn until(&self, path: &str, id: &Value, status: &str) -> Value {
        let found = |list: &Value| {
            let mut messages = list["data"].as_array().unwrap().iter();
            messages.find(|it| it["id"] == *id && it["status"] == status).cloned()
        };
        found(&self.client.until(path, |list| found(list).is_some()).await).unwrap()
    }
}

fn with_metadata(number: &str, members: Value) -> Value {
    let mut value = json!({"messaging_product": "whatsapp",
                           "metadata": {"display_phone_number": "491711234567", "phone_number_id": number}});
    value.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    value
}

/// The value of a change with one message to a phone number.
fn written(number: &str, id: &str, members: &Value) -> Value {
    let mut message = json!({"from": "5491123456789", "from_user_id": "AR.1349", "id": id, "timestamp": "1767225600"});
    message.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let contact = json!({"profile": {"name": "Ada"}, "wa_id": "5491123456789", "user_id": "AR.1349"});
    with_metadata(number, json!({"contacts": [contact], "messages": [message]}))
}

on_both! {
    first_messages_of_a_stranger_create_one_contact in first_messages,
    reports_before_the_answer_count in early_reports,
    bodies_are_read_up_to_their_limit in bodies,
    messages_wait_while_the_token_is_revoked in revoked_token,
    a_replaced_app_secret_is_accepted_until_its_overlap_ends in rotated_secret,
    an_erasure_leaves_nothing_of_a_contact in erasure,
    a_contact_stops_and_resumes_marketing_messages in marketing,
    templates_are_listed_from_a_copy in templates,
    a_channel_is_stored_first_and_connected_by_its_check in setup,
    only_signed_requests_are_accepted in signatures,
    a_flow_asks_and_a_button_answers in choices,
    errors_and_the_reply_window in errors,
    a_contact_comes_by_an_advertisement_edits_and_deletes in changes,
}
