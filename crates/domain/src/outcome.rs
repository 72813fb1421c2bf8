//! What a use case did, and the answer that is kept with it.

use crate::ports::IdempotencyRecord;

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Something new is there.
    Created,
    /// It was changed.
    Changed,
    /// Everything was already as asked.
    Unchanged,
    /// It is going to happen.
    Accepted,
}

/// What a use case did, and with what result.
#[derive(Debug, Clone, PartialEq)]
pub struct Done<T> {
    /// What became of the request.
    pub outcome: Outcome,
    /// The object afterwards.
    pub value: T,
}

impl<T> Done<T> {
    /// Something new is there.
    pub fn created(value: T) -> Self {
        Self { outcome: Outcome::Created, value }
    }

    /// It was changed.
    pub fn changed(value: T) -> Self {
        Self { outcome: Outcome::Changed, value }
    }

    /// Everything was already as asked.
    pub fn unchanged(value: T) -> Self {
        Self { outcome: Outcome::Unchanged, value }
    }

    /// It is going to happen.
    pub fn accepted(value: T) -> Self {
        Self { outcome: Outcome::Accepted, value }
    }
}

/// Writes the answer of a request with an idempotency key, so that it commits with the effect.
/// `None` for requests without one.
pub type IdempotencyHook<'a, T> = Option<&'a (dyn Fn(&Done<T>) -> IdempotencyRecord + Send + Sync)>;

/// The record to commit with `done`, if its request has an idempotency key.
pub(crate) fn record_of<T>(idempotency: IdempotencyHook<'_, T>, done: &Done<T>) -> Option<IdempotencyRecord> {
    idempotency.map(|idempotency| idempotency(done))
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
