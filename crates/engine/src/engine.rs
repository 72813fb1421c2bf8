//! All loops together, and their end.

use std::sync::Arc;
use std::time::Duration;

use tidings_domain::ports::{Clock, EngineStore, Pool, Randomness};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::housekeeping::keep_house;
use crate::measuring::measure;
use crate::perform::Perform;
use crate::pool::{Means, PoolLoop};
use crate::pulse::Pulse;
use crate::sequencer::number_events;
use crate::settings::EngineSettings;
use crate::wake::Wake;

/// How long a loop that broke off rests before it begins anew.
const REST: Duration = Duration::from_secs(1);

/// Runs due work; nothing happens before [`Engine::start`].
#[derive(Clone)]
pub struct Engine {
    means: Means,
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
        Self { means: Means { settings, store, performer, clock, random, wake, pulse: Pulse::new() } }
    }

    /// Tells later whether the loops still turn.
    pub fn pulse(&self) -> Pulse {
        self.means.pulse.clone()
    }

    /// Starts the loops on the current tokio runtime.
    pub fn start(self) -> RunningEngine {
        let (stop, stopped) = watch::channel(false);
        let pools = Pool::ALL.map(|pool| tokio::spawn(supervise(self.means.clone(), pool, stopped.clone())));
        let pulse = self.pulse();
        let sequencer = tokio::spawn(supervise_sequencer(self.means.clone(), stopped.clone()));
        let measuring = tokio::spawn(supervise_measuring(self.means.clone(), stopped.clone()));
        let house = tokio::spawn(supervise_house(self.means, stopped));
        RunningEngine { stop, pulse, loops: pools.into_iter().chain([sequencer, measuring, house]).collect() }
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
                tracing::error!("a loop of the engine broke off");
            }
        }
    }
}

/// Begins a pool's loop anew should it ever panic: its jobs come back when their leases run out.
async fn supervise(means: Means, pool: Pool, stop: watch::Receiver<bool>) {
    while tokio::spawn(PoolLoop::new(means.clone(), pool).run(stop.clone())).await.is_err() {
        tracing::error!(pool = pool.as_str(), "a loop of the engine broke off; it begins anew");
        sleep(REST).await;
    }
}

/// As [`supervise`], for the numbering of events.
async fn supervise_sequencer(means: Means, stop: watch::Receiver<bool>) {
    while tokio::spawn(number_events(means.clone(), stop.clone())).await.is_err() {
        tracing::error!("the numbering of events broke off; it begins anew");
        sleep(REST).await;
    }
}

/// As [`supervise`], for the adding up of stored text.
async fn supervise_measuring(means: Means, stop: watch::Receiver<bool>) {
    while tokio::spawn(measure(means.clone(), stop.clone())).await.is_err() {
        tracing::error!("the adding up of stored text broke off; it begins anew");
        sleep(REST).await;
    }
}

/// As [`supervise`], for what is thrown away and gathered.
async fn supervise_house(means: Means, stop: watch::Receiver<bool>) {
    while tokio::spawn(keep_house(means.clone(), stop.clone())).await.is_err() {
        tracing::error!("keeping the store in order broke off; it begins anew");
        sleep(REST).await;
    }
}

#[cfg(test)]
mod adoption_tests;
#[cfg(test)]
mod tests;
