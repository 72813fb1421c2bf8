//! Verified inbound requests with a body that the connector does not understand.

use serde::Serialize;

use crate::ids::{ChannelId, UnparsedRequestId};
use crate::read::Refusal;
use crate::text::cut;
use crate::time::Timestamp;

/// Maximum number of kept requests of a channel. The oldest ones are deleted first.
pub const MAX_UNPARSED: i64 = 100;
/// Retention of a request, in days.
pub const UNPARSED_DAYS: u32 = 7;
/// Maximum size of a kept body in bytes.
pub const MAX_UNPARSED_BODY: usize = 64 * 1024;
/// Maximum size of a reason in bytes.
const MAX_REASON: usize = 500;
/// Maximum size of an excerpt in bytes.
const MAX_EXCERPT: usize = 1024;
/// The character in place of bytes that are no text.
const REPLACEMENT: &str = "\u{fffd}";
/// The text in place of a secret.
const REDACTED: &str = "[redacted]";
/// A shorter secret, such as a PIN, may be part of any number.
const SHORTEST_SECRET: usize = 6;
/// Parts of the names of members that contain secrets.
const SECRET_NAMES: [&str; 6] = ["token", "secret", "password", "authorization", "api_key", "apikey"];

/// A verified request of a provider that the connector did not understand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnparsedRequest {
    /// The ID.
    pub id: UnparsedRequestId,
    /// The channel that received it.
    #[serde(rename = "channel_id")]
    pub channel: ChannelId,
    /// When it was received.
    pub received_at: Timestamp,
    /// Why the connector did not understand it.
    pub reason: String,
    /// Size of the received body in bytes.
    pub size: i64,
    /// The beginning of the body as text, without secrets: at most [`MAX_UNPARSED_BODY`] bytes.
    pub body: String,
}

impl UnparsedRequest {
    /// Creates a request from its body and the reason. `secrets` are the secrets of the channel.
    pub fn new(
        id: UnparsedRequestId,
        channel: ChannelId,
        received_at: Timestamp,
        (body, refusal): (&[u8], &Refusal),
        secrets: &[String],
    ) -> Self {
        Self {
            id,
            channel,
            received_at,
            reason: cut(redacted(&storable(reason_of(refusal).as_bytes()), secrets), MAX_REASON),
            size: i64::try_from(body.len()).unwrap_or(i64::MAX),
            body: beginning_of(body, secrets),
        }
    }
}

/// A request of a provider that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = UnparsedRequest))]
#[non_exhaustive]
pub struct UnparsedRequestView {
    /// The ID.
    pub id: UnparsedRequestId,
    /// When it was received.
    pub received_at: Timestamp,
    /// Why it was not understood.
    pub reason: String,
    /// Size of the received body in bytes.
    pub size: i64,
    /// The beginning of the body as text, without secrets: at most 1 KiB.
    pub excerpt: String,
}

impl From<&UnparsedRequest> for UnparsedRequestView {
    fn from(it: &UnparsedRequest) -> Self {
        Self {
            id: it.id,
            received_at: it.received_at,
            reason: it.reason.clone(),
            size: it.size,
            excerpt: cut(it.body.clone(), MAX_EXCERPT),
        }
    }
}

/// Returns the reason of a refusal as a text.
fn reason_of(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Malformed { detail } => detail.clone(),
        Refusal::DuplicateKey { pointer } => format!("{pointer} appears more than once"),
        Refusal::Invalid(violations) => {
            let all = violations.iter().map(|it| format!("{} {}", it.pointer, it.message));
            all.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Returns bytes as a text. PostgreSQL stores no NUL in texts.
fn storable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', REPLACEMENT)
}

/// Returns the beginning of a body as text without secrets. The rest of a large body is not searched.
fn beginning_of(body: &[u8], secrets: &[String]) -> String {
    let longest = secrets.iter().map(String::len).max().unwrap_or_default() + REPLACEMENT.len();
    let Some(searched) = body.get(..MAX_UNPARSED_BODY + 2 * longest) else {
        return cut(redacted(&storable(body), secrets), MAX_UNPARSED_BODY);
    };
    let mut text = redacted(&storable(searched), secrets);
    // The last bytes may be the start of a secret.
    let most = text.len().saturating_sub(longest);
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or_default());
    text.push('…');
    cut(text, MAX_UNPARSED_BODY)
}

/// Returns a text without the secrets of the channel, and without the values of members with the name of a secret.
fn redacted(text: &str, secrets: &[String]) -> String {
    let long = secrets.iter().filter(|secret| secret.len() >= SHORTEST_SECRET);
    long.fold(without_secret_members(text), |text, secret| text.replace(secret.as_str(), REDACTED))
}

