//! What follows from events inside the service.

use async_trait::async_trait;

use crate::access::Access;
use crate::ports::{ChangeSet, StoredEvent};
use crate::retry::AttemptError;

/// Something that follows from events inside the service. What it adds commits together with the
/// deliveries and the end of the relay's job, so each event is followed once.
#[async_trait]
pub(crate) trait Reaction: Send + Sync {
    /// Adds what follows from `event` to the set.
    ///
    /// # Errors
    /// [`AttemptError::Retry`] where it should be decided anew.
    async fn react(&self, access: &Access, event: &StoredEvent, set: &mut ChangeSet) -> Result<(), AttemptError>;
}
