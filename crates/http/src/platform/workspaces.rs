//! `/platform/workspaces`: the workspaces.

use serde_json::json;
use tidings_domain::Error;
use tidings_domain::access::{NewWorkspace, OutboundMode, Plan, Role, Workspace, WorkspaceDeletionView, WorkspaceView};
use tidings_domain::body;
use tidings_domain::contacts::TimeZone;
use tidings_domain::conversations::{MAX_OWN_WORDS, OptOutWords};
use tidings_domain::outcome::Done;
use tidings_domain::platform::{DeleteWorkspace, WorkspacePatch};
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{self, Read, Violation, name, string, word};
use tidings_domain::tables::Country;

use crate::request::paging::{List, PageParams};
use crate::request::{DryRunParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] =
    &["id", "live_workspace_id", "outbound", "created_at", "updated_at", "version", "deleted_at", "restore_until"];

body! {
    /// A workspace to create.
    #[read_only(READ_ONLY)]
    struct CreateWorkspace {
        /// Display name.
        required name: String = name(1..=100);
        /// Plan; `starter` if absent.
        nullable plan: Plan = plan();
    }
}

body! {
    /// Fields to update. Absent fields stay.
    #[read_only(READ_ONLY)]
    struct UpdateWorkspace {
        /// Display name.
        optional name: String = name(1..=100);
        /// Plan. Only operators can change it.
        optional plan: Plan = plan();
        /// Default time zone, an IANA name.
        optional time_zone: TimeZone = zone().example("Europe/Berlin");
        /// Words that opt a contact out of a channel, in addition to the words of the installation: at most 50, each of
        /// 1 to 40 characters.
        optional opt_out_words: Vec<String> = read::list(0..=MAX_OWN_WORDS, opt_out_word()).example(json!(["AVMELD"]));
        /// Whether the reply of a member assigns an unassigned conversation to the member.
        optional assign_on_reply: bool = read::boolean();
        /// Country of phone numbers without a country code in imports, such as `DE` (ISO 3166-1 alpha-2). It also decides how
        /// flows read dates and numbers of contacts without a region. `null` for none.
        patch default_country: Country = country();
    }
}

fn plan() -> impl Read<Plan> + Describe {
    word(Plan::ALL.map(Plan::as_str), Plan::parse)
}

fn zone() -> impl Read<TimeZone> + Describe {
    string(|text| text.parse::<TimeZone>().map_err(|error| Violation::at_root("invalid_format", error.to_string())))
}

fn country() -> impl Read<Country> + Describe {
    string(|text| {
        Country::parse(text).ok_or_else(|| {
            Violation::at_root("invalid_value", "expected the code of a country, such as `DE` (ISO 3166-1 alpha-2)")
        })
    })
    .example("DE")
}

fn opt_out_word() -> impl Read<String> + Describe {
    string(|text| {
        let word = read::texts::text(1..=40)(text)?;
        OptOutWords::check(&word).map(|()| word)
    })
    .with(|schema| schema.min_length(Some(1)).max_length(Some(40)))
}

/// List workspaces.
///
/// Returns the workspaces of the user, with their sandboxes. Operators get all workspaces.
#[utoipa::path(get, path = "/platform/workspaces", tag = "Platform", params(PageParams),
    responses((status = 200, description = "A page of workspaces.", body = List<WorkspaceView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().platform.workspaces(cx.person()?, paging.request).await?;
    Ok(cx.page(&paging, page, |workspace| WorkspaceView::from(workspace)))
}

/// Create a workspace.
///
/// Includes a sandbox channel. The operator who creates it becomes its first owner.
#[utoipa::path(post, path = "/platform/workspaces", tag = "Platform", request_body = CreateWorkspace,
    responses((status = 201, description = "The workspace.", body = WorkspaceView)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateWorkspace { name, plan } = cx.body()?;
    let command = NewWorkspace { name: name.trim().to_owned(), plan: plan.unwrap_or(Plan::Starter) };
    let operator = cx.person()?.user.id;
    let render = |done: &Done<Workspace>| show(&done.value).outcome(done.outcome).located(path(&done.value));
    cx.run_idempotent(render, async |idempotency| {
        cx.services().platform.create_workspace(operator, command, idempotency).await
    })
    .await
}

/// Get a workspace.
///
/// Includes its plan and time zone.
#[utoipa::path(get, path = "/platform/workspaces/{ws}", tag = "Platform",
    responses((status = 200, description = "The workspace.", body = WorkspaceView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx).await?)
}

/// Update a workspace.
///
/// Present fields replace, absent fields stay.
#[utoipa::path(patch, path = "/platform/workspaces/{ws}", tag = "Platform",
    request_body = UpdateWorkspace,
    responses((status = 200, description = "The updated workspace.", body = WorkspaceView)))]
