//! Types of values in events, by path, as texts and conditions of flows use them. They are derived from the shapes of
//! the parts.

use serde_json::Value;

use super::{EventKind, LAST_SEEN, Shape};
use crate::time::Timestamp;

/// The type of a value in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventValue {
    /// A text.
    Text,
    /// A time.
    Time,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A list.
    List,
    /// An object. It cannot be compared.
    Object,
    /// A type that only the event itself determines.
    Any,
}

impl EventValue {
    /// Display name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Time => "a time",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::List => "a list",
            Self::Object => "an object",
            Self::Any => "anything",
        }
    }

    /// Whether it is always a single value.
    pub fn is_single(self) -> bool {
        match self {
            Self::Text | Self::Time | Self::Number | Self::Boolean => true,
            Self::List | Self::Object | Self::Any => false,
        }
    }
}

/// Objects with different members in different events.
const OPEN: [&str; 11] = [
    "custom_fields",
    "vars",
    "previous",
    "validation",
    "config",
    "parameters",
    "template",
    "sender",
    "started_by",
    "enrolled_by",
    "error",
];

impl EventKind {
    /// Returns the type of the value at a path under `event`, for events of this kind; `None` if there never is one.
    pub fn value_at(self, path: &[&str]) -> Option<EventValue> {
        let (first, rest) = path.split_first()?;
        if ["type", "timestamp"].contains(first) {
            let found = if *first == "type" { EventValue::Text } else { EventValue::Time };
            return rest.is_empty().then_some(found);
        }
        let (_, shape) = self.data().parts().find(|(name, _)| name == first)?;
        let known = match shape {
            Shape::Value | Shape::Attributes | Shape::AiSession | Shape::Broadcast | Shape::Assignee => None,
            Shape::Contact
            | Shape::DeletedContact
            | Shape::MergedContact
            | Shape::Message
            | Shape::MessageError
            | Shape::Conversation
            | Shape::FlowRun
            | Shape::RunError
            | Shape::Enrollment
            | Shape::Channel
            | Shape::TagLink
            | Shape::CustomField
            | Shape::ChannelId
            | Shape::Source
            | Shape::Reason
            | Shape::Summary => Some(shape.example()),
        };
        match known {
            Some(example) => at(&example, rest),
            None => Some(EventValue::Any),
        }
    }

    /// Returns the paths with one and two steps that events of this kind have, as suggestions.
    pub fn paths(self) -> Vec<String> {
        let mut paths = vec!["type".to_owned(), "timestamp".to_owned()];
        for (name, shape) in self.data().parts() {
            paths.push(name.to_owned());
            if let Value::Object(members) = shape.example() {
                paths.extend(members.keys().map(|member| format!("{name}.{member}")));
            }
        }
        paths
    }

    /// Whether it is about an existing contact. Only such events start flows or continue runs.
    pub fn reaches_flows(self) -> bool {
        match self.data().object {
            Shape::Contact
            | Shape::Message
            | Shape::Conversation
            | Shape::FlowRun
            | Shape::Enrollment
            | Shape::AiSession => true,
            Shape::DeletedContact
            | Shape::MergedContact
            | Shape::MessageError
            | Shape::RunError
            | Shape::Broadcast
            | Shape::Channel
            | Shape::TagLink
            | Shape::CustomField
            | Shape::Attributes
            | Shape::Value
            | Shape::Assignee
            | Shape::ChannelId
            | Shape::Source
            | Shape::Reason
            | Shape::Summary => false,
        }
    }
}

/// Returns the type at a path in a value.
fn at(value: &Value, path: &[&str]) -> Option<EventValue> {
    let Some((step, rest)) = path.split_first() else { return Some(of(value)) };
    match value {
        Value::Object(members) => match members.get(*step) {
            // The object of an event omits its last-seen stamp, but other parts may contain one.
            None if *step == LAST_SEEN && rest.is_empty() => Some(EventValue::Time),
            None => None,
            Some(_) if OPEN.contains(step) && !rest.is_empty() => Some(EventValue::Any),
            Some(member) => at(member, rest),
        },
        Value::Array(items) => {
            step.parse::<usize>().ok()?;
            items.first().map_or(Some(EventValue::Any), |item| at(item, rest))
        }
        Value::Null => Some(EventValue::Any),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn of(value: &Value) -> EventValue {
    match value {
        Value::Null => EventValue::Any,
        Value::Bool(_) => EventValue::Boolean,
        Value::Number(_) => EventValue::Number,
        Value::String(text) if text.parse::<Timestamp>().is_ok() => EventValue::Time,
        Value::String(_) => EventValue::Text,
        Value::Array(_) => EventValue::List,
        Value::Object(_) => EventValue::Object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(kind: EventKind, path: &str) -> Option<EventValue> {
        kind.value_at(&path.split('.').collect::<Vec<_>>())
    }

    #[test]
    fn values_have_the_types_of_the_examples() {
        use EventKind::*;
        for (kind, path, expected) in [
            (ContactTagAdded, "tag.name", Some(EventValue::Text)),
            (ContactTagAdded, "tag.applied_at", Some(EventValue::Time)),
            (ContactTagAdded, "object.subscribed", Some(EventValue::Boolean)),
            (ContactTagAdded, "object.version", Some(EventValue::Number)),
            (ContactTagAdded, "object.tags", Some(EventValue::List)),
            (ContactTagAdded, "object.tags.0.name", Some(EventValue::Text)),
            (ContactTagAdded, "object.tags.name", None),
            (ContactTagAdded, "object.custom_fields", Some(EventValue::Object)),
            (ContactTagAdded, "object.custom_fields.any_key", Some(EventValue::Any)),
            (ContactTagAdded, "object.deleted_at", Some(EventValue::Any)),
            (ContactTagAdded, "object.nick_name", None),
            (ContactTagAdded, "tag.name.first", None),
            (ContactTagAdded, "field.key", None),
            (ContactFieldChanged, "value", Some(EventValue::Any)),
            (ContactFieldChanged, "previous", Some(EventValue::Any)),
            (ContactUpdated, "previous.last_name", Some(EventValue::Any)),
            (ContactUpdated, "merged", Some(EventValue::Object)),
            (ContactUpdated, "merged.id", Some(EventValue::Text)),
            (ContactUpdated, "merged.name", None),
            (ContactUpdated, "merged_into.id", None),
            (ContactDeleted, "merged_into.id", Some(EventValue::Text)),
            (ContactCreated, "merged.id", None),
            (MessageReceived, "contact.last_message_at", Some(EventValue::Time)),
            (MessageReceived, "object.sender.type", Some(EventValue::Any)),
            (FlowFailed, "error.code", Some(EventValue::Text)),
            (FlowFailed, "object.trace.0.node_id", Some(EventValue::Any)),
            (FlowStarted, "type", Some(EventValue::Text)),
            (FlowStarted, "timestamp", Some(EventValue::Time)),
            (FlowStarted, "type.x", None),
        ] {
            assert_eq!(value(kind, path), expected, "{}: {path}", kind.as_str());
        }
    }

    #[test]
    fn every_suggested_path_has_a_value() {
        for kind in EventKind::ALL {
            for path in kind.paths() {
                assert!(value(*kind, &path).is_some(), "{}: {path}", kind.as_str());
            }
        }
        let reaching: Vec<&str> =
            EventKind::ALL.iter().filter(|kind| !kind.reaches_flows()).map(|it| it.as_str()).collect();
        assert_eq!(reaching, ["contact.deleted", "broadcast.completed", "channel.connected", "channel.disconnected"]);
    }
}
