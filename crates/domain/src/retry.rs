//! Retry on conflict: load, decide, commit, and repeat if another commit was first.

use std::sync::Arc;

use crate::error::Error;
use crate::ids::WorkspaceId;
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::ports::{ChangeSet, CommitError, Conflict, Counted, Ledger, RejectedChangeSet, StoreError};
use crate::turns::Turns;

/// Maximum number of attempts. After a conflict, [`Ledger::commit`] returns with a random delay, so requests do not
/// collide each time.
pub(crate) const ATTEMPTS: usize = 10;

/// The reason for a failed attempt.
#[derive(Debug)]
pub enum AttemptError {
    /// The data that it was based on has changed: load again.
    Retry,
    /// A retry cannot succeed.
    Final(Error),
}

impl From<Error> for AttemptError {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

impl From<StoreError> for AttemptError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contention => Self::Retry,
            error => Self::Final(Error::Store(error)),
        }
    }
}

impl From<CommitError> for AttemptError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Store(error) => error.into(),
            CommitError::Conflict(
                Conflict::Stale(_)
                | Conflict::Exists(_)
                | Conflict::NoLink
                | Conflict::InUse(_)
                | Conflict::CatalogChanged
                | Conflict::LaneBusy,
            ) => Self::Retry,
            // The next attempt reads the earlier starts first, and reports the limit.
            CommitError::Conflict(Conflict::Full {
                what: Counted::Starts { .. } | Counted::Refusals { .. }, ..
            }) => Self::Retry,
            error => Self::Final(error.into()),
        }
    }
}

/// Repeats `attempt` until it succeeds or fails for good, at most ten times.
pub(crate) async fn retry_on_conflict<T>(mut attempt: impl AsyncAttempt<T>) -> Result<T, Error> {
    for _ in 0..ATTEMPTS {
        match attempt.run().await {
            Ok(value) => return Ok(value),
            Err(AttemptError::Final(error)) => return Err(error),
            Err(AttemptError::Retry) => {}
        }
    }
    Err(Error::Store(StoreError::Contention))
}

/// Like [`retry_on_conflict`], for an object that many requests change. From the second attempt on, it takes turns with
/// other requests of this process.
pub(crate) async fn retry_in_turn<T>(
    turns: &Arc<Turns>,
    (workspace, object): (WorkspaceId, String),
    mut attempt: impl AsyncAttempt<T>,
) -> Result<T, Error> {
    match attempt.run().await {
        Ok(value) => return Ok(value),
        Err(AttemptError::Final(error)) => return Err(error),
        Err(AttemptError::Retry) => {}
    }
    let _turn = turns.take(workspace, object).await;
    retry_on_conflict(attempt).await
}

/// The kind of an attempt to start runs of flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartAttempt {
    /// With the first step, without checks that the commit rarely fails.
    Optimistic,
    /// With the first step.
    WithStep,
    /// With a job for the first step.
    WithJob,
}

/// Attempts with the first step.
const TRIES_WITH_STEP: [StartAttempt; 3] = [StartAttempt::Optimistic, StartAttempt::WithStep, StartAttempt::WithStep];

/// Like [`retry_on_conflict`], for operations that may start runs. If the first steps prevent the commit, the runs
/// start with jobs.
pub(crate) async fn retry_start_on_conflict<T, Fut>(
    attempt: impl Fn(StartAttempt) -> Fut + Send + Sync,
) -> Result<T, Error>
where
    Fut: Future<Output = Result<T, AttemptError>> + Send,
{
    for with_step in TRIES_WITH_STEP {
        match attempt(with_step).await {
            Ok(value) => return Ok(value),
            // A job could not be stored either, or the run may have been stored.
            Err(AttemptError::Final(error @ Error::Store(StoreError::Unavailable(_) | StoreError::OutcomeUnknown))) => {
                return Err(error);
            }
            Err(AttemptError::Retry) => {}
            Err(AttemptError::Final(_)) => break,
        }
    }
    retry_on_conflict(|| attempt(StartAttempt::WithJob)).await
}

/// Commits a set that depends on no stored object, such as a create. Retries the same set after contention, at most ten
/// times.
pub(crate) async fn commit_new(ledger: &dyn Ledger, set: ChangeSet) -> Result<(), CommitError> {
    commit_again_if(ledger, set, |error| *error == CommitError::Store(StoreError::Contention)).await
}

/// Commits a set with the response to its request, unless the set is empty. Returns the outcome.
pub(crate) async fn commit_outcome<T>(
    ledger: &dyn Ledger,
    mut set: ChangeSet,
    done: Done<T>,
    idempotency: IdempotencyHook<'_, T>,
) -> Result<Done<T>, AttemptError> {
    set.idempotency = record_of(idempotency, &done);
    if !set.is_empty() {
        ledger.commit(set).await?;
    }
    Ok(done)
}

/// Commits a set of a job that depends on no other change, such as its end. Retries the same set after a conflict, at
/// most ten times. A lost claim is not an error.
pub(crate) async fn commit_unless_lost(ledger: &dyn Ledger, set: ChangeSet) -> Result<(), Error> {
    let is_worth_it = |error: &CommitError| matches!(AttemptError::from(error.clone()), AttemptError::Retry);
    match commit_again_if(ledger, set, is_worth_it).await {
        Err(CommitError::Conflict(Conflict::ClaimLost)) => Ok(()),
        Err(error) if is_worth_it(&error) => Err(Error::Store(StoreError::Contention)),
        outcome => Ok(outcome?),
    }
}

