use crate::ids::JobId;
use crate::ports::Job;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of a job. A finished job no longer exists.
    JobStatus {
        /// It is due now or later.
        Queued = "queued",
        /// A worker has claimed it.
        Running = "running",
        /// It is a dead letter: no worker claims it.
        Dead = "dead",
    }
}

/// A job that is not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedJob {
    /// The ID.
    pub id: JobId,
    /// The job.
    pub job: Job,
    /// The status.
    pub status: JobStatus,
    /// Number of failed attempts.
    pub attempts: i32,
    /// The error of the last attempt.
    pub error: Option<String>,
    /// When it is due; for a running job, when its lease ends.
    pub due_at: Timestamp,
    /// When it was dead-lettered.
    pub dead_at: Option<Timestamp>,
}

impl QueuedJob {
    /// Returns what to do instead if [`crate::work::Worker::bury`] already recorded the failure or queued the job again;
    /// `None` if the job can be retried.
    pub fn settled_advice(&self) -> Option<&'static str> {
        self.job.kind().settled_advice()
    }
}
