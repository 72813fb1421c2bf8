//! `GET /stream`: the live events of a workspace.

use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, HeaderName};
use tidings_domain::events::FeedPlace;

use crate::auth::caller::Caller;
use crate::events::live::{Connection, EXAMPLE, Full, StreamAccess, StreamStart};
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

/// The minimum time before a client reconnects.
const RETRY_MS: u128 = 2_000;
/// The maximum random addition, so that not all clients reconnect at once when a server stops.
const SPREAD_MS: u128 = 3_000;
/// Value of `Retry-After`, in seconds, if there is no slot.
const RETRY_PLACE: u64 = 5;
/// Turns off the response buffering of proxies; nginx defines this header.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Stream events.
///
/// Returns server-sent events (HTML standard, section 9.2). Read them with `fetch` or another client that can send the
/// usual credential. Each event of the feed has its type as `event`, its position as `id`, and the item of
/// `GET /events` as `data`. `ready` marks the end of the missed events.
///
/// Changes without an event, such as a read or snoozed conversation or a note, are sent as `changed`, with type, ID and
/// version of the object. Read the object again. These hints have no `id` and are sent once, so reload your data after
/// `ready`. Hints about webhooks and deliveries need the scope `full`. Hints about the usage log need the role owner or
/// admin.
///
/// `end` is the last event, with its `reason`. Open the stream again after `retry` milliseconds, with the last `id` as
/// `Last-Event-ID`. A line `:` is sent every 15 seconds. A stream counts as one request of the plan's limit. An API key
/// or user can have 5 open streams, and a workspace 100, on each server process.
#[utoipa::path(get, path = "/api/v1/stream", tag = "Webhooks",
    params(("Last-Event-ID" = Option<i64>, Header,
        description = "The `id` of the last received event: the stream continues after it. Without it, the stream \
                       starts at the present.",
        example = 41)),
    responses(
        (status = 200, description = "The events, as they happen.", content_type = "text/event-stream", body = String,
            example = json!(EXAMPLE)),
        (status = 410, description = "The server does not have all events after `Last-Event-ID`, or the position is \
                                      too high."),
    ))]
pub async fn open(cx: RequestContext) -> Result<Answer, Problem> {
    if cx.state.is_draining() {
        return Err(
            Problem::new(Code::Unavailable).detail("This server is stopping. Open the stream again on another server.")
        );
    }
    let (state, after) = (&cx.state, cx.last_event_id);
    let workspace = cx.access().workspace();
    let client = match cx.caller() {
        Caller::Key(holder) => holder.key.id.to_string(),
        Caller::Person(person) => person.holder.user.id.to_string(),
        Caller::Nobody => return Err(Problem::new(Code::Unauthorized)),
    };
    let place = state.streams.acquire(workspace, client).map_err(full)?;
    if let Some(after) = after {
        match state.services.feed.check_position(cx.access(), after).await? {
            FeedPlace::Whole => {}
            FeedPlace::TooOld => {
                return Err(position_problem("The oldest events after this position were removed.", after));
            }
            FeedPlace::Beyond => {
                return Err(position_problem("The workspace has fewer events than this position.", after));
            }
        }
    }
    let holder = StreamAccess::new(state.services.clone(), cx.caller().clone(), cx.access().clone());
    let spread = state.services.ports.ids.next().as_u128() % SPREAD_MS;
    let retry = Duration::from_millis(u64::try_from(RETRY_MS + spread).unwrap_or_default());
    let opening = StreamStart { after, retry, gone: cx.gone.clone() };
    let stream = Connection::open(&state.streams, holder, workspace, opening, place).await?;
    let answer = Answer::streamed("text/event-stream", stream.into_body());
    Ok(answer.with(CACHE_CONTROL, "no-store").with(BUFFERING, "no"))
}

fn position_problem(why: &str, after: i64) -> Problem {
    let detail = format!("{why} Open the stream without `Last-Event-ID`, and reload your data.");
    Problem::new(Code::EventsGone).detail(detail).extension("last_event_id", after)
}

fn full(full: Full) -> Problem {
    let (who, most) = match full {
        Full::Client(most) => ("This API key or user", most),
        Full::Workspace(most) => ("The workspace", most),
        Full::Process(most) => ("The server", most),
    };
    let detail = format!(
        "{who} has {most} streams open, which is the limit. Close a stream, or retry after `Retry-After` seconds."
    );
    Problem::new(Code::StreamLimit).detail(detail).extension("limit", most).retry_after(RETRY_PLACE)
}
