//! `/platform`: what people do about their workspaces. API keys open nothing of it.

pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod sandbox;
pub(crate) mod storage;
pub(crate) mod usage;
pub(crate) mod workspaces;

use tidings_domain::ids::WorkspaceId;
use utoipa::IntoParams;

/// A workspace in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
pub(crate) struct WorkspacePath {
    /// The workspace's id.
    #[param(inline)]
    ws: WorkspaceId,
}
