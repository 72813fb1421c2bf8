//! A worker with scripted jobs that records their outcomes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::Error;
use tidings_domain::ids::{ChannelId, TypedId, WorkspaceId};
use tidings_domain::ports::{ClaimedJob, Clock, StoreError, SweepPlace};
use tidings_domain::time::Timestamp;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{JobsInMemory, TokioClock};
use crate::perform::Perform;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Script {
    Fail,
    Panic,
    /// Until [`Scripted::let_go`].
    Hold,
    Hang,
    /// Ends after this time.
    Take(Duration),
}

/// Runs jobs by their scripts. Jobs without a script succeed at once. Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct Scripted(Arc<State>);

#[derive(Default)]
struct State {
    store: Option<JobsInMemory>,
    clock: TokioClock,
    go: Notify,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    scripts: HashMap<u128, Script>,
    started: Vec<(u128, Duration)>,
    finished: Vec<u128>,
    fenced: Vec<u128>,
    dropped: Vec<u128>,
    failures: Vec<String>,
    erased_before: Vec<Timestamp>,
    planned_after: Vec<Option<(WorkspaceId, ChannelId)>>,
    running: usize,
    most_running: usize,
}

/// Records the end of a job, even if the job is dropped while it runs.
struct Running<'a>(&'a Scripted, u128, bool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut log = self.0.0.log.lock().unwrap();
        log.running -= 1;
        if !self.2 {
            log.dropped.push(self.1);
        }
    }
}

impl Scripted {
    pub(crate) fn on(store: &JobsInMemory) -> Self {
        Self(Arc::new(State { store: Some(store.clone()), ..State::default() }))
    }

    pub(crate) fn script(self, number: u128, script: Script) -> Self {
        self.0.log.lock().unwrap().scripts.insert(number, script);
        self
    }

    /// Ends the jobs with [`Script::Hold`] that are running now.
    pub(crate) fn let_go(&self) {
        self.0.go.notify_waiters();
    }

    pub(crate) fn started(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().started.iter().map(|(number, _)| *number).collect()
    }

    pub(crate) fn started_after(&self) -> Vec<Duration> {
        self.0.log.lock().unwrap().started.iter().map(|(_, after)| *after).collect()
    }

    pub(crate) fn finished(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().finished.clone()
    }

    /// Returns the jobs with a rejected end, because another worker had the claim.
    pub(crate) fn fenced(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().fenced.clone()
    }

    /// Returns the jobs that were dropped while running, or panicked.
    pub(crate) fn dropped(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().dropped.clone()
    }

    pub(crate) fn failures(&self) -> Vec<String> {
        self.0.log.lock().unwrap().failures.clone()
    }

    /// Returns the times before which deleted contacts were erased.
    pub(crate) fn erased_before(&self) -> Vec<Timestamp> {
        self.0.log.lock().unwrap().erased_before.clone()
    }

    pub(crate) fn planned_after(&self) -> Vec<Option<(WorkspaceId, ChannelId)>> {
        self.0.log.lock().unwrap().planned_after.clone()
    }

    pub(crate) fn most_running(&self) -> usize {
        self.0.log.lock().unwrap().most_running
    }
}

#[async_trait]
impl Perform for Scripted {
    async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        let number = job.id.uuid().as_u128();
        let script = {
            let mut log = self.0.log.lock().unwrap();
            log.started.push((number, self.0.clock.0.elapsed()));
            log.running += 1;
            log.most_running = log.most_running.max(log.running);
            log.scripts.get(&number).copied()
        };
        let mut running = Running(self, number, false);
        match script {
            Some(Script::Panic) => panic!("as the script says"),
            Some(Script::Hang) => std::future::pending().await,
            Some(Script::Take(time)) => tokio::time::sleep(time).await,
            Some(Script::Hold) => self.0.go.notified().await,
            Some(Script::Fail) | None => {}
        }
        running.2 = true;
        if let Some(Script::Fail) = script {
            return Err(Error::Store(StoreError::Unavailable("as the script says".to_owned())));
        }
        let recorded = self.0.store.as_ref().is_some_and(|store| store.finish(job));
        let mut log = self.0.log.lock().unwrap();
        if recorded {
            log.finished.push(number)
        } else {
            log.fenced.push(number)
        }
        Ok(())
    }

    async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        self.0.log.lock().unwrap().failures.push(error.to_string());
        if let Some(store) = &self.0.store {
            store.give_back(job, self.0.clock.now().plus(Duration::from_secs(10)));
        }
        Ok(())
    }

    async fn bury(&self, _: &ClaimedJob) -> Result<(), StoreError> {
        Ok(())
    }

    async fn sweep_files(&self) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn erase_deleted(&self, _: SweepPlace, before: Timestamp, _: u32) -> Result<Option<SweepPlace>, StoreError> {
        self.0.log.lock().unwrap().erased_before.push(before);
        Ok(None)
    }

    /// Returns one full portion, and then the end.
    async fn plan_checks(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        _: u32,
    ) -> Result<Option<(WorkspaceId, ChannelId)>, StoreError> {
        let nil = (WorkspaceId::from_uuid(Uuid::nil()), ChannelId::from_uuid(Uuid::nil()));
        self.0.log.lock().unwrap().planned_after.push(after);
        Ok(Some(nil).filter(|_| after.is_none()))
    }
}
