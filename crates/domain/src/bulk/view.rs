//! Bulk operations as the API shows them.

use serde::Serialize;
use serde_json::Value;

use super::{BulkAction, BulkActionKind, BulkCounts, BulkError, BulkOperation, BulkStatus};
use crate::access::Actor;
use crate::ids::{BulkOperationId, TagId};
use crate::time::Timestamp;

/// The same done to all contacts that a filter chooses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BulkOperation))]
pub struct BulkOperationView {
    /// The id.
    pub id: BulkOperationId,
    /// How far it is.
    pub status: BulkStatus,
    /// What is done to each contact.
    pub action: BulkActionView,
    /// Which contacts: a condition, or `{"segment_id": …}`. When the operation is over, without the values that its
    /// comparisons compare with, but those of `tags`: they may tell of people.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub filter: Value,
    /// How many contacts the filter chose when it was asked for. Others may be chosen when their turn comes.
    pub matched: i64,
    /// How many contacts were looked at so far: the sum of the next three.
    pub done: i64,
    /// Contacts that were changed.
    pub changed: i64,
    /// Contacts that were already as they should be.
    pub unchanged: i64,
    /// Contacts of which nothing could be done: they carry as many tags as they may.
    pub failed: i64,
    /// Of a failed one: why.
    pub error: Option<BulkError>,
    /// Who asked for it: in their name it is done.
    pub created_by: Actor,
    /// When the first contacts were looked at.
    pub started_at: Option<Timestamp>,
    /// When it was over; thirty days later, or after a hundred others, it is forgotten.
    pub ended_at: Option<Timestamp>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// What is done to each contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BulkAction))]
pub struct BulkActionView {
    /// It is tagged, untagged, or deleted.
    #[serde(rename = "type")]
    pub kind: BulkActionKind,
    /// With which tag; `null` where it is deleted.
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
