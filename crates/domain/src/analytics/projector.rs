//! Facts of events that were committed without them.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::{AnalyticsChange, Fact, Metric, counted};
use crate::access::Access;
use crate::ports::{Change, ChangeSet, Ports, StoredEvent};
use crate::retry::AttemptError;
use crate::work::Reaction;

/// Returns the metric and the dimension that a stored event counts for.
pub fn facts_of(event: &StoredEvent) -> Option<(Metric, String)> {
    let envelope = serde_json::from_str::<Value>(&event.full).ok();
    counted(event.kind, envelope.as_ref().and_then(|it| it.get("data")?.get("object")))
}

/// Records the fact of an event of an earlier release, if the commit of the event did not.
#[derive(Clone)]
pub struct Projector {
    /// The ports.
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
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::events::EventKind;
    use crate::ids::{EventId, TypedId};
    use crate::time::Timestamp;

    fn event(kind: EventKind, object: Value) -> StoredEvent {
        let full = json!({"data": {"object": object}}).to_string();
        let id = EventId::from_uuid(Uuid::from_u128(1));
        StoredEvent { id, kind, at: Timestamp::EPOCH_2026, thin: full.clone(), full }
    }

    #[test]
    fn counts_messages_by_channel_and_enrollments_by_outcome() {
        let sent = event(EventKind::MessageSent, json!({"id": "msg_1", "channel_id": "chan_1"}));
        assert_eq!(facts_of(&sent), Some((Metric::MessagesSent, "chan_1".to_owned())));
        let ended = |status: &str| facts_of(&event(EventKind::SequenceCompleted, json!({"status": status})));
        assert_eq!(ended("completed"), Some((Metric::SequencesCompleted, String::new())));
        assert_eq!(ended("exited"), Some((Metric::SequencesExited, String::new())));
        assert_eq!(facts_of(&event(EventKind::ContactTagAdded, json!({}))), None);
    }
}
