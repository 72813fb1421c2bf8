//! `/assignees`: the members who can be assigned to conversations.

use tidings_domain::platform::AssigneeView;

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// List assignees.
///
/// Returns the members who can answer contacts: all but viewers. Email addresses are in the list of members, for
/// admins.
#[utoipa::path(get, path = "/api/v1/assignees", tag = "Conversations", params(PageParams),
    responses((status = 200, description = "A page of assignees.", body = List<AssigneeView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().platform.assignees(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |member| AssigneeView::from(member)))
}
