//! Headers of a request.

use crate::flows::Template;
use crate::flows::definition::{Fields, FlowFields};
use crate::read::{Input, pointer_to};
use crate::webhooks::is_header_name;

const MAX_HEADERS: usize = 20;
/// The header that lets the receiver recognize a repeated request: it is constant for a run, node and visit.
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Headers that the service sets, or that belong to the connection and message framing (RFC 9110, sections 7.6.1 and
/// 8.6).
const RESERVED: [&str; 12] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    IDEMPOTENCY_KEY,
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

pub(super) fn read(fields: &mut Fields<'_>) -> Vec<(String, Template)> {
    let members = match fields.get("headers") {
        None => return Vec::new(),
        Some(Input::Object(members)) if members.len() <= MAX_HEADERS => members,
        Some(Input::Object(_)) => {
            fields.wrong("headers", "too_many", format!("at most {MAX_HEADERS} headers"));
            return Vec::new();
        }
        Some(_) => {
            fields.wrong("headers", "wrong_type", "expected an object of header names and texts");
            return Vec::new();
        }
    };
    let mut headers: Vec<(String, Template)> = Vec::new();
    for (name, written) in members.iter() {
        let place = format!("/headers{}", pointer_to(name));
        if let Err((code, message)) = check_name(name) {
            fields.error(&place, code, message);
        } else if headers.iter().any(|(earlier, _)| earlier.eq_ignore_ascii_case(name)) {
            fields.error(&place, "duplicate_name", "another header has this name; header names ignore case");
        } else if let Input::String(text) = written {
            if !Template::stands_in(text) && !is_value(text) {
                fields.error(&place, "invalid_format", "must be visible ASCII characters, without line breaks");
            }
            headers.extend(fields.template_with_secrets(&place, text).map(|template| (name.to_owned(), template)));
        } else {
            fields.error(&place, "wrong_type", "expected a string");
        }
    }
    headers
}

fn check_name(name: &str) -> Result<(), (&'static str, &'static str)> {
    let lower = name.to_ascii_lowercase();
    if !is_header_name(name) {
        return Err(("invalid_name", "is not a valid header name (RFC 9110, section 5.1) of at most 100 characters"));
    }
    if RESERVED.contains(&lower.as_str()) || lower.starts_with("proxy-") {
        return Err(("reserved_name", "is set by the server or reserved for the connection; use another name"));
    }
    Ok(())
}

/// Whether it is a valid header value: visible ASCII and spaces only, so it cannot contain a line break.
pub(super) fn is_value(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
