//! The one way into the API: every request passes the same checks in the same order.
//!
//! Path 404 → method 405 → credential 401 → rate limit 429 → scope 403 → size and type 413, 415 →
//! parse 400 → shape 422 → idempotency → object 404 → what needs the store 422, 409, 412. The first
//! seven are here; the others follow from how handlers are written: they read the body, then the
//! path, then call their use case through [`Cx::once`](crate::request::Cx::once).

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::web::{self, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use futures::FutureExt;

use crate::answer::Answer;
use crate::body;
use crate::entry::{enter, wrong};
use crate::exchange::Exchange;
use crate::inbound::Incoming;
use crate::pages;
use crate::problem::{Code, Problem};
use crate::request::Cx;
use crate::routes::{Endpoint, Resource, Route, RouteScope, resources};
use crate::state::State;

/// Registers every route of the table, and the answer to everything else.
pub fn configure(config: &mut ServiceConfig, state: &Arc<State>) {
    // By the beginning of their paths, so that a request is compared with the paths of one subject, not with all.
    let mut subjects = BTreeMap::<&str, Vec<Resource>>::new();
    for resource in resources() {
        subjects.entry(subject(resource.path())).or_default().push(resource);
    }
    for (subject, resources) in subjects {
        let services = resources.into_iter().map(|resource| {
            let state = Arc::clone(state);
            let serve =
                move |request: HttpRequest, payload: Payload| serve(Arc::clone(&state), resource, request, payload);
            let rest = resource.path().strip_prefix(subject).unwrap_or_default();
            web::resource(rest).route(web::route().to(serve))
        });
        config.service(services.fold(web::scope(subject), actix_web::Scope::service));
    }
    pages::configure(config, state);
    let state = Arc::clone(state);
    let other = move |request: HttpRequest| {
        let response = pages::serve_other(&state, &request);
        async move { response }
    };
    config.default_service(web::to(other));
}

/// The beginning of a path: up to its third segment, or to the first that varies.
fn subject(path: &str) -> &str {
    let ends = path.char_indices().filter(|(place, it)| *it == '/' && *place > 0).map(|(place, _)| place);
    let end = ends.chain([path.len()]).take(3).take_while(|end| !path.get(..*end).unwrap_or_default().contains('{'));
    path.get(..end.last().unwrap_or_default()).unwrap_or_default()
}

/// Answers a request to a path of the table.
async fn serve(state: Arc<State>, resource: Resource, request: HttpRequest, payload: Payload) -> HttpResponse {
    let mut exchange = Exchange::begin(&state, &request, Some(resource.path()));
    let passing = pass(state, resource, &request, payload, &mut exchange);
    // Nothing that a panic may leave half-done is used again: the exchange is only written to.
    let outcome = AssertUnwindSafe(passing).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(route = resource.path(), "a handler panicked");
        Err(Problem::new(Code::Internal))
    });
    exchange.finish(outcome)
}

async fn pass(
    state: Arc<State>,
    resource: Resource,
    request: &HttpRequest,
    payload: Payload,
    exchange: &mut Exchange,
) -> Result<Answer, Problem> {
    let Some(route) = resource.route(request.method()) else {
        let allow = resource.allow();
        return if request.method() == Method::OPTIONS {
            Ok(Answer::no_content().with(ALLOW, &allow))
        } else {
            Err(Problem::method_not_allowed(&allow))
        };
    };
    match route.endpoint {
        Endpoint::Public(run) => run(state).await,
        Endpoint::Signed(run) => run(Incoming { state, route, request: request.clone(), payload }).await,
        Endpoint::Keyed(run) => {
            let counting = Arc::clone(&state);
            let running = async {
                let cx = admit(state, route, request, payload, exchange).await?;
                let preconditions = cx.preconditions().clone();
                let answer = run(cx).await?;
                if route.method == Method::GET { preconditions.of_get(answer) } else { Ok(answer) }
            };
            match running.await {
                Err(refused) if opens_nothing(route, &refused) => Err(wrong(&counting, request, refused)),
                outcome => outcome,
            }
        }
    }
}

/// Whether the token that it came with was no good.
fn opens_nothing(route: &Route, refused: &Problem) -> bool {
    route.scope == RouteScope::Token && matches!(refused.code(), Code::Unauthorized | Code::NotFound)
}

/// Lets a request in, or says why not.
async fn admit(
    state: Arc<State>,
    route: &'static Route,
    request: &HttpRequest,
    payload: Payload,
    exchange: &mut Exchange,
) -> Result<Cx, Problem> {
    // Whatever is answered to who comes with a password or a token may hold one.
    if matches!(route.scope, RouteScope::Login | RouteScope::Token) {
        exchange.keep_secret();
    }
    let entrant = enter(&state, route, request, exchange).await?;
    if route.traits.secret {
        exchange.keep_secret();
    }
    let body = body::receive(&state, route, request, payload).await?;
    Cx::read_request(state, route, entrant, request, &body)
}

#[cfg(test)]
mod tests;
