//! Segments as returned by the API.

use serde::Serialize;
use serde_json::Value;

use super::{Segment, SegmentCount};
use crate::ids::SegmentId;
use crate::time::Timestamp;

/// A segment with its number of contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedSegment {
    /// The segment.
    pub segment: Segment,
    /// The last count; `None` if the segment was never counted.
    pub count: Option<SegmentCount>,
}

/// Contacts that match a condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Segment))]
#[non_exhaustive]
pub struct SegmentView {
    /// The ID.
    pub id: SegmentId,
    /// Display name.
    pub name: String,
    /// The condition. Tags that were written by name have their current names.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::conditions::Condition))]
    pub condition: Value,
    /// Number of matching contacts. In a list: the number at `counted_at`, exact up to 10 000; 0 if it was never
    /// counted. Does not change the version.
    pub contact_count: u64,
    /// Whether there are more than `contact_count`; only in lists.
    pub contact_count_is_capped: bool,
    /// When the contacts were counted; `null` if they never were.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub counted_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&CountedSegment> for SegmentView {
    fn from(it: &CountedSegment) -> Self {
        let Segment { id, name, condition, created_at, updated_at, version } = it.segment.clone();
        Self {
            id,
            name,
            condition: condition.source_json().clone(),
            contact_count: it.count.map_or(0, |it| it.contacts),
            contact_count_is_capped: it.count.is_some_and(|it| it.is_capped),
            counted_at: it.count.map(|it| it.counted_at),
            created_at,
            updated_at,
            version,
        }
    }
}
