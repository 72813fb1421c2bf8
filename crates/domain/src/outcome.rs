//! The outcome of a use case, and the stored answer to its request.

use std::sync::OnceLock;

use crate::ports::IdempotencyRecord;

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An object was created.
    Created,
    /// It was changed.
    Changed,
    /// Everything was already as asked.
    Unchanged,
    /// It is going to happen.
    Accepted,
}

/// The outcome of a use case, with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Done<T> {
    /// The outcome of the request.
    pub outcome: Outcome,
    /// The object afterwards.
    pub value: T,
    /// Set once its answer is in an idempotency record.
    recorded: OnceLock<()>,
}

impl<T> Done<T> {
    fn new(outcome: Outcome, value: T) -> Self {
        Self { outcome, value, recorded: OnceLock::new() }
    }

    /// An object was created.
    pub fn created(value: T) -> Self {
        Self::new(Outcome::Created, value)
    }

    /// It was changed.
    pub fn changed(value: T) -> Self {
        Self::new(Outcome::Changed, value)
    }

    /// Everything was already as asked.
    pub fn unchanged(value: T) -> Self {
        Self::new(Outcome::Unchanged, value)
    }

    /// It is going to happen.
    pub fn accepted(value: T) -> Self {
        Self::new(Outcome::Accepted, value)
    }

    /// Whether the last record of the [`IdempotencyHook`] has the answer for this outcome. A use case that retries may have
    /// recorded an answer that it did not commit.
    pub fn is_recorded(&self) -> bool {
        self.recorded.get().is_some()
    }
}

/// Writes the answer of a request with an idempotency key. The answer commits with the effect.
/// `None` for requests without one.
pub type IdempotencyHook<'a, T> = Option<&'a (dyn Fn(&Done<T>) -> IdempotencyRecord + Send + Sync)>;

/// The record to commit with `done`, if its request has an idempotency key.
pub(crate) fn record_of<T>(idempotency: IdempotencyHook<'_, T>, done: &Done<T>) -> Option<IdempotencyRecord> {
    let record = idempotency?(done);
    // It may have been recorded before.
    let _ = done.recorded.set(());
    Some(record)
}

/// Which versions of an object a request is meant for (`If-Match`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Expected {
    /// Any: there is no such header, or it is `*`.
    #[default]
    Any,
    /// One of these.
    OneOf(Vec<i64>),
}

impl Expected {
    /// Whether the object may be changed.
    ///
    /// # Errors
    /// [`crate::Error::PreconditionFailed`] where it has another version.
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
    fn only_what_is_in_a_record_is_recorded() {
        let (first, second) = (Done::changed(1), Done::unchanged(1));
        assert!(record_of(None, &first).is_none() && !first.is_recorded());
        assert!(record_of(Some(&record), &first).is_some());
        assert!(first.is_recorded() && first.clone().is_recorded() && !second.is_recorded());
    }
}
