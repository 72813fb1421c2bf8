//! `GET /stream`: what happens in a workspace, while it happens.

use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, HeaderName};
use tidings_domain::events::FeedPlace;

use crate::answer::Answer;
use crate::caller::Caller;
use crate::live::{Connection, EXAMPLE, Full, Holder, Opening};
use crate::problem::{Code, Problem};
use crate::request::Cx;

/// A client opens a stream again after so long at the least.
const RETRY_MS: u128 = 2_000;
/// By up to so much later, so that not all come at once when a server stops.
const SPREAD_MS: u128 = 3_000;
/// When it is worth asking for a place again.
const RETRY_PLACE: u64 = 5;
/// Proxies that gather answers before they pass them on are asked not to: nginx's name for it.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Streams what happens in the workspace.
///
/// Server-sent events (HTML standard, section 9.2), to be read by `fetch` or whatever sends the usual credential. Every event of the
/// feed comes with its kind as `event`, its position as `id` and, as `data`, what `GET /events` shows of it. `ready` says that
/// all that was missed has come. What has no event, such as that a conversation was read, snoozed or got a note, comes as
/// `changed`, with type, id and version of the object: read it again. These hints have no `id` and come once: after `ready`, read
/// again what you show. Hints of webhooks and deliveries come to the scope `full` alone, those of requests in the usage log to
/// owners and admins. `end` is the last event, with its `reason`; open the stream again after `retry` milliseconds with the last
/// `id` as `Last-Event-ID`. A line `:` comes every 15 seconds. A stream is one request of the plan's limit; a key or person may
/// have 5 open, and a workspace 100, with each process of the service.
#[utoipa::path(get, path = "/api/v1/stream", tag = "Webhooks",
    params(("Last-Event-ID" = Option<i64>, Header,
        description = "The `id` of the last event that came: the stream goes on behind it. Without it, it begins at the present.",
        example = 41)),
    responses(
        (status = 200, description = "The events, as they happen.", content_type = "text/event-stream", body = String,
            example = json!(EXAMPLE)),
        (status = 410, description = "Not all events behind `Last-Event-ID` are there any more, or there are not so many."),
    ))]
pub async fn open(cx: Cx) -> Result<Answer, Problem> {
    if cx.state.is_draining() {
        return Err(Problem::new(Code::Unavailable).detail("This server stops; another one takes the stream."));
    }
    let (state, after) = (&cx.state, cx.last_event_id);
    let workspace = cx.access().workspace();
    let client = match cx.caller() {
        Caller::Key(holder) => holder.key.id.to_string(),
        Caller::Person(person) => person.holder.user.id.to_string(),
        Caller::Nobody => return Err(Problem::new(Code::Unauthorized)),
    };
    let place = state.streams.place(workspace, client).map_err(full)?;
    if let Some(after) = after {
        match state.services.feed.place(cx.access(), after).await? {
            FeedPlace::Whole => {}
            FeedPlace::TooOld => return Err(gone("The oldest events behind this position were removed.", after)),
            FeedPlace::Beyond => return Err(gone("The workspace has not so many events.", after)),
        }
    }
    let holder = Holder::new(state.services.clone(), cx.caller().clone(), cx.access().clone());
    let spread = state.services.ports.ids.next().as_u128() % SPREAD_MS;
    let retry = Duration::from_millis(u64::try_from(RETRY_MS + spread).unwrap_or_default());
    let opening = Opening { after, retry, gone: cx.gone.clone() };
    let stream = Connection::open(&state.streams, holder, workspace, opening, place).await?;
    let answer = Answer::streamed("text/event-stream", stream.written());
    Ok(answer.with(CACHE_CONTROL, "no-store").with(BUFFERING, "no"))
}

fn gone(why: &str, after: i64) -> Problem {
    let detail = format!("{why} Open the stream without `Last-Event-ID`, and read again what you show.");
    Problem::new(Code::EventsGone).detail(detail).extension("last_event_id", after)
}

fn full(full: Full) -> Problem {
    let (who, most) = match full {
        Full::Client(most) => ("This key or person", most),
        Full::Workspace(most) => ("The workspace", most),
        Full::Process(most) => ("The server", most),
    };
    let detail =
        format!("{who} has {most} streams open, as many as it may; close one, or repeat after `Retry-After` seconds.");
    Problem::new(Code::StreamLimit).detail(detail).extension("limit", most).retry_after(RETRY_PLACE)
}
