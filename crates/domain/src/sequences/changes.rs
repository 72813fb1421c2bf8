//! What changes beside the rows of sequences and enrollments.

use super::ExitReason;
use crate::ids::ContactId;
use crate::ports::Touches;
use crate::time::Timestamp;

/// A change to many enrollments at once.
#[derive(Debug, Clone, PartialEq)]
pub enum SequenceChange {
    /// Ends all living enrollments of a contact, as `exited` for this reason.
    ExitEnrollments {
        /// Whose.
        contact: ContactId,
        /// Why.
        reason: ExitReason,
        /// The present instant.
        at: Timestamp,
    },
}

impl SequenceChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::ExitEnrollments { .. } => Touches::Many,
        }
    }
}
