//! The setting `engine.outbound`, which overrides the store.

use std::sync::Arc;

use async_trait::async_trait;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{HeldBy, Holds, OutboundStore, StoreError, StoreHold};
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
    async fn held(&self, _: WorkspaceId) -> Result<Option<HeldBy>, StoreError> {
        Ok(Some(HeldBy::Setting))
    }

    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError> {
        self.store.deleted_until(workspace).await
    }

    async fn holds(&self) -> Result<Holds, StoreError> {
        let holds = self.store.holds().await?;
        let own = StoreHold { reason: SETTING.to_owned(), since: self.since };
        Ok(Holds { store: holds.store.or(Some(own)), ..holds })
    }

    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError> {
        self.store.hold(hold).await
    }

    async fn lift(&self) -> Result<bool, StoreError> {
        self.store.lift().await
    }
}
