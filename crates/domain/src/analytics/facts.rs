//! Facts to be counted. Each fact is a separate row, so commits do not wait for a shared counter.

use serde_json::Value;
use uuid::Uuid;

use super::Metric;
use crate::broadcasts;
use crate::events::EventKind;
use crate::ids::BroadcastId;
use crate::time::Timestamp;

/// An occurrence to be counted once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The ID.
    pub id: Uuid,
    /// The metric.
    pub metric: Metric,
    /// The ID of a channel, flow, sequence or broadcast, followed by a reason if the metric has one; otherwise empty.
    pub dimension: String,
    /// Amount to add to the counter.
    pub amount: i64,
    /// Time of the occurrence.
    pub at: Timestamp,
}

/// Returns the metric and the dimension that an event counts for; `None` if its kind is not counted.
pub fn counted(kind: EventKind, object: Option<&Value>) -> Option<(Metric, String)> {
    let text = |name: &str| object.and_then(|it| it.get(name)?.as_str()).unwrap_or_default().to_owned();
    let of_channel = |metric| Some((metric, text("channel_id")));
    let of = |metric, name: &str| Some((metric, text(name)));
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
        EventKind::FlowStarted => of(Metric::FlowsStarted, "flow_id"),
        EventKind::FlowCompleted => of(Metric::FlowsCompleted, "flow_id"),
        EventKind::FlowFailed => of(Metric::FlowsFailed, "flow_id"),
        EventKind::SequenceEnrolled => of(Metric::SequencesEnrolled, "sequence_id"),
        EventKind::SequenceCompleted if text("status") == "completed" => of(Metric::SequencesCompleted, "sequence_id"),
        EventKind::SequenceCompleted => of(Metric::SequencesExited, "sequence_id"),
        EventKind::BroadcastCompleted => of(Metric::BroadcastsCompleted, "id"),
        EventKind::ContactUpdated
        | EventKind::ContactTagAdded
        | EventKind::ContactTagRemoved
        | EventKind::ContactFieldChanged
        | EventKind::ConversationAssigned
        | EventKind::AiSessionEscalated
        | EventKind::ChannelConnected
        | EventKind::ChannelDisconnected => None,
    }
}

/// Returns the metric and the dimension that a count of a broadcast adds to; `None` if analytics do not include it.
pub fn of_broadcast(broadcast: BroadcastId, count: broadcasts::Count) -> Option<(Metric, String)> {
    use broadcasts::Count;
    let metric = match count {
        Count::Sent => Metric::BroadcastsSent,
        Count::Delivered => Metric::BroadcastsDelivered,
        Count::Read => Metric::BroadcastsRead,
        Count::Failed | Count::FailedLater => Metric::BroadcastsFailed,
        Count::Suppressed => Metric::BroadcastsSuppressed,
        Count::Uncertain => return None,
    };
    Some((metric, broadcast.to_string()))
}
