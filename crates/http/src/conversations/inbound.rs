//! `/inbound/{token}`: providers send messages of contacts here, and reports on messages to contacts. The connector of
//! the channel's type verifies and parses the requests.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderName, HeaderValue, WWW_AUTHENTICATE};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Payload;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::channels::{
    Channel, Connector, Handshake, Inbound, InboundRequest, InboundRule, Receipt, Unverified,
};
use tidings_domain::conversations::{InboundEvent, Message};
use tidings_domain::ids::{MessageId, WorkspaceId};
use tidings_domain::outcome::Done;
use tidings_domain::ports::StoreError;
use tidings_domain::read::Refusal;
use utoipa::ToSchema;

use super::large_body::{LargeBody, declared_length};
use crate::limits::by_address::network_of;
use crate::limits::compute_pool::LARGE_BODY;
use crate::pipeline::route::Route;
use crate::pipeline::state::State;
use crate::request::body;
use crate::request::path::INBOUND_TOKEN;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

/// The media type of the response to a handshake.
const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// A request that is not verified yet.
pub struct Incoming {
    pub(crate) state: Arc<State>,
    pub(crate) route: &'static Route,
    pub(crate) request: HttpRequest,
    pub(crate) body: Option<Payload>,
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
/// timestamp can be at most five minutes old. Channels of other types accept the requests of their provider instead.
#[utoipa::path(post, path = "/inbound/{token}", tag = "Channels", request_body = Inbound,
    responses(
    (status = 202, description = "Stored; the server processes it.", body = InboundReceipt),
    (status = 200, description = "Already known, or too late to change anything.", body = InboundReceipt)))]
