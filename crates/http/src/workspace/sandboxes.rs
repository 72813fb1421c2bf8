//! `/sandbox`: the clock and the reset of a sandbox. Keys of a sandbox use `/api/v1`, and users `/platform`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use tidings_domain::access::Access;
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::conversations::{Content, InboundMessage, MessageView, Profile, Referral};
use tidings_domain::outcome::{Done, IdempotencyHook};
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Violation, nested, string, text, timestamp};
use tidings_domain::sandboxes::{ClockMove, ClockView, Goal, Progress, SandboxService};
use tidings_domain::time::{IsoDuration, Timestamp};
use tidings_domain::{Error, Tidings, ids::WorkspaceId};

use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The maximum time that a response waits for the clock.
const PATIENCE: Duration = Duration::from_secs(8);
/// The first and the longest delay between two checks while workers are busy.
const FIRST_LOOK: Duration = Duration::from_millis(2);
const LAST_LOOK: Duration = Duration::from_millis(50);

body! {
    /// The target of the clock: send `advance` or `until`.
    pub(crate) struct MoveClock {
        /// Duration to advance, such as `P7D`.
        optional advance: IsoDuration = string(duration).example("P7D");
        /// Target time of the sandbox, for example of an earlier request that did not arrive.
        optional until: Timestamp = timestamp();
    }
}

body! {
    /// An incoming message of a contact.
    pub(crate) struct PlayInbound {
        /// ID or external ID of a contact in the sandbox, or `external_id:…`, `email:…` or `phone:…` as in paths. An
        /// unknown external ID creates a contact.
        required contact: String = text(1..=200);
        /// Text of the message.
        required text: String = text(1..=4_096);
        /// The link or advertisement through which the contact writes.
        nullable referral: Referral = nested();
    }
}

fn duration(text: &str) -> Result<IsoDuration, Violation> {
    text.parse().map_err(|error| Violation::at_root("invalid_format", format!("{error}")))
}

/// Get the sandbox clock.
///
/// For a live workspace, the clock is the present time. Work that is due by the clock is done.
#[utoipa::path(get, path = "/api/v1/sandbox/clock", tag = "Sandbox",
    responses((status = 200, description = "The clock.", body = ClockView)))]
pub async fn clock(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(Answer::json(&service(&cx).clock(cx.access()).await?))
}

/// Advance the sandbox clock.
///
/// All work that becomes due runs in order, each at its own time: delays end, sequences run steps, schedules start,
/// retries run. The response is sent after all work is done. If this takes longer than eight seconds, `arrived` is
/// false. Send the same request with `until` to continue.
#[utoipa::path(post, path = "/api/v1/sandbox/clock", tag = "Sandbox", request_body = MoveClock, responses(
    (status = 200, description = "The current clock.", body = ClockView),
    (status = 409, description = "`not_a_sandbox`: the workspace is a live workspace. `clock_in_use`: another request \
                                  moves the clock.")))]
pub async fn move_clock(cx: RequestContext) -> Result<Answer, Problem> {
    let (said, sandbox) = (cx.body()?, cx.access().clone());
    move_clock_by(&cx, said, &sandbox).await
}

/// Reset the sandbox.
///
/// Deletes contacts, conversations, flows, sequences, broadcasts, webhooks, events and all their data, and sets the
/// clock to the present. Channels, API keys, the usage log and the audit log stay.
#[utoipa::path(post, path = "/api/v1/sandbox/reset", tag = "Sandbox", responses(
    (status = 200, description = "The sandbox is empty. Returns the clock.", body = ClockView),
    (status = 409, description = "`not_a_sandbox`: the workspace is a live workspace. `clock_in_use`: another request \
                                  moves the clock.")))]
pub async fn reset(cx: RequestContext) -> Result<Answer, Problem> {
    let sandbox = cx.access().clone();
    emptied(&cx, &sandbox).await
}

/// Simulate an incoming message.
///
/// It has the same effects as a real message. With an `Idempotency-Key`, a retry is the same message.
#[utoipa::path(post, path = "/api/v1/sandbox/inbound", tag = "Sandbox", request_body = PlayInbound, responses(
    (status = 200, description = "The message was already received.", body = MessageView),
    (status = 202, description = "Stored; the server processes it.", body = MessageView),
    (status = 409, description = "`not_a_sandbox`: the workspace is a live workspace.")))]
pub async fn inbound(cx: RequestContext) -> Result<Answer, Problem> {
    let said: PlayInbound = cx.body()?;
    let own = cx.access().workspace();
    if !own.is_sandbox() {
        return Err(Error::NotASandbox.into());
    }
    play(&cx, cx.services(), &Access::system(own), said).await
}

