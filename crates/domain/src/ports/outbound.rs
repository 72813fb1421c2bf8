//! Whether what is to be sent leaves, or is held.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// What holds back the messages and deliveries of a workspace.
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
    /// Why, for operators.
    pub reason: String,
    /// Since when.
    pub since: Timestamp,
}

/// All that is held.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds {
    /// The mark on the whole store, where there is one.
    pub store: Option<StoreHold>,
    /// How many workspaces hold what they send.
    pub workspaces: u64,
}

/// The holds, and the operator's mark. What is held is not claimed, as [`super::EngineStore::claim`] says; whoever is
/// about to send asks here once more, as it may have been claimed before.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OutboundStore: Send + Sync {
    /// What holds the workspace back, the widest first; `None` where it sends. What this process changed counts at
    /// once, what others did within half a second.
    ///
    /// # Errors
    /// [`StoreError`]: it is not known, and nothing may leave.
    async fn held(&self, workspace: WorkspaceId) -> Result<Option<HeldBy>, StoreError>;

    /// Until when no job of the workspace is done because the workspace is deleted; `None` if it is not deleted. A
    /// deletion by this process counts at once, one by another process within half a second.
    ///
    /// # Errors
    /// [`StoreError`]: it is not known, and no job is done.
    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError>;

    /// All that is held.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn holds(&self) -> Result<Holds, StoreError>;

    /// Holds everything. Where that is so already, reason and instant stay.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError>;

    /// Takes the mark off the store; returns whether there was one. Workspaces that hold go on doing so.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn lift(&self) -> Result<bool, StoreError>;
}
