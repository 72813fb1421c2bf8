//! Changes to the links between tags and contacts.

use crate::ids::{ContactId, TagId};
use crate::ports::RowEffect;
use crate::time::Timestamp;

/// A change to the links of a tag.
#[derive(Debug, Clone, PartialEq)]
pub enum TagChange {
    /// Adds the tag to a contact. [`crate::ports::Conflict::Stale`] if the workspace has no such tag. Also guard the
    /// tag, otherwise it may be deleted concurrently.
    Link {
        /// The contact.
        contact: ContactId,
        /// The tag.
        tag: TagId,
        /// The current time.
        at: Timestamp,
    },
    /// Removes the tag from a contact. [`crate::ports::Conflict::NoLink`] if the contact does not have it.
    Unlink {
        /// The contact.
        contact: ContactId,
        /// The tag.
        tag: TagId,
    },
    /// Removes at most `limit` remaining links of a deleted tag.
    SweepLinks {
        /// The tag.
        tag: TagId,
        /// The maximum number.
        limit: u32,
    },
}

impl TagChange {
    /// Classifies the rows that it writes; see [`RowEffect`].
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Link { .. } | Self::Unlink { .. } => RowEffect::Unguarded,
            Self::SweepLinks { .. } => RowEffect::Many,
        }
    }
}
