//! What the filters that the engine does not have are given.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, ErrorKind, Value};

use crate::text::cut;

/// The most bytes of a value that an error repeats.
const SHOWN: usize = 60;

/// An error that says what would be right.
pub(super) fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// The argument that stands at its place or by its name, if it is given.
///
/// # Errors
/// It is given twice.
pub(super) fn argument(placed: Option<&Value>, named: &Kwargs, name: &str) -> Result<Option<Value>, Error> {
    match (placed, named.get::<Option<Value>>(name)?) {
        (Some(_), Some(_)) => Err(wrong(format!("{name} is set twice"))),
        (placed, named) => Ok(placed.cloned().or(named)),
    }
}

/// An argument that is a text.
///
/// # Errors
/// It is none, or given twice.
pub(super) fn text_argument(placed: Option<&Value>, named: &Kwargs, name: &str) -> Result<Option<String>, Error> {
    let Some(value) = argument(placed, named, name)? else { return Ok(None) };
    let text = value.as_str().ok_or_else(|| wrong(format!("{name} must be a text, got {}", shown(&value))))?;
    Ok(Some(text.to_owned()))
}

/// An argument that is a whole number within bounds.
///
/// # Errors
/// It is none, or given twice.
pub(super) fn count_argument(
    placed: Option<&Value>,
    named: &Kwargs,
    name: &str,
    bounds: std::ops::RangeInclusive<usize>,
) -> Result<Option<usize>, Error> {
    let Some(value) = argument(placed, named, name)? else { return Ok(None) };
    match value.as_usize().filter(|number| bounds.contains(number)) {
        Some(number) => Ok(Some(number)),
        None => {
            let (first, last) = (bounds.start(), bounds.end());
            Err(wrong(format!("{name} must be a whole number from {first} to {last}, got {}", shown(&value))))
        }
    }
}

/// Whether there is no value: what is not there stays so, and `default` applies to it.
pub(super) fn is_absent(value: &Value) -> bool {
    value.is_undefined() || value.is_none()
}

/// The text of a value that is one, a number, or true or false.
///
/// # Errors
/// It is a list or a map.
pub(super) fn plain_text(filter: &str, value: &Value) -> Result<String, Error> {
    match value.kind() {
        ValueKind::String | ValueKind::Number | ValueKind::Bool => Ok(value.to_string()),
        kind => Err(wrong(format!("{filter} requires a text, got a value of type {kind}"))),
    }
}

/// A value as an error repeats it.
pub(super) fn shown(value: &Value) -> String {
    match value.kind() {
        ValueKind::String | ValueKind::Number | ValueKind::Bool => cut(value.to_string(), SHOWN),
        kind => format!("a value of type {kind}"),
    }
}
