//! How often somebody may ask: the port behind the promise on requests per minute.

use async_trait::async_trait;

use crate::access::limiter::Decision;
use crate::ids::{UserId, WorkspaceId};
use crate::time::Timestamp;

/// Whose requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitedClient {
    /// All keys of a workspace.
    Workspace(WorkspaceId),
    /// A user in one workspace, by access token.
    Member(WorkspaceId, UserId),
}

/// Counts requests, so that in any rolling 60 seconds at most the limit is admitted, whichever
/// instance is asked.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Counts one request of the client at `now`, if the limit still admits it; what is refused does
    /// not count. It always answers, and soon: where a shared count cannot be reached, from what
    /// this instance may admit by itself. The decision's `limit` is the one that was asked about.
    async fn admit(&self, client: LimitedClient, limit: u32, now: Timestamp) -> Decision;
}
