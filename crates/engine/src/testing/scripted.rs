//! A worker that does jobs as it is told, and tells how they went.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::Error;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{ClaimedJob, Clock, StoreError};
use tokio::sync::Notify;

use super::{JobsInMemory, TokioClock};
use crate::perform::Perform;

/// How a scripted job goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Script {
    /// Fails.
    Fail,
    /// Panics.
    Panic,
    /// Runs until [`Scripted::let_go`].
    Hold,
    /// Runs for ever.
    Hang,
}

/// Does jobs as they are told, by number; the others succeed at once. Clones are the same.
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
    running: usize,
    most_running: usize,
}

/// Notes the end of a job, also of one that is dropped while it runs.
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
    /// Records ends in `store`.
    pub(crate) fn on(store: &JobsInMemory) -> Self {
        Self(Arc::new(State { store: Some(store.clone()), ..State::default() }))
    }

    /// Has the job with this number go so.
    pub(crate) fn script(self, number: u128, script: Script) -> Self {
        self.0.log.lock().unwrap().scripts.insert(number, script);
        self
    }

    /// Ends what is held now.
    pub(crate) fn let_go(&self) {
        self.0.go.notify_waiters();
    }

    /// The jobs that were started, in order.
    pub(crate) fn started(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().started.iter().map(|(number, _)| *number).collect()
    }

    /// When the jobs were started, after the beginning.
    pub(crate) fn started_after(&self) -> Vec<Duration> {
        self.0.log.lock().unwrap().started.iter().map(|(_, after)| *after).collect()
    }

    /// The jobs whose end was recorded.
    pub(crate) fn finished(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().finished.clone()
    }

    /// The jobs whose end changed nothing, because the claim was another's.
    pub(crate) fn fenced(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().fenced.clone()
    }

    /// The jobs that were dropped while they ran, or panicked.
    pub(crate) fn dropped(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().dropped.clone()
    }

    /// With which errors jobs were given back.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.0.log.lock().unwrap().failures.clone()
    }

    /// How many ran at the same time, at the most.
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
}
