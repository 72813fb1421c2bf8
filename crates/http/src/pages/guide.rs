//! `/docs/guide`: the documentation, with a search that works without scripts.

use actix_web::HttpRequest;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};

use super::{HTML, STYLE, guarded, text};
use crate::pipeline::state::State;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

/// Allows no scripts. The search is a form.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";
/// Short, because a new version of the program can have other pages.
const FRESH: &str = "public, max-age=3600";

/// Returns the table of contents, or the results of `?q=`.
pub(super) fn contents(state: &State, request: &HttpRequest) -> Result<Answer, Problem> {
    let guide = state.guide.ok_or_else(|| Problem::new(Code::RouteNotFound))?;
    let pairs = url::form_urlencoded::parse(request.query_string().as_bytes());
    match pairs.into_iter().find(|(name, _)| name == "q") {
        Some((_, query)) => Ok(shown((guide.search)(&query))),
        None => page(state, request),
    }
}

pub(super) fn page(state: &State, request: &HttpRequest) -> Result<Answer, Problem> {
    let guide = state.guide.ok_or_else(|| Problem::new(Code::RouteNotFound))?;
    let address = request.path().trim_start_matches("/docs/guide").trim_start_matches('/');
    let page = (guide.page)(address).ok_or_else(|| Problem::new(Code::RouteNotFound))?;
    Ok(shown(page))
}

pub(super) fn style(state: &State, _: &HttpRequest) -> Result<Answer, Problem> {
    let guide = state.guide.ok_or_else(|| Problem::new(Code::RouteNotFound))?;
    Ok(text(STYLE, guide.style.as_bytes()).with(CACHE_CONTROL, FRESH))
}

fn shown(html: String) -> Answer {
    guarded(Answer::of_type(HTML, html)).with(CONTENT_SECURITY_POLICY, POLICY).with(CACHE_CONTROL, FRESH)
}
