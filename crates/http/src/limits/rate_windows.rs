//! Rate limits per rolling minute, for any kind of key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use tidings_domain::access::limiter::{Decision, RateWindow};
use tidings_domain::time::Timestamp;

/// Idle rate windows are first removed when there are this many.
const FIRST_SWEEP: usize = 1_024;

/// One window per key.
pub(crate) struct RateWindows<K>(Mutex<Counted<K>>);

struct Counted<K> {
    by_key: HashMap<K, RateWindow>,
    sweep_at: usize,
}

impl<K> Default for RateWindows<K> {
    fn default() -> Self {
        Self(Mutex::new(Counted { by_key: HashMap::new(), sweep_at: FIRST_SWEEP }))
    }
}

impl<K: Eq + Hash> RateWindows<K> {
    /// Counts a request of this key, if the limit admits it.
    pub(crate) fn admit(&self, key: K, limit: u32, now: Timestamp) -> Decision {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.by_key.len() >= counted.sweep_at {
            counted.by_key.retain(|_, window| !window.is_idle(now.millis()));
            // Twice the active number, so that removal stays cheap.
            counted.sweep_at = FIRST_SWEEP.max(counted.by_key.len() * 2);
        }
        counted.by_key.entry(key).or_default().admit(limit, now.millis())
    }

    /// Returns the seconds until the limit admits a request of this key; `None` if it admits one now. Counts nothing.
    pub(crate) fn wait(&self, key: &K, limit: u32, now: Timestamp) -> Option<u32> {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let decision = counted.by_key.get(key)?.clone().admit(limit, now.millis());
        (!decision.admitted).then_some(decision.reset_seconds)
    }
}
