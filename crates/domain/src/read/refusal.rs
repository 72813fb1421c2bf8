//! Why a text was not read.

use super::Violation;

/// Why a text was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
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
    Invalid(Vec<Violation>),
}
