//! The pipeline of the API: every request passes the same checks in the same order.
//!
//! Path 404 → method 405 → credential 401 → rate limit 429 → scope 403 → size and type 413, 415 → syntax 400 → shape
//! 422 → idempotency → object 404 → checks that need the store 422, 409, 412. The first seven are here. The others
//! follow from the structure of handlers: they read the body, then the path, then call their use case through
//! [`RequestContext::run_idempotent`](crate::request::RequestContext::run_idempotent).

pub(crate) mod cors;
pub(crate) mod guide;
pub mod idempotency;
pub(crate) mod monitoring;
pub(crate) mod operations;
pub(crate) mod readiness;
pub(crate) mod request_record;
pub(crate) mod route;
mod run_idempotent;
pub(crate) mod state;
mod stored_response;
mod usage_log;
mod usage_rule;
mod usage_writer;

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::web::{self, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use tidings_domain::Error;
use tidings_domain::ports::StoreError;
use tokio::time::timeout;

use crate::auth::authenticate::enter;
use crate::connections::{ConnectionState, client_gone};
use crate::conversations::inbound::{self, Incoming};
use crate::limits::by_address::{count_page, wrong_token};
use crate::limits::compute_pool::LARGE_BODY;
use crate::limits::workspace_limit::Running;
use crate::openapi::openapi;
use crate::pages;
use crate::request::{RequestContext, body, path, upload};
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};
use crate::routes::{Endpoint, Resource, resources};
use monitoring::MetricsPage;
use request_record::RequestRecord;
use route::{BodyKind, Route, RouteScope};
use state::State;

/// The time limit of a response. The client gets an answer even if the store hangs. The limit does not include the
/// time for receiving the body and for calls to other services (`Traits::calls_out`).
/// [`ConnectionTimeouts::handling`](crate::ConnectionTimeouts::handling) limits all of it together.
const ANSWER: Duration = Duration::from_millis(9_500);

/// The wait after which a request that calls other services is repeated, in seconds.
const CALL_RETRY: u64 = 5;

/// Registers all routes of the table, and the response to all other paths.
pub fn configure(config: &mut ServiceConfig, state: &Arc<State>) {
    // Grouped by prefix: a request is only compared with the paths of one subject.
    let mut subjects = BTreeMap::<&str, Vec<Resource>>::new();
    for resource in resources() {
        subjects.entry(subject(resource.path())).or_default().push(resource);
    }
    for (subject, resources) in subjects {
        let services = resources.into_iter().map(|resource| {
            let rest = resource.path().strip_prefix(subject).unwrap_or_default();
            service(rest, resource, state)
        });
        config.service(services.fold(web::scope(subject), actix_web::Scope::service));
    }
    pages::configure(config, state);
    // Each worker registers the same routes.
    let _ = state.document.set(openapi);
    let state = Arc::clone(state);
    let other = move |request: HttpRequest| {
        let response = pages::serve_other(&state, &request);
        async move { response }
    };
    config.default_service(web::to(other));
}

/// Registers the routes for operators: the probes and the metrics, without a token.
pub fn configure_monitoring(config: &mut ServiceConfig, state: &Arc<State>, page: &MetricsPage) {
    for resource in resources().filter(|it| it.route(&Method::GET).is_some_and(|(route, _)| route.traits.probe)) {
        config.service(service(resource.path(), resource, state));
    }
    monitoring::configure(config, page);
}

/// Returns the service of a resource. `rest` is its path below the scope.
fn service(rest: &str, resource: Resource, state: &Arc<State>) -> actix_web::Resource {
    let state = Arc::clone(state);
    let serve = move |request: HttpRequest, payload: Payload| serve(Arc::clone(&state), resource, request, payload);
    web::resource(rest).route(web::route().to(serve))
}

