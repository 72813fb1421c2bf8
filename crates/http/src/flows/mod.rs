//! `/flows`: automation graphs.

mod definitions;
pub(crate) mod flow_statistics;
pub(crate) mod runs;
pub(crate) mod simulations;
pub(crate) mod templates;
pub(crate) mod versions;

use std::sync::OnceLock;

use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::flows::{Finding, Flow, FlowPatch, FlowStatus, FlowSummaryView, FlowView, InFlight, NewFlow};
use tidings_domain::ids::{ChannelId, FlowId};
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::choice;
use tidings_domain::read::{MOST_VIOLATIONS, id, name, word};
use tidings_domain::references::LostReferenceView;
use tidings_domain::simulation::{FlowVersionRef, SimulationRequest, SimulationService, expects_something};
use utoipa::ToSchema;

use crate::request::list_filters::NameFilters;
use crate::request::paging::{List, PageParams, Rows};
use crate::request::path::FLOW;
use crate::request::query::parameters;
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;
use definitions::definition;

/// Fields of the response that a request cannot set.
const READ_ONLY: &[&str] =
    &["id", "version_published", "has_unpublished_changes", "stats", "created_at", "updated_at", "version"];
/// Includes `status`: a new flow is a draft.
const READ_ONLY_IN_CREATE: &[&str] =
    &["id", "status", "version_published", "has_unpublished_changes", "stats", "created_at", "updated_at", "version"];
/// The statuses that a client can set for a published flow.
const STATUSES: [&str; 3] = ["active", "paused", "archived"];

body! {
    /// A flow to create.
    #[read_only(READ_ONLY_IN_CREATE)]
    struct CreateFlow {
        /// Display name.
        required name: String = name(1..=100);
        /// The draft: `start` and `nodes`. The server validates it when it is published.
        optional definition: Value = definition();
    }
}

body! {
    /// Fields of the draft to update. Absent fields stay; `definition` is replaced as a whole.
    #[read_only(READ_ONLY)]
    struct UpdateFlow {
        /// Display name.
        optional name: String = name(1..=100);
        /// The whole new draft.
        optional definition: Value = definition();
        /// For a published flow: `paused` stops its runs where they are, `active` continues them, and `archived`
        /// interrupts them.
        optional status: FlowStatus = choice(
            "NewStatus", "A status that a client can set for a published flow.", &STATUSES, FlowStatus::parse);
    }
}

body! {
    /// A definition to validate.
    struct ValidateFlow {
        /// The definition, as in a flow.
        required definition: Value = definition();
        /// The flow that will use the definition. Other flows that lead to it are checked, too, and its own keywords do
        /// not conflict.
        optional flow_id: FlowId = id();
    }
}

/// The findings of a validation.
#[derive(Serialize, ToSchema)]
struct Validation {
    /// Whether the definition can be published.
    valid: bool,
    /// The findings, errors first; at most 100.
    findings: Vec<Finding>,
}

body! {
    /// Options for publishing a draft.
    struct PublishFlow {
        /// Action for live runs; `pin` if absent.
        optional running: InFlight = choice(
            "Running", "Action for live runs.", &InFlight::WORDS, InFlight::parse);
    }
}

/// The number of definitions, of up to 1 MiB each, that are read at once.
const DRAFTS_AT_ONCE: u32 = 5;

parameters! {
    struct FlowFilters {
        flat called: NameFilters;
        /// Only flows with this status.
        one status: FlowStatus = word(FlowStatus::WORDS, FlowStatus::parse);
        /// `secret_not_bare`: only flows with a published version that uses a secret in an expression. Calls with it
        /// fail.
        one finding: () = word(&["secret_not_bare"], |word| (word == "secret_not_bare").then_some(()));
        /// Only active flows with a keyword trigger that names this channel. Not allowed with `finding`.
        one channel_id: ChannelId = id();
    }
}

