//! What becomes of a sandbox as a whole.

use std::time::Duration;

use uuid::Uuid;

use crate::ports::{Due, Touches};
use crate::time::Timestamp;

/// A change to a sandbox as a whole. Its instants are the store's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxChange {
    /// Takes or keeps the clock, to move it: [`crate::ports::Conflict::ClaimLost`] while another holder has it.
    Hold {
        /// Who moves it.
        holder: Uuid,
        /// The present instant.
        now: Timestamp,
        /// Until when it is the holder's.
        until: Timestamp,
    },
    /// Gives the clock back, if it is this holder's.
    Release {
        /// Who moved it.
        holder: Uuid,
    },
    /// Moves the clock on by so much, and brings what is queued and not claimed so much nearer, but not before the present:
    /// [`crate::ports::Conflict::ClaimLost`] where the clock is not this holder's.
    Advance {
        /// Who moves it.
        holder: Uuid,
        /// By how much.
        by: Duration,
        /// The present instant.
        now: Timestamp,
    },
    /// Removes everything in the sandbox but its channels, its keys, its log of requests and its audit log, and has its
    /// clock go by the store's again: [`crate::ports::Conflict::ClaimLost`] where the clock is not this holder's.
    Empty {
        /// Who empties it.
        holder: Uuid,
    },
}

impl SandboxChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        Touches::Many
    }

    /// The queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::Advance { .. } => Due::All,
            Self::Hold { .. } | Self::Release { .. } | Self::Empty { .. } => Due::Nothing,
        }
    }
}
