//! Requests in a rolling minute, counted by whatever tells clients apart.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use tidings_domain::access::limiter::{Decision, RollingWindow};
use tidings_domain::time::Timestamp;

/// How many windows are kept before the idle ones are first thrown away.
const FIRST_SWEEP: usize = 1_024;

/// One window for each key.
pub(crate) struct Windows<K>(Mutex<Kept<K>>);

struct Kept<K> {
    by_key: HashMap<K, RollingWindow>,
    sweep_at: usize,
}

impl<K> Default for Windows<K> {
    fn default() -> Self {
        Self(Mutex::new(Kept { by_key: HashMap::new(), sweep_at: FIRST_SWEEP }))
    }
}

impl<K: Eq + Hash> Windows<K> {
    /// Counts one request of this key, if the limit still admits it.
    pub(crate) fn admit(&self, key: K, limit: u32, now: Timestamp) -> Decision {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.by_key.len() >= kept.sweep_at {
            kept.by_key.retain(|_, window| !window.is_idle(now.millis()));
            // Twice what is in use: sweeping stays cheap however many are busy.
            kept.sweep_at = FIRST_SWEEP.max(kept.by_key.len() * 2);
        }
        kept.by_key.entry(key).or_default().admit(limit, now.millis())
    }
}
