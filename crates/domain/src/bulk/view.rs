//! Bulk operations as the API shows them.

use serde::Serialize;
use serde_json::Value;

use super::{BulkAction, BulkActionKind, BulkActionParts, BulkCounts, BulkError, BulkOperation, BulkStatus};
use crate::access::Actor;
use crate::ids::{BulkOperationId, FlowId, SequenceId, TagId};
use crate::time::Timestamp;

/// An action on all contacts that match a filter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BulkOperation))]
#[non_exhaustive]
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
    /// Number of processed contacts: the sum of the next five.
    pub done: i64,
    /// Number of changed contacts.
    pub changed: i64,
    /// Number of contacts that needed no change.
    pub unchanged: i64,
    /// Number of contacts that are already enrolled, may not be enrolled again, or have a live run of the flow.
    pub skipped: i64,
    /// Number of contacts that opted out themselves, and were not subscribed.
    pub still_opted_out: i64,
    /// Number of contacts that could not be changed: they have the maximum number of tags, or the flow was started too
    /// often for them.
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BulkAction))]
#[non_exhaustive]
pub struct BulkActionView {
    /// Type of the action.
    #[serde(rename = "type")]
    pub kind: BulkActionKind,
    /// The tag of `tag` and `untag`; otherwise `null`.
    pub tag_id: Option<TagId>,
    /// Key of the custom field, for `set_field` and `clear_field`; otherwise `null`.
    pub field: Option<String>,
    /// The value of `set_field`. It is removed when the operation ends, because it can be personal data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The sequence of `enroll`; otherwise `null`.
    pub sequence_id: Option<SequenceId>,
    /// The flow of `start_flow`; otherwise `null`.
    pub flow_id: Option<FlowId>,
}

impl From<&BulkAction> for BulkActionView {
    fn from(it: &BulkAction) -> Self {
        let BulkActionParts { tag, field_key, value, .. } = it.parts();
        let (sequence_id, flow_id) = match it {
            BulkAction::Enroll(sequence) => (Some(*sequence), None),
            BulkAction::StartFlow(flow) => (None, Some(*flow)),
            BulkAction::Tag(_)
            | BulkAction::Untag(_)
            | BulkAction::Delete
            | BulkAction::SetField(..)
            | BulkAction::ClearField(_)
            | BulkAction::Subscribe => (None, None),
        };
        Self { kind: it.kind(), tag_id: tag, field: field_key, value, sequence_id, flow_id }
    }
}

impl From<&BulkOperation> for BulkOperationView {
    fn from(it: &BulkOperation) -> Self {
        let BulkCounts { matched, changed, unchanged, skipped, still_opted_out, failed } = it.counts;
        Self {
            id: it.id,
            status: it.status,
            action: (&it.action).into(),
            filter: it.filter.source_json(),
            matched,
            done: it.counts.done(),
            changed,
            unchanged,
            skipped,
            still_opted_out,
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
