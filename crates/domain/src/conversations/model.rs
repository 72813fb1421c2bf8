//! What conversations and messages are.

use serde::{Deserialize, Serialize};

use crate::access::Actor;
use crate::ids::{ChannelId, ContactId, ConversationId, MessageId};
use crate::time::Timestamp;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// All words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word in the API and the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The one with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// Where a conversation stands.
    ConversationStatus {
        /// A bot has it.
        Pending = "pending",
    }
}

words! {
    /// Who answers in a conversation.
    Handler {
        /// Flows and sequences.
        Bot = "bot",
    }
}

words! {
    /// Which way a message goes.
    Direction {
        /// To the contact.
        Outbound = "outbound",
    }
}

words! {
    /// How far a message is. A status never goes back.
    MessageStatus {
        /// It waits to be sent.
        Queued = "queued",
        /// It is being handed to the provider.
        Sending = "sending",
        /// The provider took it.
        Sent = "sent",
        /// It will not arrive; `error` says why.
        Failed = "failed",
        /// It was not sent, on purpose; `error.code` is the reason.
        Suppressed = "suppressed",
    }
}

words! {
    /// Why a message was not sent, on purpose.
    Suppression {
        /// The contact does not want messages.
        Unsubscribed = "unsubscribed",
        /// The contact is blocked.
        Blocked = "blocked",
        /// The contact was deleted meanwhile.
        ContactDeleted = "contact_deleted",
        /// The contact has no address on the channel.
        NoAddress = "no_address",
    }
}

impl Suppression {
    /// The reason for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::Unsubscribed => "the contact is unsubscribed",
            Self::Blocked => "the contact is blocked",
            Self::ContactDeleted => "the contact was deleted before the message went out",
            Self::NoAddress => "the contact has no address on this channel",
        }
    }
}

/// The conversation with one contact on one channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// With whom.
    pub contact: ContactId,
    /// Where.
    pub channel: ChannelId,
    /// Where it stands.
    pub status: ConversationStatus,
    /// Who answers.
    pub handler: Handler,
    /// When a message last went; a last-seen stamp, without effect on the version.
    pub last_message_at: Option<Timestamp>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// Why a message failed or was suppressed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageError {
    /// For machines.
    pub code: String,
    /// For people.
    pub message: String,
}

/// A status and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusChange {
    /// The status.
    pub status: MessageStatus,
    /// Since when.
    pub at: Timestamp,
}

/// A message in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// Where it stands.
    pub conversation: ConversationId,
    /// To whom.
    pub contact: ContactId,
    /// On which channel.
    pub channel: ChannelId,
    /// Which way.
    pub direction: Direction,
    /// What it says; 1 to 4 096 characters.
    pub text: String,
    /// How far it is.
    pub status: MessageStatus,
    /// How it came there.
    pub history: Vec<StatusChange>,
    /// Why it failed or was suppressed.
    pub error: Option<MessageError>,
    /// Who sends it.
    pub sender: Actor,
    /// The provider's own name for it.
    pub provider_message_id: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl Message {
    /// Moves on to `status`.
    pub fn advance(&mut self, status: MessageStatus, now: Timestamp) {
        let at = now.max(self.updated_at);
        self.status = status;
        self.history.push(StatusChange { status, at });
        self.updated_at = at;
        self.version += 1;
    }

    /// Ends as suppressed for this reason.
    pub fn suppress(&mut self, reason: Suppression, now: Timestamp) {
        self.error = Some(MessageError { code: reason.as_str().to_owned(), message: reason.message().to_owned() });
        self.advance(MessageStatus::Suppressed, now);
    }

    /// Ends as failed.
    pub fn fail(&mut self, code: &str, message: &str, now: Timestamp) {
        self.error = Some(MessageError { code: code.to_owned(), message: message.to_owned() });
        self.advance(MessageStatus::Failed, now);
    }
}
