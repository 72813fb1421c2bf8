//! `/event-types`: the types of events that webhooks can receive.

use serde::Serialize;
use serde_json::{Map, Value, json};
use tidings_domain::events::EventKind;
use utoipa::ToSchema;

use crate::openapi::envelope_name;
use crate::request::RequestContext;
use crate::request::paging::List;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// An event type.
#[derive(Serialize, ToSchema)]
struct EventType {
    /// Name in envelopes and in `events` of webhooks.
    #[serde(rename = "type")]
    #[schema(example = "contact.created")]
    name: &'static str,
    /// When the event happens.
    #[schema(example = "a contact was created")]
    description: &'static str,
    /// Whether this version sends the event. Webhooks cannot subscribe to an event type that is never sent.
    can_happen: bool,
    /// The `data` of a full envelope, for example.
    #[schema(value_type = Object)]
    example: Map<String, Value>,
    /// JSON Schema of `data` in a full envelope, as a reference into `/openapi.json`.
    #[schema(value_type = Object)]
    data_schema: Value,
}

impl From<EventKind> for EventType {
    fn from(kind: EventKind) -> Self {
        Self {
            name: kind.as_str(),
            description: kind.happens_when(),
            can_happen: kind.can_happen(),
            example: kind.example(),
            data_schema: json!({
                "$ref": format!("/openapi.json#/components/schemas/{}/properties/data", envelope_name(kind)),
            }),
        }
    }
}

/// List event types.
///
/// Returns all event types on one page, each with its schema and an example. Webhooks can subscribe to them.
#[utoipa::path(get, path = "/api/v1/event-types", tag = "Webhooks",
    responses((status = 200, description = "All event types.", body = List<EventType>)))]
pub async fn list(_: RequestContext) -> Result<Answer, Problem> {
    let data = EventKind::ALL.iter().map(|kind| EventType::from(*kind)).collect();
    Ok(Answer::json(&List { data, next_cursor: None, total: None, total_is_capped: None }))
}
