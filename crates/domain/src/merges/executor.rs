//! What is left of a merged contact, moved in small commits.

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
use crate::work::unless_lost;

/// About how many rows of each kind one commit moves.
const ROWS: u32 = 500;
/// How long it waits at least, and at most, if the messages for which it waits are deleted at the same time.
const WAITS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(3_600));

/// Moves what is kept of merged contacts.
#[derive(Clone)]
pub struct Merger {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Merger {
    /// Moves some of what is left of a contact to its survivor; the job comes back until nothing is. Messages that are queued
    /// stay with the contact until they are settled, so that none goes to the survivor.
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
                    set.change(Change::Merge(MergeChange::MovePart { contact, into, limit: ROWS }));
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
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Holds the job until a message is settled that is queued, or on its way. The version of the message changes, so
    /// whoever is just sending it reads it again, and finds the merge.
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
            // Rows were deleted meanwhile.
            set.change(job.reschedule(at.plus(wait(merge.merged_at, at)), None));
            return Ok(());
        };
        if !matches!(message.status, MessageStatus::Queued | MessageStatus::Sending) {
            set.change(job.reschedule(at, None));
            return Ok(());
        }
        message.version += 1;
        set.change(Change::Update(Row::Message(Box::new(message))));
        let until = HeldUntil::MessageSettles(merge.contact);
        set.change(Change::Job(JobChange::Hold { job: job.id, token: job.token, until }));
        Ok(())
    }

    /// Ends the job of a merge that is complete. An erasure of the survivor that waited for it continues. The merge was
    /// complete before this is read, so an erasure that begins later finds it so.
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

/// Makes the job due that moves what is left of a merged contact: a message of the contact is settled. Nothing is added if the
/// contact was not merged.
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

/// The longer ago the merge was, the longer it waits.
fn wait(since: Timestamp, now: Timestamp) -> Duration {
    (now.since(since) / 2).clamp(WAITS.0, WAITS.1)
}
