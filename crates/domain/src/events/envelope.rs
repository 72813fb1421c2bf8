//! Envelopes: the serialized form of events, created when the event occurs.

use std::io;

use serde::Serialize;
use serde_json::{Map, Value};

use super::EventKind;
use crate::access::{Access, Actor};
use crate::analytics::{Fact, Metric, counted};
use crate::ids::{ContactId, EventId, TypedId, WorkspaceId};
use crate::time::Timestamp;

/// Maximum size of a full envelope in bytes. Larger ones are replaced by the thin form.
pub const MAX_ENVELOPE_BYTES: usize = 256 * 1024;

/// An event with both forms of its envelope. Every delivery attempt sends the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The ID, the same in every attempt and replay.
    pub id: EventId,
    /// The kind.
    pub kind: EventKind,
    /// When it occurred.
    pub at: Timestamp,
    /// The contact of the event, if any.
    pub contact: Option<ContactId>,
    /// The envelope with full objects.
    pub full: String,
    /// The envelope with IDs only.
    pub thin: String,
    /// Number of flow runs in the chain that caused it.
    pub depth: i64,
    /// The metric and the dimension that it counts for, if any.
    pub counts: Option<(Metric, String)>,
}

impl Event {
    /// Returns the fact to count. The fact has the event's ID, so it is counted once.
    pub fn fact(&self) -> Option<Fact> {
        let (metric, dimension) = self.counts.clone()?;
        Some(Fact { id: self.id.uuid(), metric, dimension, amount: 1, at: self.at })
    }
}

/// An event without an ID.
#[derive(Debug, Clone, PartialEq)]
pub struct EventDraft {
    kind: EventKind,
    contact: Option<ContactId>,
    test: bool,
    data: Map<String, Value>,
}

/// The attribute that snapshots of objects in events omit.
pub const LAST_SEEN: &str = "last_message_at";

#[derive(Serialize)]
struct Envelope<'a> {
    id: EventId,
    #[serde(rename = "type")]
    kind: &'static str,
    api_version: &'static str,
    timestamp: Timestamp,
    workspace_id: WorkspaceId,
    test: bool,
    actor: &'a Actor,
    data: &'a Map<String, Value>,
}

impl EventDraft {
    /// Returns an event of this kind about `object`.
    pub fn new(kind: EventKind, object: &impl Serialize) -> Self {
        let mut object = to_value(object);
        // Last-seen stamps are written without a version check, so an envelope cannot contain a reliable value.
        if let Value::Object(fields) = &mut object {
            fields.remove(LAST_SEEN);
        }
        let mut data = Map::new();
        data.insert("object".to_owned(), object);
        Self { kind, contact: None, test: false, data }
    }

    /// Returns a test event with the example of the kind.
    pub fn sample(kind: EventKind) -> Self {
        Self { kind, contact: None, test: true, data: kind.example() }
    }

    /// Sets the contact of the event.
    pub fn about(mut self, contact: ContactId) -> Self {
        self.contact = Some(contact);
        self
    }

    /// Adds a value next to the object.
    pub fn with(mut self, name: &str, value: &impl Serialize) -> Self {
        self.data.insert(name.to_owned(), to_value(value));
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> EventKind {
        self.kind
    }

    /// Returns the event, with both envelopes serialized.
    pub fn seal(self, id: EventId, at: Timestamp, access: &Access) -> Event {
        let write = |data: &Map<String, Value>, most: usize| {
            let envelope = Envelope {
                id,
                kind: self.kind.as_str(),
                api_version: "v1",
                timestamp: at,
                workspace_id: access.workspace(),
                test: self.test || access.workspace().is_sandbox(),
                actor: access.actor(),
                data,
            };
            bounded_text(&envelope, most)
        };
        let thin = write(&thin(&self.data), usize::MAX).unwrap_or_else(|| "null".to_owned());
        let full = write(&self.data, MAX_ENVELOPE_BYTES);
        Event {
            id,
            kind: self.kind,
            at,
            contact: self.contact,
            full: full.unwrap_or_else(|| thin.clone()),
            thin,
            depth: access.depth(),
            counts: counted(self.kind, self.data.get("object")),
        }
    }
}

/// Serializes a view, or returns `None` as soon as the text is longer than `most` bytes. A change can have hundreds of
/// events about an object of megabytes, whose full envelopes are not stored.
fn bounded_text(view: &impl Serialize, most: usize) -> Option<String> {
    let mut text = Bounded { bytes: Vec::new(), most };
    serde_json::to_writer(&mut text, view).ok()?;
    String::from_utf8(text.bytes).ok()
}

struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.most.saturating_sub(self.bytes.len()) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reduces each object in `data` to its IDs.
pub(crate) fn thin(data: &Map<String, Value>) -> Map<String, Value> {
    let ids = |value: &Value| match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, value)| {
                (*name == "id" || name.ends_with("_id")) && (value.is_string() || value.is_null())
            });
            let kept: Map<String, Value> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        _ => None,
    };
    data.iter().filter_map(|(name, value)| Some((name.clone(), ids(value)?))).collect()
}

/// Converts a view to JSON. Views have only string keys and finite numbers, so this cannot fail.
pub(crate) fn to_value(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_object_that_is_too_large_is_replaced_by_its_id() {
        let access = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(1)));
        let sealed = |length: usize| {
            let object = json!({"id": "contact_1", "first_name": "x".repeat(length)});
            let draft = EventDraft::new(EventKind::ContactUpdated, &object);
            draft.seal(EventId::from_uuid(Uuid::from_u128(2)), Timestamp::EPOCH_2026, &access)
        };
        let rest = sealed(0).full.len();
        let whole = sealed(MAX_ENVELOPE_BYTES - rest);
        assert_eq!(whole.full.len(), MAX_ENVELOPE_BYTES);
        assert!(whole.thin.len() < 1_000 && !whole.thin.contains("first_name"), "{}", whole.thin);
        let larger = sealed(MAX_ENVELOPE_BYTES - rest + 1);
        assert_eq!((&larger.full, &larger.thin), (&whole.thin, &whole.thin));
    }

    #[test]
    fn a_text_ends_at_its_limit() {
        let view = json!({"a": "\n€"});
        assert_eq!(bounded_text(&view, 13).as_deref(), Some("{\"a\":\"\\n€\"}"));
        assert_eq!(bounded_text(&view, 12), None);
    }
}
