//! The one table of event kinds. A kind is public contract: it is added, never renamed.

use crate::text::nearest;

macro_rules! event_kinds {
    ($($variant:ident = $word:literal, $happens:literal;)*) => {
        /// What kind of fact an event is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventKind {
            $(#[doc = concat!("`", $word, "`: ", $happens, ".")] $variant,)*
        }

        impl EventKind {
            /// All kinds, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in the API, in envelopes and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// When it happens, for people.
            pub fn happens_when(self) -> &'static str {
                match self { $(Self::$variant => $happens),* }
            }

            /// The kind with this name.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

event_kinds! {
    MessageReceived = "message.received", "a message of a contact was stored";
    MessageSent = "message.sent", "the provider took an outbound message";
    MessageDelivered = "message.delivered", "the provider confirmed the delivery of a message";
    MessageRead = "message.read", "the contact read a message";
    MessageFailed = "message.failed", "a message failed for good";
    ContactCreated = "contact.created", "a contact was created, imported or first seen on a channel";
    ContactUpdated = "contact.updated", "a profile attribute of a contact changed";
    ContactDeleted = "contact.deleted", "a contact was deleted";
    ContactTagAdded = "contact.tag_added", "a tag came to a contact";
    ContactTagRemoved = "contact.tag_removed", "a tag left a contact";
    ContactFieldChanged = "contact.field_changed", "a custom field of a contact was set or cleared";
    ContactUnsubscribed = "contact.unsubscribed", "a contact opted out, by a word, a link or the API";
    ConversationCreated = "conversation.created", "a first message opened a conversation";
    ConversationAssigned = "conversation.assigned", "the assignee of a conversation changed";
    ConversationResolved = "conversation.resolved", "a conversation was resolved";
    FlowStarted = "flow.started", "a run began";
    FlowCompleted = "flow.completed", "a run reached its end";
    FlowFailed = "flow.failed", "a run ended by an error or a guard";
    SequenceEnrolled = "sequence.enrolled", "an enrollment became active";
    SequenceCompleted = "sequence.completed", "the last step of an enrollment ran, or it left early";
    AiSessionEscalated = "ai_session.escalated", "an AI session was handed to a person";
    BroadcastCompleted = "broadcast.completed", "every recipient of a broadcast has an outcome";
    ChannelConnected = "channel.connected", "a channel can send";
    ChannelDisconnected = "channel.disconnected", "a channel's credentials were refused, or it was switched off";
}

impl EventKind {
    /// Whether anything in this version causes it. One that cannot be caused is declared, so that its
    /// name is taken, and refused where somebody asks for it.
    pub fn can_happen(self) -> bool {
        !matches!(self, Self::AiSessionEscalated | Self::BroadcastCompleted)
    }

    /// The kinds whose names are nearest to `word`.
    pub fn nearest(word: &str) -> Vec<&'static str> {
        nearest(word, Self::ALL.iter().map(|kind| kind.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for kind in EventKind::ALL {
            assert_eq!(EventKind::parse(kind.as_str()), Some(*kind));
        }
        assert_eq!(EventKind::parse("contact.*"), None);
        assert_eq!(EventKind::nearest("contact.create").first(), Some(&"contact.created"));
    }
}
