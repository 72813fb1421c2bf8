//! The table of event kinds: name, occurrence, parts of `data`, and counted metrics. Kinds are a public contract: they
//! are added, never renamed.

use super::shapes::{EventData, Shape};
use crate::analytics::Metric;
use crate::text::nearest;

/// A metric that counts an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventCount {
    /// The metric.
    pub(crate) metric: Metric,
    /// The member of `data.object` with the dimension of the metric, if it has one.
    pub(crate) dimension: &'static [&'static str],
    /// The member of `data.object` that must have this value. Without it, the metric always counts the event.
    pub(crate) only_if: &'static [(&'static str, &'static str)],
}

macro_rules! event_kinds {
    ($($variant:ident = $word:literal, $happens:literal, $object:ident { $($name:ident: $shape:ident),* }
       $(sometimes { $($rare:ident: $rare_shape:ident),* })?
       counts [$($metric:ident $(of $dimension:ident)? $(if $member:ident is $value:literal)?),*];)*) => {
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

            /// Returns the metrics that can count it. The first one that applies to an event counts the event.
            pub(crate) fn counts(self) -> &'static [EventCount] {
                match self {
                    $(Self::$variant => &[$(EventCount {
                        metric: Metric::$metric,
                        dimension: &[$(stringify!($dimension))?],
                        only_if: &[$((stringify!($member), $value))?],
                    }),*],)*
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
        Message { contact: Contact } counts [MessagesReceived of channel_id];
    MessageSent = "message.sent", "the provider accepted an outbound message",
        Message {} counts [MessagesSent of channel_id];
    MessageDelivered = "message.delivered", "the provider confirmed the delivery of a message",
        Message {} counts [MessagesDelivered of channel_id];
    MessageRead = "message.read", "the contact read a message",
        Message {} counts [MessagesRead of channel_id];
    MessageFailed = "message.failed", "a message failed permanently",
        Message { error: MessageError } counts [MessagesFailed of channel_id];
    ContactCreated = "contact.created", "a contact was created, imported or first seen on a channel",
        Contact {} counts [ContactsCreated];
    ContactUpdated = "contact.updated", "a profile attribute of a contact changed",
        Contact { previous: Attributes } sometimes { merged: MergedContact } counts [];
    ContactDeleted = "contact.deleted", "a contact was deleted",
        DeletedContact {} sometimes { merged_into: MergedContact } counts [ContactsDeleted];
    ContactTagAdded = "contact.tag_added", "a tag was added to a contact",
        Contact { tag: TagLink } counts [];
    ContactTagRemoved = "contact.tag_removed", "a tag was removed from a contact",
        Contact { tag: TagLink } counts [];
    ContactFieldChanged = "contact.field_changed", "a custom field of a contact was set or cleared",
        Contact { field: CustomField, value: Value, previous: Value } counts [];
    ContactUnsubscribed = "contact.unsubscribed", "a contact opted out by keyword, link, API or provider",
        Contact { channel_id: ChannelId, source: Source } counts [ContactsUnsubscribed];
    ConversationCreated = "conversation.created", "the first message created a conversation",
        Conversation {} counts [ConversationsCreated];
    ConversationAssigned = "conversation.assigned", "the assignee of a conversation changed",
        Conversation { previous: Assignee } counts [];
    ConversationResolved = "conversation.resolved", "a conversation was resolved",
        Conversation {} counts [ConversationsResolved];
    FlowStarted = "flow.started", "a run started",
        FlowRun {} counts [FlowsStarted of flow_id];
    FlowCompleted = "flow.completed", "a run completed",
        FlowRun {} counts [FlowsCompleted of flow_id];
    FlowFailed = "flow.failed", "a run failed because of an error or a limit",
        FlowRun { error: RunError } counts [FlowsFailed of flow_id];
    SequenceEnrolled = "sequence.enrolled", "an enrollment became active",
        Enrollment {} counts [SequencesEnrolled of sequence_id];
    SequenceCompleted = "sequence.completed", "an enrollment completed its last step, or ended early",
        Enrollment {}
        counts [SequencesCompleted of sequence_id if status is "completed", SequencesExited of sequence_id];
    AiSessionEscalated = "ai_session.escalated", "an AI session was handed over to an agent",
        AiSession { reason: Reason, summary: Summary } counts [];
    BroadcastCompleted = "broadcast.completed", "all recipients of a broadcast were processed",
        Broadcast {} counts [BroadcastsCompleted of id];
    ChannelConnected = "channel.connected", "a channel was connected",
        Channel {} counts [];
    ChannelDisconnected = "channel.disconnected", "a channel was disconnected, or its credentials were rejected",
        Channel { reason: Reason } counts [];
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
