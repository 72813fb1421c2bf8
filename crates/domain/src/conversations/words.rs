//! Enumerations of conversations and messages.

use crate::words::words;

words! {
    /// Status of a conversation.
    ConversationStatus {
        /// Open for agents.
        Open = "open",
        /// Handled by automation.
        Pending = "pending",
        /// Hidden until a time, or until the contact writes.
        Snoozed = "snoozed",
        /// Done, until the next message.
        Resolved = "resolved",
    }
}

words! {
    /// The handler of a conversation.
    Handler {
        /// Automation: flows and sequences.
        Bot = "bot",
        /// An AI session.
        Ai = "ai",
        /// Agents.
        Human = "human",
    }
}

words! {
    /// Direction of a message.
    Direction {
        /// From the contact.
        Inbound = "inbound",
        /// To the contact; also for notes.
        Outbound = "outbound",
    }
}

words! {
    /// Type of the content of a message.
    MessageType {
        /// Text.
        Text = "text",
        /// Images.
        Image = "image",
        /// Videos.
        Video = "video",
        /// Audio files.
        Audio = "audio",
        /// Other files.
        File = "file",
        /// A geographic location.
        Location = "location",
        /// Text with images and choices.
        Card = "card",
        /// A template that the provider stores.
        Template = "template",
        /// Text for members only; never sent.
        Note = "note",
    }
}

words! {
    /// Status of a message. It never goes back.
    MessageStatus {
        /// Waits to be sent.
        Queued = "queued",
        /// Being sent to the provider.
        Sending = "sending",
        /// The provider may have accepted it. It is never sent again automatically.
        Uncertain = "uncertain",
        /// The provider accepted it.
        Sent = "sent",
        /// The provider reported the delivery.
        Delivered = "delivered",
        /// The contact read it.
        Read = "read",
        /// Sending failed; `error` has the reason.
        Failed = "failed",
        /// Deliberately not sent; `error.code` is the reason.
        Suppressed = "suppressed",
        /// Stored: a message of a contact, or a note.
        Received = "received",
    }
}

impl MessageStatus {
    /// Whether a message of this status may change to `next`. A status never goes back, in any order of reports.
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
    /// Kind of a part of a message.
    PartKind {
        /// Text.
        Text = "text",
        /// Image.
        Image = "image",
        /// Video.
        Video = "video",
        /// Audio.
        Audio = "audio",
        /// File.
        File = "file",
        /// Location.
        Location = "location",
        /// Template.
        Template = "template",
        /// Text with quick replies.
        Choices = "choices",
    }
}

words! {
    /// Status of a part of a message.
    PartStatus {
        /// Not sent yet.
        Pending = "pending",
        /// Being sent to the provider.
        Sending = "sending",
        /// The provider accepted it.
        Sent = "sent",
        /// It was refused, or the message was stopped before it.
        Failed = "failed",
        /// The provider may have accepted it.
        Uncertain = "uncertain",
    }
}

words! {
    /// Why a message was suppressed.
    Suppression {
        /// The contact does not want messages.
        Unsubscribed = "unsubscribed",
        /// A member blocked the contact.
        Blocked = "blocked",
        /// The contact was deleted in the meantime.
        ContactDeleted = "contact_deleted",
        /// The contact was merged into another in the meantime.
        ContactMerged = "contact_merged",
        /// The contact has no address on the channel.
        NoAddress = "no_address",
        /// An agent handles the conversation, so automation is silent.
        HumanHandling = "human_handling",
        /// The time is within quiet hours.
        QuietHours = "quiet_hours",
        /// The channel is disconnected.
        ChannelDisconnected = "channel_disconnected",
        /// The broadcast was cancelled first.
        Cancelled = "cancelled",
        /// The flow was archived or deleted first.
        FlowArchived = "flow_archived",
        /// The contact has not written for so long that the provider only accepts templates.
        WindowClosed = "window_closed",
        /// The contact does not want marketing messages.
        MarketingStopped = "marketing_stopped",
        /// The contact got as many automatic messages as the channel allows within an hour.
        TooManyAutomatic = "too_many_automatic",
        /// The provider cannot deliver to the contact's address, so automatic messages are not sent.
        Undeliverable = "undeliverable",
    }
}

impl Suppression {
    /// Whether the cause can end without a decision of the contact or of a member. A repeated broadcast includes
    /// contacts with such a suppression.
    pub fn can_end(self) -> bool {
        match self {
            // The contact gets an address or writes, a member hands the conversation over, the time passes, the channel
            // is connected.
            Self::NoAddress
            | Self::HumanHandling
            | Self::QuietHours
            | Self::ChannelDisconnected
            | Self::WindowClosed
            | Self::TooManyAutomatic
            | Self::Undeliverable => true,
            // An opt-out or a block is a decision, and the others are final.
            Self::Unsubscribed
            | Self::Blocked
            | Self::ContactDeleted
            | Self::ContactMerged
            | Self::Cancelled
            | Self::FlowArchived
            | Self::MarketingStopped => false,
        }
    }

    /// The reason as a message.
    pub fn message(self) -> &'static str {
        match self {
            Self::Unsubscribed => "the contact is unsubscribed",
            Self::Blocked => "the contact is blocked",
            Self::ContactDeleted => "the contact was deleted before the message was sent",
            Self::ContactMerged => "the contact was merged into another before the message was sent",
            Self::NoAddress => "the contact has no address on this channel",
            Self::HumanHandling => "an agent handles the conversation, so automations do not send",
            Self::QuietHours => "the time of day is outside the sending hours",
            Self::ChannelDisconnected => "the channel is not connected",
            Self::Cancelled => "the broadcast was cancelled before the message was sent",
            Self::FlowArchived => "the flow was archived or deleted before the message was sent",
            Self::WindowClosed => "the contact has not written for so long that only templates can be sent",
            Self::MarketingStopped => "the contact does not want marketing messages",
            Self::TooManyAutomatic => "the contact got as many automatic messages as the channel allows in an hour",
            Self::Undeliverable => "the provider could not deliver an earlier message to this address",
        }
    }
}
