//! What changes in what objects name.

use super::{Referent, Referrer};
use crate::ports::Touches;
use crate::time::Timestamp;

/// A change to what objects name.
#[derive(Debug, Clone, PartialEq)]
pub enum ReferenceChange {
    /// All that an object names becomes this, and what it had lost is forgotten; [`crate::ports::Conflict::Stale`] where
    /// one of them is not there.
    Put {
        /// Who names them.
        owner: Referrer,
        /// All that it names.
        targets: Vec<Referent>,
    },
    /// What named an object that is deleted all the same has lost it: the references stay as lost.
    Lose {
        /// What is deleted.
        target: Referent,
        /// What it was called.
        name: String,
        /// The present instant.
        at: Timestamp,
    },
}

impl ReferenceChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Put { .. } | Self::Lose { .. } => Touches::Many,
        }
    }

    /// How many rows it writes, of those that the set itself brings.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Put { targets, .. } => targets.len().max(1),
            Self::Lose { .. } => 1,
        }
    }
}
