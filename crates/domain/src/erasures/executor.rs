//! Deletion of the remaining data of an erased contact, in small commits.

use std::sync::Arc;

use super::ErasureChange;
use crate::access::Access;
use crate::conversations::MessageSender;
use crate::error::Error;
use crate::ids::{ContactId, MessageId};
use crate::merges::{MAX_MERGED, release_move};
use crate::ports::{Change, ChangeSet, ClaimedJob, FilePlace, Ports};
use crate::retry::{commit_unless_lost, retry_on_conflict};
use crate::work::ignore_lost_claim;

/// Approximate number of rows that one commit deletes. Each of them may have up to a mebibyte.
const ROWS: u32 = 100;

/// Deletes the data of erased contacts.
#[derive(Clone)]
pub struct Eraser {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl Eraser {
    /// Deletes some remaining data of a contact, and reschedules the job until nothing is left. The erasure stays open
    /// while merges still move data to the contact; the end of each merge queues the job again.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn erase(&self, access: &Access, job: &ClaimedJob, contact: ContactId) -> Result<(), Error> {
        let unsent = self.ports.erasures.unsent(access, contact, ROWS).await?;
        if !unsent.is_empty() {
            return self.withdraw(access, job, &unsent).await;
        }
        let at = self.ports.clock.now();
        let mut set = ChangeSet::new(job.workspace);
        if self.ports.erasures.is_left(access, contact).await? {
            self.delete_files(access, contact).await?;
            set.change(Change::Erasure(ErasureChange::RemovePart { contact, limit: ROWS, at }));
            set.change(job.reschedule(at, None));
        } else {
            // While data may still arrive, the erasure stays open.
            if !self.is_to_come(access, contact).await? {
                set.change(Change::Erasure(ErasureChange::End { contact, at }));
            }
            // The end of a merge may have waited for messages that are now deleted.
            release_move(&self.ports, access, contact, &mut set).await?;
            set.change(job.finish());
        }
        commit_unless_lost(&*self.ports.ledger, set).await
    }

    /// Ends messages that are not sent yet, before a later commit deletes them. So their broadcasts count them.
    async fn withdraw(&self, access: &Access, job: &ClaimedJob, messages: &[MessageId]) -> Result<(), Error> {
        let sender = MessageSender { ports: self.ports.clone() };
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(job.workspace);
            for message in messages {
                sender.withdraw(access, *message, &mut set).await?;
            }
            set.change(job.reschedule(self.ports.clock.now(), None));
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Deletes the bytes of the files before the next commit deletes their rows. So no byte is left without a row.
    async fn delete_files(&self, access: &Access, contact: ContactId) -> Result<(), Error> {
        for media in self.ports.media.of_contact(access, contact, ROWS).await? {
            self.ports.media_files.delete(FilePlace { workspace: access.workspace(), media }).await?;
        }
        Ok(())
    }

    /// Whether data may still move to the contact from one that was merged into it.
    async fn is_to_come(&self, access: &Access, contact: ContactId) -> Result<bool, Error> {
        let merged = self.ports.merges.merged_into(access, contact, MAX_MERGED as u32).await?;
        Ok(merged.iter().any(|merge| merge.moved_at.is_none()))
    }
}
