//! Recent growth of stored text.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tidings_domain::access::storage_usage::StoredBytes;

use super::NOTHING;
use crate::queries::types::DbId;

/// Growth is recorded in spans of this length.
const SPAN: Duration = Duration::from_secs(10);
/// Older growth is included in a measurement.
const OLDEST: Duration = Duration::from_secs(900);
/// Maximum number of workspaces with recorded growth.
const MOST: usize = 2_000;

/// Text that this process wrote recently, by workspace.
#[derive(Default)]
pub(crate) struct Growth {
    spans: Mutex<HashMap<DbId, VecDeque<(Instant, StoredBytes)>>>,
}

impl Growth {
    pub(crate) fn add(&self, workspace: DbId, bytes: &StoredBytes, now: Instant) {
        if *bytes == NOTHING {
            return;
        }
        let mut all = self.lock();
        if all.len() >= MOST && !all.contains_key(&workspace) {
            all.retain(|_, spans| spans.back().is_some_and(|(began, _)| now.duration_since(*began) < OLDEST));
        }
        if all.len() >= MOST && !all.contains_key(&workspace) {
            return;
        }
        let spans = all.entry(workspace).or_default();
        match spans.back_mut() {
            Some((began, sum)) if now.duration_since(*began) < SPAN => sum.add(bytes),
            _ => spans.push_back((now, *bytes)),
        }
        while spans.front().is_some_and(|(began, _)| now.duration_since(*began) > OLDEST) {
            spans.pop_front();
        }
    }

    /// Returns the text that was written within `time` before `now`.
    pub(crate) fn within(&self, workspace: DbId, time: Duration, now: Instant) -> StoredBytes {
        let all = self.lock();
        let spans = all.get(&workspace).into_iter().flatten();
        let mut sum = NOTHING;
        spans.filter(|(began, _)| now.duration_since(*began) <= time).for_each(|(_, bytes)| sum.add(bytes));
        sum
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<DbId, VecDeque<(Instant, StoredBytes)>>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn returns_the_bytes_written_within_a_time() {
        let (growth, ws, began) = (Growth::default(), DbId(Uuid::from_u128(1)), Instant::now());
        let events = |events| StoredBytes { events, ..NOTHING };
        let after = |seconds| began + Duration::from_secs(seconds);
        for (seconds, bytes) in [(0, 100), (5, 20), (30, 3)] {
            growth.add(ws, &events(bytes), after(seconds));
        }
        let within = |seconds| growth.within(ws, Duration::from_secs(seconds), after(40)).events;
        assert_eq!((within(5), within(15), within(300)), (0, 3, 123));
        assert_eq!(growth.within(DbId(Uuid::from_u128(2)), OLDEST, began), NOTHING);
        growth.add(ws, &events(4), after(2_000));
        assert_eq!(growth.lock()[&ws].len(), 1, "old values are dropped");
    }
}
