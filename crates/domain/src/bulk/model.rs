use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::BulkAction;
use super::filter::without_values;
use crate::access::Actor;
use crate::conditions::BoundCondition;
use crate::ids::{BulkOperationId, TypedId};
use crate::pagination::Position;
use crate::segments::Audience;
use crate::time::Timestamp;
use crate::words::words;

/// Retention of an operation that has ended. Newer operations can shorten it.
pub(super) const KEPT: Duration = Duration::from_secs(30 * 86_400);
/// Precision of stored times.
const TICK: Duration = Duration::from_millis(1);

words! {
    /// Status of a bulk operation.
    BulkStatus {
        /// Processing has not started.
        Queued = "queued",
        /// Contacts are being changed.
        Running = "running",
        /// All contacts were processed.
        Completed = "completed",
        /// A request ended it. Changes made before that remain.
        Cancelled = "cancelled",
        /// It could not continue. Changes made before that remain.
        Failed = "failed",
    }
}

impl BulkStatus {
    /// Whether it has ended.
    pub fn is_over(self) -> bool {
        match self {
            Self::Queued | Self::Running => false,
            Self::Completed | Self::Cancelled | Self::Failed => true,
        }
    }
}

/// The error of a bulk operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BulkError {
    /// Error code.
    pub code: String,
    /// Description of the error.
    pub message: String,
}

/// The result for a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContactOutcome {
    /// The contact was changed.
    Changed,
    /// The contact needed no change.
    Unchanged,
    /// The action does not apply to the contact now.
    Skipped,
    /// The contact opted out itself.
    StillOptedOut,
    /// The contact could not be changed.
    Failed,
}

/// Counts of the contacts of a bulk operation, by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BulkCounts {
    /// Contacts that matched the filter when the operation was created.
    pub matched: i64,
    /// Changed contacts.
    pub changed: i64,
    /// Contacts that needed no change.
    pub unchanged: i64,
    /// Contacts that are already enrolled, or have a live run of the flow.
    pub skipped: i64,
    /// Contacts that opted out themselves and were not subscribed.
    pub still_opted_out: i64,
    /// Contacts that could not be changed.
    pub failed: i64,
}

impl BulkCounts {
    /// Returns the number of processed contacts.
    pub fn done(&self) -> i64 {
        self.changed + self.unchanged + self.skipped + self.still_opted_out + self.failed
    }

    pub(super) fn add(&mut self, became: ContactOutcome) {
        *match became {
            ContactOutcome::Changed => &mut self.changed,
            ContactOutcome::Unchanged => &mut self.unchanged,
            ContactOutcome::Skipped => &mut self.skipped,
            ContactOutcome::StillOptedOut => &mut self.still_opted_out,
            ContactOutcome::Failed => &mut self.failed,
        } += 1;
    }
}

/// An action on all contacts that match a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkOperation {
    /// The ID.
    pub id: BulkOperationId,
    /// The action for each contact.
    pub action: BulkAction,
    /// The filter. After the operation has ended, without the values of its comparisons.
    pub filter: Audience,
    /// The condition of the filter, or of its segment when the operation was created; `None` after the operation has
    /// ended.
    pub condition: Option<BoundCondition>,
    /// Position of the contact that was processed last, in order of creation.
    pub behind: Option<Position>,
    /// The status.
    pub status: BulkStatus,
    /// The error, if it failed.
    pub error: Option<BulkError>,
    /// The counts by result.
    pub counts: BulkCounts,
    /// The actor that created the operation; it runs on their behalf.
    pub created_by: Actor,
    /// When processing started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When it was created. Later contacts are not processed, and relative times in the filter refer to this time.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl BulkOperation {
    /// Returns the end of the creation times to process, exclusive.
    pub(super) fn until(&self) -> Timestamp {
        until(self.created_at)
    }

    pub(super) fn touch(&mut self, now: Timestamp) {
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
    }

    /// Ends the operation, and removes possible personal data from its filter and action.
    pub(super) fn end(&mut self, status: BulkStatus, now: Timestamp) {
        self.touch(now);
        self.status = status;
        self.ended_at = Some(self.updated_at);
        self.condition = None;
        self.behind = None;
        self.filter = without_values(&self.filter);
        self.action = self.action.without_value();
    }

    pub(super) fn fail(&mut self, code: &str, message: impl Into<String>, now: Timestamp) {
        self.error = Some(BulkError { code: code.to_owned(), message: message.into() });
        self.end(BulkStatus::Failed, now);
    }
}

/// Returns the end of the creation times to process, exclusive, for an operation created at `asked_at`.
pub(super) fn until(asked_at: Timestamp) -> Timestamp {
    asked_at.plus(TICK)
}

impl Default for BulkOperation {
    /// Returns an operation that matches no contact.
    fn default() -> Self {
        let at = Timestamp::EPOCH_2026;
        Self {
            id: BulkOperationId::from_uuid(Uuid::nil()),
            action: BulkAction::Delete,
            filter: Audience::Condition(json!({"any": []}).into()),
            condition: None,
            behind: None,
            status: BulkStatus::Queued,
            error: None,
            counts: BulkCounts::default(),
            created_by: Actor::system(),
            started_at: None,
            ended_at: None,
            created_at: at,
            updated_at: at,
            version: 1,
        }
    }
}

/// The input for a new bulk operation.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBulkOperation {
    /// The filter.
    pub filter: Audience,
    /// The action for each contact.
    pub action: BulkAction,
    /// Expected number of matching contacts.
    pub expected_count: Option<i64>,
}

impl NewBulkOperation {
    /// Creates the command for an operation without an expected number of contacts.
    pub fn new(filter: Audience, action: BulkAction) -> Self {
        Self { filter, action, expected_count: None }
    }
}
