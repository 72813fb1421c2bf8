//! The closed lists of words that conversations and messages have.

use crate::words::words;

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
        /// The contact was merged into another meanwhile.
        ContactMerged = "contact_merged",
        /// The contact has no address on the channel.
        NoAddress = "no_address",
        /// A person has the conversation, so no bot speaks.
        HumanHandling = "human_handling",
        /// It is a time at which nothing is sent.
        QuietHours = "quiet_hours",
        /// The channel is switched off.
        ChannelDisconnected = "channel_disconnected",
        /// The broadcast was cancelled before its turn came.
        Cancelled = "cancelled",
        /// The flow was archived or deleted before its turn came.
        FlowArchived = "flow_archived",
    }
}

impl Suppression {
    /// The reason for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::Unsubscribed => "the contact is unsubscribed",
            Self::Blocked => "the contact is blocked",
            Self::ContactDeleted => "the contact was deleted before the message went out",
            Self::ContactMerged => "the contact was merged into another before the message went out",
            Self::NoAddress => "the contact has no address on this channel",
            Self::HumanHandling => "a person has the conversation, so no bot speaks in it",
            Self::QuietHours => "nothing is sent at this time of the day",
            Self::ChannelDisconnected => "the channel is not connected",
            Self::Cancelled => "the broadcast was cancelled before the message went out",
            Self::FlowArchived => "the flow was archived or deleted before the message went out",
        }
    }
}
