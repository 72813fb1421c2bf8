//! The engine: starts all loops, supervises them and stops them.

use std::sync::Arc;
use std::time::Duration;

use tidings_domain::ports::{Clock, EngineStore, Pool, Randomness};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::heartbeat::Heartbeat;
use crate::housekeeping::run_housekeeping;
use crate::measuring::measure;
use crate::perform::Perform;
use crate::pool::{LoopContext, PoolLoop};
use crate::sequencer::number_events;
use crate::settings::EngineSettings;
use crate::wake::Wake;

/// Pause before a loop that panicked is restarted.
const REST: Duration = Duration::from_secs(1);

/// Runs due work after [`Engine::start`].
#[derive(Clone)]
pub struct Engine {
    context: LoopContext,
}

impl Engine {
    /// Creates an engine that claims jobs from `store`, runs them with `performer` and claims at once when `wake`
    /// signals new work.
    pub fn new(
        settings: EngineSettings,
        store: Arc<dyn EngineStore>,
        performer: Arc<dyn Perform>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Randomness>,
        wake: Wake,
    ) -> Self {
        Self { context: LoopContext { settings, store, performer, clock, random, wake, heartbeat: Heartbeat::new() } }
    }

    /// Returns a handle that reports whether the loops are still running.
    pub fn heartbeat(&self) -> Heartbeat {
        self.context.heartbeat.clone()
    }

    /// Starts the loops on the current tokio runtime.
    pub fn start(self) -> RunningEngine {
        let (stop, stopped) = watch::channel(false);
        let pools = Pool::ALL.map(|pool| tokio::spawn(supervise(self.context.clone(), pool, stopped.clone())));
        let heartbeat = self.heartbeat();
        let sequencer = tokio::spawn(supervise_sequencer(self.context.clone(), stopped.clone()));
        let measuring = tokio::spawn(supervise_measuring(self.context.clone(), stopped.clone()));
        let housekeeping = tokio::spawn(supervise_housekeeping(self.context, stopped));
        RunningEngine {
            stop,
            heartbeat,
            loops: pools.into_iter().chain([sequencer, measuring, housekeeping]).collect(),
        }
    }
}

/// The loops of a started engine. Dropping it stops them without waiting for them to finish.
pub struct RunningEngine {
    stop: watch::Sender<bool>,
    heartbeat: Heartbeat,
    loops: Vec<JoinHandle<()>>,
}

impl RunningEngine {
    /// Stops claiming, waits up to the configured grace period for running jobs, and drops the rest. The leases of
    /// dropped jobs are released.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.heartbeat.stop();
        for finished in self.loops {
            if finished.await.is_err() {
                tracing::error!("an engine loop stopped unexpectedly");
            }
        }
    }
}

/// Runs a pool's loop and restarts it if it panics. Its jobs are claimed again when their leases expire.
async fn supervise(context: LoopContext, pool: Pool, stop: watch::Receiver<bool>) {
    while tokio::spawn(PoolLoop::new(context.clone(), pool).run(stop.clone())).await.is_err() {
        tracing::error!(pool = pool.as_str(), "an engine loop stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

/// Like [`supervise`], for the numbering of events.
async fn supervise_sequencer(context: LoopContext, stop: watch::Receiver<bool>) {
    while tokio::spawn(number_events(context.clone(), stop.clone())).await.is_err() {
        tracing::error!("the numbering of events stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

/// Like [`supervise`], for the measurement of stored text.
async fn supervise_measuring(context: LoopContext, stop: watch::Receiver<bool>) {
    while tokio::spawn(measure(context.clone(), stop.clone())).await.is_err() {
        tracing::error!("the measurement of stored text stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

/// Like [`supervise`], for housekeeping.
async fn supervise_housekeeping(context: LoopContext, stop: watch::Receiver<bool>) {
    while tokio::spawn(run_housekeeping(context.clone(), stop.clone())).await.is_err() {
        tracing::error!("housekeeping stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

#[cfg(test)]
mod channel_tests;
#[cfg(test)]
mod claim_tests;
#[cfg(test)]
mod handoff_tests;
#[cfg(test)]
mod tests;
