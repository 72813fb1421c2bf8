use super::{ChannelHealth, UnparsedRequest};
use crate::ids::ChannelId;
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// A change to a channel.
#[derive(Debug, Clone, PartialEq)]
pub enum ChannelChange {
    /// Hides the channel and deletes its requests that were not understood; its conversations stay readable.
    Delete {
        /// The channel.
        channel: ChannelId,
        /// The current time.
        at: Timestamp,
    },
    /// Keeps a request that was not understood. Of the channel's requests, only the newest
    /// [`MAX_UNPARSED`](super::MAX_UNPARSED) stay.
    KeepUnparsed(Box<UnparsedRequest>),
    /// Updates only the health. Its stored version must be one less, otherwise [`crate::ports::Conflict::Stale`].
    UpdateHealth {
        /// The channel.
        channel: ChannelId,
        /// The new health.
        health: Box<ChannelHealth>,
    },
}

impl ChannelChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Delete { channel, .. } | Self::UpdateHealth { channel, .. } => {
                RowEffect::Object(Object::Channel(*channel))
            }
            Self::KeepUnparsed(_) => RowEffect::Unguarded,
        }
    }
}
