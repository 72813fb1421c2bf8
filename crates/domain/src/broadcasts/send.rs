//! Sending of a draft: the audience is counted, and the broadcast is scheduled.

use chrono_tz::Tz;

use super::service::files_of;
use super::{Broadcast, BroadcastService, BroadcastStatus, BroadcastZone, CountedBroadcast};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{BroadcastId, JobId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, Job, NewJob, ReferenceChange, Row, StoreError};
use crate::references::{LostReference, Referent, Referrer};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::segments::differs;
use crate::send_window::{instant_of, local};
use crate::sequences::zone_of;
use crate::time::Timestamp;

impl BroadcastService {
    /// Schedules a draft for its time, or immediately. If an expected number of contacts is given, the audience may
    /// differ from it by at most 5 %.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::BroadcastStatus`] if it is not a draft,
    /// [`Error::AudienceChanged`], [`Error::NoChannel`], [`Error::Invalid`] if something that the audience uses was
    /// deleted, [`Error::Store`].
    pub async fn send(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        expected_count: Option<i64>,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let mut broadcast = self.find(access, broadcast).await?;
            expected.check(broadcast.version)?;
            if broadcast.status != BroadcastStatus::Draft {
                return Err(Error::BroadcastStatus(broadcast.status).into());
            }
            if let Some(lost) = self.lost_references(access, &broadcast).await?.first() {
                return Err(lost_reference(lost).into());
            }
            let channel = self.channel(access, broadcast.channel).await?;
            let Some(chosen) = self.chosen(access, &broadcast, channel.id, now).await? else {
                return Err(Error::invalid(
                    "/audience",
                    "unknown_segment",
                    "the segment was deleted; choose another audience",
                )
                .into());
            };
            if let Some(told) = expected_count {
                let found = self.ports.contacts.count(access, &chosen, u64::MAX).await?;
                let found = i64::try_from(found).unwrap_or(i64::MAX);
                if differs(told, found) {
                    return Err(Error::AudienceChanged { count: found }.into());
                }
            }
            let (before, mut set) = (broadcast.clone(), ChangeSet::new(access.workspace()));
            if broadcast.channel != Some(channel.id) {
                broadcast.channel = Some(channel.id);
                let mut targets = self.names(access, &broadcast.audience).await?;
                targets.push(Referent::Channel(channel.id));
                targets.extend(files_of(&broadcast));
                let owner = Referrer::Broadcast(broadcast.id);
                set.change(Change::Reference(ReferenceChange::Put { owner, targets }));
            }
            self.schedule(access, &mut broadcast, &mut set).await?;
            set.change(Change::Update(Row::Broadcast(Box::new(broadcast.clone()))));
            self.ports.add_audit(
                AuditDraft::changed(AuditAction::BroadcastSent, &before, &broadcast),
                access,
                &mut set,
            );
            let done = Done::accepted(self.counted(access, broadcast).await?);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Schedules a broadcast again that was paused before it started, if its audience uses no deleted object.
    pub(super) async fn resume_unbegun(
        &self,
        access: &Access,
        mut broadcast: Broadcast,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, AttemptError> {
        if let Some(lost) = self.lost_references(access, &broadcast).await?.first() {
            return Err(lost_reference(lost).into());
        }
        let (before, mut set) = (broadcast.clone(), ChangeSet::new(access.workspace()));
        self.schedule(access, &mut broadcast, &mut set).await?;
        set.change(Change::Update(Row::Broadcast(Box::new(broadcast.clone()))));
        self.ports.add_audit(AuditDraft::changed(AuditAction::BroadcastResumed, &before, &broadcast), access, &mut set);
        let done = Done::changed(self.counted(access, broadcast).await?);
        commit_outcome(&*self.ports.ledger, set, done, idempotency).await
    }

    /// Schedules a broadcast in a new round.
    async fn schedule(&self, access: &Access, it: &mut Broadcast, set: &mut ChangeSet) -> Result<(), StoreError> {
        let now = self.ports.clock.now();
        it.round += 1;
        it.advance(BroadcastStatus::Scheduled, now);
        let zone = zone_of(&*self.ports.access, access).await?;
        let job = Job::StartBroadcast { broadcast: it.id, round: it.round };
        let due_at = begins_at(it, zone).max(now);
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, due_at));
        Ok(())
    }
}

/// Returns the error for an audience that uses a deleted object.
fn lost_reference(lost: &LostReference) -> Error {
    let what = lost.kind.replace('_', " ");
    let message = format!("the {what} “{}” was deleted; choose another audience", lost.name);
    Error::invalid("/audience", "lost_reference", message)
}

/// Returns when the first recipients are due; with time zones of contacts, when the earliest zone reaches the local
/// time.
fn begins_at(broadcast: &Broadcast, zone: Tz) -> Timestamp {
    let Some(at) = broadcast.scheduled_at else { return broadcast.updated_at };
    match broadcast.time_zone {
        BroadcastZone::Workspace => at,
        BroadcastZone::Contact => zones(at, zone).map(|(_, due_at)| due_at).min().map_or(at, |first| first.min(at)),
    }
}

/// Returns for each zone when it has the local time that `zone` has at `at`.
pub(super) fn zones(at: Timestamp, zone: Tz) -> impl Iterator<Item = (String, Timestamp)> {
    let shown = local(at, zone);
    chrono_tz::TZ_VARIANTS.iter().map(move |zone| (zone.name().to_owned(), instant_of(shown, *zone)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_zone_gets_the_same_local_time() {
        let at = Timestamp::from_millis(1_780_000_000_000);
        let shown = local(at, Tz::Europe__Berlin);
        for (name, due_at) in zones(at, Tz::Europe__Berlin) {
            assert_eq!(local(due_at, name.parse().unwrap()), shown, "{name}");
        }
    }
}
