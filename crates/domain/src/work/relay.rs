//! Event → deliveries, one for each webhook that wants the event, and what else follows from it: once.

use std::sync::Arc;

use super::{Reaction, unless_lost};
use crate::access::Access;
use crate::analytics::Projector;
use crate::error::Error;
use crate::flows::EventTriggers;
use crate::ids::{CustomEventId, DeliveryId, EventId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, Guard, Object, Ports, Row};
use crate::retry::{AttemptError, StartAttempt, retry_start_on_conflict};
use crate::sequences::SequenceExits;
use crate::webhooks::Delivery;

/// Relays events to their subscribers.
#[derive(Clone)]
pub struct Relay {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Relay {
    /// Makes the deliveries of an event behind which so many runs of flows stand, and has follow from it what else listens
    /// to it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn relay(&self, access: &Access, job: &ClaimedJob, event: EventId, depth: i64) -> Result<(), Error> {
        retry_start_on_conflict(|attempt| self.try_relay(access, job, event, depth, (true, attempt))).await
    }

    /// The same of an event that was not counted when it was written.
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
        retry_start_on_conflict(|attempt| self.try_relay(access, job, event, depth, (false, attempt))).await
    }

    /// Starts the flows that listen to a custom event behind which so many runs of flows stand.
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
        unless_lost(self.ports.ledger.commit(set).await)
    }

    async fn try_relay(
        &self,
        access: &Access,
        job: &ClaimedJob,
        event: EventId,
        depth: i64,
        (is_counted, attempt): (bool, StartAttempt),
    ) -> Result<(), AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        if let Some(event) = self.ports.engine.event(access.workspace(), event).await? {
            let now = self.ports.clock.now();
            // What follows stands one further in the chain of causes than the event's own cause.
            let deeper = access.at_depth(depth);
            let reacting = async {
                let ports = || self.ports.clone();
                if !is_counted {
                    Projector { ports: ports() }.react(&deeper, &event, &mut set).await?;
                }
                SequenceExits { ports: ports() }.react(&deeper, &event, &mut set).await?;
                EventTriggers { ports: ports(), attempt }.react(&deeper, &event, &mut set).await?;
                Ok::<(), AttemptError>(())
            };
            let subscribers = async { Ok(self.ports.webhooks.subscribers(access, event.kind).await?) };
            let (subscribers, ()) = futures::try_join!(subscribers, reacting)?;
            for webhook in subscribers {
                let id = DeliveryId::from_uuid(self.ports.ids.next());
                let delivery = Delivery::new(id, webhook.id, (event.id, event.kind), now);
                set.guard(Guard::Live(Object::Webhook(webhook.id)));
                set.jobs.push(delivery.queued(now));
                set.change(Change::Insert(Row::Delivery(delivery)));
            }
        }
        unless_lost(self.ports.ledger.commit(set).await)
    }
}
