//! The execution of one job, with its metrics and logs.

use std::sync::Arc;
use std::time::Instant;

use tidings_domain::ports::ClaimedJob;
pub use tidings_domain::work::Perform;
use tidings_domain::work::{JobFailure, attempt, give_back};

/// Runs the job. After a failure or a panic, it returns the job to the queue. It never fails itself.
pub(crate) async fn run(performer: Arc<dyn Perform>, job: ClaimedJob) {
    let (kind, began) = (job.job.kind().as_str(), Instant::now());
    let performed = attempt(&*performer, &job).await;
    let outcome = match &performed {
        Ok(()) => "done",
        Err(failed) if failed.panicked => "panicked",
        Err(_) => "failed",
    };
    metrics::counter!("tidings_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
    metrics::histogram!("tidings_job_duration_seconds", "kind" => kind).record(began.elapsed());
    let Err(JobFailure { error, .. }) = performed else { return };
    tracing::warn!(job = %job.id, kind = job.job.kind().as_str(), failures = job.attempts + 1, %error, "a job failed");
    match give_back(&*performer, &job, &error).await {
        Ok(()) => {}
        Err(JobFailure { panicked: true, .. }) => {
            tracing::error!(job = %job.id, "returning a failed job panicked; it waits for its lease to expire");
        }
        Err(JobFailure { error, .. }) => {
            tracing::warn!(job = %job.id, %error, "a failed job waits for its lease to expire");
        }
    }
}
