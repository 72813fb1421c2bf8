//! The changed values of a contact in the entries of its events.

use serde_json::{Map, Value, json};

use super::TimelineEvent;
use crate::contacts::Attribute;
use crate::events::{Event, EventKind};

/// Event kinds with changed values in their entries.
pub const WITH_VALUES: [EventKind; 2] = [EventKind::ContactUpdated, EventKind::ContactFieldChanged];
/// Maximum size in bytes of an envelope with changed values. Larger envelopes are read with IDs only.
pub const MAX_WITH_VALUES: usize = 64 * 1024;
/// Maximum number of characters of a text in an entry.
const MAX_TEXT: usize = 200;

impl From<Event> for TimelineEvent {
    fn from(it: Event) -> Self {
        let has_values = WITH_VALUES.contains(&it.kind) && it.full.len() <= MAX_WITH_VALUES;
        let envelope = if has_values { it.full } else { it.thin };
        Self { id: it.id, kind: it.kind, at: it.at, envelope }
    }
}

/// Returns the changed values in the data of an event, each with the previous one. `None` if the event has no changed
/// values, or if they are no longer stored.
pub(super) fn changes_of(kind: EventKind, data: &Map<String, Value>) -> Option<Vec<Value>> {
    if kind == EventKind::ContactUpdated {
        let (previous, object) = (data.get("previous")?.as_object()?, data.get("object")?.as_object()?);
        let changed = previous.iter().filter(|(name, _)| is_set_by_clients(name));
        return Some(changed.map(|(name, before)| change(name, before, object.get(name))).collect());
    }
    if kind == EventKind::ContactFieldChanged {
        let key = data.get("field")?.get("key")?.as_str()?;
        let before = data.get("previous").unwrap_or(&Value::Null);
        return Some(vec![change(&format!("custom_fields.{key}"), before, data.get("value"))]);
    }
    None
}

/// Whether clients set the attribute. The full name is derived from other attributes.
fn is_set_by_clients(name: &str) -> bool {
    Attribute::parse(name).is_some() || ["subscribed", "status"].contains(&name)
}

fn change(field: &str, previous: &Value, value: Option<&Value>) -> Value {
    json!({"field": field, "previous": shortened(previous), "value": value.map(shortened)})
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => text.chars().take(MAX_TEXT).collect::<String>().into(),
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(kind: EventKind, data: Value) -> Option<Value> {
        changes_of(kind, data.as_object()?).map(Value::Array)
    }

    #[test]
    fn lists_changed_attributes_with_both_values() {
        let data = json!({
            "object": {"id": "contact_1", "name": "Ada King", "last_name": "King", "email": null},
            "previous": {"email": "ada@example.com", "identities": [], "last_name": "Byron", "name": "Ada Byron"},
        });
        let expected = json!([
            {"field": "email", "previous": "ada@example.com", "value": null},
            {"field": "last_name", "previous": "Byron", "value": "King"},
        ]);
        assert_eq!(changes(EventKind::ContactUpdated, data), Some(expected));
    }

    #[test]
    fn lists_a_changed_field_by_its_key() {
        let data = |value: Value, previous: Value| json!({"object": {"id": "contact_1"}, "field": {"id": "field_1", "key": "plan"}, "value": value, "previous": previous});
        let found = changes(EventKind::ContactFieldChanged, data(json!("gold"), Value::Null));
        assert_eq!(found, Some(json!([{"field": "custom_fields.plan", "previous": null, "value": "gold"}])));
        let found = changes(EventKind::ContactFieldChanged, data(json!("ä".repeat(300)), json!(["a", "b"])));
        let expected = json!([{"field": "custom_fields.plan", "previous": ["a", "b"], "value": "ä".repeat(MAX_TEXT)}]);
        assert_eq!(found, Some(expected), "long texts are shortened");
    }

    #[test]
    fn lists_nothing_without_stored_values() {
        let erased = json!({"object": {"id": "contact_1", "erased": true}});
        for kind in WITH_VALUES {
            assert_eq!(changes(kind, erased.clone()), None);
        }
        let added = json!({"object": {"id": "contact_1"}, "previous": {"email": null}});
        assert_eq!(changes(EventKind::ContactTagAdded, added), None);
    }
}
