//! The data model of segments.

use serde_json::Value;

use crate::conditions::BoundCondition;
use crate::ids::SegmentId;
use crate::time::Timestamp;

/// A named condition. Its contacts are determined at the time of each request.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The ID.
    pub id: SegmentId,
    /// The name; need not be unique.
    pub name: String,
    /// The condition that contacts must satisfy.
    pub condition: BoundCondition,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// The last count of a segment's contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentCount {
    /// The number of contacts.
    pub contacts: u64,
    /// Whether there are more contacts; the count stopped at a limit.
    pub is_capped: bool,
    /// When they were counted.
    pub counted_at: Timestamp,
}

/// A segment to create.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSegment {
    /// Display name.
    pub name: String,
    /// The condition that contacts must satisfy.
    pub condition: Value,
}

impl NewSegment {
    /// Creates the command for a segment with this condition.
    pub fn new(name: impl Into<String>, condition: Value) -> Self {
        Self { name: name.into(), condition }
    }
}

/// A merging update. Absent values stay.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SegmentPatch {
    /// Display name.
    pub name: Option<String>,
    /// The new condition, replaced as a whole.
    pub condition: Option<Value>,
}