/// Replaces the texts of members with the name of a secret. It scans the text, because the body is often no valid JSON.
fn without_secret_members(text: &str) -> String {
    let (mut made, mut rest) = (String::with_capacity(text.len()), text);
    let mut follows_secret_name = false;
    while let Some((before, from)) = rest.split_once('"') {
        let is_hidden = follows_secret_name && before.trim() == ":";
        let (string, end) = split_string(from);
        made.push_str(before);
        made.push('"');
        made.push_str(if is_hidden { REDACTED } else { string });
        let Some(end) = end else { return made };
        made.push('"');
        rest = end;
        follows_secret_name = !is_hidden && names_a_secret(string);
    }
    made.push_str(rest);
    made
}

/// Splits a text after a quotation mark at the next one that is not escaped: the string, and the text behind it. `None`
/// if the string does not end.
fn split_string(text: &str) -> (&str, Option<&str>) {
    let mut is_escaped = false;
    for (place, character) in text.char_indices() {
        match character {
            '"' if !is_escaped => {
                let (string, end) = text.split_at(place);
                return (string, end.strip_prefix('"'));
            }
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    (text, None)
}

fn names_a_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRET_NAMES.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::error::Violation;
    use crate::ids::TypedId;

    fn of(body: &[u8], refusal: &Refusal) -> UnparsedRequest {
        let secrets = ["110201543:AAHdqTcvCH1vGWJx".to_owned(), "1234".to_owned()];
        let (id, channel) = (UnparsedRequestId::from_uuid(Uuid::nil()), ChannelId::from_uuid(Uuid::nil()));
        UnparsedRequest::new(id, channel, Timestamp::EPOCH_2026, (body, refusal), &secrets)
    }

    fn kept(body: &str) -> String {
        of(body.as_bytes(), &Refusal::Malformed { detail: "no update".to_owned() }).body
    }

    #[test]
    fn removes_secrets_also_from_malformed_bodies() {
        for (body, expected) in [
            (r#"{"text": "Call 1234"}"#, r#"{"text": "Call 1234"}"#),
            ("bot110201543:AAHdqTcvCH1vGWJx/getMe", "bot[redacted]/getMe"),
            (r#"{"access_Token" : "a\"b", "name": "Ada"}"#, r#"{"access_Token" : "[redacted]", "name": "Ada"}"#),
            (r#"{"password":"a","secrets":["b"],"#, r#"{"password":"[redacted]","secrets":["b"],"#),
            (r#"{"token": 7, "a": "b"}"#, r#"{"token": 7, "a": "b"}"#),
            (r#"["the token", "is \"here\""]"#, r#"["the token", "is \"here\""]"#),
            (r#"{"password": "never end"#, r#"{"password": "[redacted]"#),
            ("no JSON", "no JSON"),
            ("", ""),
        ] {
            assert_eq!(kept(body), expected);
        }
    }

    #[test]
    fn keeps_the_beginning_of_a_large_body_as_text() {
        let request = of("ä".repeat(MAX_UNPARSED_BODY).as_bytes(), &Refusal::Invalid(vec![]));
        assert_eq!(request.size, 2 * 64 * 1024);
        assert!(request.body.len() <= MAX_UNPARSED_BODY && request.body.len() > MAX_UNPARSED_BODY - 4);
        let view = UnparsedRequestView::from(&request);
        assert!(view.excerpt.len() <= MAX_EXCERPT && view.excerpt.ends_with("ä…"));
        let binary = of(b"\xffa\0b", &Refusal::Invalid(vec![]));
        assert_eq!(binary.body, "\u{fffd}a\u{fffd}b");
    }

    #[test]
    fn keeps_no_part_of_a_secret_at_the_end() {
        // The secrets become shorter, so the end of the searched part is kept.
        let request = of("110201543:AAHdqTcvCH1vGWJx ".repeat(5_000).as_bytes(), &Refusal::Invalid(vec![]));
        let kept = request.body.strip_suffix('…').unwrap();
        assert!(kept.starts_with("[redacted] [redacted] ") && !kept.contains('1'), "{kept}");
        let token = format!("{}{{\"token\": \"{}\"}}", " ".repeat(MAX_UNPARSED_BODY - 20), "t".repeat(9_000));
        assert!(!of(token.as_bytes(), &Refusal::Invalid(vec![])).body.contains("tt"));
    }

    #[test]
    fn states_the_reason_without_secrets() {
        let wrong = |pointer: &str| Violation::new(pointer, "wrong_type", "must be a number");
        let reason = |refusal: Refusal| of(b"", &refusal).reason;
        let two = Refusal::Invalid(vec![wrong("/a"), wrong("/b")]);
        assert_eq!(reason(two), "/a must be a number; /b must be a number");
        let key = Refusal::DuplicateKey { pointer: "/110201543:AAHdqTcvCH1vGWJx".to_owned() };
        assert_eq!(reason(key), "/[redacted] appears more than once");
        assert!(reason(Refusal::Malformed { detail: "x".repeat(9_000) }).len() <= MAX_REASON);
    }
}
