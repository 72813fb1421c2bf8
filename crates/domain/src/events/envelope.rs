//! Envelopes: what an event looks like to the outside, serialised when it happens.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::EventKind;
use crate::access::{Access, Actor};
use crate::analytics::{Fact, Metric, counted};
use crate::ids::{ContactId, EventId, TypedId, WorkspaceId};
use crate::time::Timestamp;

/// A full envelope above this many bytes is sent in its thin form.
pub const MAX_ENVELOPE_BYTES: usize = 256 * 1024;

/// A fact with both forms of its envelope; the same bytes are sent on every attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id, the same on every attempt and replay.
    pub id: EventId,
    /// Its kind.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// The contact that it is about.
    pub contact: Option<ContactId>,
    /// The envelope with whole objects.
    pub full: String,
    /// The envelope with ids only.
    pub thin: String,
    /// How many runs of flows stand behind it.
    pub depth: i64,
    /// What it counts as, and for which channel, if anything.
    pub counts: Option<(Metric, String)>,
}

impl Event {
    /// What it counts as. It is counted once: the fact bears the event's id.
    pub fn fact(&self) -> Option<Fact> {
        let (metric, dimension) = self.counts.clone()?;
        Some(Fact { id: self.id.uuid(), metric, dimension, amount: 1, at: self.at })
    }
}

/// What happened, before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub struct EventDraft {
    kind: EventKind,
    contact: Option<ContactId>,
    test: bool,
    data: Map<String, Value>,
}

/// The attribute of objects that their snapshots in events lack.
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
    /// A fact of this kind about `object`.
    pub fn new(kind: EventKind, object: &impl Serialize) -> Self {
        let mut object = to_value(object);
        // Last-seen stamps commute, so no envelope may claim to know them.
        if let Value::Object(fields) = &mut object {
            fields.remove(LAST_SEEN);
        }
        let mut data = Map::new();
        data.insert("object".to_owned(), object);
        Self { kind, contact: None, test: false, data }
    }

    /// A fact that did not happen: the kind's example, marked as a test.
    pub fn sample(kind: EventKind) -> Self {
        Self { kind, contact: None, test: true, data: kind.example() }
    }

    /// Tells which contact it is about.
    pub fn about(mut self, contact: ContactId) -> Self {
        self.contact = Some(contact);
        self
    }

    /// Adds a value beside the object.
    pub fn with(mut self, name: &str, value: &impl Serialize) -> Self {
        self.data.insert(name.to_owned(), to_value(value));
        self
    }

    /// Its kind.
    pub fn kind(&self) -> EventKind {
        self.kind
    }

    /// The event, with both envelopes written out.
    pub fn seal(self, id: EventId, at: Timestamp, access: &Access) -> Event {
        let write = |data: &Map<String, Value>| {
            to_text(&Envelope {
                id,
                kind: self.kind.as_str(),
                api_version: "v1",
                timestamp: at,
                workspace_id: access.workspace(),
                test: self.test || access.workspace().is_sandbox(),
                actor: access.actor(),
                data,
            })
        };
        let thin = write(&thin(&self.data));
        let full = Some(write(&self.data)).filter(|full| full.len() <= MAX_ENVELOPE_BYTES);
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

/// Reduces each object in `data` to its IDs.
pub(crate) fn thin(data: &Map<String, Value>) -> Map<String, Value> {
    let ids = |value: &Value| match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, value)| {
                (*name == "id" || name.ends_with("_id")) && (value.is_string() || value.is_null())
            });
            let kept: Map<String, Value> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
            (!kept.is_empty()).then(|| json!(kept))
        }
        _ => None,
    };
    data.iter().filter_map(|(name, value)| Some((name.clone(), ids(value)?))).collect()
}

/// Views hold strings as map keys and finite numbers only, so serialising them cannot fail.
pub(crate) fn to_value(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}

/// As [`to_value`], straight to text.
pub(crate) fn to_text(view: &impl Serialize) -> String {
    serde_json::to_string(view).unwrap_or_else(|_| "null".to_owned())
}
