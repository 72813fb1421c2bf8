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
    /// Returns what to do instead if [`crate::work::Worker::bury`] already recorded the failure; `None` if the job can
    /// be retried.
    pub fn settled_advice(&self) -> Option<&'static str> {
        match self.job {
            Job::StepRun { .. } | Job::CallHttp { .. } => {
                Some("the run has failed; start the flow again for its contact")
            }
            Job::StepEnrollment { .. } => Some("the enrollment has failed; enroll the contact again"),
            Job::SendMessage { .. } => Some("the message has failed; send another one"),
            Job::AttemptDelivery { .. } | Job::RetryDelivery { .. } => {
                Some("the delivery has failed; replay it at its webhook")
            }
            Job::StartBroadcast { .. }
            | Job::SpreadBroadcast { .. }
            | Job::SendPortion { .. }
            | Job::CloseBroadcast { .. } => Some("the broadcast has failed; its `stats` show the progress"),
            Job::ImportContacts { .. } => {
                Some("the import has failed; import the table again: completed rows are not imported twice")
            }
            Job::ChangeContacts { .. } => {
                Some("the bulk operation has failed; create it again: completed changes are not repeated")
            }
            Job::ReplayDeliveries { .. } => Some("the replay has ended; start a replay for the remaining time range"),
            Job::FireSchedule { .. } => Some(
                "the scheduled start has failed; the next one is not affected. Start the flow for the contacts that \
                 were missed",
            ),
            Job::Relay { .. }
            | Job::RelaySet { .. }
            | Job::RelayEvent { .. }
            | Job::RelayCustomEvent { .. }
            | Job::TakeEvent { .. }
            | Job::TakeCustomEvent { .. }
            | Job::RouteInbound { .. }
            | Job::PlayContact { .. }
            | Job::LookUpMessage { .. }
            | Job::CheckChannel { .. }
            | Job::FetchMedia { .. }
            | Job::WakeConversation { .. }
            | Job::ReviewSequence { .. }
            | Job::StartFrozen { .. }
            | Job::PlanSchedules { .. }
            | Job::CountSegments { .. }
            | Job::ForgetImport { .. }
            | Job::ForgetBulkOperation { .. }
            | Job::SweepTag { .. }
            | Job::SweepField { .. }
            | Job::TakeOptionsOff { .. }
            | Job::EraseContact { .. }
            | Job::MoveContact { .. } => None,
        }
    }
}
