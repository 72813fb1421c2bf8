mod files;
mod missing;
mod receiving;
mod sending;
mod settings;

use serde_json::json;
use tidings_domain::channels::{RetryScope, SegmentEncoding, SendContext};
use tidings_domain::conversations::{Attachment, MessageError, QuickReply, Report, StatusReport};
use tidings_domain::ids::MessageId;
use uuid::Uuid;

use super::errors::{ErrorClass, KNOWN};
use super::signature::SIGNATURE_HEADER;
use super::*;
use crate::test_api::{Act, Call, TestApi};
use crate::test_channel::{NOW, assert_outcome, channel_of, config_of, local_egress, message_to, sealer, send_parts};

const SID: &str = "AC0123456789abcdef0123456789abcdef";
const SERVICE: &str = "MG0123456789abcdef0123456789abcdef";
const KEY: &str = "SK0123456789abcdef0123456789abcdef";
const TOKEN: &str = "5ecret-t0ken";
const NUMBER: &str = "+15005550006";
const ADA: &str = "+491711234567";
const PUBLIC: &str = "https://tidings.example";

fn connector() -> SmsConnector {
    SmsConnector::new(local_egress(), Arc::new(sealer()), PUBLIC)
}

fn a_channel(base_url: &str) -> Channel {
    let config = json!({"account_sid": SID, "from": NUMBER, "base_url": base_url});
    channel_of(SMS.kind, config, &json!({"auth_token": TOKEN, "echo_secret": "s3cret"}))
}

fn a_service_channel(base_url: &str) -> Channel {
    let config = json!({"account_sid": SID, "messaging_service_sid": SERVICE, "base_url": base_url});
    let key = json!({"sid": KEY, "secret": "key-s3cret"}).to_string();
    channel_of(SMS.kind, config, &json!({"auth_token": TOKEN, "api_key": key}))
}

fn a_message(base_url: &str, content: Content) -> Outbound {
    message_to(a_channel(base_url), ADA, content)
}

fn sent() -> Act {
    Act::Answer(201, json!({"sid": "SM1", "status": "queued", "error_code": null, "num_segments": "1"}))
}

fn error(status: u16, code: i64, message: &str) -> Act {
    Act::Answer(status, json!({"code": code, "message": message, "status": status}))
}

async fn answered(act: impl Fn() -> Act + Send + Sync + 'static) -> SendOutcome {
    let connector = SmsConnector { bounds: act().bounds(BOUNDS), ..connector() };
    let api = TestApi::start(move |_| act()).await;
    let outcome = connector.send(a_message(&api.url, Content::text("Hi"))).await;
    assert!(!format!("{outcome:?}").contains(TOKEN), "{outcome:?}");
    outcome
}

fn accepted(id: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) }
}

fn base64_of(text: &str) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(text)
}

fn rejects(outcome: &SendOutcome, expected: &str) -> bool {
    matches!(outcome, SendOutcome::Rejected { code, .. } if code == expected)
}

fn attachment(url: &str, name: Option<&str>, mime_type: Option<&str>) -> Attachment {
    Attachment { url: url.to_owned(), name: name.map(str::to_owned), mime_type: mime_type.map(str::to_owned) }
}

fn with(kind: MessageType, text: Option<&str>, attachments: &[Attachment]) -> Content {
    Content { text: text.map(str::to_owned), attachments: attachments.to_vec(), ..Content::of(kind) }
}
