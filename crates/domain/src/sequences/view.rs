//! Sequences and enrollments as returned by the API and sent in events.

use serde::Serialize;
use serde_json::Value;

use super::{Enrollment, EnrollmentStatus, ExitOn, ExitReason, Reenroll, Sequence, SequenceStatus, SequenceZone, Step};
use crate::access::Actor;
use crate::ids::{ContactId, EnrollmentId, MessageId, RunId, SequenceId};
use crate::step_outcome::{OutcomePart, StepOutcome};
use crate::time::Timestamp;

/// A step of a sequence, as saved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SequenceStep))]
#[non_exhaustive]
pub struct StepView {
    /// ID of the step, unique in the sequence.
    pub id: String,
    /// Delay after the previous step, or after the enrollment (ISO 8601).
    #[cfg_attr(feature = "openapi", schema(example = "P1D"))]
    pub delay: String,
    /// Hours of the week that allow the step: `days`, `from`, `to`, `time_zone`.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::send_window::SendWindow>))]
    pub window: Option<Value>,
    /// The action.
    #[cfg_attr(feature = "openapi", schema(value_type = super::StepAction))]
    pub action: Value,
}

impl From<&Step> for StepView {
    fn from(it: &Step) -> Self {
        let part = |name: &str| it.source_json().get(name).cloned().unwrap_or_default();
        let delay = part("delay").as_str().unwrap_or_default().to_owned();
        let window = Some(part("window")).filter(|window| !window.is_null());
        Self { id: it.id.clone(), delay, window, action: part("action") }
    }
}

/// Whether contacts can be enrolled again.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Reenroll))]
#[serde(untagged)]
pub enum ReenrollView {
    /// `never`, `after_completion` or `always`.
    Word(String),
    /// After this time since the last enrollment ended.
    After {
        /// The time (ISO 8601).
        #[cfg_attr(feature = "openapi", schema(example = "P30D"))]
        after: String,
    },
}

impl From<&Reenroll> for ReenrollView {
    fn from(it: &Reenroll) -> Self {
        match it {
            Reenroll::After(_, written) => Self::After { after: written.clone() },
            word => Self::Word(word.to_value().as_str().unwrap_or_default().to_owned()),
        }
    }
}

/// A timed series of steps.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Sequence))]
#[non_exhaustive]
pub struct SequenceView {
    /// The ID.
    pub id: SequenceId,
    /// Display name.
    pub name: String,
    /// Status of the sequence.
    pub status: SequenceStatus,
    /// The steps, in order.
    pub steps: Vec<StepView>,
    /// Events that end enrollments early.
    pub exit_on: Vec<ExitOn>,
    /// Condition that ends enrollments early; checked before each step.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub exit_when: Option<Value>,
    /// Whether contacts can be enrolled again.
    pub reenroll: ReenrollView,
    /// Time zone of windows that have no time zone.
    pub time_zone: SequenceZone,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&Sequence> for SequenceView {
    fn from(it: &Sequence) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            status: it.status,
            steps: it.steps.iter().map(StepView::from).collect(),
            exit_on: it.exit_on.clone(),
            exit_when: it.exit_when.as_ref().map(|it| it.source_json().clone()),
            reenroll: (&it.reenroll).into(),
            time_zone: it.time_zone,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// A step that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = StepRecord))]
#[non_exhaustive]
pub struct StepRecordView {
    /// ID of the step.
    pub step_id: String,
    /// Type of the action.
    #[serde(rename = "type")]
    pub kind: String,
    /// When the step ran.
    pub at: Timestamp,
    /// Outcome of the step.
    pub outcome: String,
    /// The parts of `outcome` by code; empty for an outcome without codes.
    pub outcome_parts: Vec<OutcomePart>,
    /// ID of the sent message.
    pub message_id: Option<MessageId>,
    /// ID of the flow run that it started, or that was already live.
    pub flow_run_id: Option<RunId>,
}

/// Why an enrollment failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = EnrollmentError))]
#[non_exhaustive]
pub struct EnrollmentErrorView {
    /// `template_error`, `no_channel` or `internal`.
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// ID of the step that failed.
    pub step_id: Option<String>,
}

/// The enrollment of a contact in a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Enrollment))]
#[non_exhaustive]
pub struct EnrollmentView {
    /// The ID.
    pub id: EnrollmentId,
    /// ID of the contact.
    pub contact_id: ContactId,
    /// ID of the sequence.
    pub sequence_id: SequenceId,
    /// The status.
    pub status: EnrollmentStatus,
    /// ID of the next step, or of the step where the enrollment ended early.
    pub step_id: Option<String>,
    /// When the next step is due.
    pub next_run_at: Option<Timestamp>,
    /// The steps that ran, in order.
    pub steps_done: Vec<StepRecordView>,
    /// Why it ended early.
    pub exit_reason: Option<ExitReason>,
    /// The error, if it failed.
    pub error: Option<EnrollmentErrorView>,
    /// The actor that enrolled the contact.
    pub enrolled_by: Actor,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&Enrollment> for EnrollmentView {
    fn from(it: &Enrollment) -> Self {
        let done = it.steps_done.iter().map(|done| StepRecordView {
            step_id: done.step.clone(),
            kind: done.kind.clone(),
            at: done.at,
            outcome: done.outcome.clone(),
            outcome_parts: StepOutcome::parts(&done.outcome),
            message_id: done.message,
            flow_run_id: done.run,
        });
        let error = it.error.as_ref().map(|error| EnrollmentErrorView {
            code: error.code.clone(),
            message: error.message.clone(),
            step_id: error.step.clone(),
        });
        Self {
            id: it.id,
            contact_id: it.contact,
            sequence_id: it.sequence,
            status: it.status,
            step_id: it.step.clone(),
            next_run_at: it.next_run_at,
            steps_done: done.collect(),
            exit_reason: it.exit_reason,
            error,
            enrolled_by: it.enrolled_by.clone(),
            ended_at: it.ended_at,
            created_at: it.started_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
