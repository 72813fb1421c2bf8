//! Mocks of all ports, for tests that replace only the ports that they check.

use std::sync::Arc;

use crate::memory::{CountingIds, FixedClock};
use crate::ports::Ports;

impl Ports {
    /// Returns ports for a test. Each port is a mock that expects no call, except two: the clock always shows
    /// 1 January 2026, and the IDs count from 1. A test replaces the ports that its use case calls:
    /// `Ports { ledger, contacts, ..Ports::mocked() }`.
    ///
    /// # Panics
    /// A use case panics if it calls a port that the test did not replace. The message names the method.
    pub fn mocked() -> Self {
        Self {
            clock: Arc::new(FixedClock::default()),
            ids: Arc::new(CountingIds::default()),
            ..Self::strictly_mocked()
        }
    }
}
