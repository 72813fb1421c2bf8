//! All loops together, and their end.

use std::sync::Arc;
use std::time::Duration;

use tidings_domain::ports::{Clock, EngineStore, Pool, Randomness};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::housekeeping::run_housekeeping;
use crate::measuring::measure;
use crate::perform::Perform;
use crate::pool::{LoopContext, PoolLoop};
use crate::pulse::Pulse;
use crate::sequencer::number_events;
use crate::settings::EngineSettings;
use crate::wake::Wake;

/// How long a loop that broke off rests before it begins anew.
const REST: Duration = Duration::from_secs(1);

/// Runs due work; nothing happens before [`Engine::start`].
#[derive(Clone)]
pub struct Engine {
    context: LoopContext,
}

impl Engine {
    /// An engine that takes jobs from `store`, has them done by `performer` and looks at once when
    /// `wake` says so.
    pub fn new(
        settings: EngineSettings,
        store: Arc<dyn EngineStore>,
        performer: Arc<dyn Perform>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Randomness>,
        wake: Wake,
    ) -> Self {
        Self { context: LoopContext { settings, store, performer, clock, random, wake, pulse: Pulse::new() } }
    }

    /// Tells later whether the loops still turn.
    pub fn pulse(&self) -> Pulse {
        self.context.pulse.clone()
    }

    /// Starts the loops on the current tokio runtime.
    pub fn start(self) -> RunningEngine {
        let (stop, stopped) = watch::channel(false);
        let pools = Pool::ALL.map(|pool| tokio::spawn(supervise(self.context.clone(), pool, stopped.clone())));
        let pulse = self.pulse();
        let sequencer = tokio::spawn(supervise_sequencer(self.context.clone(), stopped.clone()));
        let measuring = tokio::spawn(supervise_measuring(self.context.clone(), stopped.clone()));
        let housekeeping = tokio::spawn(supervise_housekeeping(self.context, stopped));
        RunningEngine { stop, pulse, loops: pools.into_iter().chain([sequencer, measuring, housekeeping]).collect() }
    }
}

/// The loops of a started engine. Dropping it stops them without waiting for their end.
pub struct RunningEngine {
    stop: watch::Sender<bool>,
    pulse: Pulse,
    loops: Vec<JoinHandle<()>>,
}

impl RunningEngine {
    /// Claims nothing more, waits for running jobs up to the grace of the settings and drops the rest,
    /// whose leases are given up.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.pulse.stop();
        for finished in self.loops {
            if finished.await.is_err() {
                tracing::error!("an engine loop stopped unexpectedly");
            }
        }
    }
}

/// Begins a pool's loop anew should it ever panic: its jobs come back when their leases run out.
async fn supervise(context: LoopContext, pool: Pool, stop: watch::Receiver<bool>) {
    while tokio::spawn(PoolLoop::new(context.clone(), pool).run(stop.clone())).await.is_err() {
        tracing::error!(pool = pool.as_str(), "an engine loop stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

/// As [`supervise`], for the numbering of events.
async fn supervise_sequencer(context: LoopContext, stop: watch::Receiver<bool>) {
    while tokio::spawn(number_events(context.clone(), stop.clone())).await.is_err() {
        tracing::error!("the numbering of events stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

/// As [`supervise`], for the adding up of stored text.
async fn supervise_measuring(context: LoopContext, stop: watch::Receiver<bool>) {
    while tokio::spawn(measure(context.clone(), stop.clone())).await.is_err() {
        tracing::error!("the measurement of stored text stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

/// As [`supervise`], for what is thrown away and gathered.
async fn supervise_housekeeping(context: LoopContext, stop: watch::Receiver<bool>) {
    while tokio::spawn(run_housekeeping(context.clone(), stop.clone())).await.is_err() {
        tracing::error!("housekeeping stopped unexpectedly; restarting it");
        sleep(REST).await;
    }
}

#[cfg(test)]
mod handoff_tests;
#[cfg(test)]
mod tests;
