//! How long a test waits for a process that it does not control.

use std::time::{Duration, Instant};

/// A wait without progress ends after this time, however busy the machine is.
const STALLED: Duration = Duration::from_secs(120);
/// A wait with progress ends after this time, so that a value which only flickers cannot wait for ever.
const LONGEST: Duration = Duration::from_secs(600);

/// A deadline that moves with each sign of progress: a busy machine may be slow, but a server that stopped is noticed.
pub struct Patience<T> {
    began: Instant,
    changed: Instant,
    stalled: Duration,
    seen: Option<T>,
}

impl<T: PartialEq> Patience<T> {
    pub fn new() -> Self {
        Self::of(STALLED)
    }

    /// With another time without progress.
    pub fn of(stalled: Duration) -> Self {
        let now = Instant::now();
        Self { began: now, changed: now, stalled, seen: None }
    }

    /// Notes what is seen now; whether the wait may go on.
    pub fn allows(&mut self, seen: T) -> bool {
        let now = Instant::now();
        if self.seen.as_ref() != Some(&seen) {
            self.seen = Some(seen);
            self.changed = now;
        }
        self.deadline() > now
    }

    /// When the wait ends if nothing changes.
    pub fn deadline(&self) -> Instant {
        (self.changed + self.stalled).min(self.began + LONGEST)
    }
}
