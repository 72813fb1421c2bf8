//! Facts: what is noted to be counted, one row each, so that commits never wait for one another.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use uuid::Uuid;

use super::Metric;
use crate::access::Access;
use crate::events::EventKind;
use crate::ports::{AnalyticsChange, Change, ChangeSet, Ports, StoredEvent};
use crate::retry::AttemptError;
use crate::time::Timestamp;
use crate::work::Reaction;

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

/// What an event that was kept counts as.
pub fn facts_of(event: &StoredEvent) -> Option<(Metric, String)> {
    let envelope = serde_json::from_str::<Value>(&event.full).ok();
    counted(event.kind, envelope.as_ref().and_then(|it| it.get("data")?.get("object")))
}

/// Notes what an event counts as whose commit did not: one of a release before this one.
#[derive(Clone)]
pub struct Projector {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

#[async_trait]
impl Reaction for Projector {
    async fn react(&self, _: &Access, event: &StoredEvent, set: &mut ChangeSet) -> Result<(), AttemptError> {
        if let Some((metric, dimension)) = facts_of(event) {
            set.change(Change::Analytics(AnalyticsChange::Record(Fact {
                id: self.ports.ids.next(),
                metric,
                dimension,
                amount: 1,
                at: event.at,
            })));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{EventId, TypedId};
    use serde_json::json;

    fn event(kind: EventKind, object: Value) -> StoredEvent {
        let full = json!({"data": {"object": object}}).to_string();
        let id = EventId::from_uuid(Uuid::from_u128(1));
        StoredEvent { id, kind, at: Timestamp::EPOCH_2026, thin: full.clone(), full }
    }

    #[test]
    fn messages_count_by_channel_and_enrollments_by_how_they_ended() {
        let sent = event(EventKind::MessageSent, json!({"id": "msg_1", "channel_id": "chan_1"}));
        assert_eq!(facts_of(&sent), Some((Metric::MessagesSent, "chan_1".to_owned())));
        let ended = |status: &str| facts_of(&event(EventKind::SequenceCompleted, json!({"status": status})));
        assert_eq!(ended("completed"), Some((Metric::SequencesCompleted, String::new())));
        assert_eq!(ended("exited"), Some((Metric::SequencesExited, String::new())));
        assert_eq!(facts_of(&event(EventKind::ContactTagAdded, json!({}))), None);
    }
}
