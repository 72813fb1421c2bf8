//! Changes to data of conversations outside their own row.

use crate::ids::{ChannelId, ContactId, ConversationId, MediaId, MessageId};
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// A change to a conversation or its messages.
#[derive(Debug, Clone, PartialEq)]
pub enum ConversationChange {
    /// Moves `last_message_at` forward, never back.
    Touch {
        /// The conversation.
        conversation: ConversationId,
        /// The time of the message.
        at: Timestamp,
    },
    /// Puts messages to the contact on the channel that are in no conversation into this one. Nothing else in them
    /// changes.
    Adopt {
        /// The conversation, which the same set opens.
        conversation: ConversationId,
        /// The contact.
        contact: ContactId,
        /// The channel.
        channel: ChannelId,
    },
    /// Records that a message with a contact uses a file. The version of the file changes with its
    /// [use](crate::media::MediaUse). A missing file is skipped.
    UseMedia {
        /// The file.
        media: MediaId,
        /// The contact.
        contact: ContactId,
    },
    /// Records that a message does not use a file any more. The file becomes unused if only messages with the contact
    /// use it, and no other one does. A missing file is skipped.
    ReleaseMedia {
        /// The file.
        media: MediaId,
        /// The message that used it.
        message: MessageId,
        /// The contact.
        contact: ContactId,
    },
}

impl ConversationChange {
    /// Classifies the rows that it writes; see [`RowEffect`].
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Touch { conversation, .. } => RowEffect::Object(Object::Conversation(*conversation)),
            Self::Adopt { .. } => RowEffect::Unguarded,
            Self::UseMedia { media, .. } | Self::ReleaseMedia { media, .. } => {
                RowEffect::Object(Object::Stored((*media).into()))
            }
        }
    }
}
