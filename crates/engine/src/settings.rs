//! Settings of an engine.

use std::time::Duration;

use tidings_domain::ports::Pool;
use tidings_domain::retention::Retention;

/// Concurrency, lease, polling and retention of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    /// Base number of concurrent jobs. The pools for sends and polls run twice as many; half of the sends may be handed
    /// off as they are written. The pool for short work runs four times as many, because their ends are committed
    /// together. The pool for deliveries runs eight times as many, because they mostly wait for a receiver.
    pub concurrency: usize,
    /// Duration of a job's lease, unless it is extended.
    pub lease: Duration,
    /// Interval at which leases are extended. It is well below the lease.
    pub heartbeat: Duration,
    /// Interval at which the store is polled for due work if no wake-up comes.
    pub poll_interval: Duration,
    /// Grace period of running jobs after the engine is stopped.
    pub shutdown_grace: Duration,
    /// Maximum time after a start until all slots are open. Each pool starts with one slot and opens another one for each job
    /// that ends. Zero opens all slots at once.
    ///
    /// A job that was in hand at five crashes becomes a dead letter. If a job crashes the process soon after each start, few
    /// other jobs are in hand at that moment, and the jobs that are due the longest end first.
    pub warm_up: Duration,
    /// Whether outbound sending is paused for this process: pools that contact external systems claim no jobs. Another
    /// process polls.
    pub holds_outbound: bool,
    /// Retention of past records.
    pub retention: Retention,
}

impl EngineSettings {
    /// Returns true if the pool must not claim jobs.
    pub(crate) fn holds(&self, pool: Pool) -> bool {
        self.holds_outbound && pool.waits_for_others()
    }

    /// Returns the number of jobs of the pool that run at once.
    pub(crate) fn slots(&self, pool: Pool) -> usize {
        let factor = match pool {
            Pool::Sends | Pool::Polls => 2,
            Pool::Work => 4,
            Pool::Deliveries => 8,
        };
        self.concurrency.max(1).saturating_mul(factor)
    }
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            concurrency: 32,
            lease: Duration::from_secs(30),
            heartbeat: Duration::from_secs(10),
            poll_interval: Duration::from_millis(500),
            shutdown_grace: Duration::from_secs(25),
            warm_up: Duration::from_secs(8),
            holds_outbound: false,
            retention: Retention::default(),
        }
    }
}
