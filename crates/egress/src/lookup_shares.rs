//! The shares of workspaces and domains in the name look-ups of the process.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of look-ups of one workspace that run at the same time: a quarter of the process's number.
pub(crate) const LOOKUPS_OF_WORKSPACE: usize = 32;

/// Places for look-ups, the same number for each key. A key with many slow look-ups occupies its own places only.
#[derive(Debug, Clone)]
pub(crate) struct Shares<K> {
    places: usize,
    by_key: Arc<Mutex<HashMap<K, Arc<Semaphore>>>>,
}

impl<K: Eq + Hash> Shares<K> {
    /// Creates shares of this many places.
    pub(crate) fn new(places: usize) -> Self {
        Self { places, by_key: Arc::default() }
    }

    /// Returns the places of a key. Keys without look-ups are removed.
    pub(crate) fn places(&self, key: K) -> Arc<Semaphore> {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        by_key.retain(|_, places| Arc::strong_count(places) > 1);
        Arc::clone(by_key.entry(key).or_insert_with(|| Arc::new(Semaphore::new(self.places))))
    }

    /// Returns the number of keys with look-ups that run or wait.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.by_key.lock().unwrap().len()
    }
}

/// The workspaces with look-ups that run or wait.
#[derive(Clone)]
pub(crate) struct LookupShares(Shares<u128>);

/// The permission for one look-up of a workspace. Dropping it frees its place.
#[derive(Debug)]
pub struct LookupPermit {
    workspace: u128,
    _place: Option<OwnedSemaphorePermit>,
}

impl LookupPermit {
    /// Returns the workspace of the look-up, by the bits of its ID.
    pub(crate) fn workspace(&self) -> u128 {
        self.workspace
    }
}

impl Default for LookupShares {
    fn default() -> Self {
        Self(Shares::new(LOOKUPS_OF_WORKSPACE))
    }
}

impl LookupShares {
    /// Waits for a place in the share of a workspace, first come, first served.
    pub(crate) async fn acquire(&self, workspace: u128) -> LookupPermit {
        let share = self.0.places(workspace);
        // The semaphore is never closed.
        LookupPermit { workspace, _place: share.acquire_owned().await.ok() }
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
        assert_eq!(shares.0.len(), 1, "workspaces without look-ups are removed");
    }
}
