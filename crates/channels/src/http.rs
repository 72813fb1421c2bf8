//! The connector for services that implement the protocol of `docs/reference/channels.md`: JSON over HTTP, signed in
//! both directions.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::{Value, json};
use tidings_domain::channels::{
    Channel, ChannelType, Connector, FetchFailure, FetchedMedia, Inbound, InboundRequest, Outbound, RetryScope,
    SIGNING_SECRET, SendOutcome, Unverified, read_secrets, secret_context,
};
use tidings_domain::conversations::InboundEvent;
use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::{Clock, Sealer};
use tidings_domain::read::Refusal;
use tidings_domain::trial::TestAnswer;
use tidings_egress::signing::{SigningSecret, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP, sign, verify};
use tidings_egress::{
    Answer, CallError, Egress, HeaderMap, HeaderName, HeaderValue, Method, Request, SecretUrl, StreamedCall,
};

mod channel_type;
#[cfg(test)]
mod tests;

use channel_type::IDEMPOTENT;

pub use channel_type::HTTP;

use crate::api::{BOUNDS, USER_AGENT, unanswered};
use crate::media::download;
use crate::send_metrics::measured;

/// The number of bytes of a test's response that are shown.
const SHOWN: usize = 4_096;
/// The number of headers of a test's response that are shown.
const HEADERS_SHOWN: usize = 64;
/// The number of bytes of a header's value that are shown.
const HEADER_VALUE_SHOWN: usize = 1_024;
/// Headers of a signed request (Standard Webhooks).
const SIGNED: [&str; 3] = [WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE];
/// The longest provider message ID that is accepted.
const LONGEST_NAME: usize = 255;

/// Sends messages to `http` channels through the address filter.
///
/// A provider may deduplicate by `webhook-id` but does not have to, so a message that may have arrived is only sent
/// again if `config.idempotent` is true.
#[derive(Clone)]
pub struct HttpConnector {
    egress: Egress,
    clock: Arc<dyn Clock>,
    sealer: Arc<dyn Sealer>,
}

impl HttpConnector {
    /// Creates a connector that sends through `egress`, signs with the time of `clock` and opens secrets with `sealer`.
    pub fn new(egress: Egress, clock: Arc<dyn Clock>, sealer: Arc<dyn Sealer>) -> Self {
        Self { egress, clock, sealer }
    }

    /// Returns a connector whose calls count for a workspace.
    fn limited_to(&self, workspace: WorkspaceId) -> Self {
        Self { egress: self.egress.for_workspace(workspace.uuid().as_u128()), ..self.clone() }
    }

    /// Returns the channel's signing secret.
    fn secret(&self, channel: &Channel, sealed: &[u8]) -> Option<String> {
        let secret = self.sealer.open(sealed, &secret_context(channel.id)).ok()?;
        read_secrets(&String::from_utf8(secret).ok()?).remove(SIGNING_SECRET)
    }

    /// Builds the signed request. The error is a sentence for the user.
    fn request(&self, channel: &Channel, id: &str, body: &Value) -> Result<Request, String> {
        let url = channel.endpoint.as_ref().and_then(|endpoint| endpoint.text("url"));
        let (Some(endpoint), Some(url)) = (&channel.endpoint, url) else {
            return Err("The channel has no URL to send to.".to_owned());
        };
        let secret = self.secret(channel, &endpoint.secrets).and_then(|secret| SigningSecret::parse(&secret).ok());
        let secret = secret.ok_or("The channel's secret cannot be used to sign.")?;
        let (body, timestamp) = (body.to_string(), self.clock.now().unix_seconds());
        let signature = sign(&[secret], id, timestamp, body.as_bytes()).standard;
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("content-type", "application/json"),
            ("user-agent", USER_AGENT),
            (WEBHOOK_ID, id),
            (WEBHOOK_TIMESTAMP, &timestamp.to_string()),
            (WEBHOOK_SIGNATURE, &signature),
        ] {
            let value = HeaderValue::from_str(value).map_err(|_| format!("The header {name} could not be written."))?;
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(Request { url: url.to_owned(), headers, body: Bytes::from(body) })
    }

    /// Sends the part of a message at the index of its context.
    async fn send_part_of(&self, message: Outbound) -> SendOutcome {
        let id = message.message.to_string();
        match self.request(&message.channel, &id, &body(&message)) {
            Ok(request) => outcome(self.egress.call(request).await),
            Err(why) => SendOutcome::Rejected { code: "channel_misconfigured".to_owned(), message: why.into() },
        }
    }
}

