//! One contact's way through a sequence.

use serde::{Deserialize, Serialize};

use crate::access::Actor;
use crate::ids::{ContactId, EnrollmentId, MessageId, RunId, SequenceId};
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of an enrollment.
    EnrollmentStatus {
        /// A step is to come.
        Active = "active",
        /// It was stopped and may go on.
        Paused = "paused",
        /// All steps were taken.
        Completed = "completed",
        /// It left early.
        Exited = "exited",
        /// It ended by an error.
        Failed = "failed",
    }
}

impl EnrollmentStatus {
    /// Whether something may still come.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Paused)
    }
}

words! {
    /// Why an enrollment ended before its last step.
    ExitReason {
        /// The contact wrote.
        Replied = "replied",
        /// Somebody ended it.
        Manual = "manual",
        /// The contact opted out.
        Unsubscribed = "unsubscribed",
        /// The sequence's condition held.
        Condition = "condition",
        /// The contact was deleted.
        ContactDeleted = "contact_deleted",
        /// The contact was merged into another.
        ContactMerged = "contact_merged",
        /// The sequence was archived or deleted.
        SequenceArchived = "sequence_archived",
        /// An error; `error` says which.
        Failed = "failed",
    }
}

/// A step that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The step.
    pub step: String,
    /// Type of the action.
    pub kind: String,
    /// When the step ran.
    pub at: Timestamp,
    /// What came of it, such as `queued`, `suppressed: unsubscribed`, `started`.
    pub outcome: String,
    /// The sent message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The run that it started, or that went on already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
}

/// Why an enrollment failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnrollmentError {
    /// For machines: `template_error`, `no_channel`, `internal`.
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
    /// 1 for the contact's first enrollment in the sequence, one more for each later one.
    pub number: i64,
    /// The status.
    pub status: EnrollmentStatus,
    /// The next step, or the step where the enrollment ended early.
    pub step: Option<String>,
    /// When the next step is due; nothing where none is.
    pub next_run_at: Option<Timestamp>,
    /// The steps that were taken, in the order in which they were: what is passed.
    pub steps_done: Vec<StepRecord>,
    /// Why it ended early.
    pub exit_reason: Option<ExitReason>,
    /// The error, if it failed.
    pub error: Option<EnrollmentError>,
    /// How often it was decided what comes next; a job belongs to one of these times.
    pub visit: i64,
    /// The sequence's revision at that time.
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
    /// From when the delay of the next step counts: the step before, or the enrolment.
    pub fn since(&self) -> Timestamp {
        self.steps_done.last().map_or(self.started_at, |done| done.at)
    }

    /// Whether the step was taken.
    pub fn has_passed(&self, step: &str) -> bool {
        self.steps_done.iter().any(|done| done.step == step)
    }

    /// Notes a change. Jobs that were made before it have nothing to do any more.
    pub(super) fn touch(&mut self, now: Timestamp) {
        self.visit += 1;
        self.version += 1;
        self.updated_at = now.max(self.updated_at);
    }

    /// Ends it.
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

/// Which enrollments a list shows; all parts must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnrollmentFilter {
    /// In this sequence.
    pub sequence: Option<SequenceId>,
    /// Of this contact.
    pub contact: Option<ContactId>,
    /// Only enrollments with this status.
    pub status: Option<EnrollmentStatus>,
}
