//! The table of event kinds: name, occurrence, and parts of `data`. Kinds are a public contract: they are added, never
//! renamed.

use super::shapes::{EventData, Shape};
use crate::text::nearest;

macro_rules! event_kinds {
    ($($variant:ident = $word:literal, $happens:literal, $object:ident { $($name:ident: $shape:ident),* }
       $(sometimes { $($rare:ident: $rare_shape:ident),* })?;)*) => {
        /// The kind of an event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventKind {
            $(#[doc = concat!("`", $word, "`: ", $happens, ".")] $variant,)*
        }

        impl EventKind {
            /// All kinds, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the name in the API, in envelopes and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Describes when it occurs.
            pub fn happens_when(self) -> &'static str {
                match self { $(Self::$variant => $happens),* }
            }

            /// Returns the parts of the `data` of a full envelope.
            pub fn data(self) -> EventData {
                match self {
                    $(Self::$variant => EventData {
                        object: Shape::$object,
                        beside: &[$((stringify!($name), Shape::$shape)),*],
                        sometimes: &[$($((stringify!($rare), Shape::$rare_shape)),*)?],
                    }),*
                }
            }

            /// Returns the kind with this name.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

event_kinds! {
    MessageReceived = "message.received", "a message from a contact was stored",
        Message { contact: Contact };
    MessageSent = "message.sent", "the provider accepted an outbound message",
        Message {};
    MessageDelivered = "message.delivered", "the provider confirmed the delivery of a message",
        Message {};
    MessageRead = "message.read", "the contact read a message",
        Message {};
    MessageFailed = "message.failed", "a message failed permanently",
        Message { error: MessageError };
    ContactCreated = "contact.created", "a contact was created, imported or first seen on a channel",
        Contact {};
    ContactUpdated = "contact.updated", "a profile attribute of a contact changed",
        Contact { previous: Attributes } sometimes { merged: MergedContact };
    ContactDeleted = "contact.deleted", "a contact was deleted",
        DeletedContact {} sometimes { merged_into: MergedContact };
    ContactTagAdded = "contact.tag_added", "a tag was added to a contact",
        Contact { tag: TagLink };
    ContactTagRemoved = "contact.tag_removed", "a tag was removed from a contact",
        Contact { tag: TagLink };
    ContactFieldChanged = "contact.field_changed", "a custom field of a contact was set or cleared",
        Contact { field: CustomField, value: Value, previous: Value };
    ContactUnsubscribed = "contact.unsubscribed", "a contact opted out by keyword, link, API or provider",
        Contact { channel_id: ChannelId, source: Source };
    ConversationCreated = "conversation.created", "the first message created a conversation",
        Conversation {};
    ConversationAssigned = "conversation.assigned", "the assignee of a conversation changed",
        Conversation { previous: Assignee };
    ConversationResolved = "conversation.resolved", "a conversation was resolved",
        Conversation {};
    FlowStarted = "flow.started", "a run started",
        FlowRun {};
    FlowCompleted = "flow.completed", "a run completed",
        FlowRun {};
    FlowFailed = "flow.failed", "a run failed because of an error or a limit",
        FlowRun { error: RunError };
    SequenceEnrolled = "sequence.enrolled", "an enrollment became active",
        Enrollment {};
    SequenceCompleted = "sequence.completed", "an enrollment completed its last step, or ended early",
        Enrollment {};
    AiSessionEscalated = "ai_session.escalated", "an AI session was handed over to an agent",
        AiSession { reason: Reason, summary: Summary };
    BroadcastCompleted = "broadcast.completed", "all recipients of a broadcast were processed",
        Broadcast {};
    ChannelConnected = "channel.connected", "a channel was connected",
        Channel {};
    ChannelDisconnected = "channel.disconnected", "a channel was disconnected, or its credentials were rejected",
        Channel { reason: Reason };
}

impl EventKind {
    /// Whether this version can cause it. Other kinds are declared to reserve their names; requests for them are
    /// rejected.
    pub fn can_happen(self) -> bool {
        !matches!(self, Self::AiSessionEscalated)
    }

    /// Returns the kinds with the names nearest to `word`.
    pub fn nearest(word: &str) -> Vec<&'static str> {
        nearest(word, Self::ALL.iter().map(|kind| kind.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_every_name() {
        for kind in EventKind::ALL {
            assert_eq!(EventKind::parse(kind.as_str()), Some(*kind));
        }
        assert_eq!(EventKind::parse("contact.*"), None);
        assert_eq!(EventKind::nearest("contact.create").first(), Some(&"contact.created"));
    }
}
