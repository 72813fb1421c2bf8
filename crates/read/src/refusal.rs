//! Errors of reading a body.

use super::Violation;

/// The reason why a body was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Not one JSON text (RFC 8259) in UTF-8.
    Malformed {
        /// The error and its position, as a message.
        detail: String,
    },
    /// An object with a duplicate key, which parsers interpret differently.
    DuplicateKey {
        /// RFC 6901 pointer to the key.
        pointer: String,
    },
    /// Valid JSON with invalid content.
    Invalid(Vec<Violation>),
}