/// Simulates a message of a contact in a sandbox.
pub(crate) async fn play(
    cx: &RequestContext,
    services: &Tidings,
    sandbox: &Access,
    said: PlayInbound,
) -> Result<Answer, Problem> {
    let PlayInbound { contact, text: words, referral } = said;
    let inbound = &services.inbound;
    let channel = inbound.ports.channels.default_channel(sandbox).await.map_err(Error::Store)?;
    let channel = channel.ok_or(Error::NoChannel)?;
    let address = address(services, sandbox, contact).await?;
    let message = InboundMessage {
        id: name(cx),
        address,
        name: None,
        is_verified: true,
        profile: Profile::default(),
        content: Content::text(words),
        referral: referral.map(Referral::bounded),
        reply_to: None,
        sent_at: None,
        files: Vec::new(),
    };
    let done = inbound.receive(sandbox, &channel, message).await?;
    let view = MessageView::from(&done.value);
    let location = format!("/api/v1/messages/{}", done.value.id);
    Ok(Answer::object(&view, done.value.version).outcome(done.outcome).located(location))
}

/// Returns the address of the contact on the sandbox's channel: the ID or the external ID.
async fn address(services: &Tidings, sandbox: &Access, contact: String) -> Result<String, Error> {
    let known = match ContactRef::parse(&contact) {
        Some(ContactRef::ExternalId(id)) => return Ok(id.to_string()),
        Some(named @ (ContactRef::Email(_) | ContactRef::Phone(_))) => services.contacts.get(sandbox, &named).await,
        Some(ContactRef::Id(_)) | None => return Ok(contact),
    };
    match known {
        Ok(found) => Ok(found.id.to_string()),
        Err(Error::NotFound) => {
            Err(Error::invalid("/contact", "unknown_contact", "no contact of the sandbox has this identifier"))
        }
        Err(error) => Err(error),
    }
}

/// Returns the provider's ID of the message. It is the same if the actor repeats the request with its idempotency key.
fn name(cx: &RequestContext) -> String {
    match &cx.idempotency {
        None => cx.services().ports.ids.next().to_string(),
        Some((key, fingerprint)) => {
            let begin = format!("{}:{}:", cx.actor_of_records(), key.as_str());
            fingerprint.iter().take(16).fold(begin, |mut name, byte| {
                let _ = write!(name, "{byte:02x}");
                name
            })
        }
    }
}

/// Moves the clock of a sandbox.
pub(crate) async fn move_clock_by(cx: &RequestContext, said: MoveClock, sandbox: &Access) -> Result<Answer, Problem> {
    let goal = match (said.advance, said.until) {
        (Some(time), None) => Goal::After(time.get()),
        (None, Some(instant)) => Goal::At(instant),
        _ => return Err(Error::invalid("", "one_of", "send either `advance` or `until`").into()),
    };
    cx.run_idempotent(rendered, async |hook| {
        let service = service(cx);
        let mut advance = service.begin(sandbox, goal).await?;
        let outcome = arrive(&service, &mut advance).await;
        let view = service.end(advance, matches!(outcome, Ok(true))).await?;
        outcome?;
        replay_or_run(cx, &service, view, hook).await
    })
    .await
}

pub(crate) async fn emptied(cx: &RequestContext, sandbox: &Access) -> Result<Answer, Problem> {
    cx.run_idempotent(rendered, async |hook| {
        let service = service(cx);
        service.reset(sandbox).await?;
        let view = service.clock(sandbox).await?;
        replay_or_run(cx, &service, view, hook).await
    })
    .await
}

/// The clock of a sandbox.
pub(crate) async fn shown_of(cx: &RequestContext, sandbox: &Access) -> Result<Answer, Problem> {
    Ok(Answer::object(&service(cx).clock(sandbox).await?, 1))
}

/// Moves the clock until it arrives, or until the time limit. Returns whether it arrived.
async fn arrive(service: &SandboxService, advance: &mut ClockMove) -> Result<bool, Error> {
    let (began, mut look) = (Instant::now(), FIRST_LOOK);
    while began.elapsed() < PATIENCE {
        match service.step(advance).await? {
            Progress::Arrived => return Ok(true),
            Progress::Stopped => return Ok(false),
            Progress::Moved => look = FIRST_LOOK,
            Progress::Waiting => {
                tokio::time::sleep(look).await;
                look = (look * 2).min(LAST_LOOK);
            }
        }
    }
    Ok(false)
}

/// Stores the response under the idempotency key.
async fn replay_or_run(
    cx: &RequestContext,
    service: &SandboxService,
    view: ClockView,
    hook: IdempotencyHook<'_, ClockView>,
) -> Result<Done<ClockView>, Error> {
    let done = Done::changed(view);
    service.keep_answer(cx.access(), hook, &done).await?;
    Ok(done)
}

/// Returns the service with the real time, instead of the clock that it moves.
fn service(cx: &RequestContext) -> SandboxService {
    cx.state.services.sandboxes.clone()
}

fn rendered(done: &Done<ClockView>) -> Answer {
    Answer::json(&done.value)
}

/// Returns the sandbox of the workspace in the path, or the workspace itself if it is a sandbox.
pub(crate) async fn sandbox_of(cx: &RequestContext) -> Result<WorkspaceId, Error> {
    let own = cx.access().workspace();
    if own.is_sandbox() {
        return Ok(own);
    }
    Ok(cx.services().platform.sandbox(cx.access()).await?.id)
}
