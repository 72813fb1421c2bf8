mod files;
mod receiving;
mod sending;
mod settings;

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::channels::{EarlierMessage, RetryScope, SendContext};
use tidings_domain::conversations::{
    Attachment, InboundMessage, MessageError, MessageTemplate, MessageType, QuickReply, Report, StatusReport,
    Suppression,
};
use tidings_domain::ids::{MessageId, TypedId};
use uuid::Uuid;

use super::*;
use crate::graph::SIGNATURE;
use crate::test_api::{Act, Call, TestApi};
use crate::test_channel::{NOW, assert_outcome, channel_of, local_egress, message_to, sealer, send_parts};

const TOKEN: &str = "EAAJB0123456789abcdef";
const PATH: &str = "/inbound/guess";

fn connector() -> WhatsappConnector {
    WhatsappConnector { egress: local_egress(), sealer: Arc::new(sealer()), bounds: BOUNDS }
}

fn a_channel_with(base_url: &str, secrets: &Value) -> Channel {
    let config = json!({"phone_number_id": "106540", "waba_id": "102290", "base_url": base_url});
    channel_of(WHATSAPP.kind, config, secrets)
}

fn secrets() -> Value {
    json!({"access_token": TOKEN, "app_secret": "app-s3cret", "echo_secret": "t0ken"})
}

fn a_channel(base_url: &str) -> Channel {
    a_channel_with(base_url, &secrets())
}

fn a_message(base_url: &str, content: Content) -> Outbound {
    message_to(a_channel(base_url), "491711234567", content)
}

fn ok(body: Value) -> Act {
    Act::Answer(200, body)
}

fn error(status: u16, code: i64) -> Act {
    Act::Answer(status, json!({"error": {"message": "It failed.", "type": "OAuthException", "code": code}}))
}

fn sent() -> Act {
    let contacts = json!([{"input": "491711234567", "wa_id": "491711234567"}]);
    ok(json!({"messaging_product": "whatsapp", "contacts": contacts, "messages": [{"id": "wamid.7"}]}))
}

/// Returns the outcome of a message after this response, and after `attempts` earlier ones.
async fn answered(attempts: i32, act: impl Fn() -> Act + Send + Sync + 'static) -> SendOutcome {
    let connector = WhatsappConnector { bounds: act().bounds(BOUNDS), ..connector() };
    let api = TestApi::start(move |_| act()).await;
    let outcome = connector.send(Outbound { attempts, ..a_message(&api.url, Content::text("Hi")) }).await;
    assert!(!format!("{outcome:?}").contains("EAAJB"), "{outcome:?}");
    outcome
}

fn accepted(id: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) }
}

fn with_choices(text: &str, titles: &[&str]) -> Content {
    let reply = |title: &&str| QuickReply { title: (*title).to_owned(), payload: None };
    Content { quick_replies: titles.iter().map(reply).collect(), ..Content::text(text) }
}

/// Sends a message, and returns the bodies of its calls.
async fn bodies(message: impl FnOnce(&str) -> Outbound) -> Vec<Value> {
    let api = TestApi::start(|_| sent()).await;
    assert_eq!(send_parts(&connector(), message(&api.url)).await, accepted("wamid.7"));
    api.calls().into_iter().map(|call| call.body).collect()
}

fn attachment(url: &str, name: Option<&str>, mime_type: Option<&str>) -> Attachment {
    Attachment { url: url.to_owned(), name: name.map(str::to_owned), mime_type: mime_type.map(str::to_owned) }
}

fn with(kind: MessageType, text: Option<&str>, attachments: &[Attachment]) -> Content {
    Content { text: text.map(str::to_owned), attachments: attachments.to_vec(), ..Content::of(kind) }
}
