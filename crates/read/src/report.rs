//! Collected violations.

use super::{MOST_VIOLATIONS, Violation};
use crate::similar_names::Hints;

/// The violations of a value that is being read, at most [`MOST_VIOLATIONS`]. Readers may stop when it is full.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    violations: Vec<Violation>,
    /// Finds similar names within a limited amount of work.
    pub(crate) hints: Hints,
}

impl Report {
    /// Creates a report with earlier violations.
    pub fn of(violations: Vec<Violation>) -> Self {
        let mut report = Self::default();
        report.extend(violations);
        report
    }

    /// Adds a violation.
    pub fn add(&mut self, pointer: impl Into<String>, code: &'static str, message: impl Into<String>) {
        if !self.is_full() {
            self.violations.push(Violation::new(pointer, code, message));
        }
    }

    /// Adds a violation before all others.
    pub fn add_first(&mut self, violation: Violation) {
        self.violations.insert(0, violation);
        self.violations.truncate(MOST_VIOLATIONS);
    }

    /// Adds violations.
    pub fn extend(&mut self, violations: impl IntoIterator<Item = Violation>) {
        let room = MOST_VIOLATIONS.saturating_sub(self.violations.len());
        self.violations.extend(violations.into_iter().take(room));
    }

    /// Whether the maximum number of violations is reached.
    pub fn is_full(&self) -> bool {
        self.violations.len() >= MOST_VIOLATIONS
    }

    /// The number of violations.
    pub fn len(&self) -> usize {
        self.violations.len()
    }

    /// Whether there is no violation.
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// The violations.
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// Returns the value if there is no violation.
    ///
    /// # Errors
    /// The violations; `invalid_value` if there is neither a violation nor a value.
    pub fn judge<T>(self, value: Option<T>) -> Result<T, Vec<Violation>> {
        match value {
            _ if !self.violations.is_empty() => Err(self.violations),
            Some(value) => Ok(value),
            None => Err(vec![Violation::at_root("invalid_value", "is not valid")]),
        }
    }
}
