//! Sequences and enrollments as the API and envelopes show them.

use serde::Serialize;
use serde_json::Value;

use super::{Enrollment, EnrollmentStatus, ExitOn, ExitReason, Reenroll, Sequence, SequenceStatus, SequenceZone, Step};
use crate::access::Actor;
use crate::ids::{ContactId, EnrollmentId, MessageId, RunId, SequenceId};
use crate::time::Timestamp;

/// A step of a sequence, as it was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SequenceStep))]
pub struct StepView {
    /// Its id, unique in the sequence.
    pub id: String,
    /// How long after the step before it, or after the enrolment (ISO 8601).
    #[cfg_attr(feature = "openapi", schema(example = "P1D"))]
    pub delay: String,
    /// The hours of the week in which it may happen: `days`, `from`, `to`, `time_zone`.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::send_window::SendWindow>))]
    pub window: Option<Value>,
    /// What happens.
    #[cfg_attr(feature = "openapi", schema(value_type = super::StepAction))]
    pub action: Value,
}

impl From<&Step> for StepView {
    fn from(it: &Step) -> Self {
        let part = |name: &str| it.written().get(name).cloned().unwrap_or_default();
        let delay = part("delay").as_str().unwrap_or_default().to_owned();
        let window = Some(part("window")).filter(|window| !window.is_null());
        Self { id: it.id.clone(), delay, window, action: part("action") }
    }
}

/// Whether contacts may come again.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Reenroll))]
#[serde(untagged)]
pub enum ReenrollView {
    /// `never`, `after_completion` or `always`.
    Word(String),
    /// When so much time has gone by since the contact left.
    After {
        /// How much (ISO 8601).
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
pub struct SequenceView {
    /// The id.
    pub id: SequenceId,
    /// What people call it.
    pub name: String,
    /// Whether it takes contacts and goes on with them.
    pub status: SequenceStatus,
    /// What happens, in order.
    pub steps: Vec<StepView>,
    /// What makes contacts leave it early.
    pub exit_on: Vec<ExitOn>,
    /// A condition that makes contacts leave it early; looked at before each step.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub exit_when: Option<Value>,
    /// Whether contacts may come again.
    pub reenroll: ReenrollView,
    /// Whose clock windows go by that name no zone of their own.
    pub time_zone: SequenceZone,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
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
            exit_when: it.exit_when.as_ref().map(|it| it.written().clone()),
            reenroll: (&it.reenroll).into(),
            time_zone: it.time_zone,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// A step that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = StepRecord))]
pub struct StepRecordView {
    /// The step's id.
    pub step_id: String,
    /// The type of its action.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it was taken.
    pub at: Timestamp,
    /// What came of it.
    pub outcome: String,
    /// The message that it sent.
    pub message_id: Option<MessageId>,
    /// The run of a flow that it started, or that went on already.
    pub flow_run_id: Option<RunId>,
}

/// Why an enrollment failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = EnrollmentError))]
pub struct EnrollmentErrorView {
    /// `template_error`, `no_channel` or `internal`.
    pub code: String,
    /// For people.
    pub message: String,
    /// The step at which it happened.
    pub step_id: Option<String>,
}

/// One contact's way through a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Enrollment))]
pub struct EnrollmentView {
    /// The id.
    pub id: EnrollmentId,
    /// Who goes.
    pub contact_id: ContactId,
    /// Through which sequence.
    pub sequence_id: SequenceId,
    /// How far it is.
    pub status: EnrollmentStatus,
    /// The step that is next, or at which it ended early.
    pub step_id: Option<String>,
    /// When the next step is due.
    pub next_run_at: Option<Timestamp>,
    /// The steps that were taken, in order.
    pub steps_done: Vec<StepRecordView>,
    /// Why it ended early.
    pub exit_reason: Option<ExitReason>,
    /// Why it failed.
    pub error: Option<EnrollmentErrorView>,
    /// Who enrolled the contact.
    pub enrolled_by: Actor,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Enrollment> for EnrollmentView {
    fn from(it: &Enrollment) -> Self {
        let done = it.steps_done.iter().map(|done| StepRecordView {
            step_id: done.step.clone(),
            kind: done.kind.clone(),
            at: done.at,
            outcome: done.outcome.clone(),
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