/// Returns the prefix of a path, up to its third segment or its first parameter.
fn subject(path: &str) -> &str {
    let ends = path.char_indices().filter(|(place, it)| *it == '/' && *place > 0).map(|(place, _)| place);
    let end = ends.chain([path.len()]).take(3).take_while(|end| !path.get(..*end).unwrap_or_default().contains('{'));
    path.get(..end.last().unwrap_or_default()).unwrap_or_default()
}

/// Handles a request for a path of the table.
async fn serve(state: Arc<State>, resource: Resource, request: HttpRequest, payload: Payload) -> HttpResponse {
    if !path::is_spelled_out(resource.path(), request.uri().path()) {
        return pages::serve_other(&state, &request);
    }
    let mut record = RequestRecord::begin(&state, &request, Some(resource.path()));
    let route = resource.route(request.method()).map(|(route, _)| route);
    if let Some(connection) = ConnectionState::of(&request).filter(|_| route.is_some_and(|route| route.traits.streams))
    {
        connection.stream();
    }
    let (mut body, limit) = (Some(payload), state.timeouts.handling);
    let passing = pass(state, resource, &request, &mut body, &mut record);
    // After a panic, the record is only written to; nothing that can be inconsistent is used again.
    let mut gone = ConnectionState::of(&request)
        .filter(|_| route.is_some_and(|it| it.traits.searches))
        .map(ConnectionState::client_closed);
    let outcome = tokio::select! {
        biased;
        outcome = in_time(route, limit, AssertUnwindSafe(passing).catch_unwind()) => outcome.map(|outcome| match &gone {
            Some(gone) => outcome.map(|answer| answer.until_gone(gone.clone())),
            None => outcome,
        }),
        () = client_gone(gone.as_mut()) => Ok(Err(Problem::new(Code::RequestTimeout).detail("The client closed the connection."))),
    };
    let outcome = outcome.unwrap_or_else(|_| {
        tracing::error!(route = resource.path(), "a handler panicked");
        Err(Problem::new(Code::Internal))
    });
    if let (Some(connection), Some(body)) =
        (ConnectionState::of(&request).filter(|connection| connection.has_unread_body()), body)
        && body::has_come(body).await
    {
        connection.body_was_read();
    }
    record.finish(outcome)
}

/// Limits the time of a handler, except for a streamed response.
async fn in_time<E>(
    route: Option<&Route>,
    limit: Duration,
    handling: impl Future<Output = Result<Result<Answer, Problem>, E>>,
) -> Result<Result<Answer, Problem>, E> {
    if route.is_some_and(|route| route.traits.streams) {
        return handling.await;
    }
    match timeout(limit, handling).await {
        Ok(outcome) => outcome,
        Err(_) => {
            tracing::warn!(route = route.map(|route| route.path), "a request was not answered in time");
            Ok(Err(too_late(route)))
        }
    }
}

async fn pass(
    state: Arc<State>,
    resource: Resource,
    request: &HttpRequest,
    body: &mut Option<Payload>,
    record: &mut RequestRecord,
) -> Result<Answer, Problem> {
    let Some((route, endpoint)) = resource.route(request.method()) else {
        let allow = resource.allow();
        if request.method() == Method::OPTIONS {
            return Ok(Answer::no_content().with(ALLOW, &allow));
        }
        let handshake = match resource.is_signed() {
            true => inbound::handshake(&state, resource.path(), request).await?,
            false => None,
        };
        return handshake.ok_or_else(|| Problem::method_not_allowed(&allow));
    };
    match endpoint {
        Endpoint::Public(run) => {
            if !route.traits.probe {
                count_page(&state, request)?;
            }
            run(state).await
        }
        Endpoint::Signed(run) => run(Incoming { state, route, request: request.clone(), body: body.take() }).await,
        Endpoint::Keyed(run) => {
            let counting = Arc::clone(&state);
            let running = async {
                let admitted = admit(state, route, request, body, record).await;
                let (cx, body, left) =
                    admitted.map_err(|problem| problem.of_one(|| path::absent_workspace(route.path)))?;
                let preconditions = cx.preconditions().clone();
                let outcome = if route.traits.computes || body.len() > LARGE_BODY {
                    let (pool, workspace) = (counting.pool.clone(), cx.access().workspace());
                    pool.answer(route, workspace, move || Box::pin(handle(run, cx, body, left))).await
                } else {
                    handle(run, cx, body, left).await
                };
                let answer = outcome.map_err(|problem| {
                    let problem = problem.of_first(path::first_kind(route.path));
                    let problem = problem.of_several(|kind| path::names(route.path, kind));
                    problem.of_one(|| path::absent(route.path))
                })?;
                if route.method == Method::GET { preconditions.of_get(answer) } else { Ok(answer) }
            };
            match running.await {
                Err(refused) if opens_nothing(route, &refused) => Err(wrong_token(&counting, request, refused)),
                outcome => outcome,
            }
        }
    }
}

