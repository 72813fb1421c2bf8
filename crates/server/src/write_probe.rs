//! A background probe that checks every few seconds whether the store accepts writes, for `/readyz` and the metrics.
//!
//! A small write can succeed on a disk on which commits fail. So a commit that fails because of the disk also counts.
//! After one, the store is ready again only when the probe has written as much as the largest commit.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use metrics::{gauge, histogram};
use tidings_domain::ports::Clock;
use tidings_http::{Check, Finding};
use tidings_storage::Storage;
use tokio::time::{sleep, timeout};

/// The interval while the store accepts writes.
const EVERY: Duration = Duration::from_secs(5);
/// The interval while it does not.
const AGAIN: Duration = Duration::from_secs(1);
/// The time limit of a write.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time until a failed commit no longer counts, unless a probe finds space for 1 MiB first.
const RECENT: Duration = Duration::from_secs(10);
/// The age at which a result is outdated.
const OLD: Duration = Duration::from_secs(20);

/// The latest result.
#[derive(Clone)]
pub(crate) struct WriteProbe {
    storage: Arc<Storage>,
    clock: Arc<dyn Clock>,
    last: Arc<Mutex<Option<Answer>>>,
}

/// The result of a write.
#[derive(Debug, Clone, Copy)]
struct Answer {
    at: Instant,
    takes_writes: bool,
}

impl WriteProbe {
    /// Probes once, and then in the background.
    pub(crate) async fn begin(storage: Arc<Storage>, clock: Arc<dyn Clock>) -> Self {
        let probe = Self { storage, clock, last: Arc::default() };
        probe.ask().await;
        tokio::spawn(probe.clone().keep_asking());
        probe
    }

    async fn keep_asking(self) {
        loop {
            let takes_writes = self.last().is_some_and(|last| last.takes_writes);
            if takes_writes {
                tokio::select! {
                    () = sleep(EVERY) => {}
                    () = self.storage.next_disk_failure() => {}
                }
            } else {
                sleep(AGAIN).await;
            }
            self.ask().await;
        }
    }

    async fn ask(&self) {
        let asked = Instant::now();
        let was_well = self.last().is_none_or(|last| last.takes_writes);
        let needs_room = !was_well || self.storage.failed_on_disk(RECENT);
        let probe = async {
            self.storage.probe_write(self.clock.now()).await?;
            if needs_room { self.storage.probe_room().await } else { Ok(()) }
        };
        let answer = timeout(PATIENCE, probe).await;
        let why = match answer {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("no response in time".to_owned()),
        };
        histogram!("tidings_database_write_probe_duration_seconds").record(asked.elapsed());
        gauge!("tidings_database_writable").set(u32::from(why.is_none()));
        let before = self.last().replace(Answer { at: Instant::now(), takes_writes: why.is_none() });
        match (why, before) {
            (Some(why), None | Some(Answer { takes_writes: true, .. })) => {
                tracing::warn!(why, "the store rejects writes");
            }
            (None, Some(Answer { takes_writes: false, .. })) => tracing::info!("the store accepts writes again"),
            _ => {}
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<Answer>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Check for WriteProbe {
    fn name(&self) -> &'static str {
        "writes"
    }

    async fn look(&self) -> Finding {
        match *self.last() {
            Some(Answer { takes_writes: false, .. }) => Finding::Broken("the store rejects writes".to_owned()),
            Some(_) if self.storage.failed_on_disk(RECENT) => Finding::Broken(
                "recent commits failed: the disk is full, defective or read-only; free space or repair it".to_owned(),
            ),
            Some(last) if last.at.elapsed() < OLD => Finding::Fine,
            _ => Finding::Broken("it is unknown whether the store accepts writes".to_owned()),
        }
    }
}
