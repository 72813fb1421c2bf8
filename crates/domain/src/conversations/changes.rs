//! What changes beside the rows of conversations.

use crate::ids::ConversationId;
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
}

impl ConversationChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Touch { conversation, .. } => Touches::Object(Object::Conversation(*conversation)),
        }
    }
}
