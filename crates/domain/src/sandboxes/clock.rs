//! A clock that is ahead of another.

use std::sync::Arc;
use std::time::Duration;

use crate::ids::WorkspaceId;
use crate::ports::{Clock, Ports, StoreError};
use crate::time::Timestamp;

/// A clock that is ahead of another by so much.
pub struct AheadClock {
    /// The other one.
    pub clock: Arc<dyn Clock>,
    /// By how much.
    pub ahead: Duration,
}

impl Clock for AheadClock {
    fn now(&self) -> Timestamp {
        self.clock.now().plus(self.ahead)
    }
}

impl Ports {
    /// The same ports with the clock of a workspace: of a live one, and of a sandbox whose clock was never moved, `None`, as
    /// they have it already.
    ///
    /// # Errors
    /// [`StoreError`]: the clock is not known, and nothing may be decided by another.
    pub async fn in_time_of(&self, workspace: WorkspaceId) -> Result<Option<Self>, StoreError> {
        if !workspace.is_sandbox() {
            return Ok(None);
        }
        let ahead = self.sandboxes.ahead(workspace).await?;
        Ok((!ahead.is_zero()).then(|| {
            let clock = Arc::new(AheadClock { clock: self.clock.clone(), ahead });
            Self { clock, ahead, ..self.clone() }
        }))
    }
}
