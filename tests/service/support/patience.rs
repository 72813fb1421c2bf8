//! Timeouts for waits on another process.

use std::time::{Duration, Instant};

/// The timeout without progress, long enough for a busy machine.
const STALLED: Duration = Duration::from_secs(120);
/// The timeout with progress, so a flickering value cannot extend the wait forever.
const LONGEST: Duration = Duration::from_secs(600);

/// A deadline that moves with each sign of progress: a busy machine may be slow, but a stopped server is noticed.
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

    /// Creates a wait with another timeout without progress.
    pub fn of(stalled: Duration) -> Self {
        let now = Instant::now();
        Self { began: now, changed: now, stalled, seen: None }
    }

    /// Records an observation; returns whether the wait may continue.
    pub fn allows(&mut self, seen: T) -> bool {
        let now = Instant::now();
        if self.seen.as_ref() != Some(&seen) {
            self.seen = Some(seen);
            self.changed = now;
        }
        self.deadline() > now
    }

    /// Returns when the wait ends if nothing changes.
    pub fn deadline(&self) -> Instant {
        (self.changed + self.stalled).min(self.began + LONGEST)
    }
}
