//! Bulk changes to enrollments.

use super::ExitReason;
use crate::ids::ContactId;
use crate::ports::RowEffect;
use crate::time::Timestamp;

/// A change to many enrollments at once.
#[derive(Debug, Clone, PartialEq)]
pub enum SequenceChange {
    /// Ends all live enrollments of a contact as `exited`, with this reason.
    ExitEnrollments {
        /// The contact.
        contact: ContactId,
        /// The reason.
        reason: ExitReason,
        /// The current time.
        at: Timestamp,
    },
}

impl SequenceChange {
    /// Classifies the rows that it writes; see [`RowEffect`].
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::ExitEnrollments { .. } => RowEffect::Many,
        }
    }
}
