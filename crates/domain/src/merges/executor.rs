//! Moving of the data of a merged contact, in small commits.

use std::sync::Arc;
use std::time::Duration;

use super::{Merge, MergeChange};
use crate::access::Access;
use crate::conversations::MessageStatus;
use crate::error::Error;
use crate::ids::{ContactId, JobId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, HeldUntil, Job, JobChange, NewJob, Ports, Row, StoreError};
use crate::retry::retry_on_conflict;
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Approximate number of rows of each type that one commit moves.
const ROWS: u32 = 500;
/// Minimum and maximum delay, if the messages that the job waits for are deleted at the same time.
const WAITS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(3_600));

/// Moves the data of merged contacts.
#[derive(Clone)]
pub struct Merger {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl Merger {
    /// Moves some data of a contact to its survivor, and reschedules the job until nothing is left. Queued messages
    /// move only with a final status, so none is sent to the survivor.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn carry_on(&self, access: &Access, job: &ClaimedJob, contact: ContactId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let at = self.ports.clock.now();
            let mut set = ChangeSet::new(job.workspace);
            match self.ports.merges.get(access, contact).await? {
                None => {
                    set.change(job.finish());
                }
                Some(Merge { into, moved_at: Some(_), .. }) => self.finish(access, job, into, &mut set).await?,
                Some(Merge { into, .. }) if self.ports.merges.is_left(access, contact, into).await? => {
                    set.change(Change::Merge(MergeChange::MovePart { contact, into, limit: ROWS, at }));
                    set.change(job.reschedule(at, None));
                }
                Some(merge) if self.ports.merges.is_sending(access, contact, merge.into).await? => {
                    self.wait(access, job, &merge, &mut set).await?;
                }
                Some(_) => {
                    set.change(Change::Merge(MergeChange::End { contact, at }));
                    set.change(job.reschedule(at, None));
                }
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Holds the job until a queued message has a final status. Increments the version of the message, so a worker that
    /// is sending it reads it again and finds the merge.
    async fn wait(
        &self,
        access: &Access,
        job: &ClaimedJob,
        merge: &Merge,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let at = self.ports.clock.now();
        let message = match self.ports.merges.unsettled(access, merge.contact, merge.into).await? {
            Some(message) => self.ports.conversations.message(access, message).await?,
            None => None,
        };
        let Some(mut message) = message else {
            // The rows were deleted in the meantime.
            set.change(job.reschedule(at.plus(wait(merge.merged_at, at)), None));
            return Ok(());
        };
        if !matches!(message.status, MessageStatus::Queued | MessageStatus::Sending) {
            set.change(job.reschedule(at, None));
            return Ok(());
        }
        message.touch(at);
        set.change(Change::Update(Row::Message(Box::new(message))));
        let until = HeldUntil::MessageSettles(merge.contact);
        set.change(Change::Job(JobChange::Hold { job: job.id, token: job.token, until }));
        Ok(())
    }

    /// Finishes the job of a completed merge, and queues a waiting erasure of the survivor. An erasure that starts
    /// after this read finds the merge completed.
    async fn finish(
        &self,
        access: &Access,
        job: &ClaimedJob,
        into: ContactId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let erasure = self.ports.erasures.get(access, into).await?;
        if erasure.is_some_and(|it| it.erased_at.is_none()) {
            let erase = Job::EraseContact { contact: into };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), erase, self.ports.clock.now()));
        }
        set.change(job.finish());
        Ok(())
    }
}

/// Makes the job of an unfinished merge due, because a message of the contact has a final status.
pub(crate) async fn release_move(
    ports: &Ports,
    access: &Access,
    contact: ContactId,
    set: &mut ChangeSet,
) -> Result<(), StoreError> {
    let merge = ports.merges.get(access, contact).await?;
    if merge.is_some_and(|it| it.moved_at.is_none()) {
        let until = HeldUntil::MessageSettles(contact);
        set.change(Change::Job(JobChange::ReleaseHeld { until, due_at: ports.clock.now() }));
    }
    Ok(())
}

/// Returns the delay. It increases with the age of the merge.
fn wait(since: Timestamp, now: Timestamp) -> Duration {
    (now.since(since) / 2).clamp(WAITS.0, WAITS.1)
}
