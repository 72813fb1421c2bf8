//! Pauses of outbound sending, and deletions that stop jobs.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// The cause of a pause of outbound sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PausedBy {
    /// The settings of this process.
    Setting,
    /// A mark on the whole store, set by the operator.
    Store,
    /// The same mark on a store that was restored from a backup.
    Restore,
    /// The workspace itself.
    Workspace,
}

/// A mark on the whole store, which pauses all outbound sending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreHold {
    /// The reason, for operators.
    pub reason: String,
    /// Start of the pause.
    pub since: Timestamp,
    /// Whether the store was restored from a backup. Its original may still run, so it also fetches no messages: each
    /// message goes only to the first one that fetches it.
    pub is_restored: bool,
}

/// All pauses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pauses {
    /// The mark on the whole store, if there is one.
    pub store: Option<StoreHold>,
    /// Number of workspaces with paused outbound sending.
    pub workspaces: u64,
}

/// Reads and sets pauses of outbound sending, and reads deletions of workspaces. [`super::EngineStore::claim`] skips
/// paused jobs. A worker checks again before it sends, because it may have claimed the job before the pause. Polls continue
/// unless the store was restored or this process is paused.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OutboundStore: Send + Sync {
    /// Returns the cause of a pause of this workspace, the widest first; `None` if sending is enabled. A pause by this
    /// process takes effect at once, one by another process within half a second.
    ///
    /// # Errors
    /// [`StoreError`]: the state is unknown, and nothing may be sent.
    async fn paused_by(&self, workspace: WorkspaceId) -> Result<Option<PausedBy>, StoreError>;

    /// Returns the end of the deletion period of this workspace, until which its jobs wait; `None` if it is not
    /// deleted. A deletion by this process takes effect at once, one by another process within half a second.
    ///
    /// # Errors
    /// [`StoreError`]: the state is unknown, and no job may run.
    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError>;

    /// Returns all pauses.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn pauses(&self) -> Result<Pauses, StoreError>;

    /// Pauses the whole store. An existing pause keeps its reason and time, but can become that of a restored store.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError>;

    /// Removes the mark on the whole store. Returns whether there was one. Pauses of workspaces stay.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn lift(&self) -> Result<bool, StoreError>;
}
