//! Examples of the data of each kind: the examples of its shapes, in the state after the event.

use serde_json::{Map, Value, json};

use super::EventKind;
use super::shapes::{BEFORE, CONTACT, NOW, Shape};

impl EventKind {
    /// Returns an example of all parts of the data, in the state when the event occurs.
    pub fn example(self) -> Map<String, Value> {
        let mut data = self.data().example();
        if let Value::Object(state) = self.state() {
            lay_over(&mut data, state);
        }
        data
    }

    /// Returns the members that differ from the examples of the shapes.
    fn state(self) -> Value {
        match self {
            Self::MessageReceived => json!({"object": {
                "direction": "inbound", "text": "Hello", "status": "received",
                "status_history": [{"status": "received", "at": NOW}],
                "sender": {"type": "contact", "id": CONTACT}, "parts": [], "created_at": NOW, "version": 1,
            }}),
            Self::MessageDelivered => json!({"object": {"status": "delivered", "status_history": [
                {"status": "queued", "at": BEFORE}, {"status": "sent", "at": NOW}, {"status": "delivered", "at": NOW},
            ]}}),
            Self::MessageRead => json!({"object": {"status": "read", "status_history": [
                {"status": "queued", "at": BEFORE}, {"status": "sent", "at": NOW}, {"status": "read", "at": NOW},
            ]}}),
            Self::MessageFailed => json!({"object": {
                "status": "failed",
                "status_history": [{"status": "queued", "at": BEFORE}, {"status": "failed", "at": NOW}],
                "error": Shape::MessageError.example(), "provider_message_id": null, "sent_at": null,
                "parts": [{
                    "index": 0, "kind": "text", "status": "failed", "provider_message_id": null,
                    "error": Shape::MessageError.example(), "sent_at": null,
                }],
            }}),
            Self::ContactTagRemoved => json!({"object": {"tags": []}}),
            Self::ContactFieldChanged => json!({"previous": "silver"}),
            Self::ContactUnsubscribed => json!({"object": {
                "identities": [{
                    "channel_id": Shape::ChannelId.example(), "address": CONTACT, "aliases": [], "opted_in": false,
                    "opt_out": {"source": "keyword", "at": NOW}, "undeliverable_since": null,
                }],
            }}),
            Self::ConversationAssigned => json!({"object": {
                "status": "open", "handler": "human", "assignee_id": "user_01h455vb4pex5vsknk084sn02q", "version": 2,
            }}),
            Self::ConversationResolved => json!({"object": {"status": "resolved", "resolved_at": NOW, "version": 2}}),
            Self::FlowCompleted => json!({"object": {
                "status": "completed", "node_id": "end", "started_at": BEFORE, "ended_at": NOW, "created_at": BEFORE,
                "version": 2,
            }}),
            Self::FlowFailed => json!({"object": {
                "status": "failed", "started_at": BEFORE, "ended_at": NOW, "error": Shape::RunError.example(),
                "created_at": BEFORE, "version": 2,
            }}),
            Self::SequenceCompleted => json!({"object": {
                "status": "completed", "step_id": null, "next_run_at": null, "ended_at": NOW, "created_at": BEFORE,
                "version": 2,
            }}),
            Self::ChannelDisconnected => json!({
                "object": {"status": "disconnected", "connected_at": null, "version": 3}, "reason": "switched_off",
            }),
            Self::MessageSent
            | Self::ContactCreated
            | Self::ContactUpdated
            | Self::ContactDeleted
            | Self::ContactTagAdded
            | Self::ConversationCreated
            | Self::FlowStarted
            | Self::SequenceEnrolled
            | Self::AiSessionEscalated
            | Self::BroadcastCompleted
            | Self::ChannelConnected => Value::Null,
        }
    }
}

/// Merges members into existing ones, recursively for objects.
fn lay_over(below: &mut Map<String, Value>, above: Map<String, Value>) {
    for (name, value) in above {
        match (below.get_mut(&name), value) {
            (Some(Value::Object(below)), Value::Object(above)) => lay_over(below, above),
            (_, value) => drop(below.insert(name, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_example_of_an_object_with_an_id() {
        for kind in EventKind::ALL {
            let example = kind.example();
            assert!(example["object"]["id"].as_str().is_some_and(|id| id.contains('_')), "{}", kind.as_str());
            assert_eq!(example.len(), kind.data().parts().count());
        }
    }

    #[test]
    fn examples_have_exactly_the_members_of_their_shapes() {
        for kind in EventKind::ALL {
            let (example, shapes) = (kind.example(), kind.data().example());
            for (part, shape) in shapes.iter().filter(|(_, shape)| shape.is_object()) {
                let names = |it: &Value| it.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
                assert_eq!(names(&example[part]), names(shape), "{} {part}", kind.as_str());
            }
        }
    }

    /// A receiver that is tested with the example gets the state that the name of the kind promises.
    #[test]
    fn examples_have_the_state_that_their_kind_names() {
        for (kind, at, expected) in [
            (EventKind::MessageReceived, "/object/direction", json!("inbound")),
            (EventKind::MessageSent, "/object/status", json!("sent")),
            (EventKind::MessageDelivered, "/object/status", json!("delivered")),
            (EventKind::MessageRead, "/object/status", json!("read")),
            (EventKind::MessageFailed, "/object/status", json!("failed")),
            (EventKind::ContactUnsubscribed, "/object/identities/0/opted_in", json!(false)),
            (EventKind::ConversationAssigned, "/object/handler", json!("human")),
            (EventKind::ConversationResolved, "/object/status", json!("resolved")),
            (EventKind::FlowStarted, "/object/status", json!("active")),
            (EventKind::FlowCompleted, "/object/status", json!("completed")),
            (EventKind::FlowFailed, "/object/error/code", json!("tag_missing")),
            (EventKind::SequenceEnrolled, "/object/status", json!("active")),
            (EventKind::SequenceCompleted, "/object/status", json!("completed")),
            (EventKind::BroadcastCompleted, "/object/status", json!("completed")),
            (EventKind::ChannelConnected, "/object/status", json!("connected")),
            (EventKind::ChannelDisconnected, "/object/status", json!("disconnected")),
        ] {
            assert_eq!(Value::Object(kind.example()).pointer(at), Some(&expected), "{}", kind.as_str());
        }
        let changed = EventKind::ContactFieldChanged.example();
        assert_ne!(changed["value"], changed["previous"]);
        let history = |kind: EventKind| kind.example()["object"]["status_history"].as_array().unwrap().last().cloned();
        assert_eq!(history(EventKind::MessageRead).unwrap()["status"], "read");
    }
}
