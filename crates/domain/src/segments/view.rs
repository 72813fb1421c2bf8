//! Segments as the API shows them.

use serde::Serialize;
use serde_json::Value;

use super::Segment;
use crate::ids::SegmentId;
use crate::time::Timestamp;

/// A segment with how many contacts it chooses at the moment.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedSegment {
    /// The segment.
    pub segment: Segment,
    /// How many contacts.
    pub contacts: u64,
    /// Whether counting ended before there were no more.
    pub is_capped: bool,
}

/// Contacts that a condition chooses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Segment))]
pub struct SegmentView {
    /// The id.
    pub id: SegmentId,
    /// What people call it.
    pub name: String,
    /// The condition. Tags that were written by name have their present names.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::conditions::Condition))]
    pub condition: Value,
    /// How many contacts it chooses now; in a list exact to 10 000. Does not change the version.
    pub contact_count: u64,
    /// Whether there are more than `contact_count`; only in lists.
    pub contact_count_is_capped: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&CountedSegment> for SegmentView {
    fn from(it: &CountedSegment) -> Self {
        let Segment { id, name, condition, created_at, updated_at, version } = it.segment.clone();
        let condition = condition.written().clone();
        let (contact_count, contact_count_is_capped) = (it.contacts, it.is_capped);
        Self { id, name, condition, contact_count, contact_count_is_capped, created_at, updated_at, version }
    }
}
