//! An error in a part of a request.

use serde::Serialize;
use tidings_domain::Violation;
use tidings_domain::read::{MOST_MESSAGE, MOST_PLACE, Params};
use tidings_domain::text::cut;

/// An entry of a problem's `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The location in the body: an RFC 6901 pointer, `""` for the whole body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The parameter of the query or the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Error code, stable.
    pub code: &'static str,
    /// A description of the error and of accepted values, for humans.
    pub message: String,
    /// The values in the message, by name.
    #[serde(skip_serializing_if = "Params::is_empty")]
    pub params: Params,
}

impl FieldError {
    /// Returns an error in a parameter.
    pub fn in_parameter(parameter: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        let (parameter, message) = (cut(parameter.into(), MOST_PLACE), cut(message.into(), MOST_MESSAGE));
        Self { pointer: None, parameter: Some(parameter), code, message, params: Params::new() }
    }
}

impl From<Violation> for FieldError {
    fn from(it: Violation) -> Self {
        Self { pointer: Some(it.pointer), parameter: None, code: it.code, message: it.message, params: it.params }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_long_names_and_messages() {
        let long = "é/".repeat(100_000);
        let error = FieldError::in_parameter(&*long, "unknown_parameter", &*long);
        assert_eq!(error.parameter.map(|it| it.len() <= MOST_PLACE), Some(true));
        assert!(error.message.len() <= MOST_MESSAGE);
    }
}
