//! What changes beside the rows of conversations.

use crate::ids::{ChannelId, ContactId, ConversationId};
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A change to a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum ConversationChange {
    /// Moves the last-seen stamp of the conversation forward, never back.
    Touch {
        /// Which.
        conversation: ConversationId,
        /// When something was said.
        at: Timestamp,
    },
    /// Messages to the contact on the channel that stand in no conversation stand in this one. It changes nothing else of
    /// them.
    Adopt {
        /// The conversation, which the set opens.
        conversation: ConversationId,
        /// With whom.
        contact: ContactId,
        /// Where.
        channel: ChannelId,
    },
}

impl ConversationChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Touch { conversation, .. } => Touches::Object(Object::Conversation(*conversation)),
            Self::Adopt { .. } => Touches::Beside,
        }
    }
}
