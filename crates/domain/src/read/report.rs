//! What is wrong, gathered while a value is read.

use super::{MOST_VIOLATIONS, Violation};
use crate::text::Hints;

/// What is wrong, gathered while a value is read: at most [`MOST_VIOLATIONS`]. Whoever has found so much may stop.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    violations: Vec<Violation>,
    /// Looks for near names, as long as that is little work.
    pub(crate) hints: Hints,
}

impl Report {
    /// With what was found before.
    pub fn of(violations: Vec<Violation>) -> Self {
        let mut report = Self::default();
        report.extend(violations);
        report
    }

    /// Notes something that is wrong.
    pub fn add(&mut self, pointer: impl Into<String>, code: &'static str, message: impl Into<String>) {
        if !self.is_full() {
            self.violations.push(Violation::new(pointer, code, message));
        }
    }

    /// Notes something before all else that is wrong.
    pub fn add_first(&mut self, violation: Violation) {
        self.violations.insert(0, violation);
        self.violations.truncate(MOST_VIOLATIONS);
    }

    /// Takes over what is wrong elsewhere.
    pub fn extend(&mut self, violations: impl IntoIterator<Item = Violation>) {
        let room = MOST_VIOLATIONS.saturating_sub(self.violations.len());
        self.violations.extend(violations.into_iter().take(room));
    }

    /// Whether as much is wrong as is told.
    pub fn is_full(&self) -> bool {
        self.violations.len() >= MOST_VIOLATIONS
    }

    /// How much is wrong so far.
    pub fn len(&self) -> usize {
        self.violations.len()
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// What is wrong.
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// The value, where nothing is wrong with it.
    ///
    /// # Errors
    /// What is wrong; where nothing is and there is no value either, `invalid_value`.
    pub fn judge<T>(self, value: Option<T>) -> Result<T, Vec<Violation>> {
        match value {
            _ if !self.violations.is_empty() => Err(self.violations),
            Some(value) => Ok(value),
            None => Err(vec![Violation::here("invalid_value", "is not valid")]),
        }
    }
}
