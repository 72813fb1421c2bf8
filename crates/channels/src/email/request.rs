//! Requests with inbound mail: their check, and the mail in them.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde::Deserialize;
use tidings_domain::channels::InboundRequest;
use tidings_egress::signing::{SigningSecret, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP, verify};

use super::channel_type::{BASIC, MAILGUN};
use super::form::{field, media_type};
use super::settings::Settings;

/// Headers of a signed request (Standard Webhooks).
const SIGNED: [&str; 3] = [WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE];
/// The largest difference between the time of Mailgun's signature and the server's time, in seconds.
pub(super) const MAILGUN_TOLERANCE: i64 = 120;
/// Names of the field with a whole mail: of Mailgun, then of SendGrid.
const MAIL_FIELDS: [&str; 2] = ["body-mime", "email"];

/// Whether a request has the headers of a check. Mailgun's signature is in the body, so each form passes.
pub(super) fn is_signed(request: &InboundRequest) -> bool {
    let has = |name: &str| request.header(name).is_some();
    SIGNED.iter().all(|name| has(name)) || has("authorization") || is_form(request)
}

fn content_type(request: &InboundRequest) -> &str {
    request.header("content-type").unwrap_or_default()
}

fn is_form(request: &InboundRequest) -> bool {
    let media_type = media_type(content_type(request));
    ["multipart/form-data", "application/x-www-form-urlencoded"].contains(&media_type.as_str())
}

/// Whether the relay of the channel sent the request. `now` is the server's time in Unix seconds.
pub(super) fn is_from_the_relay(request: &InboundRequest, settings: &Settings, now: i64) -> bool {
    let secret = settings.inbound_secret.as_str();
    match settings.auth.as_str() {
        _ if secret.is_empty() => false,
        BASIC => has_password(request, secret),
        MAILGUN => is_signed_by_mailgun(request, secret, now),
        _ => has_signature(request, secret, now),
    }
}

fn has_signature(request: &InboundRequest, secret: &str, now: i64) -> bool {
    let header = |name: &str| SIGNED.contains(&name).then(|| request.header(name)).flatten();
    SigningSecret::parse(secret).is_ok_and(|secret| verify(&secret, header, &request.body, now).is_ok())
}

/// Checks the password of HTTP Basic (RFC 7617), with any user name.
fn has_password(request: &InboundRequest, secret: &str) -> bool {
    let presented = || {
        let (scheme, encoded) = request.header("authorization")?.split_once(' ')?;
        let text = STANDARD.decode(encoded.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
        let colon = text.iter().position(|byte| *byte == b':')?;
        text.get(colon + 1..).map(<[u8]>::to_vec)
    };
    // Tags of the same key have the same length, and their comparison takes constant time.
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, secret.as_bytes());
    presented().is_some_and(|presented| hmac::verify(&key, &presented, tag.as_ref()).is_ok())
}

/// Returns the text of a field of a form.
fn text(request: &InboundRequest, name: &str) -> Option<String> {
    let value = field(content_type(request), &request.body, &[name])?;
    String::from_utf8(value.into_owned()).ok()
}

/// Returns the text that Mailgun signs: time and token. `None` if the request has none.
pub(super) fn mailgun_signed_text(request: &InboundRequest) -> Option<String> {
    Some(text(request, "timestamp")? + &text(request, "token")?)
}

/// Checks Mailgun's HMAC of time and token. It does not cover the mail, so it must be recent, and a
/// [token](super::mailgun_tokens) is only valid for one mail.
fn is_signed_by_mailgun(request: &InboundRequest, secret: &str, now: i64) -> bool {
    let (timestamp, signature) = (text(request, "timestamp"), text(request, "signature"));
    let (Some(timestamp), Some(signed), Some(signature)) = (timestamp, mailgun_signed_text(request), signature) else {
        return false;
    };
    let is_recent = timestamp.parse().is_ok_and(|at: i64| now.saturating_sub(at).saturating_abs() <= MAILGUN_TOLERANCE);
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = from_hex(&signature);
    is_recent && tag.is_some_and(|tag| hmac::verify(&key, signed.as_bytes(), &tag).is_ok())
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(high)? * 16 + digit(low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

/// A request of Postmark, with the mail as text.
#[derive(Deserialize)]
struct Postmark {
    #[serde(rename = "RawEmail")]
    raw_email: String,
}

/// Returns the whole mail (RFC 5322) of a request. `None` if it has none.
pub(super) fn mail(request: &InboundRequest) -> Option<Cow<'_, [u8]>> {
    match media_type(content_type(request)).as_str() {
        "message/rfc822" => Some(Cow::Borrowed(&request.body)),
        "application/json" => {
            let postmark: Postmark = serde_json::from_slice(&request.body).ok()?;
            Some(Cow::Owned(postmark.raw_email.into_bytes()))
        }
        _ => field(content_type(request), &request.body, &MAIL_FIELDS),
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
