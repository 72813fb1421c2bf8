//! One job, from its claim to its end or its return to the queue.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;

use super::Worker;
use crate::channels::FirstCheckPlanner;
use crate::erasures::DeletedContactSweeper;
use crate::error::Error;
use crate::ids::{ChannelId, WorkspaceId};
use crate::media::FileSweeper;
use crate::ports::{ClaimedJob, EngineStore, StoreError, SweepPlace};
use crate::time::Timestamp;

/// The operations on claimed jobs.
#[async_trait]
pub trait Perform: Send + Sync {
    /// Runs one job once, and records its end.
    ///
    /// # Errors
    /// The reason of the failure. The caller must give the job back.
    async fn perform(&self, job: &ClaimedJob) -> Result<(), Error>;

    /// Returns a job to the queue after a failure.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will expire, and another worker claims the job.
    async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError>;

    /// Dead-letters a job that was claimed five times without a result, and settles its subject.
    ///
    /// # Errors
    /// [`StoreError`]: the job is found again after its lease.
    async fn bury(&self, job: &ClaimedJob) -> Result<(), StoreError>;

    /// Deletes the bytes of files without a row. Returns the number of files.
    ///
    /// # Errors
    /// [`StoreError`]: the remaining files are found again.
    async fn sweep_files(&self) -> Result<u64, StoreError>;

    /// Starts the erasure of at most `limit` contacts after `from` that were deleted before `before`. Returns the
    /// `from` of the next call, or `None` if none is left.
    ///
    /// # Errors
    /// [`StoreError`]: the remaining contacts are found again from the same place.
    async fn erase_deleted(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<SweepPlace>, StoreError>;

    /// Plans the first check of at most `limit` connected channels after `after`. Returns the `after` of the next call,
    /// or `None` if none is left.
    ///
    /// # Errors
    /// [`StoreError`]: the remaining channels are found again from the same place.
    async fn plan_checks(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        limit: u32,
    ) -> Result<Option<(WorkspaceId, ChannelId)>, StoreError>;
}

#[async_trait]
impl Perform for Worker {
    async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        Self::perform(self, job).await
    }

    async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        Self::give_back(self, job, error).await
    }

    async fn bury(&self, job: &ClaimedJob) -> Result<(), StoreError> {
        Self::bury(self, job, POISON.to_owned()).await
    }

    async fn sweep_files(&self) -> Result<u64, StoreError> {
        FileSweeper { ports: self.ports.clone() }.sweep().await
    }

    async fn erase_deleted(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<SweepPlace>, StoreError> {
        DeletedContactSweeper { ports: self.ports.clone() }.sweep(from, before, limit).await
    }

    async fn plan_checks(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        limit: u32,
    ) -> Result<Option<(WorkspaceId, ChannelId)>, StoreError> {
        FirstCheckPlanner { ports: self.ports.clone() }.plan(after, limit).await
    }
}

/// The error of a dead letter that never finished.
const POISON: &str = "claimed five times without a result";

/// Dead-letters jobs that were claimed five times without a result. Returns their number.
///
/// # Errors
/// [`StoreError`]: the rest is found again.
pub async fn bury_poison(
    store: &dyn EngineStore,
    performer: &dyn Perform,
    lease: Duration,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let poison = store.poisoned(MOST_POISON, lease, now).await?;
    for job in &poison {
        performer.bury(job).await?;
    }
    Ok(poison.len() as u64)
}

const MOST_POISON: u32 = 100;

/// Why a claimed job was not run or given back.
#[derive(Debug, Clone, PartialEq)]
pub struct JobFailure {
    /// The error. For a panic it only states that there was one.
    pub error: Error,
    /// Whether it panicked.
    pub panicked: bool,
}

impl From<Error> for JobFailure {
    fn from(error: Error) -> Self {
        Self { error, panicked: false }
    }
}

fn panicked() -> JobFailure {
    let error = StoreError::Corrupt("the job panicked; see the error output of the process".into());
    JobFailure { error: error.into(), panicked: true }
}

/// Runs a claimed job. Catches panics.
///
/// # Errors
/// [`JobFailure`]: the caller must give the job back.
pub async fn attempt(performer: &dyn Perform, job: &ClaimedJob) -> Result<(), JobFailure> {
    match AssertUnwindSafe(performer.perform(job)).catch_unwind().await {
        Ok(done) => Ok(done?),
        Err(_) => Err(panicked()),
    }
}

/// Returns a job with this error to the queue. Catches panics.
///
/// # Errors
/// [`JobFailure`]: the lease will expire, and another worker claims the job.
pub async fn give_back(performer: &dyn Perform, job: &ClaimedJob, error: &Error) -> Result<(), JobFailure> {
    match AssertUnwindSafe(performer.give_back(job, error)).catch_unwind().await {
        Ok(returned) => Ok(returned.map_err(Error::from)?),
        Err(_) => Err(panicked()),
    }
}
