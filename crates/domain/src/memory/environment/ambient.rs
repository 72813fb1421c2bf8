//! Clock, IDs and randomness under the control of a test.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use uuid::Uuid;

use crate::ports::{Clock, Ids, Randomness};
use crate::time::Timestamp;

/// A clock that only a test moves.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// Creates a clock with this time.
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.millis()))
    }

    /// The time.
    pub fn at_rest(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }

    /// Sets the time.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.millis(), Ordering::SeqCst);
    }
}

impl Default for FixedClock {
    /// The first of January 2026.
    fn default() -> Self {
        Self::at(Timestamp::from_millis(1_767_225_600_000))
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.at_rest()
    }
}

/// IDs that count: 1, 2, 3.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn next(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::SeqCst) + 1))
    }
}

/// A fixed random number.
#[derive(Debug, Clone, Copy)]
pub struct FixedRandomness(pub f64);

impl Randomness for FixedRandomness {
    fn unit(&self) -> f64 {
        self.0
    }
}
