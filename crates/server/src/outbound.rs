//! The setting `engine.outbound`, which overrides the store.

use std::sync::Arc;

use async_trait::async_trait;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{OutboundStore, PausedBy, Pauses, StoreError, StoreHold};
use tidings_domain::time::Timestamp;

/// The name of the setting in reports.
pub(crate) const SETTING: &str = "engine.outbound";

/// Pauses all outbound traffic, regardless of the store.
pub(crate) struct HeldBySetting {
    pub(crate) store: Arc<dyn OutboundStore>,
    /// The start of this process.
    pub(crate) since: Timestamp,
}

#[async_trait]
impl OutboundStore for HeldBySetting {
    async fn paused_by(&self, _: WorkspaceId) -> Result<Option<PausedBy>, StoreError> {
        Ok(Some(PausedBy::Setting))
    }

    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError> {
        self.store.deleted_until(workspace).await
    }

    async fn pauses(&self) -> Result<Pauses, StoreError> {
        let pauses = self.store.pauses().await?;
        let own = StoreHold { reason: SETTING.to_owned(), since: self.since, is_restored: false };
        Ok(Pauses { store: pauses.store.or(Some(own)), ..pauses })
    }

    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError> {
        self.store.hold(hold).await
    }

    async fn lift(&self) -> Result<bool, StoreError> {
        self.store.lift().await
    }
}
