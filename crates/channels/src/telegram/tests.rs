mod files;
mod polling;
mod receiving;
mod sending;
mod settings;

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::channels::{EarlierMessage, RetryScope, SendContext};
use tidings_domain::conversations::{Attachment, InboundMessage, MessageType, QuickReply};
use tokio::net::TcpListener;

use super::*;
use crate::test_api::{Act, Call, TestApi};
use crate::test_channel::{assert_outcome, channel_of, local_egress, message_to, sealer, send_parts};

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const PATH: &str = "/inbound/guess";

fn connector() -> TelegramConnector {
    TelegramConnector { egress: local_egress(), sealer: Arc::new(sealer()), bounds: BOUNDS }
}

fn a_channel(base_url: &str) -> Channel {
    let secrets = json!({"bot_token": TOKEN, "echo_secret": "s3cret"});
    channel_of(TELEGRAM.kind, json!({"base_url": base_url}), &secrets)
}

fn a_message(base_url: &str, content: Content) -> Outbound {
    message_to(a_channel(base_url), "42", content)
}

fn ok(result: Value) -> Act {
    Act::Answer(200, json!({"ok": true, "result": result}))
}

fn error(status: u16, description: &str) -> Act {
    Act::Answer(status, json!({"ok": false, "error_code": status, "description": description}))
}

fn sent() -> Act {
    ok(json!({"message_id": 7}))
}

async fn answered(act: impl Fn() -> Act + Send + Sync + 'static) -> SendOutcome {
    let connector = TelegramConnector { bounds: act().bounds(BOUNDS), ..connector() };
    let api = TestApi::start(move |_| act()).await;
    let outcome = connector.send(a_message(&api.url, Content::text("Hi"))).await;
    assert!(!format!("{outcome:?}").contains("AAHdq"), "{outcome:?}");
    outcome
}

fn accepted(id: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) }
}

fn attachment(url: &str, name: Option<&str>, mime_type: Option<&str>) -> Attachment {
    Attachment { url: url.to_owned(), name: name.map(str::to_owned), mime_type: mime_type.map(str::to_owned) }
}

fn with(kind: MessageType, text: Option<&str>, attachments: &[Attachment]) -> Content {
    Content { text: text.map(str::to_owned), attachments: attachments.to_vec(), ..Content::of(kind) }
}

/// Sends a message; returns the methods and the bodies of its calls.
async fn calls(content: Content) -> Vec<(String, Value)> {
    let api = TestApi::start(|_| sent()).await;
    assert_eq!(send_parts(&connector(), a_message(&api.url, content)).await, accepted("7"));
    api.calls().into_iter().map(|call| (call.name().replace("POST ", ""), call.body)).collect()
}
