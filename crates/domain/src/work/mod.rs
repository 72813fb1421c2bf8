//! Workers: they run jobs. Each kind of job is implemented in the module of its subject. The table of jobs names its
//! executor.

mod attempt;
mod backoff;
mod dispatch;
mod due;
#[cfg(test)]
mod due_tests;
mod follow_up;
mod interruption;
mod lost_claim;
#[cfg(test)]
mod pause_tests;
mod reaction;
mod relay;
mod sweep;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod waits_tests;
mod weight;

use std::sync::Arc;
use std::time::Duration;

pub use attempt::{JobFailure, Perform, attempt, bury_poison, give_back};
pub(crate) use backoff::{LONGEST_WAIT, MAX_ATTEMPTS, backoff};
pub use due::DueWork;
pub(crate) use follow_up::follow_up_job;
pub use interruption::{MOST_CLAIMS, WAITS_AFTER_INTERRUPTIONS};
pub(crate) use lost_claim::ignore_lost_claim;
pub(crate) use reaction::Reaction;
pub use relay::Relay;
pub(crate) use sweep::{BATCH_OF_SWEEP, sweep};
pub(crate) use weight::{ROWS_BESIDE, weight};

use crate::conversations::OptOutWords;
use crate::error::Error;
use crate::ports::{Change, ChangeSet, ClaimedJob, CommitError, JobChange, Ports, StoreError};
use crate::time::Timestamp;
use crate::webhooks::RetrySchedule;

/// Delay of a job if its workspace is being erased; the job is erased with it.
const ERASING: Duration = Duration::from_secs(60);

/// Runs due jobs. A job commits its effect and its end together, fenced by its claim. A send to a provider that is not
/// idempotent also commits before each call.
#[derive(Clone)]
pub struct Worker {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The retry schedule of deliveries.
    pub schedule: RetrySchedule,
    /// The keywords with which contacts opt out or in.
    pub words: OptOutWords,
}

impl Worker {
    /// Runs one job once.
    ///
    /// # Errors
    /// [`Error`] if it could not be done now. Give it back with [`Worker::give_back`].
    pub async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        if let Some(until) = self.ports.outbound.deleted_until(job.workspace).await? {
            return self.put_off(job, until).await;
        }
        match self.in_time_of(job).await? {
            Some(there) => there.perform_here(job).await,
            None => self.perform_here(job).await,
        }
    }

    /// Returns a worker with the clock of the job's workspace, if that differs.
    async fn in_time_of(&self, job: &ClaimedJob) -> Result<Option<Self>, StoreError> {
        let ports = self.ports.in_time_of(job.workspace).await?;
        Ok(ports.map(|ports| Self { ports: Arc::new(ports), ..self.clone() }))
    }

    async fn perform_here(&self, job: &ClaimedJob) -> Result<(), Error> {
        if job.job.pool().leaves() && self.ports.outbound.paused_by(job.workspace).await?.is_some() {
            return self.put_back(job).await;
        }
        self.run(job).await
    }

    /// Returns a job to the queue unchanged. It was claimed before its workspace was paused.
    async fn put_back(&self, job: &ClaimedJob) -> Result<(), Error> {
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.reschedule(self.ports.clock.now(), None));
        Ok(self.commit_if_held(set).await?)
    }

    /// Reschedules a job of a deleted workspace to the end of the deletion period, by the store's clock. `ahead` is
    /// added because the ledger of a sandbox subtracts it.
    async fn put_off(&self, job: &ClaimedJob, until: Timestamp) -> Result<(), Error> {
        let ahead = match job.workspace.is_sandbox() {
            true => self.ports.sandboxes.ahead(job.workspace).await?,
            false => Duration::ZERO,
        };
        let due_at = until.max(self.ports.clock.now().plus(ERASING)).plus(ahead);
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.reschedule(due_at, None));
        Ok(self.commit_if_held(set).await?)
    }

    /// Returns a job to the queue after a failure: due after a growing delay, dead-lettered after twelve attempts.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will expire, and another worker claims the job.
    pub async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        if job.attempts + 1 >= MAX_ATTEMPTS {
            return self.bury(job, failure_text(error)).await;
        }
        let there = self.in_time_of(job).await?;
        let clock = &there.as_ref().unwrap_or(self).ports.clock;
        let mut set = ChangeSet::new(job.workspace);
        let due_at = clock.now().plus(backoff(job.attempts, self.ports.random.unit()));
        set.change(job.reschedule(due_at, Some(failure_text(error))));
        self.commit_if_held(set).await
    }

    /// Dead-letters a job and settles its subject: nothing may wait forever for a job that will not run.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will expire, and another worker claims the job.
    pub async fn bury(&self, job: &ClaimedJob, error: String) -> Result<(), StoreError> {
        match self.in_time_of(job).await? {
            Some(there) => there.bury_here(job, error).await,
            None => self.bury_here(job, error).await,
        }
    }

    async fn bury_here(&self, job: &ClaimedJob, error: String) -> Result<(), StoreError> {
        let mut set = ChangeSet::new(job.workspace);
        set.change(Change::Job(JobChange::Bury { job: job.id, token: job.token, error, at: self.ports.clock.now() }));
        self.settle(job, &mut set).await?;
        self.commit_if_held(set).await
    }

    /// Commits the end of a claim. A lost claim is ignored: another worker has the job.
    async fn commit_if_held(&self, set: ChangeSet) -> Result<(), StoreError> {
        match self.ports.ledger.commit(set).await {
            Ok(()) | Err(CommitError::Conflict(_)) => Ok(()),
            Err(CommitError::Store(error)) => Err(error),
        }
    }
}

/// Returns the stored error message.
fn failure_text(error: &Error) -> String {
    match error {
        Error::Store(error) => error.public_message(),
        error => error.to_string(),
    }
}
