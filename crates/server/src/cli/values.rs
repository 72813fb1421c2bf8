//! Readers of option values.

use tidings_domain::access::{Plan, Role as MemberRole, Scope};
use tidings_domain::contacts::{ContactKey, Email, OnError};
use tidings_domain::platform::MAX_OVERLAP;
use tidings_domain::text::characters::{is_blank, trim};
use tidings_domain::time::IsoDuration;

pub(super) fn name(text: &str) -> Result<String, String> {
    let text = trim(text);
    let fits = !is_blank(text) && (1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("expected 1 to 100 characters, without control characters".into()) }
}

pub(super) fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("expected 1 to 200 characters, without control characters".into()) }
}

pub(super) fn plan(word: &str) -> Result<Plan, String> {
    Plan::parse(word).ok_or_else(|| "expected starter, pro or business".to_owned())
}

pub(super) fn email(text: &str) -> Result<Email, String> {
    text.parse::<Email>().map_err(|error| error.to_string())
}

pub(super) fn member_role(word: &str) -> Result<MemberRole, String> {
    MemberRole::parse(word).ok_or_else(|| "expected owner, admin, member or viewer".to_owned())
}

pub(super) fn overlap(text: &str) -> Result<IsoDuration, String> {
    let read = text.parse::<IsoDuration>().map_err(|error| error.to_string())?;
    if read.get() <= MAX_OVERLAP { Ok(read) } else { Err("expected at most P7D".to_owned()) }
}

pub(super) fn contact_key(text: &str) -> Result<ContactKey, String> {
    ContactKey::parse(text).ok_or_else(|| format!("expected one of {}", ContactKey::WORDS.join(", ")))
}

pub(super) fn on_error(text: &str) -> Result<OnError, String> {
    OnError::parse(text).ok_or_else(|| format!("expected one of {}", OnError::WORDS.join(", ")))
}

pub(super) fn scope(word: &str) -> Result<Scope, String> {
    Scope::parse(word).ok_or_else(|| "expected read, write or full".to_owned())
}
