//! Random backoff after a lost race for a row. Change sets that lost together do not retry together.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tidings_domain::ports::{Conflict, Counted, StoreError};

use crate::connection::faults::Fault;
use crate::queries::types::DbId;

/// The maximum wait grows by this for each waiting loser of the workspace.
const STEP: Duration = Duration::from_millis(4);
/// Upper bound of the maximum wait.
const LONGEST: Duration = Duration::from_millis(400);

/// The number of waiting losers of each workspace.
#[derive(Default)]
pub(crate) struct Backoff {
    losers: Mutex<HashMap<DbId, u32>>,
}

/// Returns true if another attempt may succeed. A conflict with an existing object is final and not a race.
pub(crate) fn is_lost_race(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Store(StoreError::Contention)
            | Fault::Conflict(
                Conflict::Stale(_)
                    | Conflict::NoLink
                    | Conflict::Full { what: Counted::Starts { .. } | Counted::Refusals { .. }, .. }
            )
    )
}

impl Backoff {
    /// Waits for a random time. The maximum grows with the number of waiting losers.
    pub(crate) async fn pause(&self, workspace: DbId) {
        let losers = {
            let mut all = self.lock();
            let losers = all.entry(workspace).or_default();
            *losers += 1;
            *losers
        };
        let _left = scopeguard::guard((), |()| {
            let mut all = self.lock();
            if let Some(losers) = all.get_mut(&workspace) {
                *losers -= 1;
                if *losers == 0 {
                    all.remove(&workspace);
                }
            }
        });
        tokio::time::sleep(longest(losers).mul_f64(chance())).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<DbId, u32>> {
        self.losers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn longest(losers: u32) -> Duration {
    STEP.saturating_mul(losers).min(LONGEST)
}

/// Returns a random number between 0 and 1. The hasher's random keys are random enough to separate two tasks.
fn chance() -> f64 {
    RandomState::new().hash_one(()) as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_longest_wait_grows_with_the_number_of_losers() {
        assert_eq!(longest(1), STEP);
        assert_eq!(longest(16), STEP * 16);
        assert_eq!(longest(u32::MAX), LONGEST);
        let chances: Vec<_> = (0..100).map(|_| chance()).collect();
        assert!(chances.iter().all(|it| (0.0..=1.0).contains(it)));
        assert!(chances.iter().any(|it| *it < 0.5) && chances.iter().any(|it| *it > 0.5), "{chances:?}");
    }

    #[tokio::test]
    async fn forgets_losers_after_their_wait() {
        let (backoff, workspace) = (Backoff::default(), DbId(Uuid::from_u128(1)));
        join_all((0..8).map(|_| backoff.pause(workspace))).await;
        assert!(backoff.lock().is_empty());
    }

    #[test]
    fn distinguishes_lost_races_from_final_conflicts() {
        assert!(is_lost_race(&StoreError::Contention.into()) && is_lost_race(&Conflict::NoLink.into()));
        for answer in [Conflict::ClaimLost, Conflict::IdempotencyKeyUsed, Conflict::LastOwner] {
            assert!(!is_lost_race(&answer.into()));
        }
    }
}
