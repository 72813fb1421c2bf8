//! `/flows` and `/flow-runs`: automation graphs and the runs through them.

use std::sync::OnceLock;

use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::flows::{
    Finding, Flow, FlowPatch, FlowStatus, FlowSummaryView, FlowVersionView, FlowView, InFlight, NewFlow, Run,
    RunFilter, RunStatus, RunView,
};
use tidings_domain::ids::FlowId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::choice;
use tidings_domain::read::{MOST_VIOLATIONS, id, name, text, word};
use tidings_domain::references::LostReferenceView;
use tidings_domain::simulation::{FlowVersionRef, SimulationRequest, SimulationService, expects_something};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::contacts::{filtered, reference};
use crate::definitions::definition;
use crate::list_filters::NameFilters;
use crate::paging::{List, PageParams, Rows};
use crate::path::{FLOW, FLOW_RUN, FLOW_VERSION};
use crate::problem::Problem;
use crate::query::parameters;
use crate::request::{Cx, ForceParams};
use crate::simulations;

/// Shown, and not to be set.
const READ_ONLY: &[&str] =
    &["id", "version_published", "has_unpublished_changes", "stats", "created_at", "updated_at", "version"];
/// A new flow is a draft.
const READ_ONLY_IN_CREATE: &[&str] =
    &["id", "status", "version_published", "has_unpublished_changes", "stats", "created_at", "updated_at", "version"];
/// What a client may make of a flow that was published.
const STATUSES: [&str; 3] = ["active", "paused", "archived"];

body! {
    /// A flow to be created.
    #[read_only(READ_ONLY_IN_CREATE)]
    struct CreateFlow {
        /// What people call it.
        required name: String = name(1..=100);
        /// The draft: `start` and `nodes`. It is checked when it is published.
        optional definition: Value = definition();
    }
}

body! {
    /// An update of the draft: what is absent stays, `definition` is replaced whole.
    #[read_only(READ_ONLY)]
    struct UpdateFlow {
        /// What people call it.
        optional name: String = name(1..=100);
        /// The whole new draft.
        optional definition: Value = definition();
        /// Of a published flow: `paused` holds its runs where they are, `active` lets them go on, and
        /// `archived` interrupts them.
        optional status: FlowStatus = choice(
            "NewStatus", "What a client may make of a flow that was published.", &STATUSES, FlowStatus::parse);
    }
}

body! {
    /// A definition to be looked at.
    struct ValidateFlow {
        /// The definition, as a flow has it.
        required definition: Value = definition();
        /// The flow that is to have it: other flows that lead to it are followed, and its own keywords are its own.
        optional flow_id: FlowId = id();
    }
}

/// What was found in a definition.
#[derive(Serialize, ToSchema)]
struct Validation {
    /// Whether it could be published.
    valid: bool,
    /// Errors first; at most 100.
    findings: Vec<Finding>,
}

parameters! {
    /// The filters; all must hold.
    struct RunFilters {
        /// Through this flow.
        one flow_id: FlowId = id();
        /// With this status.
        one status: RunStatus = word(&RunStatus::WORDS, RunStatus::parse);
        /// Of this contact: its id, or `external_id:…`, `email:…` or `phone:…`.
        one contact_id: ContactRef = reference();
        /// Live, and at the node with this id now, whichever version of the flow it is of. It needs `flow_id`.
        one node: String = text(1..=64);
    }
}

body! {
    /// How a draft is published.
    struct PublishFlow {
        /// What becomes of runs in flight; `pin` when absent.
        optional running: InFlight = choice(
            "Running", "What becomes of runs in flight.", &InFlight::WORDS, InFlight::parse);
    }
}

/// How many definitions, of up to 1 MiB each, are read at once.
const DRAFTS_AT_ONCE: u32 = 5;
/// How many runs are, with their traces.
const RUNS_AT_ONCE: u32 = 25;

parameters! {
    /// The filters; all must hold.
    struct FlowFilters {
        flat called: NameFilters;
        /// With this status.
        one status: FlowStatus = word(FlowStatus::WORDS, FlowStatus::parse);
        /// `secret_not_bare`: the published version uses a secret in an expression, so that its calls fail.
        one finding: () = word(&["secret_not_bare"], |word| (word == "secret_not_bare").then_some(()));
    }
}

