//! One job, from its start to its end or to its return, whoever claimed it.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;

use super::Worker;
use crate::error::Error;
use crate::ports::{ClaimedJob, EngineStore, StoreError};
use crate::time::Timestamp;

/// Knows what jobs mean.
#[async_trait]
pub trait Perform: Send + Sync {
    /// Does one job, once, and records its end.
    ///
    /// # Errors
    /// Why it could not be done now; it is then given back.
    async fn perform(&self, job: &ClaimedJob) -> Result<(), Error>;

    /// Gives a job back after a failure.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will run out, and another worker takes it.
    async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError>;

    /// Puts aside a job that was claimed five times without a result, and settles what waits for it.
    ///
    /// # Errors
    /// [`StoreError`]: it is found once more when the lease is over.
    async fn bury(&self, job: &ClaimedJob) -> Result<(), StoreError>;
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
}

/// Why a job is put aside that never came to its end.
const POISON: &str = "claimed five times without a result";

/// Puts aside what was claimed five times without a result; returns how many jobs.
///
/// # Errors
/// [`StoreError`]: the rest is found once more.
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

/// So many are put aside at once.
const MOST_POISON: u32 = 100;

/// Why something was not done to a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Failed {
    /// What is wrong; of a panic, that there was one.
    pub error: Error,
    /// Whether it panicked.
    pub panicked: bool,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, panicked: false }
    }
}

fn panicked() -> Failed {
    let error = StoreError::Corrupt("the job panicked; see the error output of the process".into());
    Failed { error: error.into(), panicked: true }
}

/// Does a claimed job. It never panics itself.
///
/// # Errors
/// [`Failed`]: it is to be given back.
pub async fn attempt(performer: &dyn Perform, job: &ClaimedJob) -> Result<(), Failed> {
    match AssertUnwindSafe(performer.perform(job)).catch_unwind().await {
        Ok(done) => Ok(done?),
        Err(_) => Err(panicked()),
    }
}

/// Gives a job back that failed with this error. It never panics itself.
///
/// # Errors
/// [`Failed`]: the lease will run out, and another worker takes it.
pub async fn give_back(performer: &dyn Perform, job: &ClaimedJob, error: &Error) -> Result<(), Failed> {
    match AssertUnwindSafe(performer.give_back(job, error)).catch_unwind().await {
        Ok(returned) => Ok(returned.map_err(Error::from)?),
        Err(_) => Err(panicked()),
    }
}
