//! Why a body was not read.

use crate::problem::{Code, FieldError, Problem};

/// Why a body was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyError {
    /// Not one JSON text (RFC 8259) in UTF-8.
    Malformed {
        /// What is wrong and where, for people.
        detail: String,
    },
    /// An object has one key twice, so that two readers could take two values from it.
    DuplicateKey {
        /// RFC 6901 pointer to the key.
        pointer: String,
    },
    /// JSON, but not what was asked for.
    Invalid(Vec<FieldError>),
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::Malformed { detail } => Problem::new(Code::MalformedJson).detail(detail),
            BodyError::DuplicateKey { pointer } => {
                Problem::new(Code::DuplicateKey).errors(vec![FieldError::at_pointer(
                    pointer,
                    Code::DuplicateKey.as_str(),
                    "the key stands twice in its object",
                )])
            }
            BodyError::Invalid(errors) => Problem::validation(errors),
        }
    }
}
