//! What conversations and messages are.

use serde::{Deserialize, Serialize};

use super::Content;
use crate::access::Actor;
use crate::ids::{ChannelId, ContactId, ConversationId, MessageId, UserId};
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
        /// People have it.
        Open = "open",
        /// A bot has it.
        Pending = "pending",
        /// It is out of sight until a time, or until the contact writes.
        Snoozed = "snoozed",
        /// It is done, until somebody writes.
        Resolved = "resolved",
    }
}

words! {
    /// Who answers in a conversation.
    Handler {
        /// Flows and sequences.
        Bot = "bot",
        /// An AI session.
        Ai = "ai",
        /// People.
        Human = "human",
    }
}

words! {
    /// Which way a message goes.
    Direction {
        /// From the contact.
        Inbound = "inbound",
        /// To the contact; a note stands on this side, too.
        Outbound = "outbound",
    }
}

words! {
    /// What kind of content a message has.
    MessageType {
        /// Words.
        Text = "text",
        /// Pictures.
        Image = "image",
        /// Films.
        Video = "video",
        /// Sounds.
        Audio = "audio",
        /// Other files.
        File = "file",
        /// A place on earth.
        Location = "location",
        /// Words with pictures and choices.
        Card = "card",
        /// A text that the provider keeps under a name.
        Template = "template",
        /// Words for the colleagues: private, and never sent.
        Note = "note",
    }
}

words! {
    /// How far a message is. A status never goes back.
    MessageStatus {
        /// It waits to be sent.
        Queued = "queued",
        /// It is being handed to the provider.
        Sending = "sending",
        /// The provider may or may not have taken it: it is never sent again by itself.
        Uncertain = "uncertain",
        /// The provider took it.
        Sent = "sent",
        /// The provider says that it arrived.
        Delivered = "delivered",
        /// The contact read it.
        Read = "read",
        /// It will not arrive; `error` says why.
        Failed = "failed",
        /// It was not sent, on purpose; `error.code` is the reason.
        Suppressed = "suppressed",
        /// It is kept: a contact's message, or a note, which goes nowhere.
        Received = "received",
    }
}

impl MessageStatus {
    /// Whether a message of this status may go on to `next`. Nothing goes back, whatever comes in
    /// whatever order.
    pub fn may_become(self, next: Self) -> bool {
        use MessageStatus::{Delivered, Failed, Queued, Read, Sending, Sent, Suppressed, Uncertain};
        match self {
            Queued => matches!(next, Sending | Failed | Suppressed),
            Sending => matches!(next, Uncertain | Sent | Delivered | Read | Failed | Suppressed),
            Uncertain => matches!(next, Sent | Delivered | Read | Failed),
            Sent => matches!(next, Delivered | Read | Failed),
            Delivered => next == Read,
            Read | Failed | Suppressed | Self::Received => false,
        }
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
        /// A person has the conversation, so no bot speaks.
        HumanHandling = "human_handling",
        /// It is a time at which nothing is sent.
        QuietHours = "quiet_hours",
        /// The channel is switched off.
        ChannelDisconnected = "channel_disconnected",
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
            Self::HumanHandling => "a person has the conversation, so no bot speaks in it",
            Self::QuietHours => "nothing is sent at this time of the day",
            Self::ChannelDisconnected => "the channel is not connected",
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
    /// The member to whom it is assigned.
    pub assignee: Option<UserId>,
    /// Of a snoozed one: until when.
    pub snoozed_until: Option<Timestamp>,
    /// How many messages of the contact nobody has looked at.
    pub unread_count: i64,
    /// Since when the contact waits for an answer.
    pub waiting_since: Option<Timestamp>,
    /// When the contact was answered for the first time.
    pub first_reply_at: Option<Timestamp>,
    /// Of a resolved one: since when.
    pub resolved_at: Option<Timestamp>,
    /// How often it was resolved and opened again.
    pub reopen_count: i64,
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
    /// What it says.
    pub content: Content,
    /// How far it is.
    pub status: MessageStatus,
    /// How it came there.
    pub history: Vec<StatusChange>,
    /// Why it failed or was suppressed; of one that is `sending`, why the provider did not take it yet.
    pub error: Option<MessageError>,
    /// Who sends it.
    pub sender: Actor,
    /// The provider's own name for it; of the contact's messages unique on their channel.
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

    /// Ends with its outcome unknown: the provider may or may not have taken it.
    pub fn doubt(&mut self, message: &str, now: Timestamp) {
        self.error = Some(MessageError { code: "outcome_unknown".to_owned(), message: message.to_owned() });
        self.advance(MessageStatus::Uncertain, now);
    }

    /// Whether it is for the colleagues only.
    pub fn is_private(&self) -> bool {
        self.content.kind == MessageType::Note
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_never_goes_back() {
        let all: Vec<MessageStatus> =
            MessageStatus::WORDS.iter().filter_map(|word| MessageStatus::parse(word)).collect();
        for from in &all {
            for to in &all {
                assert!(!(from.may_become(*to) && to.may_become(*from)), "{from:?} and {to:?}");
            }
            assert!(!from.may_become(MessageStatus::Queued) && !from.may_become(*from), "{from:?}");
        }
        assert!(MessageStatus::Sent.may_become(MessageStatus::Read), "a confirmation may be skipped");
        assert!(!MessageStatus::Read.may_become(MessageStatus::Delivered), "late confirmations change nothing");
        assert!(!MessageStatus::Delivered.may_become(MessageStatus::Failed));
        assert!(MessageStatus::Uncertain.may_become(MessageStatus::Delivered), "the provider knows better");
    }
}
