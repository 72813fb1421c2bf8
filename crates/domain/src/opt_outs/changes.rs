use crate::ids::ChannelId;
use crate::ports::RowEffect;
use crate::time::Timestamp;

/// A remembered opt-out. It contains only the digest of an identifier, with a key of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptOut {
    /// The channel, if the opt-out is deleted together with one.
    pub channel: Option<ChannelId>,
    /// The digest of the identifier and of the scope of the opt-out.
    pub digest: [u8; 32],
}

/// A change to the remembered opt-outs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptOutChange {
    /// Stores the sealed key of the workspace. An existing key does not change.
    MakeKey {
        /// The key.
        sealed: Vec<u8>,
        /// The current time.
        at: Timestamp,
    },
    /// Remembers opt-outs, each once, and increases the revision. [`crate::ports::Conflict::CatalogChanged`] if the
    /// workspace has no key.
    Remember {
        /// The opt-outs.
        opt_outs: Vec<OptOut>,
        /// The current time.
        at: Timestamp,
    },
    /// Deletes opt-outs, because the contacts opted in again.
    Lift {
        /// The digests.
        digests: Vec<[u8; 32]>,
    },
    /// Requires that no opt-out was remembered since this revision (0: the workspace had no key); otherwise
    /// [`crate::ports::Conflict::CatalogChanged`]. Follows the written addresses: remembering an opt-out releases the
    /// same address, so of a concurrent creation and erasure one sees the other.
    Require {
        /// The revision.
        revision: i64,
    },
}

impl OptOutChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::MakeKey { .. } | Self::Remember { .. } | Self::Lift { .. } | Self::Require { .. } => {
                RowEffect::Unguarded
            }
        }
    }

    /// Returns the number of rows that it writes.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Remember { opt_outs, .. } => opt_outs.len().max(1),
            Self::Lift { digests } => digests.len().max(1),
            Self::MakeKey { .. } | Self::Require { .. } => 1,
        }
    }
}
