//! A job that is not done yet.

use crate::ids::JobId;
use crate::ports::Job;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// How far a job is. One that was done is there no more.
    JobStatus {
        /// It is due now or later.
        Queued = "queued",
        /// A worker has it.
        Running = "running",
        /// It was put aside: nobody does it any more.
        Dead = "dead",
    }
}

/// A job that is not done yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedJob {
    /// Its id.
    pub id: JobId,
    /// What is to be done.
    pub job: Job,
    /// How far it is.
    pub status: JobStatus,
    /// How often it failed and was tried again later.
    pub attempts: i32,
    /// What was wrong the last time.
    pub error: Option<String>,
    /// When it is due; of one that is running: when its worker is given up.
    pub due_at: Timestamp,
    /// When it was put aside.
    pub dead_at: Option<Timestamp>,
}

impl QueuedJob {
    /// What to do where the job cannot be done again, as what waited for it was told that it failed; `None` where it can be.
    /// [`crate::work::Worker::bury`] settles what waits.
    pub fn settled(&self) -> Option<&'static str> {
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
            | Job::CloseBroadcast { .. } => Some("the broadcast has failed; its `stats` tell how far it came"),
            Job::ImportContacts { .. } => {
                Some("the import has failed; import its table again: what is done is not done twice")
            }
            Job::ChangeContacts { .. } => {
                Some("the bulk operation has failed; ask for it again: what is done is not done twice")
            }
            Job::ReplayDeliveries { .. } => Some("the replay is over; ask for the rest of its time again"),
            Job::FireSchedule { .. } => {
                Some("the firing has failed, and the flow fires at its next time; start it for those whom it missed")
            }
            Job::Relay { .. }
            | Job::RelaySet { .. }
            | Job::RelayEvent { .. }
            | Job::RelayCustomEvent { .. }
            | Job::TakeEvent { .. }
            | Job::TakeCustomEvent { .. }
            | Job::RouteInbound { .. }
            | Job::PlayContact { .. }
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