/// Lists flows, without their definitions and the counts of their runs.
///
/// `q` chooses by a part of the name, `name` by the whole.
#[utoipa::path(get, path = "/api/v1/flows", tag = "Flows", params(FlowFilters, PageParams),
    responses((status = 200, description = "A page of flows.", body = List<FlowSummaryView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>()?;
    let FlowFilters { called, status, finding } = query.read();
    query.finish().map_err(Problem::validation)?;
    let filter = called.with(status);
    let flows = &cx.services().flows;
    let ask = async |request| match finding {
        Some(()) => flows.list_secret_misuses(cx.access(), &filter, request).await,
        None => flows.list(cx.access(), &filter, request).await,
    };
    let rows = Rows::gather(&paging, DRAFTS_AT_ONCE, ask, |flow| FlowSummaryView::from(flow)).await?;
    Ok(cx.rows(&paging, rows))
}

/// Creates a flow with a draft.
///
/// The draft may be wrong in parts: publishing, or `/validate`, tells what.
#[utoipa::path(post, path = "/api/v1/flows", tag = "Flows", request_body = CreateFlow,
    responses((status = 201, description = "The flow.", body = FlowView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let CreateFlow { name, definition } = cx.body()?;
    let definition = definition.unwrap_or_else(|| Value::Object(Map::new()));
    let command = NewFlow { name, definition };
    let render =
        |done: &Done<Flow>| show(&done.value).outcome(done.outcome).located(format!("/api/v1/flows/{}", done.value.id));
    cx.run_idempotent(render, async |idempotency| cx.services().flows.create(cx.access(), command, idempotency).await)
        .await
}

/// Shows a flow with its draft.
///
/// What it names and is not there any more stands in `lost_references`; the published versions stand under `/versions`.
#[utoipa::path(get, path = "/api/v1/flows/{id}", tag = "Flows",
    responses((status = 200, description = "The flow.", body = ShownFlow)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, cx.named(&FLOW)?).await?)
}

/// Edits the draft of a flow.
///
/// Runs and the published version stay as they are. Merges, as PATCH does. `status` pauses, resumes or
/// archives a published flow.
#[utoipa::path(put, path = "/api/v1/flows/{id}", tag = "Flows", request_body = UpdateFlow,
    responses((status = 200, description = "The flow afterwards.", body = FlowView)))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let UpdateFlow { name, definition, status } = cx.body()?;
    let patch = FlowPatch { name, definition, status };
    let flow = cx.named(&FLOW)?;
    let expected = cx.expected(shown(&cx, flow)).await?;
    Ok(show(&cx.services().flows.update(cx.access(), flow, patch, &expected).await?))
}

/// Edits the draft of a flow.
///
/// Runs and the published version stay as they are. Merges, as PUT does. `status` pauses, resumes or
/// archives a published flow.
#[utoipa::path(patch, path = "/api/v1/flows/{id}", tag = "Flows", request_body = UpdateFlow,
    responses((status = 200, description = "The flow afterwards.", body = FlowView)))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Pauses a published flow.
///
/// Its runs stay where they are until it is resumed. The same as `PATCH` with `"status": "paused"`.
#[utoipa::path(post, path = "/api/v1/flows/{id}/pause", tag = "Flows", responses(
    (status = 200, description = "The flow, paused.", body = FlowView),
    (status = 409, description = "`flow_not_active`: it was never published.")))]
pub async fn pause(cx: Cx) -> Result<Answer, Problem> {
    change_status(cx, FlowStatus::Paused).await
}

/// Resumes a paused flow.
///
/// Its runs go on. The same as `PATCH` with `"status": "active"`.
#[utoipa::path(post, path = "/api/v1/flows/{id}/resume", tag = "Flows", responses(
    (status = 200, description = "The flow, active.", body = FlowView),
    (status = 409, description = "`flow_not_active`: it was never published.")))]
pub async fn resume(cx: Cx) -> Result<Answer, Problem> {
    change_status(cx, FlowStatus::Active).await
}

