//! Relays events: one delivery for each subscribed webhook, and the work of other listeners, exactly once.

use std::sync::Arc;

use futures::future::try_join_all;

use super::{Reaction, ignore_lost_claim};
use crate::access::{Access, NO_AUTOMATION};
use crate::analytics::Projector;
use crate::error::Error;
use crate::flows::EventTriggers;
use crate::ids::{CustomEventId, DeliveryId, EventId, JobId, TypedId};
use crate::ports::{
    Change, ChangeSet, ClaimedJob, ExtraIds, Guard, Job, NewJob, Object, Ports, Row, StoreError, StoredEvent,
};
use crate::retry::{AttemptError, StartAttempt, commit_unless_lost, retry_start_on_conflict};
use crate::sequences::SequenceExits;
use crate::webhooks::Delivery;

/// If a commit creates this many jobs, the remaining events of its set get a later commit.
const ENOUGH_JOBS: usize = 100;

/// Relays events to their subscribers.
#[derive(Clone)]
pub struct Relay {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl Relay {
    /// Creates the deliveries of an event, and queues the work of its other listeners. `depth` is the number of flow
    /// runs in the chain that caused the event.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn relay(&self, access: &Access, job: &ClaimedJob, event: EventId, depth: i64) -> Result<(), Error> {
        let event = [event];
        retry_start_on_conflict(|attempt| self.try_relay(access, job, &event, depth, (true, attempt))).await
    }

    /// Relays several events of one change set in order. It stops after the first event that has more than deliveries
    /// as result: a commit must not have conflicting changes. The rest becomes another job. If that fails, each event
    /// becomes a separate job, so an event that cannot be relayed does not block the others.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn relay_set(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (first, further): (EventId, ExtraIds),
        depth: i64,
    ) -> Result<(), Error> {
        // A set that failed before is not retried as a whole: a panic does not show which event caused it.
        if job.attempts == 0 {
            let events = all(first, &further);
            let relayed = retry_start_on_conflict(|how| self.try_relay(access, job, &events, depth, (true, how)));
            let outcome = relayed.await;
            if matches!(outcome, Ok(()) | Err(Error::Store(StoreError::Unavailable(_) | StoreError::OutcomeUnknown))) {
                return outcome;
            }
        }
        let parted = self.parted(access, job, (first, further), depth);
        commit_unless_lost(&*self.ports.ledger, parted).await
    }

    /// Finishes the job of several events, and queues one job for each event.
    pub(crate) fn parted(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (first, further): (EventId, ExtraIds),
        depth: i64,
    ) -> ChangeSet {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        let now = self.ports.clock.now();
        set.jobs.extend(all(first, &further).into_iter().map(|event| {
            // The ID of the first event is already the ID of the finished job.
            let id = JobId::from_uuid(self.ports.ids.next());
            NewJob::new(id, Job::Relay { event, depth }, now)
        }));
        set
    }

    /// Relays an event that was not counted when it was written.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn relay_uncounted(
        &self,
        access: &Access,
        job: &ClaimedJob,
        event: EventId,
        depth: i64,
    ) -> Result<(), Error> {
        let event = [event];
        retry_start_on_conflict(|attempt| self.try_relay(access, job, &event, depth, (false, attempt))).await
    }

    /// Starts the flows that listen to a custom event. `depth` is the number of flow runs in the chain that caused it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn relay_custom(
        &self,
        access: &Access,
        job: &ClaimedJob,
        event: CustomEventId,
        depth: i64,
    ) -> Result<(), Error> {
        retry_start_on_conflict(|attempt| self.try_relay_custom(access, job, event, depth, attempt)).await
    }

    async fn try_relay_custom(
        &self,
        access: &Access,
        job: &ClaimedJob,
        event: CustomEventId,
        depth: i64,
        attempt: StartAttempt,
    ) -> Result<(), AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        if let Some(event) = self.ports.contacts.custom_event(access, event).await? {
            let triggers = EventTriggers { ports: self.ports.clone(), attempt };
            triggers.react_to_custom(&access.at_depth(depth), &event, &mut set).await?;
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    async fn try_relay(
        &self,
        access: &Access,
        job: &ClaimedJob,
        events: &[EventId],
        depth: i64,
        how: (bool, StartAttempt),
    ) -> Result<(), AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        let read = events.iter().map(|event| self.ports.engine.event(access.workspace(), *event));
        // Results are one level deeper in the chain of causes than the event.
        let deeper = access.at_depth(depth);
        for (place, event) in try_join_all(read).await?.into_iter().enumerate() {
            let Some(event) = event else { continue };
            let (follows, more_follows) = self.follow(access, &deeper, &event, how).await?;
            add(&mut set, follows);
            if more_follows || set.jobs.len() >= ENOUGH_JOBS {
                let rest = events.get(place + 1..).unwrap_or_default();
                set.jobs.extend(NewJob::relays(rest, depth, self.ports.clock.now()));
                break;
            }
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    /// Returns the changes that an event causes, and whether they are more than deliveries.
    async fn follow(
        &self,
        access: &Access,
        deeper: &Access,
        event: &StoredEvent,
        (is_counted, attempt): (bool, StartAttempt),
    ) -> Result<(ChangeSet, bool), AttemptError> {
        let now = self.ports.clock.now();
        let mut set = ChangeSet::new(access.workspace());
        let reacting = async {
            let ports = || self.ports.clone();
            if !is_counted {
                Projector { ports: ports() }.react(deeper, event, &mut set).await?;
            }
            if deeper.depth() >= NO_AUTOMATION {
                return Ok(!set.is_empty());
            }
            SequenceExits { ports: ports() }.react(deeper, event, &mut set).await?;
            EventTriggers { ports: ports(), attempt }.react(deeper, event, &mut set).await?;
            Ok::<bool, AttemptError>(!set.is_empty())
        };
        let subscribers = async { Ok(self.ports.webhooks.subscribers(access, event.kind).await?) };
        let (subscribers, more_follows) = futures::try_join!(subscribers, reacting)?;
        for webhook in subscribers {
            let id = DeliveryId::from_uuid(self.ports.ids.next());
            let delivery = Delivery::new(id, webhook.id, (event.id, event.kind), now);
            set.guard(Guard::Live(Object::Webhook(webhook.id)));
            set.jobs.push(delivery.queued(now));
            set.change(Change::Insert(Row::Delivery(delivery)));
        }
        Ok((set, more_follows))
    }
}

fn all(first: EventId, further: &ExtraIds) -> Vec<EventId> {
    std::iter::once(first).chain(further.ids().iter().copied().map(EventId::from_uuid)).collect()
}

fn add(set: &mut ChangeSet, follows: ChangeSet) {
    let ChangeSet { workspace: _, guards, changes, events, jobs, idempotency: _ } = follows;
    set.guards.extend(guards);
    set.changes.extend(changes);
    set.events.extend(events);
    set.jobs.extend(jobs);
}
