//! The clocks of sandboxes.

use std::time::Duration;

use async_trait::async_trait;

use super::errors::StoreError;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// The queued jobs of a sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agenda {
    /// Whether a worker has claimed one of them, or had when its process ended.
    pub busy: bool,
    /// The time when the next job is due, by the store's clock; it can be in the past. Jobs behind another one of their
    /// lane do not count, nor do jobs that wait for their webhook or flow, or are paused.
    pub next: Option<Timestamp>,
}

/// Reads the clocks and queues of sandboxes. [`crate::sandboxes::SandboxChange`] moves a clock.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SandboxQueries: Send + Sync {
    /// Returns how far the clock of a sandbox is ahead of the store's clock.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn ahead(&self, sandbox: WorkspaceId) -> Result<Duration, StoreError>;

    /// Returns the queued jobs of a sandbox.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn agenda(&self, sandbox: WorkspaceId) -> Result<Agenda, StoreError>;
}
