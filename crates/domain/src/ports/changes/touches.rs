//! What changes do to rows that others may hold.

use super::Object;

/// What a change does to rows that others may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touches {
    /// It writes or deletes the row of an object: who guards that, too, takes the stronger lock at once. Two sets that
    /// share a row first, and then both want to write it, would wait for one another.
    Object(Object),
    /// It ends a worker's claim: nobody waits for it at the other end of a request.
    Claim,
    /// Rows that no guard holds: new ones, links, counters.
    Beside,
    /// Rows of many objects at once, or what is found while it is done: it goes alone.
    Many,
}

impl Touches {
    /// Whether it writes this object's row.
    pub fn writes(self, object: Object) -> bool {
        match self {
            Self::Object(it) => it == object,
            Self::Claim | Self::Beside | Self::Many => false,
        }
    }
}
