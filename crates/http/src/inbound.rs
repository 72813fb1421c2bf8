//! `/inbound/{token}`: where providers hand over contacts' messages, and reports on messages to them.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::WWW_AUTHENTICATE;
use actix_web::web::Payload;
use serde::Serialize;
use tidings_domain::access::Access;
use tidings_domain::body;
use tidings_domain::channels::SignatureHeaders;
use tidings_domain::conversations::{Content, InboundMessage, Report, StatusReport};
use tidings_domain::ids::MessageId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::choice;
use tidings_domain::read::{name, nested, parse, text, timestamp};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::body;
use crate::compute_pool::LARGE_BODY;
use crate::path::INBOUND_TOKEN;
use crate::problem::{Code, Problem};
use crate::route::Route;
use crate::state::State;

/// The most characters of a name that are kept.
const LONGEST_NAME: usize = 100;

/// A request whose sender nobody has checked yet.
pub struct Incoming {
    pub(crate) state: Arc<State>,
    pub(crate) route: &'static Route,
    pub(crate) request: HttpRequest,
    pub(crate) body: Option<Payload>,
}

body! {
    /// A message of a contact, or a status report on a message to a contact.
    enum Inbound by "type" {
        "message" => Message(Written),
        "status" => Status(Reported),
    }
}

body! {
    /// A message of a contact.
    struct Written {
        /// The provider's ID of the message. A repeated ID is stored once.
        required id: String = text(1..=255);
        /// The sender.
        required from: Sender = nested();
        /// Text of the message.
        required text: String = text(1..=4_096);
        /// When the message was written.
        nullable timestamp: Timestamp = timestamp();
    }
}

body! {
    /// A status report on a message to a contact.
    struct Reported {
        /// The provider's ID of the message, or its ID in this service.
        required provider_message_id: String = text(1..=255);
        /// Status of the message.
        required status: Report = choice(
            "ReportedStatus", "Status of a message.", &["delivered", "read", "failed"], report);
        /// For a failure: the reason.
        nullable error: String = text(1..=1_000);
        /// When the status was reached.
        nullable timestamp: Timestamp = timestamp();
    }
}

body! {
    /// The sender of a message.
    struct Sender {
        /// Address of the contact on the channel. An unknown address creates a contact.
        required address: String = text(1..=255);
        /// Name for a new contact.
        nullable name: String = name(0..=1_000);
    }
}

/// Confirmation of a message or report.
#[derive(Serialize, ToSchema)]
struct InboundReceipt {
    /// The stored message, or the message of the report.
    message_id: MessageId,
}

/// Submit an inbound message or report.
///
/// Accepts a message of a contact, or a status report on a message to a contact. Sign the request with the channel's
/// secret, as in Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` over the raw body. The
/// timestamp can be at most five minutes old.
#[utoipa::path(post, path = "/inbound/{token}", tag = "Channels", request_body = Inbound,
    responses(
    (status = 202, description = "Stored; the server processes it.", body = InboundReceipt),
    (status = 200, description = "Already known, or too late to change anything.", body = InboundReceipt)))]
