//! Pausing, resuming and cancelling of broadcasts.

use super::service::unnamed;
use super::{Broadcast, BroadcastService, BroadcastStatus, CountedBroadcast};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{BroadcastId, JobId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, HeldUntil, Job, JobChange, NewJob, Row};
use crate::retry::{commit_outcome, retry_on_conflict};

/// Makes the jobs due that are held until a broadcast continues or ends.
pub(super) fn release_held(it: &Broadcast) -> Change {
    let until = HeldUntil::BroadcastContinues(it.id);
    Change::Job(JobChange::ReleaseHeld { until, due_at: it.updated_at })
}

impl BroadcastService {
    /// Pauses a broadcast: no messages are created until it is resumed. Changes nothing if it is already paused.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::BroadcastStatus`] if it is not being sent,
    /// [`Error::Store`].
    pub async fn pause(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        let to = (BroadcastStatus::Paused, AuditAction::BroadcastPaused);
        self.change(access, (broadcast, expected), to, idempotency, |before, _, _| before == BroadcastStatus::Sending)
            .await
    }

    /// Resumes a paused broadcast with the recipients without a message. If it had not started, schedules it again.
    /// Changes nothing while it is being sent.
    ///
    /// # Errors
    /// As [`BroadcastService::pause`], if it is not paused; [`Error::Invalid`] if something that its audience uses was
    /// deleted.
    pub async fn resume(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &ExpectedVersion,
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

    /// Cancels a broadcast: recipients without a message get none. Changes nothing if it is already cancelled.
    ///
    /// # Errors
    /// As [`BroadcastService::pause`], if it is a draft or has ended.
    pub async fn cancel(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        let to = (BroadcastStatus::Cancelled, AuditAction::BroadcastCancelled);
        self.change(access, (broadcast, expected), to, idempotency, |before, after, set| {
            set.change(unnamed(after.id));
            // Messages held by a pause are checked again, and suppressed.
            set.change(release_held(after));
            !before.is_over() && before != BroadcastStatus::Draft
        })
        .await
    }

    /// Changes the status of a broadcast, if `may` allows it from the current one.
    async fn change(
        &self,
        access: &Access,
        (broadcast, expected): (BroadcastId, &ExpectedVersion),
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
                self.ports.add_audit(AuditDraft::changed(action, &was, &broadcast), access, &mut set);
                Done::changed(self.counted(access, broadcast).await?)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
