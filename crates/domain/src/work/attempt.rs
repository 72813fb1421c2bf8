//! One job, from its start to its end or to its return, whoever claimed it.

use std::panic::AssertUnwindSafe;

use async_trait::async_trait;
use futures::FutureExt;

use super::Worker;
use crate::error::Error;
use crate::ports::{ClaimedJob, StoreError};

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
}

#[async_trait]
impl Perform for Worker {
    async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        Self::perform(self, job).await
    }

    async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        Self::give_back(self, job, error).await
    }
}

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
    let error = StoreError::Corrupt("the job panicked; the process's error output says where".into());
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
