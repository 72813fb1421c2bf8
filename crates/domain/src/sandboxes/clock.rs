use std::sync::Arc;
use std::time::Duration;

use crate::ids::WorkspaceId;
use crate::ports::{Clock, Ports, StoreError};
use crate::time::Timestamp;

/// A clock that is ahead of another one by a fixed time.
pub struct AheadClock {
    /// The other clock.
    pub clock: Arc<dyn Clock>,
    /// The time that it is ahead.
    pub ahead: Duration,
}

impl Clock for AheadClock {
    fn now(&self) -> Timestamp {
        self.clock.now().plus(self.ahead)
    }
}

impl Ports {
    /// Returns the ports with the clock of a sandbox; `None` if these ports have the right clock already.
    ///
    /// # Errors
    /// [`StoreError`] if the clock cannot be read; no other clock may be used then.
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