async fn change_status(cx: Cx, status: FlowStatus) -> Result<Answer, Problem> {
    let flow = cx.named(&FLOW)?;
    cx.run_idempotent(
        |done: &Done<Flow>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, flow)).await?;
            let changed = cx.services().flows.change_status(cx.access(), flow, status, &expected, idempotency).await;
            // The request has no status that could be wrong: a draft has nothing to pause.
            changed.map_err(|error| if matches!(error, Error::Invalid(_)) { Error::FlowNotActive } else { error })
        },
    )
    .await
}

/// Publishes the draft of a flow as its next version.
///
/// Everything that is wrong with the draft is told as 422, with pointers that begin with `/definition`. The scripts that it
/// keeps are played first: what they expect and does not come is a warning, and stops nothing.
#[utoipa::path(post, path = "/api/v1/flows/{id}/publish", tag = "Flows",
    request_body = PublishFlow,
    responses((status = 200, description = "The flow, published.", body = PublishedFlow)))]
pub async fn publish(cx: Cx) -> Result<Answer, Problem> {
    let PublishFlow { running } = cx.body()?;
    let running = running.unwrap_or_default();
    let flow = cx.named(&FLOW)?;
    let found = OnceLock::new();
    let render = |done: &Done<Flow>| {
        let findings = found.get().cloned().unwrap_or_default();
        Answer::object(&PublishedFlow { view: FlowView::from(&done.value), findings }, done.value.version)
    };
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(shown(&cx, flow)).await?;
        let _ = found.set(tried(&cx, flow).await?);
        cx.services().flows.publish(cx.access(), flow, running, &expected, idempotency).await
    })
    .await
}

/// What the scripts find that the draft keeps.
async fn tried(cx: &Cx, flow: FlowId) -> Result<Vec<Finding>, Error> {
    let draft = cx.services().flows.get(cx.access(), flow).await?.definition;
    if !expects_something(&draft) {
        return Ok(Vec::new());
    }
    let (draft, kept) = (FlowVersionRef::Draft, SimulationRequest::default());
    let ready = async |service: &SimulationService| service.flow(cx.access(), flow, draft, kept).await;
    Ok(simulations::findings(cx, ready).await)
}

/// A flow with what was found when it was published.
#[derive(Serialize, ToSchema)]
struct PublishedFlow {
    #[serde(flatten)]
    view: FlowView,
    /// What came otherwise than the scripts of the definition expect: warnings with the code `expectation_failed`.
    findings: Vec<Finding>,
}

/// Tells everything that is wrong with a definition, or looks wrong.
///
/// Nothing is kept. Pointers are relative to the definition. Publishing tells the same errors.
#[utoipa::path(post, path = "/api/v1/flows/validate", tag = "Flows", request_body = ValidateFlow,
    responses((status = 200, description = "What was found.", body = Validation)))]
pub async fn validate(cx: Cx) -> Result<Answer, Problem> {
    let ValidateFlow { definition, flow_id } = cx.body()?;
    let analysis = cx.services().flows.validate(cx.access(), &definition, flow_id).await?;
    let (valid, mut findings) = (analysis.is_valid(), analysis.findings);
    if valid && expects_something(&definition) {
        let kept = SimulationRequest::default();
        let ready = async |service: &SimulationService| service.definition(cx.access(), &definition, kept).await;
        findings.extend(simulations::findings(&cx, ready).await);
        findings.truncate(MOST_VIOLATIONS);
    }
    Ok(Answer::json(&Validation { valid, findings }))
}

/// Deletes a flow: its live runs are interrupted.
///
/// What it queued and has not sent is suppressed.
#[utoipa::path(delete, path = "/api/v1/flows/{id}", tag = "Flows", params(ForceParams),
    responses((status = 204, description = "It is gone."),
    (status = 409, description = "`in_use`: other objects name it; `dependents` lists them.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let flow = cx.named(&FLOW)?;
    let expected = cx.expected(shown(&cx, flow)).await?;
    cx.services().flows.delete(cx.access(), flow, deletion, &expected).await?;
    Ok(Answer::no_content())
}

/// Lists the published versions of a flow, newest first.
///
/// A version never changes once it is published.
#[utoipa::path(get, path = "/api/v1/flows/{id}/versions", tag = "Flows", params(PageParams),
    responses((status = 200, description = "A page of versions.", body = List<FlowVersionView>)))]
