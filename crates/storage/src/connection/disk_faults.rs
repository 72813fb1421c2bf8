//! Commits that failed because the disk is full, broken or read-only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tidings_domain::ports::StoreError;
use tokio::sync::Notify;

use crate::connection::faults::Fault;

/// The messages of such failures: SQLite's `SQLITE_FULL`, `SQLITE_IOERR` and `SQLITE_READONLY`, and PostgreSQL's 53100.
/// Diesel only reports the text.
const REPORTS: [&str; 5] = [
    "database or disk is full",
    "disk I/O error",
    "attempt to write a readonly database",
    "No space left on device",
    "Disk quota exceeded",
];

#[derive(Debug, Clone, Default)]
pub(crate) struct DiskFaults(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    last: Mutex<Option<Instant>>,
    failed: Notify,
}

impl DiskFaults {
    /// Records a failed commit if the disk is the reason. Conflicts, refusals and lost connections are ignored.
    pub(crate) fn note(&self, fault: &Fault) {
        if is_of_disk(fault) {
            *self.last() = Some(Instant::now());
            self.0.failed.notify_one();
        }
    }

    /// Returns true if a commit failed within this time.
    pub(crate) fn is_within(&self, time: Duration) -> bool {
        self.last().is_some_and(|last| last.elapsed() < time)
    }

    /// Forgets a failure from before `began`.
    pub(crate) fn forget_before(&self, began: Instant) {
        self.last().take_if(|last| *last <= began);
    }

    /// Waits for the next failed commit. A failure since the last call counts.
    pub(crate) async fn next(&self) {
        self.0.failed.notified().await;
    }

    fn last(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_of_disk(fault: &Fault) -> bool {
    let Fault::Store(StoreError::Unavailable(why)) = fault else { return false };
    REPORTS.iter().any(|report| why.contains(report))
}

#[cfg(test)]
mod tests {
    use tidings_domain::ports::Conflict;

    use super::*;

    #[test]
    fn records_only_disk_failures() {
        let (faults, long) = (DiskFaults::default(), Duration::from_secs(60));
        let unavailable = |why: &str| Fault::Store(StoreError::Unavailable(why.to_owned()));
        let others = [
            Fault::Conflict(Conflict::IdempotencyKeyUsed),
            Fault::Store(StoreError::Contention),
            Fault::Store(StoreError::OutcomeUnknown),
            unavailable("no connection became free in time"),
            Fault::NoRow,
        ];
        others.iter().for_each(|fault| faults.note(fault));
        assert!(!faults.is_within(long));
        for why in [
            "database or disk is full",
            "disk I/O error",
            "attempt to write a readonly database",
            "could not extend file \"base/5/16384\": No space left on device",
        ] {
            faults.note(&unavailable(why));
            assert!(faults.is_within(long), "{why}");
            faults.forget_before(Instant::now());
            assert!(!faults.is_within(long), "{why}");
        }
    }

    #[test]
    fn keeps_a_failure_that_is_newer_than_the_probe() {
        let (faults, began) = (DiskFaults::default(), Instant::now());
        std::thread::yield_now();
        *faults.last() = Some(began + Duration::from_millis(1));
        faults.forget_before(began);
        assert!(faults.is_within(Duration::from_secs(60)));
    }
}
