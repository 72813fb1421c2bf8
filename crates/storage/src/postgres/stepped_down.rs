//! A server that takes no writes any more: a primary that was put aside under its connections, or a standby (25006).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For how long a connection is used in any case: a server that takes no writes may be all that there is, and is not to be
/// busy with connections alone.
const REST: Duration = Duration::from_secs(2);

/// When such a server was met.
#[derive(Default)]
pub(super) struct SteppedDown(Mutex<Option<Met>>);

#[derive(Clone, Copy)]
struct Met {
    last: Instant,
    /// When somebody was told of it last.
    told: Instant,
}

impl SteppedDown {
    /// One was met just now. True where nobody was told for a while.
    pub(super) fn note(&self) -> bool {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let told = met.map(|met| met.told).filter(|told| told.elapsed() < REST);
        *met = Some(Met { last: now, told: told.unwrap_or(now) });
        told.is_none()
    }

    /// Whether a connection that was made then is not used again.
    pub(super) fn covers(&self, made: Instant) -> bool {
        let met = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.is_some_and(|met| made < met.last) && made.elapsed() >= REST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_before_is_left_and_what_is_new_has_its_time() {
        let (server, now) = (SteppedDown::default(), Instant::now());
        let old = now.checked_sub(REST).unwrap();
        assert!(!server.covers(old), "none was met");
        assert!(server.note());
        assert!(!server.note(), "it is reported once");
        assert!(server.covers(old));
        assert!(!server.covers(now), "it is too new");
        assert!(!server.covers(Instant::now()), "it was made afterwards");
    }
}