pub async fn receive(incoming: Incoming) -> Result<Answer, Problem> {
    let Incoming { state, route, request, mut body } = incoming;
    let services = &state.services;
    let (workspace, channel) = inbound_channel(&state, route.path, &request).await?;
    let connector = services.inbound.connector(workspace, &channel)?;
    let rule = connector.channel_type().inbound.ok_or_else(|| Problem::new(Code::NotFound))?;
    let unsigned = || unverified(&state, &channel, &rule);
    let mut inbound = inbound_request(&state, &request);
    if !connector.is_signed(&inbound) {
        return Err(unsigned());
    }
    let mut large = LargeBody::new((&state.large_inbound, workspace), &state.inbound_bytes, rule.max_body);
    large.declare(declared_length(&request))?;
    let admit = |length| large.grow(length);
    inbound.body = body::receive_inbound(&state, route, &rule, &request, &mut body, admit).await?.into();
    let access = Access::system(workspace);
    let opened = open(&state, route, workspace, (Arc::clone(&connector), channel.clone()), inbound).await?;
    if !matches!(opened, Opened::Unverified(_)) {
        admit_verified(&state, &channel, &rule)?;
    }
    let (events, acknowledged) = match opened {
        Opened::Events(events, acknowledged) => (events, acknowledged),
        Opened::Unparsed(unparsed) if connector.channel_type().registers => {
            return keep(&state, &access, &channel, unparsed, rule.receipt).await;
        }
        Opened::Unparsed(unparsed) => return Err(unparsed.refusal.into()),
        Opened::Unverified(Unverified::Signature) => return Err(unsigned()),
        Opened::Unverified(Unverified::Secret) => {
            let why = format!("the secret of {} cannot be decrypted", channel.id);
            return Err(Error::from(StoreError::Corrupt(why)).into());
        }
    };
    let count = u64::try_from(events.len()).unwrap_or(u64::MAX);
    metrics::counter!("tidings_inbound_events_total", "kind" => channel.kind.as_str()).increment(count);
    if events.iter().any(InboundEvent::is_from_contact)
        && state.inbound_stamps.admit(channel.id, 1, services.ports.clock.now()).admitted
    {
        // A failure only delays the stamp.
        let _ = services.channels.note_inbound(&access, channel.id).await;
    }
    match rule.receipt {
        Receipt::MessageId => {
            let mut done = None;
            for event in events {
                done = store(&state, &access, &channel, event).await.map_err(unknown_message)?;
            }
            let Some(Done { outcome, value, .. }) = done else { return Ok(Answer::no_content()) };
            Ok(Answer::json(&InboundReceipt { message_id: value.id }).outcome(outcome))
        }
        Receipt::Fixed { media_type, body } => {
            for event in events {
                match store(&state, &access, &channel, event).await {
                    // Reports on messages of another system, and changes of unknown messages, are ignored.
                    Ok(_) | Err(Error::NotFound) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            // If too many calls are running, this one is left out: it only shows the contact that a button had an effect.
            let running = acknowledged.and_then(|request| Some((request, state.acknowledgements.begin(workspace)?)));
            if let Some((request, running)) = running {
                actix_web::rt::spawn(async move {
                    connector.acknowledge(&channel, &request).await;
                    drop(running);
                });
            }
            Ok(Answer::of_type(media_type, body))
        }
    }
}

/// Responds to the GET request with which a provider verifies an inbound address. `None` if the address is unknown or
/// its provider sends no such request.
pub(crate) async fn handshake(state: &State, path: &str, request: &HttpRequest) -> Result<Option<Answer>, Problem> {
    if request.method() != Method::GET {
        return Ok(None);
    }
    let (workspace, channel) = match inbound_channel(state, path, request).await {
        Ok(found) => found,
        Err(problem) if problem.code() == Code::NotFound => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let connector = state.services.inbound.connector(workspace, &channel)?;
    match connector.handshake(&channel, &inbound_request(state, request)) {
        None => Ok(None),
        Some(Handshake::Accepted(text)) => Ok(Some(Answer::of_type(PLAIN_TEXT, text))),
        Some(Handshake::Refused) => Ok(Some(Answer::of_type(PLAIN_TEXT, "").status(StatusCode::FORBIDDEN))),
    }
}

/// Returns the channel of the inbound address. A text without the form of a token is not looked up.
async fn inbound_channel(state: &State, path: &str, request: &HttpRequest) -> Result<(WorkspaceId, Channel), Problem> {
    let token = INBOUND_TOKEN.read(path, request.uri().path());
    let digest = token.and_then(|token| state.services.ports.secrets.inbound_digest(&token));
    let digest = digest.ok_or_else(|| Problem::new(Code::NotFound))?;
    let (network, now) = (network_of(state, request), state.services.ports.clock.now());
    if let Some(seconds) = state.unknown_tokens.wait(&digest, network, now) {
        let problem = Problem::new(Code::RateLimited).detail(
            "Your address has sent too many requests with unknown tokens this minute. Retry after `Retry-After` seconds.",
        );
        return Err(problem.retry_after(seconds.into()));
    }
    let found = state.services.inbound.channel(digest).await;
    match &found {
        Ok(_) => state.unknown_tokens.remember(digest),
        Err(Error::NotFound) => state.unknown_tokens.count(&digest, network, now),
        Err(_) => {}
    }
    Ok(found?)
}

/// Counts a request without a valid signature, and returns its problem.
fn unverified(state: &State, channel: &Channel, rule: &InboundRule) -> Problem {
    match state.inbound.count_unverified(channel.id, state.services.ports.clock.now()) {
        None => Problem::new(Code::InvalidSignature).header(WWW_AUTHENTICATE, rule.challenge),
        Some(seconds) => {
            let problem = Problem::new(Code::RateLimited).detail(
                "The channel's inbound URL has received too many requests without a valid signature this minute. \
                 Correct the signature, and retry after `Retry-After` seconds.",
            );
            problem.retry_after(seconds.into())
        }
    }
}

/// Counts a verified request.
///
/// # Errors
/// 429 or 503 if the channel has reached its limit: a provider with a fixed receipt only retries after 503.
fn admit_verified(state: &State, channel: &Channel, rule: &InboundRule) -> Result<(), Problem> {
    let limit = state.inbound_limit.unwrap_or(rule.max_requests);
    let wait = state.inbound.count_verified(channel.id, limit, state.services.ports.clock.now());
    let Some(seconds) = wait else { return Ok(()) };
    let code = match rule.receipt {
        Receipt::MessageId => Code::RateLimited,
        Receipt::Fixed { .. } => Code::Unavailable,
    };
    let problem = Problem::new(code)
        .detail("The channel's inbound URL has reached its limit for this minute. Retry after `Retry-After` seconds.");
    Err(problem.retry_after(seconds.into()))
}

/// Returns the request without its body, as connectors read it.
fn inbound_request(state: &State, request: &HttpRequest) -> InboundRequest {
    let header =
        |(name, value): (&HeaderName, &HeaderValue)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()));
    let public = Some(&state.base).filter(|base| !base.is_empty());
    InboundRequest {
        headers: request.headers().iter().filter_map(header).collect(),
        query: request.query_string().to_owned(),
        url: public.map(|base| format!("{base}{}", request.uri())),
        body: Vec::new(),
    }
}

/// A request after its body was received.
enum Opened {
    /// Its events, and the request itself if its connector acknowledges it.
    Events(Vec<InboundEvent>, Option<InboundRequest>),
    /// The connector did not understand it.
    Unparsed(Unparsed),
    /// It is not the provider's.
    Unverified(Unverified),
}

/// A verified request that its connector did not understand.
struct Unparsed {
    refusal: Refusal,
    body: Vec<u8>,
}

/// Verifies a request and parses its events. A large body is read on the compute pool, also for its signature.
async fn open(
    state: &State,
    route: &'static Route,
    workspace: WorkspaceId,
    (connector, channel): (Arc<dyn Connector>, Channel),
    inbound: InboundRequest,
) -> Result<Opened, Problem> {
    let is_large = inbound.body.len() > LARGE_BODY;
    let service = state.services.inbound.clone();
    let read = move || {
        if let Err(why) = service.verify(&*connector, &channel, &inbound) {
            return Opened::Unverified(why);
        }
        match connector.parse(&channel, &inbound) {
            Ok(events) => {
                let is_acknowledged = connector.acknowledges(&inbound);
                Opened::Events(events, is_acknowledged.then_some(inbound))
            }
            Err(refusal) => Opened::Unparsed(Unparsed { refusal, body: inbound.body }),
        }
    };
    match is_large {
        true => state.pool.answer(route, workspace, move || Box::pin(async move { Ok(read()) })).await,
        false => Ok(read()),
    }
}

/// Keeps a request that its connector did not understand, and confirms it, because the provider would only repeat it.
async fn keep(
    state: &State,
    access: &Access,
    channel: &Channel,
    unparsed: Unparsed,
    receipt: Receipt,
) -> Result<Answer, Problem> {
    let Unparsed { refusal, body } = unparsed;
    state.services.inbound.keep_unparsed(access, channel, &body, &refusal).await?;
    metrics::counter!("tidings_inbound_unparsed_total", "kind" => channel.kind.as_str()).increment(1);
    Ok(match receipt {
        Receipt::MessageId => Answer::no_content(),
        Receipt::Fixed { media_type, body } => Answer::of_type(media_type, body),
    })
}

/// Returns the problem of an event that could not be stored. Only a status report names an object, its message.
fn unknown_message(error: Error) -> Problem {
    match error {
        Error::NotFound => Problem::new(Code::NotFound).detail(
            "No message of this channel has this `provider_message_id`. Send the ID that you returned for the message, \
             otherwise its `id`.",
        ),
        error => error.into(),
    }
}

/// Stores an event. Returns the message, if the event is about one.
async fn store(
    state: &State,
    access: &Access,
    channel: &Channel,
    event: InboundEvent,
) -> Result<Option<Done<Message>>, Error> {
    let is_revision = matches!(event, InboundEvent::Revision(_));
    let stored = state.services.inbound.apply(access, channel, event).await;
    if is_revision && matches!(stored, Err(Error::NotFound)) {
        metrics::counter!("tidings_inbound_ignored_total", "kind" => channel.kind.as_str()).increment(1);
    }
    stored
}
