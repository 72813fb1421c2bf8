//! Pauses of outbound sending, and deletions that stop jobs.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// The cause of a pause of outbound sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldBy {
    /// The settings of this process.
    Setting,
    /// A mark on the whole store, by the operator or as it was restored from a copy.
    Store,
    /// The workspace itself.
    Workspace,
}

/// A mark on the whole store: nothing leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreHold {
    /// The reason, for operators.
    pub reason: String,
    /// Start of the pause.
    pub since: Timestamp,
}

/// All pauses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds {
    /// The mark on the whole store, if there is one.
    pub store: Option<StoreHold>,
    /// Number of workspaces with paused outbound sending.
    pub workspaces: u64,
}

/// Reads and sets pauses of outbound sending, and reads deletions. [`super::EngineStore::claim`] skips paused jobs. A worker
/// asks again before it sends, because it may have claimed the job before the pause.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OutboundStore: Send + Sync {
    /// The cause of a pause of this workspace, the widest first; `None` if it sends. A pause by this process counts at once,
    /// one by another process within half a second.
    ///
    /// # Errors
    /// [`StoreError`]: the state is unknown, and nothing may be sent.
    async fn held(&self, workspace: WorkspaceId) -> Result<Option<HeldBy>, StoreError>;

    /// The end of the deletion of this workspace, until which its jobs wait; `None` if it is not deleted. A deletion by this
    /// process counts at once, one by another process within half a second.
    ///
    /// # Errors
    /// [`StoreError`]: the state is unknown, and no job may run.
    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError>;

    /// All pauses.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn holds(&self) -> Result<Holds, StoreError>;

    /// Pauses the whole store. An earlier pause keeps its reason and instant.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError>;

    /// Removes the mark of the whole store, and returns whether there was one. Workspaces with a pause keep it.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn lift(&self) -> Result<bool, StoreError>;
}
