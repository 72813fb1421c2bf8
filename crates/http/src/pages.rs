//! Pages for people and monitoring: no part of the API, and so in no document of it.
//!
//! `/docs` shows `/openapi.json` with Scalar, from files that are compiled in. The
//! Content-Security-Policy lets the page speak to this server only.

use std::io::Read;
use std::sync::Arc;

use actix_web::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, LOCATION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};

use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::{Code, Problem};
use crate::state::State;
use crate::{compress, monitoring};

const ALLOW: HeaderName = actix_web::http::header::ALLOW;
const ALLOWED: &str = "GET, HEAD, OPTIONS";

/// Scripts, requests and fonts from here alone. Scalar writes its style into the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

type Show = fn(&State, &HttpRequest) -> Result<Answer, Problem>;

/// The one table of pages.
const PAGES: &[(&str, Show)] = &[
    ("/", |_, _| Ok(Answer::no_content().status(StatusCode::FOUND).with(LOCATION, "/docs"))),
    ("/docs", |_, _| Ok(text(HTML, include_bytes!("../assets/docs/index.html")).with(CONTENT_SECURITY_POLICY, POLICY))),
    ("/docs/start.js", |_, _| Ok(text(SCRIPT, include_bytes!("../assets/docs/start.js")))),
    ("/docs/scalar-1.72.1.js", |_, request| {
        // Another version has another address.
        Ok(packed(SCRIPT, include_bytes!("../assets/docs/scalar.js.gz"), request)?
            .with(CACHE_CONTROL, "public, max-age=31536000, immutable"))
    }),
    ("/metrics", metrics),
];

/// Registers every page.
pub(crate) fn configure(config: &mut ServiceConfig, state: &Arc<State>) {
    for (path, show) in PAGES {
        let state = Arc::clone(state);
        let serve = move |request: HttpRequest| {
            let response = serve(&state, path, *show, &request);
            async move { response }
        };
        config.service(web::resource(*path).route(web::route().to(serve)));
    }
}

fn serve(state: &Arc<State>, path: &'static str, show: Show, request: &HttpRequest) -> HttpResponse {
    let exchange = Exchange::begin(state, request, Some(path));
    let answer = match *request.method() {
        Method::GET | Method::HEAD => show(state, request),
        Method::OPTIONS => Ok(Answer::no_content().with(ALLOW, ALLOWED)),
        _ => Err(Problem::method_not_allowed(ALLOWED)),
    };
    exchange.finish(answer)
}

fn text(content_type: &'static str, body: &'static [u8]) -> Answer {
    Answer::of_type(content_type, body).with(X_CONTENT_TYPE_OPTIONS, "nosniff").with(REFERRER_POLICY, "no-referrer")
}

/// A file that is kept in gzip, unpacked for the few who do not take it so.
fn packed(content_type: &'static str, gzip: &'static [u8], request: &HttpRequest) -> Result<Answer, Problem> {
    if compress::accepts_gzip(request.headers()) {
        return Ok(text(content_type, gzip).packed());
    }
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(gzip).read_to_end(&mut plain).map_err(|_| Problem::new(Code::Internal))?;
    Ok(Answer::of_type(content_type, plain).with(X_CONTENT_TYPE_OPTIONS, "nosniff"))
}

/// The metrics for who has the token; without one in the settings there is no such page.
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
