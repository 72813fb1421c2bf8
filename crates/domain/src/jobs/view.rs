//! Jobs as the API shows them.

use serde::Serialize;

use super::{JobStatus, QueuedJob};
use crate::ids::JobId;
use crate::ports::Job;
use crate::time::Timestamp;
use crate::webhooks::{Replay, ReplayView};

/// A job that is not done yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Job))]
pub struct JobView {
    /// Its id.
    pub id: JobId,
    /// What is done, such as `relay` or `step_run`. More kinds may come.
    pub kind: &'static str,
    /// To what.
    pub subject: SubjectView,
    /// How far it is.
    pub status: JobStatus,
    /// How often it failed and was tried again later.
    pub attempts: i32,
    /// What was wrong the last time.
    pub error: Option<String>,
    /// Whether it can be retried. Of one that was put aside and cannot be, what waited for it was told that it failed.
    pub is_retriable: bool,
    /// When it is due.
    pub due_at: Timestamp,
    /// When it was put aside.
    pub dead_at: Option<Timestamp>,
    /// Of `replay_deliveries`, where it is asked for by its id: what is sent again.
    pub replay: Option<ReplayView>,
}

/// To what something is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = JobSubject))]
pub struct SubjectView {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its id.
    pub id: String,
}

impl JobView {
    /// The view of a job, with what it replays.
    pub fn of(it: &QueuedJob, replay: Option<&Replay>) -> Self {
        Self {
            id: it.id,
            kind: it.job.kind().as_str(),
            subject: SubjectView::from(&it.job),
            status: it.status,
            attempts: it.attempts,
            error: it.error.clone(),
            is_retriable: it.status == JobStatus::Dead && it.settled().is_none(),
            due_at: it.due_at,
            dead_at: it.dead_at,
            replay: replay.map(ReplayView::from),
        }
    }
}

impl From<&Job> for SubjectView {
    fn from(job: &Job) -> Self {
        let (kind, id) = match *job {
            Job::Relay { event, .. }
            | Job::RelaySet { event, .. }
            | Job::RelayEvent { event, .. }
            | Job::TakeEvent { event, .. } => ("event", event.to_string()),
            Job::RelayCustomEvent { event, .. } | Job::TakeCustomEvent { event, .. } => {
                ("custom_event", event.to_string())
            }
            Job::RouteInbound { message, .. } | Job::PlayContact { message, .. } | Job::SendMessage { message, .. } => {
                ("message", message.to_string())
            }
            Job::WakeConversation { conversation } => ("conversation", conversation.to_string()),
            Job::StepRun { run, .. } | Job::CallHttp { run, .. } => ("flow_run", run.to_string()),
            Job::StepEnrollment { enrollment, .. } => ("enrollment", enrollment.to_string()),
            Job::ReviewSequence { sequence } => ("sequence", sequence.to_string()),
            Job::FireSchedule { flow, .. } | Job::StartFrozen { flow } => ("flow", flow.to_string()),
            Job::PlanSchedules { workspace } | Job::CountSegments { workspace } => ("workspace", workspace.to_string()),
            Job::StartBroadcast { broadcast, .. }
            | Job::SpreadBroadcast { broadcast, .. }
            | Job::SendPortion { broadcast, .. }
            | Job::CloseBroadcast { broadcast, .. } => ("broadcast", broadcast.to_string()),
            Job::AttemptDelivery { delivery, .. } | Job::RetryDelivery { delivery, .. } => {
                ("delivery", delivery.to_string())
            }
            Job::ReplayDeliveries { replay } => ("replay", replay.to_string()),
            Job::SweepTag { tag } => ("tag", tag.to_string()),
            Job::SweepField { field } | Job::TakeOptionsOff { field } => ("custom_field", field.to_string()),
            Job::ChangeContacts { operation } | Job::ForgetBulkOperation { operation } => {
                ("bulk_operation", operation.to_string())
            }
            Job::ImportContacts { import } | Job::ForgetImport { import } => ("import", import.to_string()),
            Job::EraseContact { contact } | Job::MoveContact { contact } => ("contact", contact.to_string()),
        };
        Self { kind, id }
    }
}
