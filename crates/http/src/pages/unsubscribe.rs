//! `/u/{token}`: the page of the link to opt out in a message (RFC 8058). GET only shows it, because mail servers open
//! links to check them. POST opts out, by a mail program or by the button of the page.

use std::sync::Arc;

use actix_web::http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use tidings_domain::opt_outs::UnsubscribeLink;

use super::{ALLOW, HTML, guarded};
use crate::limits::by_address::network_of;
use crate::pipeline::request_record::RequestRecord;
use crate::pipeline::state::State;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

pub(super) const PATH: &str = "/u/{token}";

/// Maximum number of opt-outs of one contact in a rolling minute. A mail program sends one.
const OPT_OUTS: u32 = 20;
const ALLOWED: &str = "GET, HEAD, POST, OPTIONS";
/// Loads nothing; its few styles are inline. The form goes to this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// The texts of a page in one language.
struct Texts {
    language: &'static str,
    question: &'static str,
    effect: &'static str,
    button: &'static str,
    done: &'static str,
    result: &'static str,
    invalid: &'static str,
    advice: &'static str,
}

const ENGLISH: Texts = Texts {
    language: "en",
    question: "Unsubscribe?",
    effect: "You will get no more messages from this sender at your address.",
    button: "Unsubscribe",
    done: "You are unsubscribed",
    result: "You will get no more messages from this sender at your address. You can close this page.",
    invalid: "This link is not valid",
    advice: "Open the link in the message again. It must be complete.",
};

const GERMAN: Texts = Texts {
    language: "de",
    question: "Abmelden?",
    effect: "Sie erhalten von diesem Absender keine Nachrichten mehr an Ihre Adresse.",
    button: "Abmelden",
    done: "Sie sind abgemeldet",
    result: "Sie erhalten von diesem Absender keine Nachrichten mehr an Ihre Adresse. Sie können diese Seite schließen.",
    invalid: "Dieser Link ist ungültig",
    advice: "Öffnen Sie den Link in der Nachricht noch einmal. Er muss vollständig sein.",
};

/// The content of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Asks before the opt-out.
    Ask,
    /// Confirms the opt-out.
    Done,
    /// Reports an invalid link.
    Invalid,
}

/// Responds to a request with a link.
pub(super) async fn serve(state: &Arc<State>, request: &HttpRequest) -> HttpResponse {
    let mut record = RequestRecord::begin(state, request, Some(PATH));
    record.keep_secret();
    let answer = answer(state, request).await;
    record.finish(answer)
}

async fn answer(state: &State, request: &HttpRequest) -> Result<Answer, Problem> {
    let texts = texts_for(request);
    match *request.method() {
        Method::GET | Method::HEAD => Ok(match link(state, request)? {
            Some(_) => page(texts, Step::Ask),
            None => page(texts, Step::Invalid),
        }),
        Method::POST => match link(state, request)? {
            Some(link) => {
                count_opt_out(state, &link)?;
                state.services.inbound.unsubscribe(&link).await?;
                Ok(page(texts, Step::Done))
            }
            None => Ok(page(texts, Step::Invalid)),
        },
        Method::OPTIONS => Ok(Answer::no_content().with(ALLOW, ALLOWED)),
        _ => Err(Problem::method_not_allowed(ALLOWED)),
    }
}

/// Reads the link in the path. Requests with invalid links are counted by client network. Those with valid links are
/// not, but by contact: the servers of a large mail provider opt out for many recipients.
///
/// # Errors
/// 429 if the client network has sent too many invalid links.
fn link(state: &State, request: &HttpRequest) -> Result<Option<UnsubscribeLink>, Problem> {
    let ports = &state.services.ports;
    let token = request.match_info().get("token").unwrap_or_default();
    if let Some(link) = UnsubscribeLink::open(token, &*ports.sealer) {
        return Ok(Some(link));
    }
    match state.unknown_tokens.count_invalid(network_of(state, request), ports.clock.now()) {
        None => Ok(None),
        Some(seconds) => {
            let problem = Problem::new(Code::RateLimited).detail(
                "Your address has sent too many requests with invalid links this minute. Retry after `Retry-After` \
                 seconds.",
            );
            Err(problem.retry_after(seconds.into()))
        }
    }
}

/// Counts an opt-out of a contact. Everyone who has got a mail has a valid link.
///
/// # Errors
/// 429 above [`OPT_OUTS`].
fn count_opt_out(state: &State, link: &UnsubscribeLink) -> Result<(), Problem> {
    let decision = state.opt_outs.admit(link.contact, OPT_OUTS, state.services.ports.clock.now());
    match decision.admitted {
        true => Ok(()),
        false => {
            let problem = Problem::new(Code::RateLimited)
                .detail("This link was used too often this minute. Retry after `Retry-After` seconds.");
            Err(problem.retry_after(decision.reset_seconds.into()))
        }
    }
}

fn page(texts: &Texts, step: Step) -> Answer {
    let (status, title, text) = match step {
        Step::Ask => (StatusCode::OK, texts.question, texts.effect),
        Step::Done => (StatusCode::OK, texts.done, texts.result),
        Step::Invalid => (StatusCode::NOT_FOUND, texts.invalid, texts.advice),
    };
    let form = match step {
        Step::Ask => format!(
            "<form method=\"post\"><input type=\"hidden\" name=\"List-Unsubscribe\" value=\"One-Click\">\
             <button>{}</button></form>",
            texts.button
        ),
        Step::Done | Step::Invalid => String::new(),
    };
    let language = texts.language;
    let html = format!(
        "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title><link rel=\"icon\" href=\"data:,\">\
         <style>:root{{color-scheme:light dark}}body{{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;\
         margin:3rem auto;padding:0 1rem}}button{{font:inherit;padding:.5rem 1.5rem}}</style></head>\
         <body><main><h1>{title}</h1><p>{text}</p>{form}</main></body></html>\n"
    );
    guarded(Answer::of_type(HTML, html))
        .status(status)
        .with(CONTENT_SECURITY_POLICY, POLICY)
        .with(CONTENT_LANGUAGE, language)
        .with(VARY, "Accept-Language")
}

/// Returns the texts in the language that the client prefers.
fn texts_for(request: &HttpRequest) -> &'static Texts {
    let accepted = request.headers().get(ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if weight(accepted, "de") > weight(accepted, "en") { &GERMAN } else { &ENGLISH }
}

/// Returns the weight of a language in `Accept-Language` (RFC 9110, section 12.5.4); 0 if it is missing.
fn weight(accepted: &str, language: &str) -> f32 {
    let weight = |range: &str| {
        let mut parts = range.split(';').map(str::trim);
        let primary = parts.next()?.split('-').next()?;
        let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        primary.eq_ignore_ascii_case(language).then_some(quality.unwrap_or(1.0))
    };
    accepted.split(',').filter_map(weight).fold(0.0, f32::max)
}

#[cfg(test)]
#[path = "unsubscribe_tests.rs"]
mod tests;
