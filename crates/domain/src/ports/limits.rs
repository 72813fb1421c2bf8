//! The port that enforces the limit of requests per minute.

use async_trait::async_trait;

use crate::access::limiter::Decision;
use crate::ids::{UserId, WorkspaceId};
use crate::time::Timestamp;

/// A client: its requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitedClient {
    /// All keys of a workspace.
    Workspace(WorkspaceId),
    /// A user in one workspace, by access token.
    Member(WorkspaceId, UserId),
}

/// Limits the requests of clients: any rolling 60 seconds admit at most the limit, over all instances.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Counts one request of the client at `now` if the limit admits it. A refused request does not count. It always
    /// answers fast: if the shared count is unreachable, it uses this instance's own share. The decision's `limit` is
    /// the requested one.
    async fn admit(&self, client: LimitedClient, limit: u32, now: Timestamp) -> Decision;
}