/// Commits a set, at most ten times while it fails with an error that `is_worth_it` accepts.
async fn commit_again_if(
    ledger: &dyn Ledger,
    mut set: ChangeSet,
    is_worth_it: impl Fn(&CommitError) -> bool,
) -> Result<(), CommitError> {
    for _ in 1..ATTEMPTS {
        match ledger.commit_or_return(set).await {
            Err(RejectedChangeSet { error, set: Some(returned) }) if is_worth_it(&error) => set = *returned,
            outcome => return Ok(outcome?),
        }
    }
    ledger.commit(set).await
}

/// A closure that makes one attempt.
pub(crate) trait AsyncAttempt<T> {
    /// Makes one attempt.
    fn run(&mut self) -> impl Future<Output = Result<T, AttemptError>> + Send;
}

impl<T, F, Fut> AsyncAttempt<T> for F
where
    F: FnMut() -> Fut + Send,
    Fut: Future<Output = Result<T, AttemptError>> + Send,
{
    fn run(&mut self) -> impl Future<Output = Result<T, AttemptError>> + Send {
        self()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::executor::block_on;

    use super::*;
    use crate::ids::{TypedId, WorkspaceId};
    use crate::ports::MockLedger;

    fn a_set() -> ChangeSet {
        ChangeSet::new(WorkspaceId::from_uuid(uuid::Uuid::nil()))
    }

    #[test]
    fn makes_a_decision_at_most_ten_times() {
        let made = AtomicUsize::new(0);
        let outcome: Result<(), _> = block_on(retry_on_conflict(|| async {
            made.fetch_add(1, Ordering::Relaxed);
            Err(AttemptError::Retry)
        }));
        assert!(matches!(outcome, Err(Error::Store(StoreError::Contention))), "{outcome:?}");
        assert_eq!(made.into_inner(), 10);
    }

    /// Returns the attempts at a start, if those with a step fail with this error.
    fn attempts(of_steps: &StoreError) -> (Result<(), Error>, Vec<StartAttempt>) {
        let made = std::sync::Mutex::new(Vec::new());
        let outcome = block_on(retry_start_on_conflict(|attempt| {
            made.lock().unwrap().push(attempt);
            let outcome = match attempt {
                StartAttempt::WithJob => Ok(()),
                StartAttempt::Optimistic | StartAttempt::WithStep => Err(AttemptError::Final(of_steps.clone().into())),
            };
            async move { outcome }
        }));
        (outcome, made.into_inner().unwrap())
    }

    #[test]
    fn starts_with_a_job_if_the_step_cannot_be_stored() {
        let (outcome, made) = attempts(&StoreError::Corrupt("a set too large".to_owned()));
        assert_eq!((outcome, made), (Ok(()), vec![StartAttempt::Optimistic, StartAttempt::WithJob]));
    }

    #[test]
    fn does_not_repeat_a_start_if_the_store_is_unavailable() {
        for error in [StoreError::Unavailable("gone".to_owned()), StoreError::OutcomeUnknown] {
            let (outcome, made) = attempts(&error);
            assert_eq!((outcome, made), (Err(error.into()), vec![StartAttempt::Optimistic]));
        }
    }

    #[test]
    fn retries_a_create_after_contention() {
        let mut ledger = MockLedger::new();
        let mut outcomes = vec![Ok(())];
        outcomes.extend((1..ATTEMPTS).map(|_| Err(StoreError::Contention.into())));
        ledger.expect_commit().times(ATTEMPTS).returning(move |_| outcomes.pop().unwrap());
        assert_eq!(block_on(commit_new(&ledger, a_set())), Ok(()));
    }

    #[test]
    fn retries_a_job_set_unchanged_and_ignores_a_lost_claim() {
        let set = ChangeSet { guards: vec![crate::ports::Guard::Listeners(7)], ..a_set() };
        let mut ledger = MockLedger::new();
        let mut outcomes = vec![Err(Conflict::ClaimLost.into()), Err(Conflict::LaneBusy.into())];
        let expected = set.clone();
        ledger.expect_commit().times(2).returning(move |it| {
            assert_eq!(it, expected);
            outcomes.pop().unwrap()
        });
        assert_eq!(block_on(commit_unless_lost(&ledger, set)), Ok(()));
    }

    #[test]
    fn tries_a_job_set_at_most_ten_times() {
        let mut ledger = MockLedger::new();
        ledger.expect_commit().times(ATTEMPTS).returning(|_| Err(Conflict::LaneBusy.into()));
        assert_eq!(block_on(commit_unless_lost(&ledger, a_set())), Err(Error::Store(StoreError::Contention)));
    }

    #[test]
    fn returns_other_conflicts_of_a_create_at_once() {
        let mut ledger = MockLedger::new();
        ledger.expect_commit().times(1).returning(|_| Err(Conflict::NoLink.into()));
        assert_eq!(block_on(commit_new(&ledger, a_set())), Err(Conflict::NoLink.into()));
    }
}
