//! `/event-types`: what webhooks may be told of.

use serde::Serialize;
use tidings_domain::events::EventKind;
use utoipa::ToSchema;

use crate::answer::Answer;
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
}

/// Lists the kinds of events that can happen: all of them, on one page.
#[utoipa::path(get, path = "/api/v1/event-types", tag = "Webhooks",
    responses((status = 200, description = "All kinds of events.", body = List<EventType>)))]
pub async fn list(_: Cx) -> Result<Answer, Problem> {
    let kinds = EventKind::ALL.iter().filter(|kind| kind.can_happen());
    let data = kinds.map(|kind| EventType { name: kind.as_str(), description: kind.happens_when() }).collect();
    Ok(Answer::json(&List { data, next_cursor: None, total: None, total_is_capped: None }))
}
