use super::{Referent, Referrer};
use crate::ports::RowEffect;
use crate::time::Timestamp;

/// A change to the references of objects.
#[derive(Debug, Clone, PartialEq)]
pub enum ReferenceChange {
    /// Replaces all references of an object, and deletes its lost references; [`crate::ports::Conflict::Stale`] if one
    /// of the targets does not exist.
    Put {
        /// The object that refers to the targets.
        owner: Referrer,
        /// All its references.
        targets: Vec<Referent>,
    },
    /// Marks all references to an object as lost, because it is deleted by force.
    Lose {
        /// The deleted object.
        target: Referent,
        /// Its name at that time.
        name: String,
        /// The current time.
        at: Timestamp,
    },
}

impl ReferenceChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Put { .. } | Self::Lose { .. } => RowEffect::Many,
        }
    }

    /// Returns the number of rows that it writes, without those found in the store.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Put { targets, .. } => targets.len().max(1),
            Self::Lose { .. } => 1,
        }
    }
}
