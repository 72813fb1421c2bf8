//! One job, from its start to its end or to its return.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use futures::FutureExt;
use tidings_domain::Error;
use tidings_domain::ports::{ClaimedJob, StoreError};
use tidings_domain::work::Worker;

/// What an engine asks of those who know what jobs mean.
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

/// Does the job; a failure or a panic gives it back. It never fails itself.
pub(crate) async fn run(performer: Arc<dyn Perform>, job: ClaimedJob) {
    let (kind, began) = (job.kind.as_str(), Instant::now());
    let performed = AssertUnwindSafe(performer.perform(&job)).catch_unwind().await;
    let outcome = match &performed {
        Ok(Ok(())) => "done",
        Ok(Err(_)) => "failed",
        Err(_) => "panicked",
    };
    metrics::counter!("tidings_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
    metrics::histogram!("tidings_job_duration_seconds", "kind" => kind).record(began.elapsed());
    let error = match performed {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error,
        Err(_) => Error::Store(StoreError::Corrupt("the job panicked; the process's error output says where".into())),
    };
    tracing::warn!(job = %job.id, kind = job.kind.as_str(), failures = job.attempts + 1, %error, "a job failed");
    match AssertUnwindSafe(performer.give_back(&job, &error)).catch_unwind().await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(job = %job.id, %error, "a failed job waits for its lease to run out"),
        Err(_) => tracing::error!(job = %job.id, "giving a job back panicked; it waits for its lease to run out"),
    }
}
