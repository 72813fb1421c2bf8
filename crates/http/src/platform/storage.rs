//! `/platform/workspaces/{ws}/storage`: the size of a workspace's stored text.

use tidings_domain::access::storage_usage::StoredView;

use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// Get the storage usage of a workspace.
///
/// Measures stored text in bytes of UTF-8, without indexes and database overhead. The total is updated every five
/// minutes. Later writes are included only if this server made them. At `limit`, requests that create or enlarge
/// objects return 409 `storage_full`.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/storage", tag = "Platform",
    responses((status = 200, description = "The storage usage.", body = StoredView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let stored = cx.services().platform.storage_usage(cx.access()).await?;
    let workspace = cx.services().platform.workspace(cx.access()).await?;
    let limit = cx.state.stored_limits.of(workspace.plan);
    // There is no version.
    Ok(Answer::object(&StoredView::new(stored, limit), 1))
}
