//! The end of a broadcast: every recipient has an outcome.

use std::sync::Arc;
use std::time::Duration;

use super::service::unnamed;
use super::start::sending;
use super::{BroadcastService, BroadcastStatus, BroadcastView};
use crate::access::{Access, Actor};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::BroadcastId;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports, Row};
use crate::retry::retry_on_conflict;
use crate::work::unless_lost;

/// How often is looked whether the counters have caught up.
const EVERY: Duration = Duration::from_millis(500);

/// Ends broadcasts.
#[derive(Clone)]
pub struct BroadcastCloser {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl BroadcastCloser {
    /// Completes a broadcast of which every recipient has an outcome; the job comes back until then.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn close(
        &self,
        access: &Access,
        job: &ClaimedJob,
        broadcast: BroadcastId,
        round: i64,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            let Some(found) = sending(&self.ports, access, broadcast, round).await? else {
                set.change(job.finish());
                return unless_lost(self.ports.ledger.commit(set).await);
            };
            let service = BroadcastService { ports: self.ports.clone() };
            let mut counted = service.counted(access, found).await?;
            if counted.stats.outcomes() < counted.broadcast.targeted {
                set.change(job.reschedule(now.plus(EVERY), None));
                return unless_lost(self.ports.ledger.commit(set).await);
            }
            counted.broadcast.advance(BroadcastStatus::Completed, now);
            set.change(job.finish());
            set.change(Change::Update(Row::Broadcast(Box::new(counted.broadcast.clone())))).change(unnamed(broadcast));
            let event = EventDraft::new(EventKind::BroadcastCompleted, &BroadcastView::from(&counted));
            let by = access.acting_as(Actor::broadcast(broadcast));
            set.tell(event, &by, &*self.ports.clock, &*self.ports.ids);
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }
}
