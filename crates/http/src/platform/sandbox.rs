//! `/platform/workspaces/{ws}/sandbox`: the sandbox of a workspace.

use tidings_domain::Error;
use tidings_domain::access::{Access, Workspace, WorkspaceView};
use tidings_domain::conversations::MessageView;
use tidings_domain::outcome::Done;
use tidings_domain::sandboxes::ClockView;

use super::workspaces::{path, show};
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::Problem;
use crate::workspace::sandboxes::{MoveClock, PlayInbound, emptied, move_clock_by, play, sandbox_of, shown_of};

/// Get the sandbox of a workspace.
///
/// Returns 404 if the sandbox was not created yet.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/sandbox", tag = "Platform",
    responses((status = 200, description = "The sandbox.", body = WorkspaceView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(show(&cx.services().platform.sandbox(cx.access()).await?))
}

/// Create the sandbox of a workspace.
///
/// The sandbox has the same members, a channel that sends nothing, API keys that begin with `tdg_test_`, 600 requests
/// per minute, and events with `"test": true`.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox", tag = "Platform", responses(
    (status = 200, description = "The existing sandbox.", body = WorkspaceView),
    (status = 201, description = "The new sandbox.", body = WorkspaceView)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let render = |done: &Done<Workspace>| show(&done.value).outcome(done.outcome).located(path(&done.value));
    cx.run_idempotent(render, async |idempotency| cx.services().platform.create_sandbox(cx.access(), idempotency).await)
        .await
}

/// Simulate an incoming message in the sandbox of a workspace.
///
/// It has the same effects as a real message. With an `Idempotency-Key`, a retry is the same message.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox/inbound", tag = "Platform",
    request_body = PlayInbound, responses(
    (status = 200, description = "The message was already received.", body = MessageView),
    (status = 202, description = "Stored; the server processes it.", body = MessageView)))]
pub async fn inbound(cx: RequestContext) -> Result<Answer, Problem> {
    let said: PlayInbound = cx.body()?;
    let sandbox = Access::system(sandbox_of(&cx).await?);
    // The message has the time of the sandbox's clock.
    let there = cx.services().in_time_of(sandbox.workspace()).await.map_err(Error::Store)?;
    play(&cx, there.as_ref().unwrap_or(cx.services()), &sandbox, said).await
}

/// Get the clock of the sandbox of a workspace.
///
/// Keys of the sandbox get the same from `/api/v1/sandbox/clock`.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/sandbox/clock", tag = "Platform",
    responses((status = 200, description = "The clock.", body = ClockView)))]
pub async fn clock(cx: RequestContext) -> Result<Answer, Problem> {
    shown_of(&cx, &Access::system(sandbox_of(&cx).await?)).await
}

/// Advance the clock of the sandbox of a workspace.
///
/// All work that becomes due runs in order, each at its own time. If this takes longer than eight seconds, `arrived` is
/// false. Send the same request with `until` to continue.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox/clock", tag = "Platform", request_body = MoveClock,
    responses((status = 200, description = "The current clock.", body = ClockView),
    (status = 409, description = "`clock_in_use`: another request moves the clock.")))]
pub async fn move_clock(cx: RequestContext) -> Result<Answer, Problem> {
    let said = cx.body()?;
    move_clock_by(&cx, said, &Access::system(sandbox_of(&cx).await?)).await
}

/// Reset the sandbox of a workspace.
///
/// Deletes contacts, flows, webhooks and all their data, and sets the clock to the present. Channels, API keys and the
/// usage log stay.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox/reset", tag = "Platform", responses(
    (status = 200, description = "The sandbox is empty. Returns the clock.", body = ClockView),
    (status = 409, description = "`clock_in_use`: another request moves the clock.")))]
pub async fn reset(cx: RequestContext) -> Result<Answer, Problem> {
    // The audit log of the sandbox contains the actor.
    let sandbox = Access::system(sandbox_of(&cx).await?).acting_as(cx.access().actor().clone());
    emptied(&cx, &sandbox).await
}
