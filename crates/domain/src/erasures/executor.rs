//! What is left of an erased person, removed in small commits.

use std::sync::Arc;

use super::ErasureChange;
use crate::access::Access;
use crate::error::Error;
use crate::ids::ContactId;
use crate::merges::{MAX_MERGED, release_move};
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports};
use crate::retry::commit_unless_lost;

/// About how many rows one commit removes: each of them may have been written with up to a mebibyte.
const ROWS: u32 = 100;

/// Removes what is kept of people.
#[derive(Clone)]
pub struct Eraser {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Eraser {
    /// Removes some of what is left of a person; the job comes back until nothing is. While contacts that were merged into the
    /// person still move, the erasure stays open, and the end of each merge queues the job again.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn erase(&self, access: &Access, job: &ClaimedJob, contact: ContactId) -> Result<(), Error> {
        let at = self.ports.clock.now();
        let mut set = ChangeSet::new(job.workspace);
        if self.ports.erasures.is_left(access, contact).await? {
            set.change(Change::Erasure(ErasureChange::RemovePart { contact, limit: ROWS, at }));
            set.change(job.reschedule(at, None));
        } else {
            // While something is to come, the erasure stays open: the end of the merge queues the job again.
            if !self.is_to_come(access, contact).await? {
                set.change(Change::Erasure(ErasureChange::End { contact, at }));
            }
            // Messages for which the end of a merge waited are gone.
            release_move(&self.ports, access, contact, &mut set).await?;
            set.change(job.finish());
        }
        commit_unless_lost(&*self.ports.ledger, set).await
    }

    /// Whether something may still move to the contact from one that was merged into it.
    async fn is_to_come(&self, access: &Access, contact: ContactId) -> Result<bool, Error> {
        let merged = self.ports.merges.merged_into(access, contact, MAX_MERGED as u32).await?;
        Ok(merged.iter().any(|merge| merge.moved_at.is_none()))
    }
}
