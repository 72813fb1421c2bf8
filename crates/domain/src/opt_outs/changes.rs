//! What remembering changes.

use crate::ids::ChannelId;
use crate::ports::Touches;
use crate::time::Timestamp;

/// What is remembered of somebody: nothing but the digest of a name, by the workspace's own key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptOut {
    /// The channel with which it goes, if it is of one.
    pub channel: Option<ChannelId>,
    /// The digest of the name, and of what was refused under it.
    pub digest: [u8; 32],
}

/// A change to what is remembered of those who opted out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptOutChange {
    /// Keeps the workspace's key, sealed; where it has one that stays.
    MakeKey {
        /// The key.
        sealed: Vec<u8>,
        /// The present instant.
        at: Timestamp,
    },
    /// Remembers these, each once, and raises the revision. Where the workspace has no key it is
    /// [`crate::ports::Conflict::CatalogChanged`].
    Remember {
        /// Whom.
        opt_outs: Vec<OptOut>,
        /// The present instant.
        at: Timestamp,
    },
    /// Forgets these: they want to hear again.
    Lift {
        /// Whose digests.
        digests: Vec<[u8; 32]>,
    },
    /// Nobody was remembered since this revision, 0 where the workspace had no key; else
    /// [`crate::ports::Conflict::CatalogChanged`]. It stands behind the addresses that a set writes: who was remembered
    /// held the same address until then, so that of a creation and an erasure one sees the other.
    Require {
        /// The revision.
        revision: i64,
    },
}

impl OptOutChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::MakeKey { .. } | Self::Remember { .. } | Self::Lift { .. } | Self::Require { .. } => Touches::Beside,
        }
    }

    /// How many rows it writes.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Remember { opt_outs, .. } => opt_outs.len().max(1),
            Self::Lift { digests } => digests.len().max(1),
            Self::MakeKey { .. } | Self::Require { .. } => 1,
        }
    }
}
