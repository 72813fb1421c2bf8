//! What a bulk operation is.

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

/// For so long an operation that is over is kept, unless others come after it.
pub(super) const KEPT: Duration = Duration::from_secs(30 * 86_400);
/// Instants are told apart by so much.
const TICK: Duration = Duration::from_millis(1);

words! {
    /// Status of a bulk operation.
    BulkStatus {
        /// Nothing of it is done yet.
        Queued = "queued",
        /// Contacts are being changed.
        Running = "running",
        /// All contacts were looked at.
        Completed = "completed",
        /// It was ended by a request; what was done stays.
        Cancelled = "cancelled",
        /// It could not go on; what was done stays.
        Failed = "failed",
    }
}

impl BulkStatus {
    /// Whether nothing more is done.
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

/// What became of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Became {
    /// It was changed.
    Changed,
    /// It was already as it should be.
    Unchanged,
    /// The action does not apply to it now.
    Skipped,
    /// It refused itself.
    StillOptedOut,
    /// Nothing could be done.
    Failed,
}

/// What became of the contacts of a bulk operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BulkCounts {
    /// How many the filter chose when it was asked for.
    pub matched: i64,
    /// Those that were changed.
    pub changed: i64,
    /// Those that were already as they should be.
    pub unchanged: i64,
    /// Those that the action does not apply to now: they are enrolled already, or the flow runs for them.
    pub skipped: i64,
    /// Those that refused messages themselves, and were not subscribed.
    pub still_opted_out: i64,
    /// Those of which nothing could be done.
    pub failed: i64,
}

impl BulkCounts {
    /// How many were looked at.
    pub fn done(&self) -> i64 {
        self.changed + self.unchanged + self.skipped + self.still_opted_out + self.failed
    }

    /// Counts one more contact.
    pub(super) fn add(&mut self, became: Became) {
        *match became {
            Became::Changed => &mut self.changed,
            Became::Unchanged => &mut self.unchanged,
            Became::Skipped => &mut self.skipped,
            Became::StillOptedOut => &mut self.still_opted_out,
            Became::Failed => &mut self.failed,
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
    /// Which contacts; without what is compared with when the operation is over.
    pub filter: Audience,
    /// The condition that chooses them: that of the filter, or the one that its segment had; `None` when it is over.
    pub condition: Option<BoundCondition>,
    /// Where the contact stands that was looked at last, by when they were made.
    pub behind: Option<Position>,
    /// The status.
    pub status: BulkStatus,
    /// The error, if it failed.
    pub error: Option<BulkError>,
    /// What became of the contacts.
    pub counts: BulkCounts,
    /// The actor that created the operation; it runs on their behalf.
    pub created_by: Actor,
    /// When processing started.
    pub started_at: Option<Timestamp>,
    /// When it was over.
    pub ended_at: Option<Timestamp>,
    /// When it was asked for: contacts that come later are not looked at, and what the filter says of times counts from then.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl BulkOperation {
    /// Contacts that were made from this instant on come too late.
    pub(super) fn until(&self) -> Timestamp {
        until(self.created_at)
    }

    pub(super) fn touch(&mut self, now: Timestamp) {
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
    }

    /// Nothing more is done, and of the filter only that is kept which tells of nobody.
    pub(super) fn end(&mut self, status: BulkStatus, now: Timestamp) {
        self.touch(now);
        self.status = status;
        self.ended_at = Some(self.updated_at);
        self.condition = None;
        self.behind = None;
        self.filter = without_values(&self.filter);
        self.action = self.action.without_value();
    }

    /// It cannot go on.
    pub(super) fn fail(&mut self, code: &str, message: impl Into<String>, now: Timestamp) {
        self.error = Some(BulkError { code: code.to_owned(), message: message.into() });
        self.end(BulkStatus::Failed, now);
    }
}

/// From when on contacts come too late for an operation that was asked for at an instant.
pub(super) fn until(asked_at: Timestamp) -> Timestamp {
    asked_at.plus(TICK)
}

impl Default for BulkOperation {
    /// Nobody is deleted.
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

/// A bulk operation to be begun.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBulkOperation {
    /// The contacts.
    pub filter: Audience,
    /// What is done to each.
    pub action: BulkAction,
    /// How many contacts the filter should choose.
    pub expected_count: Option<i64>,
}
