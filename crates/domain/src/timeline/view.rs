//! Entries of timelines in API responses.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::values::changes_of;
use super::{TimelineEntry, TimelineEvent, TimelineKind};
use crate::conversations::Message;
use crate::events::thin;
use crate::step_outcome::StepOutcome;
use crate::time::Timestamp;

/// Maximum number of characters of a text in a summary.
const MAX_TEXT: usize = 200;
/// Maximum size in bytes of JSON of a custom event's data in a summary. Larger data is omitted.
const MAX_DATA: usize = 1_024;

/// An entry in the timeline of a contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TimelineEntry))]
#[non_exhaustive]
pub struct TimelineEntryView {
    /// ID of the entry: the ID of the event, message or enrollment; for a step, the ID of its run, a dot, and the index
    /// in the trace, from 0.
    pub id: String,
    /// Type of the entry.
    pub kind: TimelineKind,
    /// When it happened; for a message, when it was created; for an enrollment, when it started.
    pub at: Timestamp,
    /// Summary of the entry; its fields depend on the type.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub summary: Map<String, Value>,
}

impl From<&TimelineEntry> for TimelineEntryView {
    fn from(it: &TimelineEntry) -> Self {
        let (id, summary) = match it {
            TimelineEntry::Event(event) => (event.id.to_string(), of_event(event)),
            TimelineEntry::CustomEvent(event) => {
                let data = Value::Object(event.data.clone());
                let is_short = data.to_string().len() <= MAX_DATA;
                let data = if is_short { data } else { Value::Null };
                (event.id.to_string(), json!({"name": event.name.to_string(), "data": data}))
            }
            TimelineEntry::Message(message) => (message.id.to_string(), of_message(message)),
            TimelineEntry::Step { run, flow, place, entry } => {
                let summary = json!({
                    "run_id": run, "flow_id": flow, "node_id": entry.node, "type": entry.kind, "outcome": entry.outcome,
                    "outcome_parts": StepOutcome::parts(&entry.outcome),
                    "exit": entry.exit, "message_id": entry.message, "called_run_id": entry.run,
                });
                (format!("{run}.{place}"), summary)
            }
            TimelineEntry::Enrollment(enrollment) => {
                let summary = json!({
                    "sequence_id": enrollment.sequence, "number": enrollment.number,
                    "status": enrollment.status.as_str(), "step_id": enrollment.step,
                    "exit_reason": enrollment.exit_reason.map(|reason| reason.as_str()),
                    "enrolled_by": enrollment.enrolled_by, "ended_at": enrollment.ended_at,
                });
                (enrollment.id.to_string(), summary)
            }
        };
        let summary = if let Value::Object(members) = summary { members } else { Map::new() };
        Self { id, kind: it.kind(), at: it.position().at.at, summary }
    }
}

/// Returns the type, the actor, the IDs of the objects, and the changed values if the event has any.
fn of_event(event: &TimelineEvent) -> Value {
    let envelope: Value = serde_json::from_str(&event.envelope).unwrap_or_default();
    let part = |name: &str| envelope.get(name).cloned().unwrap_or_default();
    let data = part("data");
    let changes = data.as_object().and_then(|data| Some((thin(data), changes_of(event.kind, data)?)));
    match changes {
        Some((ids, changes)) => {
            json!({"type": event.kind.as_str(), "actor": part("actor"), "data": ids, "changes": changes})
        }
        None => json!({"type": event.kind.as_str(), "actor": part("actor"), "data": data}),
    }
}

fn of_message(message: &Message) -> Value {
    let text = message.shown_text().map(|text| text.chars().take(MAX_TEXT).collect::<String>());
    let files: Vec<&str> = message.content.attachments.iter().filter_map(|it| it.name.as_deref()).collect();
    let reactions: Vec<&str> = message.revisions.reactions.iter().map(|it| it.emoji.as_str()).collect();
    json!({
        "direction": message.direction.as_str(), "type": message.content.kind.as_str(), "text": text, "files": files,
        "status": message.status.as_str(), "reason": message.error.as_ref().map(|error| &error.code),
        "channel_id": message.channel, "conversation_id": message.conversation, "sender": message.sender,
        "edited_at": message.revisions.edited_at, "deleted_by_contact_at": message.revisions.deleted_at,
        "reactions": reactions,
    })
}
