//! Removal of a deleted tag's links, in small commits.

use std::sync::Arc;

use crate::access::Access;
use crate::error::Error;
use crate::ids::TagId;
use crate::ports::{Change, ClaimedJob, Ports, TagChange};
use crate::work::{BATCH_OF_SWEEP, sweep};

/// Removes the links of deleted tags.
#[derive(Clone)]
pub struct TagSweeper {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl TagSweeper {
    /// Removes some links of a deleted tag. The job is rescheduled until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sweep(&self, access: &Access, job: &ClaimedJob, tag: TagId) -> Result<(), Error> {
        let left = self.ports.tags.has_links(access, tag).await?;
        let removal = Change::Tag(TagChange::SweepLinks { tag, limit: BATCH_OF_SWEEP });
        sweep(&self.ports, job, left.then_some(removal)).await
    }
}
