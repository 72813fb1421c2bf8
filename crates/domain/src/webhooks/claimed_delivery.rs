//! The state of a delivery in a claim.

use super::Delivery;
use crate::events::EventKind;
use crate::ids::EventId;
use crate::time::Timestamp;

/// The state of a claimed delivery, which saves a read before the attempt. It is verified when the attempt is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedDelivery {
    /// ID of the event.
    pub event: EventId,
    /// Type of the event.
    pub event_kind: EventKind,
    /// Number of attempts.
    pub attempts: i32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Its version.
    pub version: i64,
}

impl Delivery {
    /// Returns its state for a claim.
    pub fn as_claimed(&self) -> ClaimedDelivery {
        ClaimedDelivery {
            event: self.event,
            event_kind: self.event_kind,
            attempts: self.attempts,
            created_at: self.created_at,
            updated_at: self.updated_at,
            version: self.version,
        }
    }
}