pub async fn receive(incoming: Incoming) -> Result<Answer, Problem> {
    let Incoming { state, route, request, mut body } = incoming;
    let services = &state.services;
    let token = INBOUND_TOKEN.read(route.path, request.uri().path());
    let digest = token.and_then(|token| services.ports.secrets.inbound_digest(&token));
    let digest = digest.ok_or_else(|| Problem::new(Code::NotFound))?;
    let (workspace, channel) = services.inbound.channel(digest).await?;
    let decision = state.inbound.admit(channel.id, state.inbound_limit, services.ports.clock.now());
    if !decision.admitted {
        let problem = Problem::new(Code::RateLimited).detail(
            "The channel's inbound URL has reached its limit for this minute. Retry after `Retry-After` seconds.",
        );
        return Err(problem.retry_after(decision.reset_seconds.into()));
    }
    let unsigned = || Problem::new(Code::InvalidSignature).header(WWW_AUTHENTICATE, "Webhook-Signature");
    let headers = signature_headers(&request).ok_or_else(unsigned)?;
    let bytes = body::receive(&state, route, &request, &mut body).await?;
    if !services.inbound.is_signed(&channel, &headers, &bytes)? {
        return Err(unsigned());
    }
    let is_large = bytes.len() > LARGE_BODY;
    let read = move || parse(&bytes)?.read_body().map_err(Problem::invalid);
    let inbound = match is_large {
        true => state.pool.answer(route, workspace, move || Box::pin(async move { read() })).await?,
        false => read()?,
    };
    let access = Access::system(workspace);
    let done = match inbound {
        Inbound::Message(written) => services.inbound.receive(&access, &channel, written.into()).await?,
        Inbound::Status(reported) => services.inbound.report(&access, &channel, &reported.into()).await?,
    };
    let Done { outcome, value, .. } = done;
    Ok(Answer::json(&InboundReceipt { message_id: value.id }).outcome(outcome))
}

fn signature_headers(request: &HttpRequest) -> Option<SignatureHeaders> {
    let header = |name: &str| request.headers().get(name)?.to_str().ok().map(str::to_owned);
    Some(SignatureHeaders {
        id: header("webhook-id")?,
        timestamp: header("webhook-timestamp")?,
        signature: header("webhook-signature")?,
    })
}

fn report(word: &str) -> Option<Report> {
    match word {
        "delivered" => Some(Report::Delivered),
        "read" => Some(Report::Read),
        "failed" => Some(Report::Failed("the provider gave no reason".to_owned())),
        _ => None,
    }
}

impl From<Written> for InboundMessage {
    fn from(it: Written) -> Self {
        // The time is looked at, and not kept: what comes in stands where it came.
        let Written { id, from: Sender { address, name }, text, timestamp: _at } = it;
        let name = name.map(|name| name.chars().take(LONGEST_NAME).collect());
        Self { id, address, name, content: Content::text(text) }
    }
}

impl From<Reported> for StatusReport {
    fn from(it: Reported) -> Self {
        let Reported { provider_message_id, status, error, timestamp: _at } = it;
        let report = match (status, error) {
            (Report::Failed(_), Some(why)) => Report::Failed(why),
            (report, _) => report,
        };
        Self { provider_message_id, report }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &str) -> Vec<(String, &'static str)> {
        let read = parse(body.as_bytes()).unwrap().read_body::<Inbound>();
        read.err().unwrap_or_default().into_iter().map(|wrong| (wrong.pointer, wrong.code)).collect()
    }

    #[test]
    fn all_that_is_wrong_with_a_message_is_told() {
        assert_eq!(told(r#"{"type":"message","id":"1","from":{"address":"a","name":null},"text":"Hi"}"#), []);
        let wrong = told(r#"{"type":"message","id":"","from":{"adress":"a"},"text":1,"status":"read"}"#);
        let expected = [
            ("/id", "blank"),
            ("/from/address", "required"),
            ("/from/adress", "unknown_field"),
            ("/text", "wrong_type"),
            ("/status", "unknown_field"),
        ];
        assert_eq!(wrong, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn all_that_is_wrong_with_a_report_is_told() {
        assert_eq!(told(r#"{"type":"status","provider_message_id":"1","status":"read","error":null}"#), []);
        let wrong = told(r#"{"type":"status","status":"lost","error":"","timestamp":"soon","id":"1"}"#);
        let expected = [
            ("/provider_message_id", "required"),
            ("/status", "invalid_value"),
            ("/error", "blank"),
            ("/timestamp", "invalid_format"),
            ("/id", "unknown_field"),
        ];
        assert_eq!(wrong, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn what_is_neither_is_refused() {
        for body in [r#"{"type":"reaction"}"#, r#"{"type":"Message"}"#] {
            assert_eq!(told(body), [("/type".to_owned(), "invalid_value")], "{body}");
        }
    }
}
