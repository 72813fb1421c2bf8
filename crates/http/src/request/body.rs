//! The body of a request: limits of size and time, and its media type.

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use actix_web::web::Payload;
use bytes::{Bytes, BytesMut};
use futures::{FutureExt, StreamExt};

use tidings_domain::channels::InboundRule;

use crate::connections::ConnectionState;
use crate::pipeline::route::{BodyKind, Route};
use crate::pipeline::state::State;
use crate::response::problem::{Code, Problem};

const JSON: &str = "application/json";
const CSV: &str = "text/csv";
const MERGE_PATCH: &str = "application/merge-patch+json";
const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// Receives the body. If the route accepts none, or a file, the body stays unread.
///
/// # Errors
/// 413, 415, 408 and 400, in this order.
pub(crate) async fn receive(
    state: &State,
    route: &Route,
    request: &HttpRequest,
    payload: &mut Option<Payload>,
) -> Result<Bytes, Problem> {
    receive_up_to(state, route, (&[], route.traits.body_limit()), request, (payload, false), |_| Ok(())).await
}

/// Receives the body of a provider's request like [`receive`], with the media types and the limit of its channel type.
/// `admit` is called with the number of bytes before more of them are stored.
///
/// # Errors
/// As [`receive`], and the errors of `admit`.
pub(crate) async fn receive_inbound(
    state: &State,
    route: &Route,
    rule: &InboundRule,
    request: &HttpRequest,
    payload: &mut Option<Payload>,
    admit: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    receive_up_to(state, route, (rule.media_types, rule.max_body), request, (payload, true), admit).await
}

async fn receive_up_to(
    state: &State,
    route: &Route,
    (media_types, limit): (&[&str], usize),
    request: &HttpRequest,
    (payload, reserves): (&mut Option<Payload>, bool),
    admit: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    let taken = match route.traits.body {
        BodyKind::None | BodyKind::File => None,
        BodyKind::Optional | BodyKind::Required | BodyKind::Table => payload.take(),
    };
    let Some(payload) = taken else { return Ok(Bytes::new()) };
    let declared = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let typed = check_type(route, media_types, request)?;
    // The memory of a body that grows without a reservation is up to twice its length.
    let reserved = declared.filter(|_| reserves).and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    let reading = tokio::time::timeout(state.timeouts.body, read(payload, (reserved, limit), admit));
    let body = reading.await.map_err(|_| Problem::new(Code::RequestTimeout))??;
    if let Some(connection) = ConnectionState::of(request) {
        connection.body_was_read();
    }
    if !typed && !body.is_empty() {
        return Err(unsupported(route));
    }
    Ok(body)
}

async fn read(
    mut payload: Payload,
    (reserved, limit): (usize, usize),
    mut admit: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    let mut body = BytesMut::with_capacity(reserved);
    while let Some(chunk) = payload.next().await {
        let broken = |_| Problem::new(Code::BadRequest).detail("The body is incomplete or could not be read.");
        let chunk = chunk.map_err(broken)?;
        if body.len() + chunk.len() > limit {
            return Err(too_large(limit));
        }
        admit(body.len() + chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Whether an unread body has already arrived completely. Then the connection can be used again.
pub(crate) async fn has_come(mut payload: Payload) -> bool {
    // The server only reads bytes after the head when a handler first yields.
    tokio::task::yield_now().await;
    loop {
        match payload.next().now_or_never() {
            Some(Some(Ok(_))) => {}
            Some(None) => return true,
            Some(Some(Err(_))) | None => return false,
        }
    }
}

/// Rejects a compressed body.
pub(crate) fn check_coding(route: &Route, request: &HttpRequest) -> Result<(), Problem> {
    let coded = request.headers().get_all(CONTENT_ENCODING);
    if coded.into_iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let refused = unsupported(route).detail("Send the body without `Content-Encoding`.");
        return Err(refused.header(actix_web::http::header::ACCEPT_ENCODING, "identity"));
    }
    Ok(())
}

/// Returns whether the request has a media type, which must be one that the route accepts.
fn check_type(route: &Route, media_types: &[&str], request: &HttpRequest) -> Result<bool, Problem> {
    check_coding(route, request)?;
    let Some(value) = request.headers().get(CONTENT_TYPE) else { return Ok(false) };
    let text = value.to_str().unwrap_or_default().to_ascii_lowercase();
    let (essence, parameters) = text.split_once(';').unwrap_or((&text, ""));
    let taken = match essence.trim() {
        JSON => route.traits.body.is_json(),
        CSV => route.traits.body == BodyKind::Table,
        MERGE_PATCH => route.traits.merge_patch,
        other => media_types.contains(&other),
    };
    let mut charsets = parameters.split(';').filter_map(|it| it.trim().strip_prefix("charset="));
    let utf8 = charsets.all(|charset| matches!(charset.trim_matches('"'), "utf-8" | "utf8" | "us-ascii"));
    if taken && utf8 { Ok(true) } else { Err(unsupported(route)) }
}

fn unsupported(route: &Route) -> Problem {
    let problem = Problem::new(Code::UnsupportedMediaType);
    if route.traits.body == BodyKind::Table {
        return problem.detail(
            "Send the table as the body, with `Content-Type: text/csv` and no `charset`. The parameter `encoding` sets \
             its encoding.",
        );
    }
    match (route.method == Method::PATCH, route.traits.merge_patch) {
        (true, true) => problem.header(ACCEPT_PATCH, "application/json, application/merge-patch+json"),
        (true, false) => problem.header(ACCEPT_PATCH, JSON),
        (false, _) => problem,
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(Code::PayloadTooLarge).detail(format!("The body can have at most {limit} bytes on this route."))
}
