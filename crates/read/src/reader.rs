//! The trait of readers.

use super::{Input, Violation};

/// A reader of one JSON value: a built-in reader, or any function of an [`Input`].
pub trait Read<T> {
    /// Reads the value.
    ///
    /// # Errors
    /// All violations, with pointers relative to the value.
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>>;
}

impl<T, F: Fn(Input<'_>) -> Result<T, Vec<Violation>>> Read<T> for F {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        self(input)
    }
}

/// Builds the violation `wrong_type`.
pub fn wrong_type(expected: &str, got: Input<'_>) -> Violation {
    Violation::at_root("wrong_type", format!("expected {expected}, got {}", got.kind()))
}
