//! `/flow-runs`: runs of flows.

use tidings_domain::contacts::ContactRef;
use tidings_domain::flows::{Run, RunFilter, RunStatus, RunView};
use tidings_domain::ids::FlowId;
use tidings_domain::outcome::Done;
use tidings_domain::read::{id, text, word};

use crate::contacts::{filtered, reference};
use crate::request::RequestContext;
use crate::request::paging::{List, PageParams, Rows};
use crate::request::path::FLOW_RUN;
use crate::request::query::parameters;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The number of runs, with their traces, that are read at once.
const RUNS_AT_ONCE: u32 = 25;

parameters! {
    struct RunFilters {
        /// Only runs of this flow.
        one flow_id: FlowId = id();
        /// Only runs with this status.
        one status: RunStatus = word(&RunStatus::WORDS, RunStatus::parse);
        /// Only runs of this contact: its ID, or `external_id:…`, `email:…` or `phone:…`.
        one contact_id: ContactRef = reference();
        /// Only live runs that are at the node with this ID now, in any version of the flow. Needs `flow_id`.
        one node: String = text(1..=64);
    }
}

/// List flow runs.
///
/// Returns runs that match all filters, newest first. `GET /flow-runs/{id}` also returns the trace.
#[utoipa::path(get, path = "/api/v1/flow-runs", tag = "Flows", params(RunFilters, PageParams),
    responses((status = 200, description = "A page of runs.", body = List<RunView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let RunFilters { flow_id, status, contact_id, node } = query.read();
    if node.is_some() && flow_id.is_none() {
        query.error("node", "missing_flow_id", "requires `flow_id`");
    }
    query.finish()?;
    let filter = RunFilter { flow: flow_id, contact: filtered(&cx, contact_id).await?, status, node };
    let ask = async |request| cx.services().flows.runs(cx.access(), &filter, request).await;
    let rows = Rows::gather(&paging, RUNS_AT_ONCE, ask, |run| RunView::from(run)).await?;
    Ok(cx.rows(&paging, rows))
}

/// Cancel a flow run.
///
/// The run becomes `interrupted`. A run that has ended stays unchanged, and so do sent messages.
#[utoipa::path(post, path = "/api/v1/flow-runs/{id}/cancel", tag = "Flows",
    responses((status = 200, description = "The updated run.", body = RunView)))]
pub async fn cancel(cx: RequestContext) -> Result<Answer, Problem> {
    let run = cx.path_parameter(&FLOW_RUN)?;
    let render = |done: &Done<Run>| Answer::object(&RunView::from(&done.value), done.value.version);
    cx.run_idempotent(render, async |idempotency| cx.services().flows.cancel(cx.access(), run, idempotency).await).await
}

/// Get a flow run.
///
/// Includes the trace, which lists each visit of a node, and the reason of a failure.
#[utoipa::path(get, path = "/api/v1/flow-runs/{id}", tag = "Flows",
    responses((status = 200, description = "The run.", body = RunView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let run = cx.services().flows.run(cx.access(), cx.path_parameter(&FLOW_RUN)?).await?;
    Ok(Answer::object(&RunView::from(&run), run.version))
}