/// Reads the body and runs the handler, within the remaining time.
async fn handle(
    run: fn(RequestContext) -> LocalBoxFuture<'static, Result<Answer, Problem>>,
    cx: RequestContext,
    body: Bytes,
    left: Duration,
) -> Result<Answer, Problem> {
    let route = cx.route;
    let _running = begin_call(&cx)?;
    let answering = async { run(cx.with_body(&body)?.in_time_of_workspace().await?.while_caller_may()).await };
    match route.traits.calls_out {
        true => answering.await,
        false => timeout(left, answering).await.unwrap_or_else(|_| Err(too_late(Some(route)))),
    }
}

/// Starts a request that can call other services; `None` for other requests.
///
/// # Errors
/// 429 if too many such requests of the workspace are running.
fn begin_call(cx: &RequestContext) -> Result<Option<Running>, Problem> {
    let traits = &cx.route.traits;
    if !traits.calls_out && !traits.registers {
        return Ok(None);
    }
    let running = cx.state.calls.begin(cx.access().workspace()).ok_or_else(|| {
        let problem = Problem::new(Code::RateLimited).detail(
            "Too many requests of the workspace are waiting for channels and webhooks. Retry after `Retry-After` seconds.",
        );
        problem.retry_after(CALL_RETRY)
    })?;
    Ok(Some(running))
}

/// Whether the token of the request was rejected.
fn opens_nothing(route: &Route, refused: &Problem) -> bool {
    route.scope == RouteScope::Token && matches!(refused.code(), Code::Unauthorized | Code::NotFound)
}

/// Returns the problem of a response that took too long. A write that has started can still complete.
fn too_late(route: Option<&Route>) -> Problem {
    let only_reads = route.is_none_or(|route| route.method == Method::GET || route.traits.reads);
    let error = if only_reads { StoreError::Unavailable("timed out".to_owned()) } else { StoreError::OutcomeUnknown };
    Error::from(error).into()
}

/// Checks a request. Returns it with its unread body, and the time left for the response.
async fn admit(
    state: Arc<State>,
    route: &'static Route,
    request: &HttpRequest,
    body: &mut Option<Payload>,
    record: &mut RequestRecord,
) -> Result<(RequestContext, Bytes, Duration), Problem> {
    // Responses on these routes can contain a password or a token. Files are streamed.
    if matches!(route.scope, RouteScope::Login | RouteScope::Token) && !route.traits.streams {
        record.keep_secret();
    }
    let began = Instant::now();
    let authenticated = timeout(ANSWER, enter(&state, route, request, record)).await;
    // No write has started yet.
    let authenticated = authenticated.unwrap_or_else(|_| Err(too_late(None)))?;
    let left = ANSWER.saturating_sub(began.elapsed());
    if route.traits.secret {
        record.keep_secret();
    }
    let received = body::receive(&state, route, request, body).await?;
    let mut cx = RequestContext::read_head(state, route, authenticated, request)?;
    if route.traits.body != BodyKind::File {
        return Ok((cx, received, left));
    }
    let upload = upload::receive(&cx, request, body).await?;
    let identity = upload.identity();
    cx.upload = Some(upload);
    Ok((cx, identity, left))
}

#[cfg(test)]
mod tests;
