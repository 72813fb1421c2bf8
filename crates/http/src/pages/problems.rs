//! `/problems/CODE`: the page of a problem's `type`, one for each code.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use actix_web::HttpRequest;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};

use super::{HTML, guarded};
use crate::pipeline::state::State;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};
use crate::response::static_body::{Coding, StaticBody};

/// Loads nothing; its few styles are inline.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";
/// Short, because a new version of the program can have other texts.
const FRESH: &str = "public, max-age=3600";

static PAGES: LazyLock<HashMap<&str, Arc<StaticBody>>> = LazyLock::new(|| {
    Code::ALL.iter().map(|code| (code.as_str(), Arc::new(StaticBody::new(page(*code), Coding::Plain)))).collect()
});

pub(super) fn show(_: &State, request: &HttpRequest) -> Result<Answer, Problem> {
    let body = request.match_info().get("code").and_then(|code| PAGES.get(code));
    let body = body.ok_or_else(|| Problem::new(Code::RouteNotFound))?;
    Ok(guarded(Answer::static_body(HTML, body)).with(CONTENT_SECURITY_POLICY, POLICY).with(CACHE_CONTROL, FRESH))
}

fn page(code: Code) -> String {
    let (word, title, status) = (code.as_str(), code.title(), code.status().as_u16());
    // The texts of the table are plain, except for code in backticks.
    let pieces = code.detail().split('`').enumerate();
    let detail: String = pieces
        .map(|(place, text)| if place % 2 == 1 { format!("<code>{text}</code>") } else { text.to_owned() })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} – Tidings</title><link rel=\"icon\" href=\"data:,\">\
         <style>:root{{color-scheme:light dark}}body{{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;\
         margin:3rem auto;padding:0 1rem}}code{{font-family:ui-monospace,monospace}}</style></head>\
         <body><main><h1>{title}</h1><p>{detail}</p>\
         <p>Responses with this code have the status {status} and <code>\"code\": \"{word}\"</code>; \
         <code>detail</code> describes the occurrence.</p>\
         <p><a href=\"/docs\">The API</a></p></main></body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_a_page_for_every_code() {
        for code in Code::ALL {
            let page = page(*code);
            assert!(page.contains(code.title()) && page.contains(code.as_str()), "{code:?}");
            assert!(!code.detail().contains(['<', '>', '&']) && !page.contains('`'), "{code:?}");
        }
    }
}
