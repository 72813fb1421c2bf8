//! The share of each workspace in the name look-ups of the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of look-ups of one workspace that run at the same time: a quarter of the process's number.
pub(crate) const LOOKUPS_OF_WORKSPACE: usize = 32;

/// The workspaces with look-ups that run or wait. A workspace with many slow domains occupies its own share only.
#[derive(Clone, Default)]
pub(crate) struct LookupShares(Arc<Mutex<HashMap<u128, Arc<Semaphore>>>>);

/// The permission for one look-up of a workspace. Dropping it frees its place.
#[derive(Debug)]
pub struct LookupPermit {
    _place: Option<OwnedSemaphorePermit>,
}

impl LookupShares {
    /// Waits for a place in the share of a workspace, first come, first served.
    pub(crate) async fn acquire(&self, workspace: u128) -> LookupPermit {
        let share = self.share(workspace);
        // The semaphore is never closed.
        LookupPermit { _place: share.acquire_owned().await.ok() }
    }

    /// Returns the share of a workspace. Workspaces without look-ups are removed.
    fn share(&self, workspace: u128) -> Arc<Semaphore> {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        Arc::clone(shares.entry(workspace).or_insert_with(|| Arc::new(Semaphore::new(LOOKUPS_OF_WORKSPACE))))
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn limits_the_lookups_of_each_workspace() {
        let shares = LookupShares::default();
        let acquire = |workspace| shares.acquire(workspace).now_or_never();
        let mut permits: Vec<LookupPermit> = (0..LOOKUPS_OF_WORKSPACE).map(|_| acquire(1).unwrap()).collect();
        assert!(acquire(1).is_none(), "its share is used up");
        assert!(acquire(2).is_some(), "the share of another workspace is not");
        permits.pop();
        assert!(acquire(1).is_some());
        drop(permits);
        assert!(acquire(3).is_some());
        assert_eq!(shares.0.lock().unwrap().len(), 1, "workspaces without look-ups are removed");
    }
}
