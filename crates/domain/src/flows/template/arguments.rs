//! Arguments of the project's own filters.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, ErrorKind, Value};

use crate::text::cut;

/// Maximum size in bytes of a value in an error message.
const SHOWN: usize = 60;

/// Creates an error; the message names the accepted values.
pub(super) fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// Returns a positional or named argument, if present.
///
/// # Errors
/// It is set twice.
pub(super) fn argument(placed: Option<&Value>, named: &Kwargs, name: &str) -> Result<Option<Value>, Error> {
    match (placed, named.get::<Option<Value>>(name)?) {
        (Some(_), Some(_)) => Err(wrong(format!("{name} is set twice"))),
        (placed, named) => Ok(placed.cloned().or(named)),
    }
}

/// Returns a text argument.
///
/// # Errors
/// It is not a text, or is set twice.
pub(super) fn text_argument(placed: Option<&Value>, named: &Kwargs, name: &str) -> Result<Option<String>, Error> {
    let Some(value) = argument(placed, named, name)? else { return Ok(None) };
    let text = value.as_str().ok_or_else(|| wrong(format!("{name} must be a text, got {}", shown(&value))))?;
    Ok(Some(text.to_owned()))
}

/// Returns an integer argument within bounds.
///
/// # Errors
/// It is not such an integer, or is set twice.
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

/// Whether the value is missing. Filters return a missing value unchanged, so `default` applies to it.
pub(super) fn is_absent(value: &Value) -> bool {
    value.is_undefined() || value.is_none()
}

/// Returns the text of a string, number or boolean.
///
/// # Errors
/// It is a list or a map.
pub(super) fn plain_text(filter: &str, value: &Value) -> Result<String, Error> {
    match value.kind() {
        ValueKind::String | ValueKind::Number | ValueKind::Bool => Ok(value.to_string()),
        kind => Err(wrong(format!("{filter} requires a text, got a value of type {kind}"))),
    }
}

/// Returns a value in the form for error messages.
pub(super) fn shown(value: &Value) -> String {
    match value.kind() {
        ValueKind::String | ValueKind::Number | ValueKind::Bool => cut(value.to_string(), SHOWN),
        kind => format!("a value of type {kind}"),
    }
}
