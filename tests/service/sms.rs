//! An `sms` channel in both directions: set-up, signed messages of contacts, a flow with numbered choices, reports,
//! opt-outs and errors.
//!
//! Twilio's API and its signature are implemented again from their documentation, so the product's code does not test
//! itself.

mod bodies;
mod choices;
mod errors;
mod first_messages;
mod missed;
mod reports;
mod setup;
mod signatures;
mod twilio;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::support::inbox::only_messages;
use crate::support::{Client, Reply, Server};
use twilio::{Twilio, member};

const SID: &str = "AC0123456789abcdef0123456789abcdef";
const SERVICE: &str = "MG0123456789abcdef0123456789abcdef";
const TOKEN: &str = "first-t0ken-of-the-account";
const RENEWED: &str = "second-t0ken-of-the-account";
const KEY: (&str, &str) = ("SK0123456789abcdef0123456789abcdef", "s3cret-of-the-key");
const NUMBER: &str = "+15005550006";
const OTHER: &str = "+15005550007";
const ADA: &str = "+491711234567";
const PUBLIC: (&str, &str) = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example");
const OVERRIDES: &str = "#rc=5&rp=all&ct=2000&rt=4000";

fn a_channel(twilio: &Twilio, number: &str, token: &str) -> Value {
    json!({"kind": "sms", "name": "Texts", "is_default": true,
           "config": {"provider": "twilio", "account_sid": SID, "from": number, "base_url": twilio.url},
           "secrets": {"auth_token": token}})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Signs a request: the URL that Twilio calls, and the sorted parameters.
fn sign(token: &str, path: &str, form: &[(&str, &str)]) -> String {
    let mut sorted = form.to_vec();
    sorted.sort_unstable();
    let parameters: String = sorted.into_iter().map(|(name, value)| format!("{name}{value}")).collect();
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    STANDARD.encode(hmac::sign(&key, format!("{}{path}{parameters}", PUBLIC.1).as_bytes()))
}

/// A connected channel, from Twilio's side.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    inbound: String,
}

impl Line {
    async fn open(server: &Server, body: &Value) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", body).await;
        assert!(!made.text.contains(TOKEN) && !made.text.contains(KEY.1), "{}", made.text);
        let made = made.expect(201);
        assert_eq!(made["status"], "connected", "{made}");
        let (channel, inbound) = (text(&made["id"]), text(&made["inbound_path"]));
        Self { nobody: client.with_key(None), client, channel, inbound }
    }

    /// Calls a path below the public URL with this form and signature.
    async fn calls(&self, path: &str, form: &[(&str, &str)], signature: Option<&str>) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut headers = vec![("content-type", "application/x-www-form-urlencoded; charset=UTF-8")];
        headers.extend(signature.map(|signature| ("x-twilio-signature", signature)));
        self.nobody.send("POST", path, &headers, Some(body.into_bytes())).await.unwrap()
    }

    async fn signed(&self, path: &str, form: &[(&str, &str)]) {
        let reply = self.calls(path, form, Some(&sign(TOKEN, path, form))).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, "<Response/>"), "{form:?}");
        assert_eq!(reply.headers["content-type"], "text/xml; charset=utf-8");
    }

    async fn says(&self, id: &str, text: &str) {
        self.signed(&self.inbound, &written(id, text)).await;
    }

    /// Reports the status of a sent message at the address that it named.
    async fn reports(&self, sent: &[(String, String)], more: &[(&str, &str)]) {
        let callback = member(sent, "StatusCallback").unwrap();
        let path = callback.strip_prefix(PUBLIC.1).unwrap().split('#').next().unwrap();
        assert!(path.starts_with(&format!("{}?message=msg_", self.inbound)), "{callback}");
        let form = [&[("MessageSid", "SM99"), ("AccountSid", SID), ("To", ADA), ("From", NUMBER)][..], more].concat();
        self.signed(path, &form).await;
    }

    async fn only_contact(&self) -> Value {
        self.client.only("/api/v1/contacts").await
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        only_messages(&self.client).await
    }

    /// The kept requests that were not understood.
    async fn unparsed(&self) -> Vec<Value> {
        self.client.list(&format!("{}/unparsed", self.path())).await
    }

    fn path(&self) -> String {
        format!("/api/v1/channels/{}", self.channel)
    }
}

fn written<'t>(id: &'t str, text: &'t str) -> Vec<(&'t str, &'t str)> {
    vec![
        ("ToCountry", "US"),
        ("MessageSid", id),
        ("AccountSid", SID),
        ("From", ADA),
        ("To", NUMBER),
        ("Body", text),
        ("NumMedia", "0"),
        ("NumSegments", "1"),
        ("FromCity", ""),
    ]
}

on_both! {
    first_messages_of_a_stranger_create_one_contact in first_messages,
    bodies_are_read_up_to_their_limit in bodies,
    reports_count_in_any_order in reports,
    a_channel_is_stored_only_if_twilio_accepts_it in setup,
    a_messaging_service_is_compared_and_not_changed in setup,
    only_signed_requests_are_accepted in signatures,
    a_flow_asks_and_a_number_answers in choices,
    errors_and_opt_outs in errors,
    messages_of_an_outage_are_read_when_it_is_over in missed,
}
