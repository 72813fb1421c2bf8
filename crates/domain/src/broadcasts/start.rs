//! The start of a broadcast: its audience is fixed, and its portions are queued.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::manage::release_held;
use super::send::zones;
use super::service::unnamed;
use super::{Broadcast, BroadcastChange, BroadcastService, BroadcastStatus, BroadcastZone};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{BroadcastId, JobId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, Job, NewJob, PortionPlace, Ports, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::sequences::zone_of;
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Starts broadcasts.
#[derive(Clone)]
pub struct BroadcastStarter {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl BroadcastStarter {
    /// Fixes the audience of a broadcast that is due, unless it was cancelled.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn start(
        &self,
        access: &Access,
        job: &ClaimedJob,
        broadcast: BroadcastId,
        round: i64,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            let found = self.ports.broadcasts.get(access, broadcast).await?;
            let is_due = |it: &Broadcast| it.status == BroadcastStatus::Scheduled && it.round == round;
            if let Some(broadcast) = found.filter(is_due) {
                self.freeze(access, broadcast, &mut set).await?;
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    async fn freeze(&self, access: &Access, mut it: Broadcast, set: &mut ChangeSet) -> Result<(), AttemptError> {
        let (now, service) = (self.ports.clock.now(), BroadcastService { ports: self.ports.clone() });
        if !service.lost_references(access, &it).await?.is_empty() {
            // Without the deleted object, the broadcast would reach other contacts than intended.
            it.advance(BroadcastStatus::Paused, now);
            set.change(Change::Update(Row::Broadcast(Box::new(it))));
            return Ok(());
        }
        let selection = service.selection(access, &it.audience, now).await?;
        let channel = match it.channel {
            Some(channel) => self.ports.channels.get(access, channel).await?,
            None => None,
        };
        let failed = match (&selection, &channel) {
            (None, _) => Some(("segment_deleted", "the segment of the broadcast was deleted")),
            (Some(_), None) => Some(("channel_deleted", "the channel of the broadcast was deleted")),
            (Some(_), Some(_)) => None,
        };
        if let Some((code, message)) = failed {
            it.fail(code, message, now);
            set.change(Change::Update(Row::Broadcast(Box::new(it.clone()))));
            set.change(unnamed(it.id));
            return Ok(());
        }
        let (Some(selection), Some(channel)) = (selection, channel) else { return Ok(()) };
        self.claim_first(access, &it, set).await?;
        let zone = zone_of(&*self.ports.access, access).await?;
        let due_at = it.scheduled_at.unwrap_or(now).max(now);
        let own = it.scheduled_at.filter(|_| it.time_zone == BroadcastZone::Contact);
        let own: BTreeMap<String, Timestamp> = own.into_iter().flat_map(|at| zones(at, zone)).collect();
        let due = |(name, at): (String, Timestamp)| (name, at.max(now));
        it.started_at = Some(now);
        it.advance(BroadcastStatus::Sending, now);
        let (broadcast, round, unreached) = (it.id, it.round, it.unreached(channel.id));
        set.change(Change::Update(Row::Broadcast(Box::new(it))));
        set.change(Change::Broadcast(BroadcastChange::Freeze {
            broadcast,
            selection: Box::new(selection),
            unreached,
            due_at,
            zones: own.into_iter().map(due).collect(),
        }));
        let spread = Job::SpreadBroadcast { broadcast, round };
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), spread, now));
        Ok(())
    }

    /// Increments the version of the repeated broadcast, if any. If two repeats start concurrently, one retries and
    /// finds the recipients of the other.
    async fn claim_first(&self, access: &Access, it: &Broadcast, set: &mut ChangeSet) -> Result<(), StoreError> {
        let first = match it.repeats {
            Some(first) => self.ports.broadcasts.get(access, first).await?,
            None => None,
        };
        if let Some(mut first) = first {
            first.updated_at = self.ports.clock.now().max(first.updated_at);
            first.version += 1;
            set.change(Change::Update(Row::Broadcast(Box::new(first))));
        }
        Ok(())
    }

    /// Queues the first portion of each stretch of the recipients.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn spread(
        &self,
        access: &Access,
        job: &ClaimedJob,
        broadcast: BroadcastId,
        round: i64,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            if let Some(it) = sending(&self.ports, access, broadcast, round).await? {
                let length = it.stretch(is_local(&self.ports, access, &it).await?);
                let mut jobs: Vec<Job> = (0..it.targeted)
                    .step_by(usize::try_from(length).unwrap_or(usize::MAX))
                    .map(|from| Job::SendPortion { broadcast, place: PortionPlace { round, from } })
                    .collect();
                if jobs.is_empty() {
                    jobs.push(Job::CloseBroadcast { broadcast, round });
                }
                set.jobs
                    .extend(jobs.into_iter().map(|job| NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, now)));
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Adds to a set that the broadcast failed, because its job became a dead letter.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.broadcasts.get(access, broadcast).await?;
        let Some(mut it) = found.filter(|it| !it.status.is_over() && it.status != BroadcastStatus::Draft) else {
            return Ok(());
        };
        it.fail("internal", "the broadcast could not be sent: all attempts failed", self.ports.clock.now());
        set.change(release_held(&it));
        set.change(Change::Update(Row::Broadcast(Box::new(it))));
        set.change(unnamed(broadcast));
        Ok(())
    }
}

/// Returns the broadcast, if it is being sent in this round.
pub(super) async fn sending(
    ports: &Arc<Ports>,
    access: &Access,
    broadcast: BroadcastId,
    round: i64,
) -> Result<Option<Broadcast>, StoreError> {
    let found = ports.broadcasts.get(access, broadcast).await?;
    Ok(found.filter(|it| it.status == BroadcastStatus::Sending && it.round == round))
}

/// Whether its messages are delivered within the process.
async fn is_local(ports: &Arc<Ports>, access: &Access, it: &Broadcast) -> Result<bool, StoreError> {
    let channel = match it.channel {
        Some(channel) => ports.channels.get(access, channel).await?,
        None => None,
    };
    let connector = channel.and_then(|channel| ports.connectors.of(channel.kind));
    Ok(connector.is_some_and(|connector| connector.is_local()))
}
