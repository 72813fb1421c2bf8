//! What a segment is.

use serde_json::Value;

use crate::conditions::BoundCondition;
use crate::ids::SegmentId;
use crate::time::Timestamp;

/// Contacts that a condition chooses, as they are at the moment of asking.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The ID.
    pub id: SegmentId,
    /// What people call it; need not be unique.
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

/// How many contacts a segment chose when it was last counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentCount {
    /// The number of contacts.
    pub contacts: u64,
    /// Whether there are more: counting ended at a limit.
    pub is_capped: bool,
    /// When they were counted.
    pub counted_at: Timestamp,
}

/// A segment to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSegment {
    /// Display name.
    pub name: String,
    /// The condition that contacts must satisfy.
    pub condition: Value,
}

/// A merging update; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SegmentPatch {
    /// Display name.
    pub name: Option<String>,
    /// Whom it chooses, replaced as a whole.
    pub condition: Option<Value>,
}
