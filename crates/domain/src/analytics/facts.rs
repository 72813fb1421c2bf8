//! Facts: what is noted to be counted, one row each, so that commits never wait for one another.

use serde_json::Value;
use uuid::Uuid;

use super::Metric;
use crate::events::EventKind;
use crate::time::Timestamp;

/// Something that happened, to be counted once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its id.
    pub id: Uuid,
    /// What happened.
    pub metric: Metric,
    /// Of messages, the channel's id; else empty.
    pub dimension: String,
    /// How often.
    pub amount: i64,
    /// When.
    pub at: Timestamp,
}

/// What an event of this kind about this object counts as, with the channel that it happened on.
pub fn counted(kind: EventKind, object: Option<&Value>) -> Option<(Metric, String)> {
    let text = |name: &str| object.and_then(|it| it.get(name)?.as_str()).unwrap_or_default().to_owned();
    let of_channel = |metric| Some((metric, text("channel_id")));
    let plain = |metric| Some((metric, String::new()));
    match kind {
        EventKind::MessageReceived => of_channel(Metric::MessagesReceived),
        EventKind::MessageSent => of_channel(Metric::MessagesSent),
        EventKind::MessageDelivered => of_channel(Metric::MessagesDelivered),
        EventKind::MessageRead => of_channel(Metric::MessagesRead),
        EventKind::MessageFailed => of_channel(Metric::MessagesFailed),
        EventKind::ContactCreated => plain(Metric::ContactsCreated),
        EventKind::ContactDeleted => plain(Metric::ContactsDeleted),
        EventKind::ContactUnsubscribed => plain(Metric::ContactsUnsubscribed),
        EventKind::ConversationCreated => plain(Metric::ConversationsCreated),
        EventKind::ConversationResolved => plain(Metric::ConversationsResolved),
        EventKind::FlowStarted => plain(Metric::FlowsStarted),
        EventKind::FlowCompleted => plain(Metric::FlowsCompleted),
        EventKind::FlowFailed => plain(Metric::FlowsFailed),
        EventKind::SequenceEnrolled => plain(Metric::SequencesEnrolled),
        EventKind::SequenceCompleted if text("status") == "completed" => plain(Metric::SequencesCompleted),
        EventKind::SequenceCompleted => plain(Metric::SequencesExited),
        EventKind::ContactUpdated
        | EventKind::ContactTagAdded
        | EventKind::ContactTagRemoved
        | EventKind::ContactFieldChanged
        | EventKind::ConversationAssigned
        | EventKind::AiSessionEscalated
        | EventKind::BroadcastCompleted
        | EventKind::ChannelConnected
        | EventKind::ChannelDisconnected => None,
    }
}
