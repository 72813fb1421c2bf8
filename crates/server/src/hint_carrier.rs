//! A background task that exchanges hints with the other processes of the service.

use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use tidings_domain::hints::{BEAT, HintRelay};
use tidings_domain::ports::{Clock, HintBus, HintBusConnection, StoreError};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use crate::backoff::Backoff;

/// After a connection of this duration, the retry delay starts from the beginning.
const STEADY: Duration = Duration::from_secs(30);
/// The time limit for sending the last messages.
const GRACE: Duration = Duration::from_secs(2);

pub(crate) struct HintCarrier {
    stopping: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl HintCarrier {
    /// Starts to exchange the hints of the relay over this bus.
    pub(crate) fn begin(bus: Arc<dyn HintBus>, relay: HintRelay, clock: Arc<dyn Clock>) -> Self {
        let stopping = watch::Sender::new(false);
        let carrying = Carrying { bus, relay, clock, stopping: stopping.subscribe(), away: false, told: false };
        Self { stopping, task: tokio::spawn(carrying.run()) }
    }

    pub(crate) async fn end(mut self) {
        self.stopping.send_replace(true);
        if timeout(GRACE, &mut self.task).await.is_err() {
            self.task.abort();
        }
    }
}

struct Carrying {
    bus: Arc<dyn HintBus>,
    relay: HintRelay,
    clock: Arc<dyn Clock>,
    stopping: watch::Receiver<bool>,
    /// Whether hints may have been lost since the last connection.
    away: bool,
    /// Whether an unreadable message was logged.
    told: bool,
}

impl Carrying {
    async fn run(mut self) {
        let mut backoff = Backoff::default();
        loop {
            let began = Instant::now();
            let connected = tokio::select! {
                connected = self.bus.connect() => connected,
                () = stopped(&mut self.stopping) => return,
            };
            let carried = match connected {
                Ok(connection) => self.carry(connection).await,
                Err(error) => Err(error),
            };
            gauge!("tidings_hints_connected").set(0);
            let Err(error) = carried else { return };
            if began.elapsed() >= STEADY {
                backoff = Backoff::default();
            }
            if !std::mem::replace(&mut self.away, true) {
                tracing::warn!(%error, "the connection for hints between servers failed; retrying");
            }
            tokio::select! {
                () = sleep(backoff.next()) => {}
                () = stopped(&mut self.stopping) => return,
            }
        }
    }

    /// Exchanges hints until the connection is lost or the task ends.
    async fn carry(&mut self, mut connection: Box<dyn HintBusConnection>) -> Result<(), StoreError> {
        connection.send(self.relay.join(self.away)).await?;
        gauge!("tidings_hints_connected").set(1);
        if std::mem::take(&mut self.away) {
            tracing::info!("the connection for hints between servers works again");
        }
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                message = connection.next() => self.hear(&message?),
                _ = beat.tick() => connection.send(self.relay.beat(self.clock.now())).await?,
                () = stopped(&mut self.stopping) => return connection.send(self.relay.beat(self.clock.now())).await,
            }
        }
    }

    fn hear(&mut self, message: &str) {
        let heard = self.relay.hear(message, self.clock.now());
        if let Err(error) = heard
            && !std::mem::replace(&mut self.told, true)
        {
            // Expected while another release is rolled out.
            tracing::warn!(%error, "a hint message cannot be read; further unreadable hint messages are skipped \
                                    silently");
        }
    }
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // The sender may be dropped, too.
    let _ = stopping.wait_for(|it| *it).await;
}
