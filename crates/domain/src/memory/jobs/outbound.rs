//! Holds of outbound traffic.

use async_trait::async_trait;

use crate::access::OutboundMode;
use crate::ids::WorkspaceId;
use crate::memory::{MemoryStore, State};
use crate::ports::{OutboundStore, PausedBy, Pauses, StoreError, StoreHold};
use crate::time::Timestamp;

#[async_trait]
impl OutboundStore for MemoryStore {
    async fn paused_by(&self, workspace: WorkspaceId) -> Result<Option<PausedBy>, StoreError> {
        Ok(self.lock().held_by(workspace))
    }

    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.lock().workspaces.get(&workspace).and_then(|it| it.deletion).map(|it| it.erase_at))
    }

    async fn pauses(&self) -> Result<Pauses, StoreError> {
        let state = self.lock();
        let workspaces = state.workspaces.values().filter(|it| it.outbound == OutboundMode::Hold).count() as u64;
        Ok(Pauses { store: state.hold.clone(), workspaces })
    }

    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError> {
        let mut state = self.lock();
        match &mut state.hold {
            Some(earlier) => earlier.is_restored |= hold.is_restored,
            None => {
                // Also if the store is full: a hold must always take effect.
                state.add_written(hold.reason.len());
                state.hold = Some(hold);
            }
        }
        Ok(())
    }

    async fn lift(&self) -> Result<bool, StoreError> {
        Ok(self.lock().hold.take().is_some())
    }
}

impl State {
    pub(in crate::memory) fn held_by(&self, workspace: WorkspaceId) -> Option<PausedBy> {
        let mode = self.workspaces.get(&workspace).map(|it| it.outbound).unwrap_or_default();
        match (&self.hold, mode) {
            (Some(StoreHold { is_restored: true, .. }), _) => Some(PausedBy::Restore),
            (Some(_), _) => Some(PausedBy::Store),
            (None, OutboundMode::Hold) => Some(PausedBy::Workspace),
            (None, OutboundMode::Send) => None,
        }
    }
}
