//! `/inbound/{token}`: where providers hand over contacts' messages, and reports on messages to them.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::WWW_AUTHENTICATE;
use actix_web::web::Payload;
use serde::Serialize;
use tidings_domain::access::Access;
use tidings_domain::channels::SignatureHeaders;
use tidings_domain::conversations::{Content, InboundMessage, Report, StatusReport};
use tidings_domain::ids::MessageId;
use tidings_domain::outcome::Done;
use tidings_domain::read::{Fields, object, parse, text, timestamp, word};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::body;
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

/// A contact's message, or a report on a message to one.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct Inbound {
    /// `message` with `id`, `from` and `text`, or `status` with `provider_message_id` and `status`.
    #[serde(rename = "type")]
    kind: InboundType,
    /// Of a message: the provider's name for it; one that comes twice is kept once.
    #[schema(min_length = 1, max_length = 255)]
    id: Option<String>,
    /// Of a message: who wrote it.
    from: Option<Sender>,
    /// Of a message: what it says.
    #[schema(min_length = 1, max_length = 4096)]
    text: Option<String>,
    /// When it was written or happened.
    timestamp: Option<Timestamp>,
    /// Of a report: the name that the provider gave the message, or the message's id.
    #[schema(min_length = 1, max_length = 255)]
    provider_message_id: Option<String>,
    /// Of a report: what became of the message.
    status: Option<ReportedStatus>,
    /// Of a report of failure: why.
    #[schema(min_length = 1, max_length = 1000)]
    error: Option<String>,
}

/// What comes in.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the body")]
enum InboundType {
    Message,
    Status,
}

/// What became of a message.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the body")]
enum ReportedStatus {
    Delivered,
    Read,
    Failed,
}

/// Who wrote a message.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct Sender {
    /// The contact's address on the channel; one that is not known makes a contact.
    #[schema(min_length = 1, max_length = 255)]
    address: String,
    /// What a contact is called who was not known before.
    #[schema(max_length = 1000)]
    name: Option<String>,
}

/// That it was taken.
#[derive(Serialize, ToSchema)]
struct InboundReceipt {
    /// The message that was kept, or that the report is about.
    #[schema(inline)]
    message_id: MessageId,
}

/// Takes a contact's message, or a report on a message to one.
///
/// Signed by Standard Webhooks with the channel's secret: `webhook-id`, `webhook-timestamp` and
/// `webhook-signature` over the raw body, at most five minutes old.
#[utoipa::path(post, path = "/inbound/{token}", tag = "Channels", request_body = Inbound,
    responses(
    (status = 202, description = "It is kept, and what follows from it will happen.", body = InboundReceipt),
    (status = 200, description = "It was known already, or came too late to change anything.", body = InboundReceipt)))]
pub async fn receive(incoming: Incoming) -> Result<Answer, Problem> {
    let Incoming { state, route, request, mut body } = incoming;
    let services = &state.services;
    let token = INBOUND_TOKEN.read(route.path, request.uri().path());
    let digest = token.and_then(|token| services.ports.secrets.inbound_digest(&token));
    let digest = digest.ok_or_else(|| Problem::new(Code::NotFound))?;
    let (workspace, channel) = services.inbound.channel(digest).await?;
    let decision = state.inbound.admit(channel.id, state.inbound_limit, services.ports.clock.now());
    if !decision.admitted {
        let problem =
            Problem::new(Code::RateLimited).detail("The channel's inbound address takes no more this minute.");
        return Err(problem.retry_after(decision.reset_seconds.into()));
    }
    let unsigned = || Problem::new(Code::InvalidSignature).header(WWW_AUTHENTICATE, "Webhook-Signature");
    let headers = signature_headers(&request).ok_or_else(unsigned)?;
    let bytes = body::receive(&state, route, &request, &mut body).await?;
    if !services.inbound.is_signed(&channel, &headers, &bytes)? {
        return Err(unsigned());
    }
    let access = Access::system(workspace);
    let done = match read(&bytes)? {
        Read::Message(message) => services.inbound.receive(&access, &channel, message).await?,
        Read::Report(report) => services.inbound.report(&access, &channel, &report).await?,
    };
    let Done { outcome, value } = done;
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

/// What a body says.
enum Read {
    Message(InboundMessage),
    Report(StatusReport),
}

fn read(bytes: &[u8]) -> Result<Read, Problem> {
    let read = parse(bytes)?.read(|fields| {
        match fields.required("type", word(&["message", "status"], |it| Some(it == "message")))? {
            true => message(fields).map(Read::Message),
            false => report(fields).map(Read::Report),
        }
    });
    read.map_err(Problem::invalid)
}

fn message(fields: &mut Fields<'_>) -> Option<InboundMessage> {
    let id = fields.required("id", text(1..=255));
    let from = object(|it| {
        let address = it.required("address", text(1..=255));
        let name = it.nullable("name", text(0..=1_000));
        Some((address?, name))
    });
    let from = fields.required("from", from);
    let words = fields.required("text", text(1..=4_096));
    fields.nullable("timestamp", timestamp());
    let (address, name) = from?;
    let name = name.map(|name| name.chars().take(LONGEST_NAME).collect());
    Some(InboundMessage { id: id?, address, name, content: Content::text(words?) })
}

fn report(fields: &mut Fields<'_>) -> Option<StatusReport> {
    let provider_message_id = fields.required("provider_message_id", text(1..=255));
    let status = word(&["delivered", "read", "failed"], |it| match it {
        "delivered" => Some(Report::Delivered),
        "read" => Some(Report::Read),
        "failed" => Some(Report::Failed("the provider gave no reason".to_owned())),
        _ => None,
    });
    let report = fields.required("status", status);
    let error = fields.nullable("error", text(1..=1_000));
    fields.nullable("timestamp", timestamp());
    let report = match (report?, error) {
        (Report::Failed(_), Some(why)) => Report::Failed(why),
        (report, _) => report,
    };
    Some(StatusReport { provider_message_id: provider_message_id?, report })
}
