//! What reads one JSON value.

use super::{Input, Violation};

/// What reads one JSON value: one of the small readers, or any function of an [`Input`].
pub trait Read<T> {
    /// Reads the value.
    ///
    /// # Errors
    /// Everything that is wrong with it; pointers are relative to it.
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>>;
}

impl<T, F: Fn(Input<'_>) -> Result<T, Vec<Violation>>> Read<T> for F {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        self(input)
    }
}

/// The violation `wrong_type`.
pub fn wrong_type(expected: &str, got: Input<'_>) -> Violation {
    Violation::here("wrong_type", format!("expected {expected}, got {}", got.kind()))
}
