//! `/platform/workspaces/{ws}/sandbox`: a workspace of its own to try things out in.

use tidings_domain::Error;
use tidings_domain::access::{Access, Workspace, WorkspaceView};
use tidings_domain::conversations::MessageView;
use tidings_domain::outcome::Done;
use tidings_domain::sandboxes::ClockView;

use super::workspaces::{path, show};
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Cx;
use crate::sandboxes::{MoveClock, PlayInbound, emptied, moved, play, sandbox_of, shown_of};

/// Shows the sandbox of a workspace.
///
/// Not there before it was made.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/sandbox", tag = "Platform",
    responses((status = 200, description = "The sandbox.", body = WorkspaceView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(show(&cx.services().platform.sandbox(cx.access()).await?))
}

/// Creates the sandbox of a workspace.
///
/// It has the same members, a channel that sends nothing, keys that begin with `tdg_test_`, 600
/// requests a minute, and events that say `"test": true`.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox", tag = "Platform", responses(
    (status = 200, description = "It was there already.", body = WorkspaceView),
    (status = 201, description = "The sandbox.", body = WorkspaceView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let render = |done: &Done<Workspace>| show(&done.value).outcome(done.outcome).located(path(&done.value));
    cx.run_idempotent(render, async |idempotency| cx.services().platform.create_sandbox(cx.access(), idempotency).await)
        .await
}

/// Plays a contact's message to the sandbox of a workspace.
///
/// Everything follows from it that would follow from a real one. With an `Idempotency-Key`, the same
/// request is the same message.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox/inbound", tag = "Platform",
    request_body = PlayInbound, responses(
    (status = 200, description = "It was played before.", body = MessageView),
    (status = 202, description = "It is kept, and what follows from it will happen.", body = MessageView)))]
pub async fn inbound(cx: Cx) -> Result<Answer, Problem> {
    let said: PlayInbound = cx.body()?;
    let sandbox = Access::system(sandbox_of(&cx).await?);
    // It is said by the clock of the sandbox.
    let there = cx.services().in_time_of(sandbox.workspace()).await.map_err(Error::Store)?;
    play(&cx, there.as_ref().unwrap_or(cx.services()), &sandbox, said).await
}

/// Shows the clock of the sandbox of a workspace.
///
/// A key of the sandbox gets the same from `/api/v1/sandbox/clock`.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/sandbox/clock", tag = "Platform",
    responses((status = 200, description = "The clock.", body = ClockView)))]
pub async fn clock(cx: Cx) -> Result<Answer, Problem> {
    shown_of(&cx, &Access::system(sandbox_of(&cx).await?)).await
}

/// Moves the clock of the sandbox of a workspace on.
///
/// All that comes due on the way is done, in order, each at its own instant. Where that takes longer than eight seconds,
/// `arrived` is false, and the same request with `until` goes on.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox/clock", tag = "Platform", request_body = MoveClock,
    responses((status = 200, description = "The clock as it is now.", body = ClockView),
    (status = 409, description = "`clock_in_use`: another request moves it.")))]
pub async fn move_clock(cx: Cx) -> Result<Answer, Problem> {
    let said = cx.body()?;
    moved(&cx, said, &Access::system(sandbox_of(&cx).await?)).await
}

/// Empties the sandbox of a workspace.
///
/// Its contacts, flows, webhooks and all that belongs to them go, and its clock goes by the present again. Channels, keys
/// and the log of requests stay.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox/reset", tag = "Platform", responses(
    (status = 200, description = "It is empty. The clock.", body = ClockView),
    (status = 409, description = "`clock_in_use`: its clock is being moved.")))]
pub async fn reset(cx: Cx) -> Result<Answer, Problem> {
    // Its audit log says who did it.
    let sandbox = Access::system(sandbox_of(&cx).await?).acting_as(cx.access().actor().clone());
    emptied(&cx, &sandbox).await
}
