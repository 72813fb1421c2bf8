//! `/platform/workspaces/{ws}/sandbox`: a workspace of its own to try things out in.

use tidings_domain::access::{Workspace, WorkspaceView};
use tidings_domain::outcome::Done;

use super::WorkspacePath;
use super::workspaces::{path, show};
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Cx;

/// Shows the sandbox of a workspace.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/sandbox", tag = "Platform", params(WorkspacePath),
    responses((status = 200, description = "The sandbox.", body = WorkspaceView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(show(&cx.services().platform.sandbox(cx.access()).await?))
}

/// Creates the sandbox of a workspace.
///
/// It has the same members, a channel that sends nothing, keys that begin with `tdg_test_`, 600
/// requests a minute, and events that say `"test": true`.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/sandbox", tag = "Platform", params(WorkspacePath), responses(
    (status = 200, description = "It was there already.", body = WorkspaceView),
    (status = 201, description = "The sandbox.", body = WorkspaceView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let render = |done: &Done<Workspace>| show(&done.value).outcome(done.outcome).located(path(&done.value));
    cx.once(render, async |keep| cx.services().platform.create_sandbox(cx.access(), keep).await).await
}
