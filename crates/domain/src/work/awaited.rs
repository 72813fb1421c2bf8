//! Takes events to the runs that wait for them.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::unless_lost;
use crate::access::Access;
use crate::error::Error;
use crate::flows::{Awaited, RunExecutor, event_in_templates};
use crate::ids::{ContactId, CustomEventId, EventId, TypedId};
use crate::ports::{ChangeSet, ClaimedJob, Ports};
use crate::retry::retry_on_conflict;

/// Takes events to the runs that wait for them.
#[derive(Clone)]
pub(super) struct AwaitedEvents {
    /// What it asks of the outside.
    pub(super) ports: Arc<Ports>,
}

impl AwaitedEvents {
    /// Takes an event, behind which so many runs stand, to the runs of its contact that wait for it, each once.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(super) async fn take(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (contact, event): (ContactId, EventId),
        depth: i64,
    ) -> Result<(), Error> {
        let found = self.ports.engine.event(access.workspace(), event).await?;
        let came = found.and_then(|it| Some((Awaited::Event(it.kind), event_in_templates(&it)?)));
        self.resume(access, job, (contact, event.uuid()), came, depth).await
    }

    /// The same of a custom event.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(super) async fn take_custom(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (contact, event): (ContactId, CustomEventId),
        depth: i64,
    ) -> Result<(), Error> {
        let found = self.ports.contacts.custom_event(access, event).await?;
        let came = found.map(|it| (Awaited::Custom(it.name.clone()), it.in_templates()));
        self.resume(access, job, (contact, event.uuid()), came, depth).await
    }

    async fn resume(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (contact, event): (ContactId, Uuid),
        came: Option<(Awaited, Value)>,
        depth: i64,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            if let Some((awaited, data)) = &came {
                let executor = RunExecutor { ports: self.ports.clone() };
                for run in self.ports.flows.awaiting_event(access, contact, awaited).await? {
                    executor.event_came(access, run, (event, data), depth, &mut set).await?;
                }
            }
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }
}
