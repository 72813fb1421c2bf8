//! How much is run at once, and how often the store is asked.

use std::time::Duration;

use tidings_domain::ports::Pool;
use tidings_domain::retention::Retention;

/// How an engine works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    /// How much is run at once: twice as many sends, of which half may be handed off as they are written; of short work, whose
    /// ends are committed together, four times as many, and of deliveries, which wait most of the time, eight times.
    pub concurrency: usize,
    /// For how long a claimed job is this engine's own, unless it says that it is still at it.
    pub lease: Duration,
    /// How often it says so; well below the lease.
    pub heartbeat: Duration,
    /// How often due work is looked for when nothing announced any.
    pub poll_interval: Duration,
    /// For how long running jobs may go on when the engine is stopped.
    pub shutdown_grace: Duration,
    /// Whether nothing leaves: the pools that reach the outside take no work.
    pub holds_outbound: bool,
    /// For how long what has happened is kept.
    pub retention: Retention,
}

impl EngineSettings {
    /// Whether the pool takes no work.
    pub(crate) fn holds(&self, pool: Pool) -> bool {
        self.holds_outbound && pool.leaves()
    }

    /// How many jobs of the pool run at once.
    pub(crate) fn slots(&self, pool: Pool) -> usize {
        let factor = match pool {
            Pool::Sends => 2,
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
            holds_outbound: false,
            retention: Retention::default(),
        }
    }
}
