//! Pages for users and monitoring. They are not part of the API and its document.
//!
//! `/docs` shows `/openapi.json` with Scalar, from embedded files. The Content-Security-Policy only allows connections
//! to this server.

mod guide;
mod not_found;
pub(crate) mod panel;
mod problems;
mod unsubscribe;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use actix_web::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, LOCATION, REFERRER_POLICY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};

use crate::limits::by_address::count_page;
use crate::pipeline::monitoring;
use crate::pipeline::request_record::RequestRecord;
use crate::pipeline::state::State;
use crate::request::path;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};
use crate::response::static_body::{Coding, StaticBody};
use crate::routes::ROUTES;
use panel::{IMMUTABLE, POLICY};

const ALLOW: HeaderName = actix_web::http::header::ALLOW;
const ALLOWED: &str = "GET, HEAD, OPTIONS";

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

type Show = fn(&State, &HttpRequest) -> Result<Answer, Problem>;

const PAGES: &[(&str, Show)] = &[
    ("/", root),
    ("/docs", |_, _| {
        Ok(text(HTML, include_bytes!("../../assets/docs/index.html")).with(CONTENT_SECURITY_POLICY, POLICY))
    }),
    ("/docs/start.js", |_, _| Ok(text(SCRIPT, include_bytes!("../../assets/docs/start.js")))),
    ("/docs/scalar-1.72.1.js", scalar),
    ("/docs/guide", guide::contents),
    ("/docs/guide/style.css", guide::style),
    ("/docs/guide/{page}", guide::page),
    ("/docs/guide/{folder}/{page}", guide::page),
    ("/metrics", metrics),
    ("/problems/{code}", problems::show),
];

pub(crate) fn configure(config: &mut ServiceConfig, state: &Arc<State>) {
    for (path, show) in PAGES {
        let state = Arc::clone(state);
        let serve = move |request: HttpRequest| {
            let response = match path::is_spelled_out(path, request.uri().path()) {
                true => serve(&state, path, *show, &request),
                false => serve_other(&state, &request),
            };
            async move { response }
        };
        config.service(web::resource(*path).route(web::route().to(serve)));
    }
    let state = Arc::clone(state);
    let serve = move |request: HttpRequest| {
        let state = Arc::clone(&state);
        async move {
            match path::is_spelled_out(unsubscribe::PATH, request.uri().path()) {
                true => unsubscribe::serve(&state, &request).await,
                false => serve_other(&state, &request),
            }
        }
    };
    config.service(web::resource(unsubscribe::PATH).route(web::route().to(serve)));
}

/// The first segments of all paths of the API and of pages.
static TAKEN: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let pages = PAGES.iter().map(|(path, _)| *path).chain([unsubscribe::PATH]);
    let paths = ROUTES.iter().map(|route| route.path).chain(pages);
    paths.filter_map(|path| path.split('/').nth(1)).filter(|first| !first.is_empty()).collect()
});

/// Handles a request for a path in no table: with the panel, or with 404.
pub(crate) fn serve_other(state: &Arc<State>, request: &HttpRequest) -> HttpResponse {
    let path = request.path();
    let Some(panel) = &state.panel else { return no_route(state, request, not_found::problem(path)) };
    if let Some(shown) = panel.at(path, request.headers(), &TAKEN) {
        return serve(state, panel::TEMPLATE, |_, request| shown.answer(request), request);
    }
    // During a rollout, another instance may already have an asset, and a browser may get a page here. So caches must
    // not store this 404.
    let is_fleeting = path.split('/').nth(1) == Some(panel::ASSETS) || panel::is_address(path, &TAKEN);
    let problem = not_found::problem(path);
    no_route(state, request, if is_fleeting { problem.header(CACHE_CONTROL, "no-store") } else { problem })
}

fn no_route(state: &Arc<State>, request: &HttpRequest, problem: Problem) -> HttpResponse {
    let record = RequestRecord::begin(state, request, None);
    record.finish(count_page(state, request).and(Err(problem)))
}

fn serve(
    state: &Arc<State>,
    template: &'static str,
    show: impl FnOnce(&State, &HttpRequest) -> Result<Answer, Problem>,
    request: &HttpRequest,
) -> HttpResponse {
    let record = RequestRecord::begin(state, request, Some(template));
    let answer = count_page(state, request).and_then(|()| match *request.method() {
        Method::GET | Method::HEAD => show(state, request),
        Method::OPTIONS => Ok(Answer::no_content().with(ALLOW, ALLOWED)),
        _ => Err(Problem::method_not_allowed(ALLOWED)),
    });
    record.finish(answer)
}

fn text(content_type: &'static str, body: &'static [u8]) -> Answer {
    guarded(Answer::of_type(content_type, body))
}

fn guarded(answer: Answer) -> Answer {
    answer.with(REFERRER_POLICY, "no-referrer")
}

/// Shows the panel; redirects to the API's documentation if there is none.
fn root(state: &State, request: &HttpRequest) -> Result<Answer, Problem> {
    match state.panel.as_ref().and_then(panel::Panel::page) {
        Some(page) => page.answer(request),
        None => Ok(Answer::no_content().status(StatusCode::FOUND).with(LOCATION, "/docs")),
    }
}

fn scalar(_: &State, _: &HttpRequest) -> Result<Answer, Problem> {
    static SCALAR: LazyLock<Arc<StaticBody>> = LazyLock::new(|| {
        Arc::new(StaticBody::new(&include_bytes!("../../assets/docs/scalar.js.gz")[..], Coding::Gzip))
    });
    Ok(guarded(Answer::static_body(SCRIPT, &SCALAR)).with(CACHE_CONTROL, IMMUTABLE))
}

/// Shows the metrics to clients with the token. Without a configured token, the page does not exist.
fn metrics(state: &State, request: &HttpRequest) -> Result<Answer, Problem> {
    let Some(page) = state.metrics.as_ref().filter(|page| page.has_token()) else {
        return Err(Problem::new(Code::RouteNotFound));
    };
    let presented = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if !page.opens_for(presented.unwrap_or_default()) {
        return Err(Problem::new(Code::Unauthorized).detail("Send `metrics.token` as `Authorization: Bearer …`."));
    }
    Ok(Answer::of_type(monitoring::FORMAT, page.render()).with(CACHE_CONTROL, "no-store"))
}

#[cfg(test)]
mod tests;
