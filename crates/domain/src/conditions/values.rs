//! Conversion of stored JSON to the form for comparison.

use chrono::NaiveDate;
use serde_json::Value;

use super::operand::{Numeral, Operand};
use crate::fields::FieldKind;
use crate::read::Input;
use crate::text::fold;
use crate::time::Timestamp;

/// The values of a custom field or bot field.
pub(super) fn of_field(kind: FieldKind, value: &Value) -> Vec<Operand> {
    match (kind, value) {
        (FieldKind::MultiSelect, Value::Array(options)) => {
            options.iter().filter_map(Value::as_str).map(|option| Operand::Text(fold(option))).collect()
        }
        (FieldKind::Number, Value::Number(_)) => number(value).into_iter().collect(),
        (FieldKind::Boolean, Value::Bool(it)) => vec![Operand::Boolean(*it)],
        (FieldKind::Date, Value::String(text)) => date(text).into_iter().collect(),
        (FieldKind::Datetime, Value::String(text)) => instant(text).into_iter().collect(),
        (
            FieldKind::Text | FieldKind::Email | FieldKind::Phone | FieldKind::Url | FieldKind::Select,
            Value::String(text),
        ) => vec![Operand::Text(fold(text))],
        _ => Vec::new(),
    }
}

/// Converts an untyped value to the type of `like`.
pub(super) fn alike(value: &Value, like: &Operand) -> Option<Operand> {
    match (like, value) {
        (Operand::Text(_), Value::String(text)) => Some(Operand::Text(fold(text))),
        (Operand::Number(_), Value::Number(_)) => number(value),
        (Operand::Boolean(_), Value::Bool(it)) => Some(Operand::Boolean(*it)),
        (Operand::Date(_), Value::String(text)) => date(text).or_else(|| instant(text).as_ref().and_then(day_of)),
        (Operand::Instant(_), Value::String(text)) => instant(text).or_else(|| midnight(text)),
        _ => None,
    }
}

pub(super) fn number<'a>(value: impl Into<Input<'a>>) -> Option<Operand> {
    if let Input::Number(number) = value.into() { Some(Operand::Number(Numeral::from(number))) } else { None }
}

/// Parses a day; the only valid form is `2026-01-31`.
pub(super) fn date(text: &str) -> Option<Operand> {
    let plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| plain && !text.starts_with('-'))?;
    Some(Operand::Date(date.to_string()))
}

pub(super) fn instant(text: &str) -> Option<Operand> {
    text.parse().ok().map(Operand::Instant)
}

/// Returns the day of an instant in UTC.
pub(super) fn day(at: Timestamp) -> Operand {
    Operand::Date(at.to_string().chars().take(10).collect())
}

fn day_of(instant: &Operand) -> Option<Operand> {
    if let Operand::Instant(at) = instant { Some(day(*at)) } else { None }
}

fn midnight(date_text: &str) -> Option<Operand> {
    date(date_text)?;
    instant(&format!("{date_text}T00:00:00Z"))
}
