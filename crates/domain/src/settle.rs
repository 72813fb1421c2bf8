//! Load, decide, commit, and again when others were faster.

use crate::error::Error;
use crate::ports::{CommitError, Conflict, Counted, StoreError};

/// How often a decision is made anew before the request is told to come back.
const ATTEMPTS: usize = 10;

/// Why one attempt did not succeed.
#[derive(Debug)]
pub enum Setback {
    /// What it was decided from has changed: load again.
    Again,
    /// It cannot succeed.
    Final(Error),
}

impl From<Error> for Setback {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

impl From<StoreError> for Setback {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contention => Self::Again,
            error => Self::Final(Error::Store(error)),
        }
    }
}

impl From<CommitError> for Setback {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Store(error) => error.into(),
            CommitError::Conflict(Conflict::Stale(_) | Conflict::Exists(_) | Conflict::NoLink | Conflict::InUse(_)) => {
                Self::Again
            }
            // Who starts a flow looks at earlier starts first, and tells then.
            CommitError::Conflict(Conflict::Full { what: Counted::Starts { .. }, .. }) => Self::Again,
            error => Self::Final(error.into()),
        }
    }
}

/// Repeats `attempt` until it is settled, at most ten times.
pub(crate) async fn settle<T>(mut attempt: impl AsyncAttempt<T>) -> Result<T, Error> {
    for _ in 0..ATTEMPTS {
        match attempt.run().await {
            Ok(value) => return Ok(value),
            Err(Setback::Final(error)) => return Err(error),
            Err(Setback::Again) => {}
        }
    }
    Err(Error::Store(StoreError::Contention))
}

/// A closure that makes one attempt.
pub(crate) trait AsyncAttempt<T> {
    /// Makes it.
    fn run(&mut self) -> impl Future<Output = Result<T, Setback>> + Send;
}

impl<T, F, Fut> AsyncAttempt<T> for F
where
    F: FnMut() -> Fut + Send,
    Fut: Future<Output = Result<T, Setback>> + Send,
{
    fn run(&mut self) -> impl Future<Output = Result<T, Setback>> + Send {
        self()
    }
}