/// List flows.
///
/// Without definitions and run counts. `q` matches part of the name, `name` the whole name.
#[utoipa::path(get, path = "/api/v1/flows", tag = "Flows", params(FlowFilters, PageParams),
    responses((status = 200, description = "A page of flows.", body = List<FlowSummaryView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let FlowFilters { called, status, finding, channel_id } = query.read();
    if finding.is_some() && channel_id.is_some() {
        query.error("channel_id", "not_allowed", "is only allowed without `finding`");
    }
    query.finish()?;
    let filter = called.with(status);
    let flows = &cx.services().flows;
    let ask = async |request| match (finding, channel_id) {
        (Some(()), _) => flows.list_secret_misuses(cx.access(), &filter, request).await,
        (None, Some(channel)) => flows.list_with_keyword_on(cx.access(), channel, &filter, request).await,
        (None, None) => flows.list(cx.access(), &filter, request).await,
    };
    let rows = Rows::gather(&paging, DRAFTS_AT_ONCE, ask, |flow| FlowSummaryView::from(flow)).await?;
    Ok(cx.rows(&paging, rows))
}

/// Create a flow.
///
/// Creates a draft, which may contain errors. Validate it with `/flows/validate`, or publish it to see the errors.
#[utoipa::path(post, path = "/api/v1/flows", tag = "Flows", request_body = CreateFlow,
    responses((status = 201, description = "The flow.", body = FlowView)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateFlow { name, definition } = cx.body()?;
    let definition = definition.unwrap_or_else(|| Value::Object(Map::new()));
    let command = NewFlow { name, definition };
    let render =
        |done: &Done<Flow>| show(&done.value).outcome(done.outcome).located(format!("/api/v1/flows/{}", done.value.id));
    cx.run_idempotent(render, async |idempotency| cx.services().flows.create(cx.access(), command, idempotency).await)
        .await
}

/// Get a flow.
///
/// Includes the draft. `lost_references` lists deleted objects that the flow used. Published versions are under
/// `/versions`.
#[utoipa::path(get, path = "/api/v1/flows/{id}", tag = "Flows",
    responses((status = 200, description = "The flow.", body = ShownFlow)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&FLOW)?).await?)
}

/// Update a flow.
///
/// Changes the draft; runs and the published version stay. Present fields replace, absent fields stay. `status` pauses,
/// resumes or archives a published flow.
#[utoipa::path(method(put, patch), path = "/api/v1/flows/{id}", tag = "Flows", request_body = UpdateFlow,
    responses((status = 200, description = "The updated flow.", body = FlowView)))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateFlow { name, definition, status } = cx.body()?;
    let patch = FlowPatch { name, definition, status };
    let flow = cx.path_parameter(&FLOW)?;
    let expected = cx.expected(load_answer(&cx, flow)).await?;
    Ok(show(&cx.services().flows.update(cx.access(), flow, patch, &expected).await?))
}

/// Pause a flow.
///
/// The runs of the published flow stay where they are until it is resumed. The same as `PATCH` with
/// `"status": "paused"`.
#[utoipa::path(post, path = "/api/v1/flows/{id}/pause", tag = "Flows", responses(
    (status = 200, description = "The flow, paused.", body = FlowView),
    (status = 409, description = "`flow_not_active`: the flow was never published.")))]
pub async fn pause(cx: RequestContext) -> Result<Answer, Problem> {
    change_status(cx, FlowStatus::Paused).await
}

/// Resume a flow.
///
/// Its runs continue. The same as `PATCH` with `"status": "active"`.
#[utoipa::path(post, path = "/api/v1/flows/{id}/resume", tag = "Flows", responses(
    (status = 200, description = "The flow, active.", body = FlowView),
    (status = 409, description = "`flow_not_active`: the flow was never published.")))]
pub async fn resume(cx: RequestContext) -> Result<Answer, Problem> {
    change_status(cx, FlowStatus::Active).await
}

async fn change_status(cx: RequestContext, status: FlowStatus) -> Result<Answer, Problem> {
    let flow = cx.path_parameter(&FLOW)?;
    cx.run_idempotent(
        |done: &Done<Flow>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, flow)).await?;
            let changed = cx.services().flows.change_status(cx.access(), flow, status, &expected, idempotency).await;
            // The request contains no status that could be invalid; a draft cannot be paused.
            changed.map_err(|error| if matches!(error, Error::Invalid(_)) { Error::FlowNotActive } else { error })
        },
    )
    .await
}

