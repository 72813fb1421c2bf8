//! The clocks of sandboxes.

use std::time::Duration;

use async_trait::async_trait;

use super::errors::StoreError;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// What is queued in a sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agenda {
    /// Whether a worker has something of it under way, or had when its process ended.
    pub busy: bool,
    /// When the next job falls due, by the store's clock; it may lie in the past. Not counted is what stands behind another in
    /// its lane, what waits for its webhook or its flow, and what is held back.
    pub next: Option<Timestamp>,
}

/// Reads the clocks of sandboxes, and what is queued there. They are moved by [`crate::sandboxes::SandboxChange`].
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SandboxQueries: Send + Sync {
    /// By how much the clock of a sandbox is ahead of the store's.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn ahead(&self, sandbox: WorkspaceId) -> Result<Duration, StoreError>;

    /// What is queued there.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn agenda(&self, sandbox: WorkspaceId) -> Result<Agenda, StoreError>;
}
