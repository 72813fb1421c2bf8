use std::time::Duration;

use uuid::Uuid;

use crate::ports::{Due, RowEffect};
use crate::time::Timestamp;

/// A change to a sandbox as a whole. Its times use the clock of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxChange {
    /// Acquires or extends the lease of the clock; [`crate::ports::Conflict::ClaimLost`] while it has another holder.
    Hold {
        /// The holder.
        holder: Uuid,
        /// The current time.
        now: Timestamp,
        /// End of the lease.
        until: Timestamp,
    },
    /// Releases the lease of the clock, if this holder has it.
    Release {
        /// The holder.
        holder: Uuid,
    },
    /// Moves the clock forward, and makes unclaimed jobs due earlier, but not before now;
    /// [`crate::ports::Conflict::ClaimLost`] if this holder does not have the lease.
    Advance {
        /// The holder.
        holder: Uuid,
        /// The duration.
        by: Duration,
        /// The current time.
        now: Timestamp,
    },
    /// Deletes all data except channels, keys, request log and audit log, and resets the clock;
    /// [`crate::ports::Conflict::ClaimLost`] if this holder does not have the lease.
    Empty {
        /// The holder.
        holder: Uuid,
    },
}

impl SandboxChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        RowEffect::Many
    }

    /// Returns the queued jobs that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::Advance { .. } => Due::All,
            Self::Hold { .. } | Self::Release { .. } | Self::Empty { .. } => Due::Nothing,
        }
    }
}
