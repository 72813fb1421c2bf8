//! `/event-types`: what webhooks may be told of.

use serde::Serialize;
use serde_json::{Map, Value, json};
use tidings_domain::events::EventKind;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::openapi::envelope_name;
use crate::paging::List;
use crate::problem::Problem;
use crate::request::Cx;

/// A kind of event.
#[derive(Serialize, ToSchema)]
struct EventType {
    /// Its name in envelopes and in `events` of webhooks.
    #[serde(rename = "type")]
    #[schema(example = "contact.created")]
    name: &'static str,
    /// When it happens.
    #[schema(example = "a contact was created")]
    description: &'static str,
    /// Whether anything causes it in this version; webhooks cannot ask for one that nothing causes.
    can_happen: bool,
    /// The `data` of a full envelope, for example.
    #[schema(value_type = Object)]
    example: Map<String, Value>,
    /// A JSON Schema of the `data` of a full envelope: a reference into `/openapi.json`.
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

/// Lists all kinds of events, on one page.
///
/// Each with its schema and an example: what webhooks can subscribe to.
#[utoipa::path(get, path = "/api/v1/event-types", tag = "Webhooks",
    responses((status = 200, description = "All kinds of events.", body = List<EventType>)))]
pub async fn list(_: Cx) -> Result<Answer, Problem> {
    let data = EventKind::ALL.iter().map(|kind| EventType::from(*kind)).collect();
    Ok(Answer::json(&List { data, next_cursor: None, total: None, total_is_capped: None }))
}
