//! Enrollments of contacts in sequences.

use serde::{Deserialize, Serialize};

use super::Sequence;
use crate::access::Actor;
use crate::ids::{ContactId, EnrollmentId, MessageId, RunId, SequenceId};
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of an enrollment.
    EnrollmentStatus {
        /// The next step is planned.
        Active = "active",
        /// It is paused and can be resumed.
        Paused = "paused",
        /// All steps ran.
        Completed = "completed",
        /// It ended early.
        Exited = "exited",
        /// It ended with an error.
        Failed = "failed",
    }
}

impl EnrollmentStatus {
    /// Whether it can still continue.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Paused)
    }
}

words! {
    /// Why an enrollment ended before its last step.
    ExitReason {
        /// The contact sent a message.
        Replied = "replied",
        /// A user or client ended it.
        Manual = "manual",
        /// The contact opted out.
        Unsubscribed = "unsubscribed",
        /// The exit condition of the sequence matched.
        Condition = "condition",
        /// The contact was deleted.
        ContactDeleted = "contact_deleted",
        /// The contact was merged into another.
        ContactMerged = "contact_merged",
        /// The sequence was archived or deleted.
        SequenceArchived = "sequence_archived",
        /// An error; see `error`.
        Failed = "failed",
    }
}

/// A step that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    /// ID of the step.
    pub step: String,
    /// Type of the action.
    pub kind: String,
    /// When the step ran.
    pub at: Timestamp,
    /// The outcome, such as `queued`, `suppressed: unsubscribed`, `started`.
    pub outcome: String,
    /// The sent message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The flow run that it started, or that was already live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
}

/// Why an enrollment failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnrollmentError {
    /// `template_error`, `no_channel` or `internal`.
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// The step that failed.
    pub step: Option<String>,
}

/// The enrollment of a contact in a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrollment {
    /// The ID.
    pub id: EnrollmentId,
    /// ID of the sequence.
    pub sequence: SequenceId,
    /// ID of the contact.
    pub contact: ContactId,
    /// The number of the enrollment, from 1, counted per contact and sequence.
    pub number: i64,
    /// The status.
    pub status: EnrollmentStatus,
    /// The next step, or the step where the enrollment ended early.
    pub step: Option<String>,
    /// When the next step is due, if any.
    pub next_run_at: Option<Timestamp>,
    /// The steps that ran, in order.
    pub steps_done: Vec<StepRecord>,
    /// Why it ended early.
    pub exit_reason: Option<ExitReason>,
    /// The error, if it failed.
    pub error: Option<EnrollmentError>,
    /// The number of decisions so far. A job belongs to one decision.
    pub visit: i64,
    /// The sequence's revision at the last decision.
    pub revision: i64,
    /// The actor that enrolled the contact.
    pub enrolled_by: Actor,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Enrollment {
    /// Returns the contact's first enrollment in the sequence, before its first decision.
    pub fn new(id: EnrollmentId, sequence: &Sequence, contact: ContactId, enrolled_by: Actor, now: Timestamp) -> Self {
        Self {
            id,
            sequence: sequence.id,
            contact,
            number: 1,
            status: EnrollmentStatus::Active,
            step: None,
            next_run_at: None,
            steps_done: Vec::new(),
            exit_reason: None,
            error: None,
            visit: 0,
            revision: sequence.revision,
            enrolled_by,
            started_at: now,
            ended_at: None,
            updated_at: now,
            version: 1,
        }
    }

    /// The start of the next step's delay: the previous step, or the enrollment.
    pub fn since(&self) -> Timestamp {
        self.steps_done.last().map_or(self.started_at, |done| done.at)
    }

    /// Whether the step ran.
    pub fn has_passed(&self, step: &str) -> bool {
        self.steps_done.iter().any(|done| done.step == step)
    }

    /// Records a change. Earlier jobs of the enrollment become ineffective.
    pub(super) fn touch(&mut self, now: Timestamp) {
        self.visit += 1;
        self.version += 1;
        self.updated_at = now.max(self.updated_at);
    }

    pub(super) fn end(&mut self, status: EnrollmentStatus, reason: Option<ExitReason>, now: Timestamp) {
        self.touch(now);
        self.status = status;
        self.exit_reason = reason;
        self.next_run_at = None;
        self.ended_at = Some(self.updated_at);
        if reason.is_none() {
            self.step = None;
        }
    }
}

/// A filter of enrollments. All parts must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnrollmentFilter {
    /// The sequence.
    pub sequence: Option<SequenceId>,
    /// The contact.
    pub contact: Option<ContactId>,
    /// Only enrollments with this status.
    pub status: Option<EnrollmentStatus>,
}
