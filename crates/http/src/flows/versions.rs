//! `/flows/{id}/versions`: the published versions of a flow.

use tidings_domain::flows::{Flow, FlowVersionView, FlowView};
use tidings_domain::outcome::Done;

use super::{DRAFTS_AT_ONCE, load_answer, show};
use crate::request::RequestContext;
use crate::request::paging::{List, PageParams, Rows};
use crate::request::path::{FLOW, FLOW_VERSION};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// List the versions of a flow.
///
/// Returns the published versions, newest first. A published version never changes.
#[utoipa::path(get, path = "/api/v1/flows/{id}/versions", tag = "Flows", params(PageParams),
    responses((status = 200, description = "A page of versions.", body = List<FlowVersionView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let id = cx.path_parameter(&FLOW)?;
    let ask = async |request| {
        let (flow, page) = cx.services().flows.versions(cx.access(), id, request).await?;
        Ok(page.map(|version| FlowVersionView::of(&flow, version)))
    };
    let rows = Rows::gather(&paging, DRAFTS_AT_ONCE, ask, Clone::clone).await?;
    Ok(cx.rows(&paging, rows))
}

/// Restore a version of a flow.
///
/// Replaces the draft with an earlier version. The published version stays until the draft is published.
#[utoipa::path(post, path = "/api/v1/flows/{id}/versions/{number}/restore", tag = "Flows",
    responses((status = 200, description = "The updated flow.", body = FlowView)))]
pub async fn restore(cx: RequestContext) -> Result<Answer, Problem> {
    let flow = cx.path_parameter(&FLOW)?;
    let number = cx.path_parameter(&FLOW_VERSION)?;
    cx.run_idempotent(
        |done: &Done<Flow>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, flow)).await?;
            cx.services().flows.restore(cx.access(), flow, number, &expected, idempotency).await
        },
    )
    .await
}
