//! `/events`: the feed of past events.

pub(crate) mod event_types;
mod feed_event;
pub(crate) mod last_event_id;
pub(crate) mod live;
pub(crate) mod stream;

use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::access::{Actor, Scope};
use tidings_domain::events::EventKind;
use tidings_domain::ids::{EventId, WorkspaceId};
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Violation, string};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::request::RequestContext;
use crate::request::query::{DEFAULT_LIMIT, limit, parameters, whole};
use crate::response::answer::Answer;
use crate::response::problem::Problem;
use crate::webhooks::kind;
use feed_event::{feed_event, without_addresses};

parameters! {
    struct FeedParams {
        /// Position after which to start: `next_after` of the previous page; 0 is the beginning.
        one after: i64 = whole(0..=i64::MAX).default(0).with(|it| it.maximum(None::<f64>));
        /// Only events of these types, separated by commas.
        one types: Vec<EventKind> = string(kinds).example("contact.created,message.received");
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
    }
}

/// A page of the feed.
#[derive(Serialize, ToSchema)]
struct EventFeed {
    /// The events, in the order of their positions.
    #[schema(value_type = Vec<FeedEvent>)]
    data: Vec<Map<String, Value>>,
    /// `after` of the next request, even if there are no more events yet.
    next_after: i64,
    /// Whether more events are available now.
    has_more: bool,
}

/// An event with its position in the feed.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the answer")]
struct FeedEvent {
    /// 1 for the first event of the workspace, then without gaps.
    position: i64,
    /// ID of the event, as in deliveries.
    id: EventId,
    /// Type of the event; `GET /event-types` describes its `data`.
    #[schema(rename = "type", example = "contact.created")]
    kind: String,
    /// `v1`.
    api_version: String,
    /// When the event happened.
    timestamp: Timestamp,
    /// The workspace of the event.
    workspace_id: WorkspaceId,
    /// Whether the event happened in a sandbox.
    test: bool,
    /// The actor that caused the event.
    actor: Actor,
    /// The data of the event.
    #[schema(value_type = Object)]
    data: Value,
}

/// List events.
///
/// Returns every event of the workspace once, in the order of the changes, at most a second after it happened. Events
/// are kept for 30 days by default. Store `next_after`, and send it as `after` of the next request.
#[utoipa::path(get, path = "/api/v1/events", tag = "Webhooks", params(FeedParams),
    responses((status = 200, description = "The events after the position.", body = EventFeed)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let FeedParams { after, types, limit } = cx.parameters()?;
    let (after, kinds, limit) = (after.unwrap_or(0), types.unwrap_or_default(), limit.unwrap_or(DEFAULT_LIMIT));
    let page = cx.services().feed.read(cx.access(), after, kinds, limit).await?;
    let may_write = cx.access().allows(Scope::Write);
    let shown = |event| {
        let event = feed_event(event);
        if may_write { event } else { without_addresses(&event).unwrap_or(event) }
    };
    let data = page.events.iter().map(shown).collect();
    Ok(Answer::json(&EventFeed { data, next_after: page.next_after, has_more: page.has_more }))
}

fn kinds(text: &str) -> Result<Vec<EventKind>, Violation> {
    text.split(',').map(|word| kind(word.trim())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tidings_domain::events::{FeedRead, NumberedEvent};

    use super::*;
    use crate::testing::Mocks;

    #[actix_web::test]
    async fn returns_envelopes_with_positions_and_next_after() {
        let mut ports = Mocks::with_keys();
        let wanted = |after: &i64, kinds: &[EventKind], limit: &u32| {
            (*after, kinds, *limit) == (7, &[EventKind::ContactCreated, EventKind::MessageSent][..], 3)
        };
        ports.events.expect_feed().withf(move |_, after, kinds, limit, _| wanted(after, kinds, limit)).returning(
            |_, _, _, _, _| {
                let events = (8..11).map(|position| NumberedEvent { position, envelope: r#"{"id":"evt"}"#.to_owned() });
                Ok(FeedRead { events: events.collect(), head: 20 })
            },
        );
        let reply = ports.serve().get("/api/v1/events?after=7&types=contact.created,message.sent&limit=2").await;
        let data = json!([{"position": 8, "id": "evt"}, {"position": 9, "id": "evt"}]);
        assert_eq!(reply.json(), json!({"data": data, "next_after": 9, "has_more": true}));
    }

    #[actix_web::test]
    async fn rejects_invalid_parameters() {
        let api = Mocks::with_keys().serve();
        let wrong = api.get("/api/v1/events?after=-1&types=contact.created,contact.create&limit=0&cursor=x").await;
        let told: Vec<_> = wrong.errors().into_iter().map(|(place, _)| place).collect();
        assert_eq!(told, ["after", "types", "limit", "cursor"]);
    }
}
