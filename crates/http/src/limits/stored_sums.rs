//! A cache of the stored bytes of workspaces.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ids::WorkspaceId;
use tidings_domain::time::Timestamp;

/// How long a sum is cached.
const TIME_TO_LIVE: Duration = Duration::from_secs(1);
const MOST: usize = 10_000;

/// The stored bytes of workspaces, with the times when they were read.
#[derive(Default)]
pub(crate) struct StoredSums(Mutex<HashMap<WorkspaceId, (i64, Timestamp)>>);

impl StoredSums {
    /// Returns the sum of a workspace, if it was read recently.
    pub(crate) fn get(&self, workspace: WorkspaceId, now: Timestamp) -> Option<i64> {
        let sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sums.get(&workspace).filter(|(_, read_at)| is_fresh(*read_at, now)).map(|(total, _)| *total)
    }

    pub(crate) fn put(&self, workspace: WorkspaceId, total: i64, now: Timestamp) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sums.len() >= MOST {
            sums.retain(|_, (_, read_at)| is_fresh(*read_at, now));
        }
        if sums.len() < MOST {
            sums.insert(workspace, (total, now));
        }
    }
}

fn is_fresh(read_at: Timestamp, now: Timestamp) -> bool {
    now >= read_at && now.since(read_at) < TIME_TO_LIVE
}
