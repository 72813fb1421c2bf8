//! Jobs in API responses.

use serde::Serialize;

use super::{JobStatus, QueuedJob};
use crate::ids::JobId;
use crate::ports::Job;
use crate::time::Timestamp;
use crate::webhooks::{Replay, ReplayView};

/// A job that is not finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Job))]
#[non_exhaustive]
pub struct JobView {
    /// The ID.
    pub id: JobId,
    /// Type of the job, such as `relay` or `step_run`. Later versions can add types.
    pub kind: &'static str,
    /// The object of the job.
    pub subject: SubjectView,
    /// The status.
    pub status: JobStatus,
    /// Number of failed attempts.
    pub attempts: i32,
    /// The error of the last attempt.
    pub error: Option<String>,
    /// Whether the job can be retried. If a dead-lettered job cannot be retried, its failure was already recorded.
    pub is_retriable: bool,
    /// When the job is due.
    pub due_at: Timestamp,
    /// When the job was dead-lettered.
    pub dead_at: Option<Timestamp>,
    /// For a `replay_deliveries` job, in the response for a single job: the deliveries that are replayed.
    pub replay: Option<ReplayView>,
}

/// The object of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = JobSubject))]
#[non_exhaustive]
pub struct SubjectView {
    /// Type of the object.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The ID.
    pub id: String,
}

impl JobView {
    /// Returns the view of a job, with its replay.
    pub fn of(it: &QueuedJob, replay: Option<&Replay>) -> Self {
        Self {
            id: it.id,
            kind: it.job.kind().as_str(),
            subject: SubjectView::from(&it.job),
            status: it.status,
            attempts: it.attempts,
            error: it.error.clone(),
            is_retriable: it.status == JobStatus::Dead && it.settled_advice().is_none(),
            due_at: it.due_at,
            dead_at: it.dead_at,
            replay: replay.map(ReplayView::from),
        }
    }
}

impl From<&Job> for SubjectView {
    fn from(job: &Job) -> Self {
        let (kind, id) = job.object();
        Self { kind, id }
    }
}
