//! Reactions to events inside the service.

use async_trait::async_trait;

use crate::access::Access;
use crate::ports::{ChangeSet, StoredEvent};
use crate::retry::AttemptError;

/// A reaction to events inside the service. Its changes commit together with the deliveries and the end of the relay
/// job, so each event is handled once.
#[async_trait]
pub(crate) trait Reaction: Send + Sync {
    /// Adds the reaction to `event` to the set.
    ///
    /// # Errors
    /// [`AttemptError::Retry`] if it must be decided again.
    async fn react(&self, access: &Access, event: &StoredEvent, set: &mut ChangeSet) -> Result<(), AttemptError>;
}
