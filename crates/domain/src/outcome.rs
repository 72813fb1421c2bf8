//! The outcome of a use case, and the stored response to its request.

use std::sync::OnceLock;

use crate::ports::IdempotencyRecord;

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An object was created.
    Created,
    /// An object was changed.
    Changed,
    /// Nothing had to be changed.
    Unchanged,
    /// The request was accepted and will be processed.
    Accepted,
}

/// The outcome of a use case, with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Done<T> {
    /// The outcome of the request.
    pub outcome: Outcome,
    /// The object afterwards.
    pub value: T,
    /// Set after an idempotency record contains the response.
    recorded: OnceLock<()>,
}

impl<T> Done<T> {
    fn new(outcome: Outcome, value: T) -> Self {
        Self { outcome, value, recorded: OnceLock::new() }
    }

    /// Returns the outcome for a created object.
    pub fn created(value: T) -> Self {
        Self::new(Outcome::Created, value)
    }

    /// Returns the outcome for a changed object.
    pub fn changed(value: T) -> Self {
        Self::new(Outcome::Changed, value)
    }

    /// Returns the outcome for an unchanged object.
    pub fn unchanged(value: T) -> Self {
        Self::new(Outcome::Unchanged, value)
    }

    /// Returns the outcome for an accepted request.
    pub fn accepted(value: T) -> Self {
        Self::new(Outcome::Accepted, value)
    }

    /// Whether the last record of the [`IdempotencyHook`] contains this response. After a retry, an earlier record may
    /// be uncommitted.
    pub fn is_recorded(&self) -> bool {
        self.recorded.get().is_some()
    }
}

/// Creates the record with the response to a request with an idempotency key. The record commits with the effect.
/// `None` for requests without a key.
pub type IdempotencyHook<'a, T> = Option<&'a (dyn Fn(&Done<T>) -> IdempotencyRecord + Send + Sync)>;

/// Returns the record to commit with `done`, if the request has an idempotency key.
pub(crate) fn record_of<T>(idempotency: IdempotencyHook<'_, T>, done: &Done<T>) -> Option<IdempotencyRecord> {
    let record = idempotency?(done);
    // An earlier call may have set it.
    let _ = done.recorded.set(());
    Some(record)
}

/// The versions that a request accepts (`If-Match`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ExpectedVersion {
    /// Any version: there is no such header, or it is `*`.
    #[default]
    Any,
    /// One of these versions.
    OneOf(Vec<i64>),
}

impl ExpectedVersion {
    /// Checks the version of an object.
    ///
    /// # Errors
    /// [`crate::Error::PreconditionFailed`] for any other version.
    pub fn check(&self, version: i64) -> Result<(), crate::Error> {
        match self {
            Self::OneOf(versions) if !versions.contains(&version) => Err(crate::Error::PreconditionFailed),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::StoredBody;
    use crate::time::Timestamp;

    fn record(_: &Done<i32>) -> IdempotencyRecord {
        IdempotencyRecord {
            method: "POST".to_owned(),
            route: "/api/v1/tags".to_owned(),
            key: "k1".to_owned(),
            fingerprint: [0; 32],
            status: 200,
            location: None,
            etag: None,
            body: StoredBody::Plain(Vec::new()),
            created_at: Timestamp::EPOCH_2026,
        }
    }

    #[test]
    fn is_recorded_only_after_a_record_was_built() {
        let (first, second) = (Done::changed(1), Done::unchanged(1));
        assert!(record_of(None, &first).is_none() && !first.is_recorded());
        assert!(record_of(Some(&record), &first).is_some());
        assert!(first.is_recorded() && first.clone().is_recorded() && !second.is_recorded());
    }
}