pub async fn patch(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateWorkspace { name, plan, time_zone, opt_out_words, assign_on_reply, default_country } = cx.body()?;
    let patch =
        WorkspacePatch { name, plan, time_zone, opt_out_words, outbound: None, assign_on_reply, default_country };
    if patch.plan.is_some() && !cx.person()?.user.operator {
        return Err(Problem::insufficient_role("operator").detail("Only operators can change the plan of a workspace."));
    }
    let expected = cx.expected(load_answer(&cx)).await?;
    Ok(show(&cx.services().platform.update_workspace(cx.access(), patch, &expected).await?))
}

body! {
    /// Whether outbound sending is paused.
    struct SetOutbound {
        /// `hold` pauses sending: messages and deliveries wait, without counting attempts. `send` resumes it, and sends
        /// the waiting ones.
        required mode: OutboundMode = mode();
    }
}

/// Pause or resume outbound sending.
///
/// Applies to channels and webhooks of the workspace. While sending is paused, messages and deliveries wait for any
/// length of time. After resuming, each is sent once. Calls that have already started finish.
#[utoipa::path(put, path = "/platform/workspaces/{ws}/outbound", tag = "Platform",
    request_body = SetOutbound,
    responses((status = 200, description = "The updated workspace.", body = WorkspaceView)))]
pub async fn set_outbound(cx: RequestContext) -> Result<Answer, Problem> {
    let SetOutbound { mode } = cx.body()?;
    let expected = cx.expected(load_answer(&cx)).await?;
    Ok(show(&cx.services().platform.set_outbound(cx.access(), mode, &expected).await?))
}

fn mode() -> impl Read<OutboundMode> + Describe {
    word(OutboundMode::ALL.map(OutboundMode::as_str), OutboundMode::parse)
}

body! {
    /// Confirmation of a deletion.
    struct ConfirmDeletion {
        /// The name of the workspace.
        required name: String = name(1..=100);
    }
}

/// Delete a workspace.
///
/// For owners and operators. The sandbox is deleted with its live workspace. API keys, sending, jobs and inbound messages
/// stop within five seconds. Until `restore_until`, `POST /platform/workspaces/{ws}/restore` restores the workspace; after
/// that time, its data is erased. With `dry_run=true`, nothing changes, and the response shows what would be deleted.
#[utoipa::path(delete, path = "/platform/workspaces/{ws}", tag = "Platform", params(DryRunParams),
    request_body = ConfirmDeletion,
    responses((status = 200, description = "The deletion, or its preview.", body = WorkspaceDeletionView)))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    must_own(&cx)?;
    let mut query = cx.query();
    let dry_run = query.read::<DryRunParams>().dry_run.unwrap_or_default();
    let ConfirmDeletion { name } = cx.body_with(query)?;
    let expected = cx.expected(load_answer(&cx)).await?;
    let command = DeleteWorkspace { name, grace_days: cx.state.deleted_days, dry_run };
    let deletion = cx.services().platform.delete_workspace(cx.access(), &command, &expected).await?;
    Ok(Answer::object(&deletion, deletion.workspace.version))
}

body! {
    /// The treatment of waiting messages.
    struct RestoreWorkspace {
        /// `hold` pauses outbound sending. Messages that fell due during the deletion then wait. If absent, the earlier
        /// outbound mode applies.
        nullable outbound: OutboundMode = mode();
    }
}

/// Restore a deleted workspace.
///
/// For owners and operators, until `restore_until`. The API keys work again. Jobs that fell due during the deletion run
/// now. A workspace that is not deleted stays as it is.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/restore", tag = "Platform", request_body = RestoreWorkspace,
    responses((status = 200, description = "The restored workspace.", body = WorkspaceView)))]
pub async fn restore(cx: RequestContext) -> Result<Answer, Problem> {
    must_own(&cx)?;
    let RestoreWorkspace { outbound } = cx.body()?;
    let render = |done: &Done<Workspace>| show(&done.value).outcome(done.outcome);
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx)).await?;
        cx.services().platform.restore_workspace(cx.access(), outbound, &expected, idempotency).await
    })
    .await
}

/// Rejects users who are neither owners nor operators.
fn must_own(cx: &RequestContext) -> Result<(), Problem> {
    if cx.person()?.user.operator || cx.role()? == Role::Owner {
        return Ok(());
    }
    Err(Problem::insufficient_role("owner").detail("Only owners and operators can delete or restore a workspace."))
}

async fn load_answer(cx: &RequestContext) -> Result<Answer, Error> {
    Ok(show(&cx.services().platform.workspace(cx.access()).await?))
}

pub(super) fn show(workspace: &Workspace) -> Answer {
    Answer::object(&WorkspaceView::from(workspace), workspace.version)
}

pub(super) fn path(workspace: &Workspace) -> String {
    format!("/platform/workspaces/{}", workspace.id)
}
