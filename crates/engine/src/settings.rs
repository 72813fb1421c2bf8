//! How much is run at once, and how often the store is asked.

use std::time::Duration;

/// How an engine works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    /// How many jobs of each pool run at once.
    pub concurrency: usize,
    /// For how long a claimed job is this engine's own, unless it says that it is still at it.
    pub lease: Duration,
    /// How often it says so; well below the lease.
    pub heartbeat: Duration,
    /// How often due work is looked for when nothing announced any.
    pub poll_interval: Duration,
    /// For how long running jobs may go on when the engine is stopped.
    pub shutdown_grace: Duration,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            concurrency: 32,
            lease: Duration::from_secs(30),
            heartbeat: Duration::from_secs(10),
            poll_interval: Duration::from_millis(500),
            shutdown_grace: Duration::from_secs(25),
        }
    }
}
