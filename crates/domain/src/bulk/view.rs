//! Bulk operations as the API shows them.

use serde::Serialize;
use serde_json::Value;

use super::{BulkAction, BulkActionKind, BulkCounts, BulkError, BulkOperation, BulkStatus};
use crate::access::Actor;
use crate::ids::{BulkOperationId, TagId};
use crate::time::Timestamp;

/// An action on all contacts that match a filter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BulkOperation))]
pub struct BulkOperationView {
    /// The ID.
    pub id: BulkOperationId,
    /// The status.
    pub status: BulkStatus,
    /// The action for each contact.
    pub action: BulkActionView,
    /// The contacts: a condition, or `{"segment_id": …}`. After the operation ends, the values of its comparisons are
    /// removed, because they can be personal data; values of `tags` stay.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub filter: Value,
    /// Number of contacts that matched the filter at creation. Other contacts may match during processing.
    pub matched: i64,
    /// Number of processed contacts: the sum of the next three.
    pub done: i64,
    /// Number of changed contacts.
    pub changed: i64,
    /// Number of contacts that needed no change.
    pub unchanged: i64,
    /// Number of contacts that could not be changed, because they have the maximum number of tags.
    pub failed: i64,
    /// The error, if it failed.
    pub error: Option<BulkError>,
    /// The actor that created the operation; it runs on their behalf.
    pub created_by: Actor,
    /// When processing started.
    pub started_at: Option<Timestamp>,
    /// When it ended. It is deleted 30 days later, or after 100 newer operations.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// The action for each contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BulkAction))]
pub struct BulkActionView {
    /// `tag`, `untag` or `delete`.
    #[serde(rename = "type")]
    pub kind: BulkActionKind,
    /// The tag; `null` for `delete`.
    pub tag_id: Option<TagId>,
}

impl From<BulkAction> for BulkActionView {
    fn from(it: BulkAction) -> Self {
        Self { kind: it.kind(), tag_id: it.tag() }
    }
}

impl From<&BulkOperation> for BulkOperationView {
    fn from(it: &BulkOperation) -> Self {
        let BulkCounts { matched, changed, unchanged, failed } = it.counts;
        Self {
            id: it.id,
            status: it.status,
            action: it.action.into(),
            filter: it.filter.written(),
            matched,
            done: it.counts.done(),
            changed,
            unchanged,
            failed,
            error: it.error.clone(),
            created_by: it.created_by.clone(),
            started_at: it.started_at,
            ended_at: it.ended_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
