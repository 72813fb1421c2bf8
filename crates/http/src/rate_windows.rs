//! Requests in a rolling minute, counted by whatever tells clients apart.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use tidings_domain::access::limiter::{Decision, RateWindow};
use tidings_domain::time::Timestamp;

/// How many rate windows are held before the idle ones are first thrown away.
const FIRST_SWEEP: usize = 1_024;

/// One window for each key.
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
    /// Counts one request of this key, if the limit still admits it.
    pub(crate) fn admit(&self, key: K, limit: u32, now: Timestamp) -> Decision {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.by_key.len() >= counted.sweep_at {
            counted.by_key.retain(|_, window| !window.is_idle(now.millis()));
            // Twice what is in use: sweeping stays cheap however many are busy.
            counted.sweep_at = FIRST_SWEEP.max(counted.by_key.len() * 2);
        }
        counted.by_key.entry(key).or_default().admit(limit, now.millis())
    }
}
