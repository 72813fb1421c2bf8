//! `/platform/workspaces`: the workspaces themselves.

use serde_json::json;
use tidings_domain::Error;
use tidings_domain::access::{NewWorkspace, OutboundMode, Plan, Workspace, WorkspaceView};
use tidings_domain::body;
use tidings_domain::contacts::TimeZone;
use tidings_domain::conversations::{MAX_OWN_WORDS, OptOutWords};
use tidings_domain::outcome::Done;
use tidings_domain::platform::WorkspacePatch;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{self, Read, Violation, name, string, word};

use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::request::Cx;

const READ_ONLY: &[&str] = &["id", "live_workspace_id", "outbound", "created_at", "updated_at", "version"];

body! {
    /// A workspace to be created.
    #[read_only(READ_ONLY)]
    struct CreateWorkspace {
        /// What people call it.
        required name: String = name(1..=100);
        /// What it pays for; `starter` when absent.
        nullable plan: Plan = plan();
    }
}

body! {
    /// A merging update: what is absent stays.
    #[read_only(READ_ONLY)]
    struct UpdateWorkspace {
        /// What people call it.
        optional name: String = name(1..=100);
        /// What it pays for. Only operators change it.
        optional plan: Plan = plan();
        /// The IANA zone that holds where nothing else is said.
        optional time_zone: TimeZone = zone().example("Europe/Berlin");
        /// Words by which contacts opt out of a channel, beside those of the installation: each of 1 to 40 characters, at most
        /// 50.
        optional opt_out_words: Vec<String> = read::list(0..=MAX_OWN_WORDS, opt_out_word()).example(json!(["AVMELD"]));
    }
}

fn plan() -> impl Read<Plan> + Describe {
    word(Plan::ALL.map(Plan::as_str), Plan::parse)
}

fn zone() -> impl Read<TimeZone> + Describe {
    string(|text| text.parse::<TimeZone>().map_err(|error| Violation::here("invalid_format", error.to_string())))
}

fn opt_out_word() -> impl Read<String> + Describe {
    string(|text| {
        let word = read::texts::text(1..=40)(text)?;
        OptOutWords::check(&word).map(|()| word)
    })
    .with(|schema| schema.min_length(Some(1)).max_length(Some(40)))
}

/// Lists the workspaces of the person who asks, with their sandboxes.
///
/// Operators see all of them.
#[utoipa::path(get, path = "/platform/workspaces", tag = "Platform", params(PageParams),
    responses((status = 200, description = "A page of workspaces.", body = List<WorkspaceView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().platform.workspaces(cx.person()?, paging.request).await?;
    Ok(cx.page(&paging, page, |workspace| WorkspaceView::from(workspace)))
}

/// Creates a workspace, with a sandbox channel.
///
/// Its first owner is the operator who asks.
#[utoipa::path(post, path = "/platform/workspaces", tag = "Platform", request_body = CreateWorkspace,
    responses((status = 201, description = "The workspace.", body = WorkspaceView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let CreateWorkspace { name, plan } = cx.body()?;
    let command = NewWorkspace { name: name.trim().to_owned(), plan: plan.unwrap_or(Plan::Starter) };
    let operator = cx.person()?.user.id;
    let render = |done: &Done<Workspace>| show(&done.value).outcome(done.outcome).located(path(&done.value));
    cx.run_idempotent(render, async |idempotency| {
        cx.services().platform.create_workspace(operator, command, idempotency).await
    })
    .await
}

/// Shows a workspace.
///
/// With its plan and its time zone.
#[utoipa::path(get, path = "/platform/workspaces/{ws}", tag = "Platform",
    responses((status = 200, description = "The workspace.", body = WorkspaceView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx).await?)
}

/// Updates a workspace.
///
/// What is absent stays.
#[utoipa::path(patch, path = "/platform/workspaces/{ws}", tag = "Platform",
    request_body = UpdateWorkspace, responses((status = 200, description = "The workspace afterwards.", body = WorkspaceView)))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    let UpdateWorkspace { name, plan, time_zone, opt_out_words } = cx.body()?;
    let patch = WorkspacePatch { name, plan, time_zone, opt_out_words, outbound: None };
    if patch.plan.is_some() && !cx.person()?.user.operator {
        return Err(Problem::insufficient_role("operator").detail("Operators decide what a workspace pays for."));
    }
    let expected = cx.expected(shown(&cx)).await?;
    Ok(show(&cx.services().platform.update_workspace(cx.access(), patch, &expected).await?))
}

body! {
    /// Whether what the workspace sends is to leave.
    struct SetOutbound {
        /// `hold`: messages and deliveries wait, and no attempt is counted. `send`: they leave, those that waited, too.
        required mode: OutboundMode = mode();
    }
}

/// Holds what the workspace sends by channels and webhooks, or lets it go.
///
/// What is held waits, however long, and leaves once when it is let go. Calls that were begun before go to their end.
#[utoipa::path(put, path = "/platform/workspaces/{ws}/outbound", tag = "Platform",
    request_body = SetOutbound, responses((status = 200, description = "The workspace afterwards.", body = WorkspaceView)))]
pub async fn set_outbound(cx: Cx) -> Result<Answer, Problem> {
    let SetOutbound { mode } = cx.body()?;
    let expected = cx.expected(shown(&cx)).await?;
    Ok(show(&cx.services().platform.set_outbound(cx.access(), mode, &expected).await?))
}

fn mode() -> impl Read<OutboundMode> + Describe {
    word(OutboundMode::ALL.map(OutboundMode::as_str), OutboundMode::parse)
}

async fn shown(cx: &Cx) -> Result<Answer, Error> {
    Ok(show(&cx.services().platform.workspace(cx.access()).await?))
}

pub(super) fn show(workspace: &Workspace) -> Answer {
    Answer::object(&WorkspaceView::from(workspace), workspace.version)
}

pub(super) fn path(workspace: &Workspace) -> String {
    format!("/platform/workspaces/{}", workspace.id)
}
