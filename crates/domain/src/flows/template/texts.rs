//! The filters `truncate` and `urlencode`.

use std::fmt::Write as _;

use minijinja::value::Kwargs;
use minijinja::{Error, Value};

use super::arguments::{count_argument, is_absent, plain_text, text_argument, wrong};
use super::budget::bounded;

/// Maximum length for `truncate`.
const MAX_LENGTH: usize = 4_096;

/// Shortens a text to at most `length` characters including `end`, if possible after a word.
///
/// # Errors
/// The value is not a text, or the length is invalid.
pub(super) fn truncate(
    value: &Value,
    length: Option<&Value>,
    end: Option<&Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    let length = count_argument(length, &named, "length", 1..=MAX_LENGTH)?;
    let end = text_argument(end, &named, "end")?.unwrap_or_else(|| "…".to_owned());
    named.assert_all_used()?;
    let length = length.ok_or_else(|| wrong("truncate requires a length, such as truncate(80)"))?;
    let Some(kept) = length.checked_sub(end.chars().count()) else {
        return Err(wrong(format!("end must not be longer than the length of {length} characters")));
    };
    if is_absent(value) {
        return Ok(Value::UNDEFINED);
    }
    let text = plain_text("truncate", value)?;
    if text.chars().count() <= length {
        return Ok(Value::from(text));
    }
    let head: String = text.chars().take(kept).collect();
    let splits_word = text.chars().nth(kept).is_some_and(|next| !next.is_whitespace());
    let words = head.trim_end().rsplit_once(char::is_whitespace).map(|(words, _)| words.trim_end());
    let words = words.filter(|words| splits_word && !head.ends_with(char::is_whitespace) && !words.is_empty());
    Ok(Value::from(format!("{}{end}", words.unwrap_or_else(|| head.trim_end()))))
}

/// Percent-encodes a text for one part of a URL: all UTF-8 bytes except letters, digits and `-._~` (RFC 3986 §2.3).
///
/// # Errors
/// The value is not a text, or the result is too long.
pub(super) fn urlencode(value: &Value) -> Result<Value, Error> {
    if is_absent(value) {
        return Ok(Value::UNDEFINED);
    }
    let mut encoded = String::new();
    for byte in plain_text("urlencode", value)?.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            byte => write!(encoded, "%{byte:02X}")?,
        }
    }
    bounded(encoded).map(Value::from)
}
