//! What changes beside the rows of tags.

use crate::ids::{ContactId, TagId};
use crate::ports::Touches;
use crate::time::Timestamp;

/// A change to the links of a tag.
#[derive(Debug, Clone, PartialEq)]
pub enum TagChange {
    /// Puts it on a contact. [`crate::ports::Conflict::Stale`] where the workspace has no such tag; guard it, too, or it
    /// may be deleted meanwhile.
    Link {
        /// Who gets it.
        contact: ContactId,
        /// Which.
        tag: TagId,
        /// The present instant.
        at: Timestamp,
    },
    /// Takes it off; [`crate::ports::Conflict::NoLink`] where it is not there.
    Unlink {
        /// Who had it.
        contact: ContactId,
        /// Which.
        tag: TagId,
    },
    /// Removes at most `limit` links that a deleted tag left behind.
    SweepLinks {
        /// Which.
        tag: TagId,
        /// How many.
        limit: u32,
    },
}

impl TagChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Link { .. } | Self::Unlink { .. } => Touches::Beside,
            Self::SweepLinks { .. } => Touches::Many,
        }
    }
}
