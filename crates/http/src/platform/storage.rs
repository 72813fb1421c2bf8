//! `/platform/workspaces/{ws}/storage`: how much text a workspace has stored.

use tidings_domain::access::stored::StoredView;

use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Cx;

/// Shows how much text a workspace has stored.
///
/// In bytes of UTF-8, without indexes and what the database needs for itself. It is added up every five minutes; what was
/// written since is in it where the instance that answers wrote it. At `limit`, requests that create or enlarge objects get
/// 409 `storage_full`.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/storage", tag = "Platform",
    responses((status = 200, description = "How much there is.", body = StoredView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let stored = cx.services().platform.stored(cx.access()).await?;
    let workspace = cx.services().platform.workspace(cx.access()).await?;
    let limit = cx.state.stored_limits.of(workspace.plan);
    // It has no version of its own.
    Ok(Answer::object(&StoredView::new(stored, limit), 1))
}
