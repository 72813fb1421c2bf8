//! What changes beside the rows of channels.

use crate::ids::ChannelId;
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A change to a channel.
#[derive(Debug, Clone, PartialEq)]
pub enum ChannelChange {
    /// Hides the channel; its conversations stay readable.
    Delete {
        /// Which.
        channel: ChannelId,
        /// The present instant.
        at: Timestamp,
    },
}

impl ChannelChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Delete { channel, .. } => Touches::Object(Object::Channel(*channel)),
        }
    }
}
