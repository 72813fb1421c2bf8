use crate::ids::ChannelId;
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// A change to a channel.
#[derive(Debug, Clone, PartialEq)]
pub enum ChannelChange {
    /// Hides the channel; its conversations stay readable.
    Delete {
        /// The channel.
        channel: ChannelId,
        /// The current time.
        at: Timestamp,
    },
}

impl ChannelChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Delete { channel, .. } => RowEffect::Object(Object::Channel(*channel)),
        }
    }
}
