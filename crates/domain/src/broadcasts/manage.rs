//! Pausing, resuming and cancelling.

use super::service::unnamed;
use super::{Broadcast, BroadcastService, BroadcastStatus, CountedBroadcast};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{BroadcastId, JobId, TypedId};
use crate::outcome::{Done, Expected, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, HeldUntil, Job, JobChange, NewJob, Row};
use crate::retry::{AttemptError, retry_on_conflict};

/// Makes the jobs due that wait until a broadcast is resumed, or is over.
pub(super) fn release_held(it: &Broadcast) -> Change {
    let until = HeldUntil::BroadcastContinues(it.id);
    Change::Job(JobChange::ReleaseHeld { until, due_at: it.updated_at })
}

impl BroadcastService {
    /// Makes no more messages until it is resumed; unchanged where it is paused.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::BroadcastStatus`] where it is not being sent,
    /// [`Error::Store`].
    pub async fn pause(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        let to = (BroadcastStatus::Paused, AuditAction::BroadcastPaused);
        self.change(access, (broadcast, expected), to, idempotency, |before, _, _| before == BroadcastStatus::Sending)
            .await
    }

    /// Continues a paused broadcast after the contacts who have their messages; unchanged while it is being sent. A
    /// broadcast that was paused before it began is scheduled again.
    ///
    /// # Errors
    /// As [`BroadcastService::pause`], where it is not paused; [`Error::Invalid`] if its audience lost something.
    pub async fn resume(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        let to = (BroadcastStatus::Sending, AuditAction::BroadcastResumed);
        self.change(access, (broadcast, expected), to, idempotency, |before, after, set| {
            set.change(release_held(after));
            let job = Job::SpreadBroadcast { broadcast: after.id, round: after.round };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, after.updated_at));
            before == BroadcastStatus::Paused
        })
        .await
    }

    /// Ends a broadcast: nothing more is made for those who have no message yet. Unchanged where it is cancelled.
    ///
    /// # Errors
    /// As [`BroadcastService::pause`], where it is a draft, or over.
    pub async fn cancel(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        let to = (BroadcastStatus::Cancelled, AuditAction::BroadcastCancelled);
        self.change(access, (broadcast, expected), to, idempotency, |before, after, set| {
            set.change(unnamed(after.id));
            // Messages that a pause held are checked once more, and suppressed.
            set.change(release_held(after));
            !before.is_over() && before != BroadcastStatus::Draft
        })
        .await
    }

    /// Takes a broadcast to a status, if it may go there from the one that it has.
    async fn change(
        &self,
        access: &Access,
        (broadcast, expected): (BroadcastId, &Expected),
        (to, action): (BroadcastStatus, AuditAction),
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
        may: impl Fn(BroadcastStatus, &Broadcast, &mut ChangeSet) -> bool + Send + Sync,
    ) -> Result<Done<CountedBroadcast>, Error> {
        retry_on_conflict(|| async {
            let mut broadcast = self.find(access, broadcast).await?;
            expected.check(broadcast.version)?;
            if to == BroadcastStatus::Sending && broadcast.waits_for_edit() {
                return self.resume_unbegun(access, broadcast, idempotency).await;
            }
            let (before, mut set) = (broadcast.status, ChangeSet::new(access.workspace()));
            let done = if before == to {
                Done::unchanged(self.counted(access, broadcast).await?)
            } else {
                let was = broadcast.clone();
                broadcast.round += 1;
                broadcast.advance(to, self.ports.clock.now());
                if !may(before, &broadcast, &mut set) {
                    return Err(Error::BroadcastStatus(before).into());
                }
                set.change(Change::Update(Row::Broadcast(Box::new(broadcast.clone()))));
                set.audit(AuditDraft::changed(action, &was, &broadcast), access, &*self.ports.clock, &*self.ports.ids);
                Done::changed(self.counted(access, broadcast).await?)
            };
            set.idempotency = record_of(idempotency, &done);
            if !set.is_empty() {
                self.ports.ledger.commit(set).await?;
            }
            Ok::<_, AttemptError>(done)
        })
        .await
    }
}
