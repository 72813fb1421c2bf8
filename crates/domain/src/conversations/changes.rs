//! What changes beside the rows of conversations.

use crate::ids::{ContactId, ConversationId};
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A change to a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum ConversationChange {
    /// Moves the last-seen stamps of the conversation and its contact forward, never back.
    Touch {
        /// Which.
        conversation: ConversationId,
        /// Whose.
        contact: ContactId,
        /// When something was said.
        at: Timestamp,
    },
}

impl ConversationChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Touch { conversation, contact, .. } => {
                Touches::Both(Object::Conversation(*conversation), Object::Contact(*contact))
            }
        }
    }
}