/// Publish a flow.
///
/// Publishes the draft as the next version. Errors in the draft return 422, with pointers that begin with
/// `/definition`. The server first simulates the scripts of the draft. An unmet expectation is a warning and does not
/// prevent publishing.
#[utoipa::path(post, path = "/api/v1/flows/{id}/publish", tag = "Flows",
    request_body = PublishFlow,
    responses((status = 200, description = "The flow, published.", body = PublishedFlow)))]
pub async fn publish(cx: RequestContext) -> Result<Answer, Problem> {
    let PublishFlow { running } = cx.body()?;
    let running = running.unwrap_or_default();
    let flow = cx.path_parameter(&FLOW)?;
    let found = OnceLock::new();
    let render = |done: &Done<Flow>| {
        let findings = found.get().cloned().unwrap_or_default();
        Answer::object(&PublishedFlow { view: FlowView::from(&done.value), findings }, done.value.version)
    };
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, flow)).await?;
        let _ = found.set(script_findings(&cx, flow).await?);
        cx.services().flows.publish(cx.access(), flow, running, &expected, idempotency).await
    })
    .await
}

/// Returns the findings of the scripts in the stored draft.
async fn script_findings(cx: &RequestContext, flow: FlowId) -> Result<Vec<Finding>, Error> {
    let draft = cx.services().flows.get(cx.access(), flow).await?.definition;
    if !expects_something(&draft) {
        return Ok(Vec::new());
    }
    let (draft, kept) = (FlowVersionRef::Draft, SimulationRequest::default());
    let ready = async |service: &SimulationService| service.flow(cx.access(), flow, draft, kept).await;
    Ok(simulations::findings(cx, ready).await)
}

/// A flow with the warnings from publishing.
#[derive(Serialize, ToSchema)]
struct PublishedFlow {
    #[serde(flatten)]
    view: FlowView,
    /// Unmet expectations of the scripts: warnings with the code `expectation_failed`.
    findings: Vec<Finding>,
}

/// Validate a flow definition.
///
/// Returns all errors and warnings; nothing is stored. Pointers are relative to the definition. Publishing returns the
/// same errors.
#[utoipa::path(post, path = "/api/v1/flows/validate", tag = "Flows", request_body = ValidateFlow,
    responses((status = 200, description = "The findings.", body = Validation)))]
pub async fn validate(cx: RequestContext) -> Result<Answer, Problem> {
    let ValidateFlow { definition, flow_id } = cx.body()?;
    let analysis = cx.services().flows.validate(cx.access(), &definition, flow_id).await?;
    let (valid, mut findings) = (analysis.is_valid(), analysis.findings);
    if valid && expects_something(&definition) {
        let kept = SimulationRequest::default();
        let ready = async |service: &SimulationService| match flow_id {
            Some(flow) => service.unsaved(cx.access(), flow, &definition, kept).await,
            None => service.definition(cx.access(), &definition, kept).await,
        };
        findings.extend(simulations::findings(&cx, ready).await);
        findings.truncate(MOST_VIOLATIONS);
    }
    Ok(Answer::json(&Validation { valid, findings }))
}

/// Delete a flow.
///
/// Interrupts its live runs. Queued messages are suppressed.
#[utoipa::path(delete, path = "/api/v1/flows/{id}", tag = "Flows", params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let flow = cx.path_parameter(&FLOW)?;
    let expected = cx.expected(load_answer(&cx, flow)).await?;
    cx.services().flows.delete(cx.access(), flow, deletion, &expected).await?;
    Ok(Answer::no_content())
}

/// A flow with its lost references.
#[derive(Serialize, ToSchema)]
struct ShownFlow {
    #[serde(flatten)]
    view: FlowView,
    /// Objects that it used and that were deleted with `force`. Cleared when another version is published; absent if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn load_answer(cx: &RequestContext, flow: FlowId) -> Result<Answer, Error> {
    let found = cx.services().flows.get(cx.access(), flow).await?;
    let lost = cx.services().flows.lost_references(cx.access(), &found).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    Ok(Answer::object(&ShownFlow { view: FlowView::from(&found), lost_references }, found.version))
}

fn show(flow: &Flow) -> Answer {
    Answer::object(&FlowView::from(flow), flow.version)
}
