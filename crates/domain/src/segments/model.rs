//! What a segment is.

use serde_json::Value;

use crate::conditions::BoundCondition;
use crate::ids::SegmentId;
use crate::time::Timestamp;

/// Contacts that a condition chooses, as they are at the moment of asking.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Its id.
    pub id: SegmentId,
    /// What people call it; need not be unique.
    pub name: String,
    /// Whom it chooses.
    pub condition: BoundCondition,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
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
    /// What people call it.
    pub name: String,
    /// Whom it chooses.
    pub condition: Value,
}

/// A merging update; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SegmentPatch {
    /// What people call it.
    pub name: Option<String>,
    /// Whom it chooses, replaced as a whole.
    pub condition: Option<Value>,
}
