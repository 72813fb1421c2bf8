//! `/flows` and `/flow-runs`: automation graphs and the runs through them.

use serde_json::{Map, Value};
use tidings_domain::Error;
use tidings_domain::flows::{Flow, FlowPatch, FlowView, NewFlow, RunView};
use tidings_domain::ids::{FlowId, RunId};
use tidings_domain::outcome::Done;
use utoipa::{IntoParams, ToSchema};

use crate::answer::Answer;
use crate::json::{Json, text, word};
use crate::paging::{List, PageParams};
use crate::problem::{Fault, Faults, Problem};
use crate::request::Cx;

const READ_ONLY: &[&str] =
    &["id", "status", "version_published", "has_unpublished_changes", "created_at", "updated_at", "version"];

/// A flow in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct FlowPath {
    /// The flow's id.
    #[param(inline)]
    id: FlowId,
}

/// A run in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct RunPath {
    /// The run's id.
    #[param(inline)]
    id: RunId,
}

/// A flow to be created.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct CreateFlow {
    /// What people call it.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The draft: `start` and `nodes`. It is checked when it is published.
    #[schema(value_type = Object, nullable = false, required = false)]
    definition: Option<Value>,
}

/// An update of the draft: what is absent stays, `definition` is replaced whole.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct UpdateFlow {
    /// What people call it.
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
    /// The whole new draft.
    #[schema(value_type = Object, nullable = false, required = false)]
    definition: Option<Value>,
}

/// How a draft is published.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct PublishFlow {
    /// What becomes of runs in flight; `pin` when absent.
    #[schema(nullable = false)]
    running: Option<Running>,
}

/// What becomes of runs in flight.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the body")]
enum Running {
    /// They finish on their version.
    Pin,
}

/// Lists flows.
#[utoipa::path(get, path = "/api/v1/flows", tag = "Flows", params(PageParams),
    responses((status = 200, description = "A page of flows.", body = List<FlowView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (query, paging) = cx.list_query()?;
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().flows.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |flow| FlowView::from(flow)))
}

/// Creates a flow with a draft.
#[utoipa::path(post, path = "/api/v1/flows", tag = "Flows", request_body = CreateFlow,
    responses((status = 201, description = "The flow.", body = FlowView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let command = cx.read(READ_ONLY, |body| {
        let name = body.required("name", text(1..=100));
        let definition = body.optional("definition", definition);
        Some(NewFlow { name: name?, definition: definition.unwrap_or_else(|| Value::Object(Map::new())) })
    })?;
    let render =
        |done: &Done<Flow>| show(&done.value).outcome(done.outcome).located(format!("/api/v1/flows/{}", done.value.id));
    cx.once(render, async |keep| cx.services().flows.create(cx.access(), command, keep).await).await
}

/// Shows a flow with its draft.
#[utoipa::path(get, path = "/api/v1/flows/{id}", tag = "Flows", params(FlowPath),
    responses((status = 200, description = "The flow.", body = FlowView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, cx.id("id")?).await?)
}

/// Edits the draft of a flow.
///
/// Runs and the published version stay as they are. Merges, as PATCH does.
#[utoipa::path(put, path = "/api/v1/flows/{id}", tag = "Flows", params(FlowPath), request_body = UpdateFlow,
    responses((status = 200, description = "The flow afterwards.", body = FlowView)))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let patch = cx.read(READ_ONLY, |body| {
        Some(FlowPatch {
            name: body.optional("name", text(1..=100)),
            definition: body.optional("definition", definition),
        })
    })?;
    let flow = cx.id("id")?;
    let expected = cx.expected(shown(&cx, flow)).await?;
    Ok(show(&cx.services().flows.update(cx.access(), flow, patch, &expected).await?))
}

/// Edits the draft of a flow.
///
/// Runs and the published version stay as they are. Merges, as PUT does.
#[utoipa::path(patch, path = "/api/v1/flows/{id}", tag = "Flows", params(FlowPath), request_body = UpdateFlow,
    responses((status = 200, description = "The flow afterwards.", body = FlowView)))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Publishes the draft of a flow as its next version.
///
/// Everything that is wrong with the draft is told as 422, with pointers that begin with `/definition`.
#[utoipa::path(post, path = "/api/v1/flows/{id}/publish", tag = "Flows", params(FlowPath),
    request_body = PublishFlow,
    responses((status = 200, description = "The flow, published.", body = FlowView)))]
pub async fn publish(cx: Cx) -> Result<Answer, Problem> {
    cx.read(&[], |body| {
        body.optional("running", word(&["pin"], |word| (word == "pin").then_some(())));
        Some(())
    })?;
    let flow = cx.id("id")?;
    cx.once(
        |done: &Done<Flow>| show(&done.value),
        async |keep| {
            let expected = cx.expected(shown(&cx, flow)).await?;
            cx.services().flows.publish(cx.access(), flow, &expected, keep).await
        },
    )
    .await
}

/// Shows a run through a flow, with its trace.
#[utoipa::path(get, path = "/api/v1/flow-runs/{id}", tag = "Flows", params(RunPath),
    responses((status = 200, description = "The run.", body = RunView)))]
pub async fn get_run(cx: Cx) -> Result<Answer, Problem> {
    let run = cx.services().flows.run(cx.access(), cx.id("id")?).await?;
    Ok(Answer::object(&RunView::from(&run), run.version))
}

async fn shown(cx: &Cx, flow: FlowId) -> Result<Answer, Error> {
    Ok(show(&cx.services().flows.get(cx.access(), flow).await?))
}

fn show(flow: &Flow) -> Answer {
    Answer::object(&FlowView::from(flow), flow.version)
}

/// A draft may hold anything for now, but is an object; its nodes may be more than other arrays have items.
fn definition(json: &Json) -> Result<Value, Faults> {
    match json {
        Json::Object(_) => Ok(json.to_value()),
        other => Err(Fault::new("wrong_type", format!("expected an object, got {}", other.kind())).into()),
    }
}
