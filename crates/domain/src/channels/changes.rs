use super::{ChannelHealth, UnparsedRequest};
use crate::ids::ChannelId;
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// Retention of the events of providers, in days. Providers repeat them for a day, and WhatsApp for a week.
pub const EVENT_DAYS: u32 = 8;

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
    /// Records an event of the provider that has been applied. A second one with the same digest is
    /// [`crate::ports::UniqueKey::ProviderEvent`]. Events of at least [`EVENT_DAYS`](super::EVENT_DAYS) days are known.
    RecordEvent {
        /// The channel.
        channel: ChannelId,
        /// SHA-256 of the provider's ID of the event.
        digest: [u8; 32],
        /// The current time.
        at: Timestamp,
    },
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
            Self::KeepUnparsed(_) | Self::RecordEvent { .. } => RowEffect::Unguarded,
        }
    }
}