#[async_trait]
impl Connector for HttpConnector {
    fn channel_type(&self) -> &'static ChannelType {
        &HTTP
    }

    fn for_workspace(&self, workspace: WorkspaceId) -> Option<Arc<dyn Connector>> {
        Some(Arc::new(self.limited_to(workspace)))
    }

    fn drops_repeats(&self, channel: &Channel) -> bool {
        let written = channel.endpoint.as_ref().and_then(|it| it.config.get(IDEMPOTENT));
        written == Some(&Value::Bool(true))
    }

    fn is_signed(&self, request: &InboundRequest) -> bool {
        SIGNED.iter().all(|name| request.header(name).is_some())
    }

    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let endpoint = channel.endpoint.as_ref().ok_or(Unverified::Signature)?;
        let secret = self.secret(channel, &endpoint.secrets).ok_or(Unverified::Secret)?;
        let secret = SigningSecret::parse(&secret).map_err(|_| Unverified::Signature)?;
        let header = |name: &str| SIGNED.contains(&name).then(|| request.header(name)).flatten();
        let now = self.clock.now().unix_seconds();
        verify(&secret, header, &request.body, now).map_err(|_| Unverified::Signature)
    }

    fn parse(&self, _: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        Ok(vec![Inbound::parse(&request.body)?])
    }

    async fn fetch_media(&self, _: &Channel, reference: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        let mut call = StreamedCall::new(Method::GET, SecretUrl::new(reference));
        call.bounds = BOUNDS;
        download(&self.egress, call, limit).await
    }

    async fn test(&self, channel: &Channel) -> TestAnswer {
        let id = format!("test_{}", self.clock.now().millis());
        let request = match self.request(channel, &id, &json!({"type": "test", "channel_id": channel.id})) {
            Ok(request) => request,
            Err(why) => return TestAnswer::failed(why),
        };
        match self.egress.call(request).await {
            Ok(answer) => test_answer(&answer),
            Err(failed) => TestAnswer::failed(failed.error.to_string()),
        }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        measured(HTTP.kind, self.send_part_of(message)).await
    }
}

/// Describes the provider's response to a test.
fn test_answer(answer: &Answer) -> TestAnswer {
    let headers = answer.headers.iter().take(HEADERS_SHOWN);
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = value.as_bytes();
        let shown = value.get(..HEADER_VALUE_SHOWN).unwrap_or(value);
        (name.as_str().to_owned(), String::from_utf8_lossy(shown).into_owned())
    };
    let error = (!(200..=299).contains(&answer.status))
        .then(|| format!("The provider answered {}, expected 200 to 299.", answer.status));
    let shown = answer.body.get(..SHOWN).unwrap_or(&answer.body);
    TestAnswer {
        status: Some(i32::from(answer.status)),
        headers: headers.map(header).collect(),
        body: String::from_utf8_lossy(shown).into_owned(),
        error,
    }
}

fn body(message: &Outbound) -> Value {
    let content = &message.content;
    json!({
        "type": "message",
        "message": {
            "id": message.message,
            "type": content.kind,
            "text": content.text,
            "attachments": content.attachments,
            "quick_replies": content.quick_replies,
            "template": content.template,
            "created_at": message.created_at,
        },
        "to": {"address": message.address},
    })
}

/// Converts the result of an exchange into the outcome of a message.
fn outcome(exchange: Result<Answer, CallError>) -> SendOutcome {
    let rejected =
        |code: &str, message: String| SendOutcome::Rejected { code: code.to_owned(), message: message.into() };
    match exchange {
        Ok(answer) => {
            let told = format!("The provider answered {}.", answer.status);
            let outcome = match answer.status {
                200..=299 => SendOutcome::Accepted { provider_message_id: provider_message_id(&answer.body) },
                408 | 429 | 500..=599 => SendOutcome::TryLater {
                    after: retry_after(&answer),
                    scope: RetryScope::Recipient,
                    message: told.into(),
                },
                401 | 403 => rejected("provider_unauthorized", told),
                404 | 410 => rejected("provider_gone", told),
                _ => rejected("provider_rejected", told),
            };
            outcome.with_provider_error(None, Some(answer.status))
        }
        Err(error) => unanswered(error),
    }
}

/// Reads `Retry-After` in seconds. A date is ignored; the usual retry schedule applies.
fn retry_after(answer: &Answer) -> Option<Duration> {
    answer.headers.get("retry-after")?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// Returns the provider's message ID if every store can store it.
fn provider_message_id(body: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let name = answer.get("provider_message_id")?.as_str()?;
    (!name.is_empty() && name.len() <= LONGEST_NAME && !name.contains('\0')).then(|| name.to_owned())
}
