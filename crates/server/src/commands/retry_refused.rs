//! Retries of actions that the store refuses for a moment.

use std::time::Duration;

use tidings_domain::Error;
use tidings_domain::ports::StoreError;
use tokio::time::sleep;

use crate::backoff::Backoff;

/// The maximum number of attempts. The delays between them take 61 seconds in total.
const ATTEMPTS: usize = 7;

/// Repeats an action of a long command while the store is overloaded or unreachable. Returns the error of the last
/// attempt.
pub(super) async fn retry_refused<T>(attempt: impl AsyncFnMut() -> Result<T, Error>) -> Result<T, Error> {
    retry_with_pauses(attempt, sleep).await
}

/// Like [`retry_refused`], with `pause` in place of the system's timer.
pub(super) async fn retry_with_pauses<T>(
    mut attempt: impl AsyncFnMut() -> Result<T, Error>,
    pause: impl AsyncFn(Duration),
) -> Result<T, Error> {
    let mut backoff = Backoff::default();
    for _ in 1..ATTEMPTS {
        match attempt().await {
            Err(Error::Store(error)) if is_refusal(&error) => {
                let delay = backoff.next();
                tracing::debug!(%error, ?delay, "the store refused an action; it is repeated after a delay");
                pause(delay).await;
            }
            outcome => return outcome,
        }
    }
    attempt().await
}

/// Whether nothing was changed, and a later attempt can succeed.
fn is_refusal(error: &StoreError) -> bool {
    match error {
        StoreError::Unavailable(_) | StoreError::Crowded | StoreError::TooSlow | StoreError::Contention => true,
        StoreError::Corrupt(_) | StoreError::OutcomeUnknown => false,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use futures::executor::block_on;

    use super::*;

    fn unavailable() -> StoreError {
        StoreError::Unavailable("the workspace has too many running commits".to_owned())
    }

    /// Makes attempts that fail with these errors and then succeed. Returns the outcome, and the delays in seconds.
    fn retried(errors: Vec<StoreError>) -> (Result<(), Error>, Vec<u64>) {
        let (mut errors, delays) = (errors.into_iter(), RefCell::new(Vec::new()));
        let attempt = async || errors.next().map_or(Ok(()), |error| Err(Error::Store(error)));
        let pause = async |delay: Duration| delays.borrow_mut().push(delay.as_secs());
        let outcome = block_on(retry_with_pauses(attempt, pause));
        (outcome, delays.into_inner())
    }

    #[test]
    fn repeats_a_refused_action_until_it_succeeds() {
        assert_eq!(retried(vec![]), (Ok(()), vec![]));
        let errors = vec![unavailable(), StoreError::Crowded, StoreError::TooSlow, StoreError::Contention];
        assert_eq!(retried(errors), (Ok(()), vec![1, 2, 4, 8]));
    }

    #[test]
    fn returns_the_error_of_the_last_attempt() {
        let mut errors = vec![StoreError::Crowded; ATTEMPTS - 1];
        errors.push(unavailable());
        assert_eq!(retried(errors), (Err(unavailable().into()), vec![1, 2, 4, 8, 16, 30]));
    }

    #[test]
    fn returns_other_errors_at_once() {
        for error in [StoreError::OutcomeUnknown, StoreError::Corrupt("a test".to_owned())] {
            assert_eq!(retried(vec![error.clone()]), (Err(error.into()), vec![]));
        }
        let outcome = block_on(retry_refused(async || Err::<(), _>(Error::NotFound)));
        assert_eq!(outcome, Err(Error::NotFound));
    }
}