pub async fn list_versions(cx: Cx) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let id = cx.named(&FLOW)?;
    let ask = async |request| {
        let (flow, page) = cx.services().flows.versions(cx.access(), id, request).await?;
        Ok(page.map(|version| FlowVersionView {
            flow_id: version.flow,
            number: version.number,
            is_current: flow.version_published == Some(version.number),
            definition: version.definition,
            created_at: version.created_at,
        }))
    };
    let rows = Rows::gather(&paging, DRAFTS_AT_ONCE, ask, Clone::clone).await?;
    Ok(cx.rows(&paging, rows))
}

/// Makes an earlier version the draft again.
///
/// The published version stays as it is until the draft is published.
#[utoipa::path(post, path = "/api/v1/flows/{id}/versions/{number}/restore", tag = "Flows",
    responses((status = 200, description = "The flow afterwards.", body = FlowView)))]
pub async fn restore(cx: Cx) -> Result<Answer, Problem> {
    let flow = cx.named(&FLOW)?;
    let number = cx.named(&FLOW_VERSION)?;
    cx.run_idempotent(
        |done: &Done<Flow>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, flow)).await?;
            cx.services().flows.restore(cx.access(), flow, number, &expected, idempotency).await
        },
    )
    .await
}

/// Lists runs that pass all filters, by their starts.
///
/// Without their traces, which `GET /flow-runs/{id}` shows.
#[utoipa::path(get, path = "/api/v1/flow-runs", tag = "Flows", params(RunFilters, PageParams),
    responses((status = 200, description = "A page of runs.", body = List<RunView>)))]
pub async fn list_runs(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>()?;
    let RunFilters { flow_id, status, contact_id, node } = query.read();
    if node.is_some() && flow_id.is_none() {
        query.error("node", "missing_flow_id", "needs `flow_id`: the flow whose node it is");
    }
    query.finish().map_err(Problem::validation)?;
    let filter = RunFilter { flow: flow_id, contact: filtered(&cx, contact_id).await?, status, node };
    let ask = async |request| cx.services().flows.runs(cx.access(), &filter, request).await;
    let rows = Rows::gather(&paging, RUNS_AT_ONCE, ask, |run| RunView::from(run)).await?;
    Ok(cx.rows(&paging, rows))
}

/// Ends a run: it becomes `interrupted`. One that ended already is left as it is.
///
/// What it sent stays.
#[utoipa::path(post, path = "/api/v1/flow-runs/{id}/cancel", tag = "Flows",
    responses((status = 200, description = "The run afterwards.", body = RunView)))]
pub async fn cancel_run(cx: Cx) -> Result<Answer, Problem> {
    let run = cx.named(&FLOW_RUN)?;
    let render = |done: &Done<Run>| Answer::object(&RunView::from(&done.value), done.value.version);
    cx.run_idempotent(render, async |idempotency| cx.services().flows.cancel(cx.access(), run, idempotency).await).await
}

/// Shows a run through a flow, with its trace.
///
/// The trace tells of each visit of a node, and why a run failed.
#[utoipa::path(get, path = "/api/v1/flow-runs/{id}", tag = "Flows",
    responses((status = 200, description = "The run.", body = RunView)))]
pub async fn get_run(cx: Cx) -> Result<Answer, Problem> {
    let run = cx.services().flows.run(cx.access(), cx.named(&FLOW_RUN)?).await?;
    Ok(Answer::object(&RunView::from(&run), run.version))
}

/// A flow with what it lost.
#[derive(Serialize, ToSchema)]
struct ShownFlow {
    #[serde(flatten)]
    view: FlowView,
    /// What it named when that was deleted by force, until another version is published; absent where it lost nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn shown(cx: &Cx, flow: FlowId) -> Result<Answer, Error> {
    let found = cx.services().flows.get(cx.access(), flow).await?;
    let lost = cx.services().flows.lost(cx.access(), &found).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    Ok(Answer::object(&ShownFlow { view: FlowView::from(&found), lost_references }, found.version))
}

fn show(flow: &Flow) -> Answer {
    Answer::object(&FlowView::from(flow), flow.version)
}
