//! The end of a broadcast: every recipient has an outcome.

use std::sync::Arc;

use super::service::unnamed;
use super::{BroadcastService, BroadcastStatus, BroadcastView};
use crate::access::{Access, Actor};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::BroadcastId;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports, Row};
use crate::retry::retry_on_conflict;
use crate::work::ignore_lost_claim;

/// Completes broadcasts.
#[derive(Clone)]
pub struct BroadcastCloser {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl BroadcastCloser {
    /// Completes a broadcast if every recipient has an outcome. Otherwise the commit that counts the last outcome
    /// queues another job.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn close(&self, access: &Access, job: &ClaimedJob, broadcast: BroadcastId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            let found = self.ports.broadcasts.get(access, broadcast).await?;
            if let Some(found) = found.filter(|it| it.status == BroadcastStatus::Sending) {
                let service = BroadcastService { ports: self.ports.clone() };
                let mut counted = service.counted(access, found).await?;
                if counted.stats.outcomes() >= counted.broadcast.targeted {
                    counted.broadcast.advance(BroadcastStatus::Completed, now);
                    set.change(Change::Update(Row::Broadcast(Box::new(counted.broadcast.clone()))));
                    set.change(unnamed(broadcast));
                    let event = EventDraft::new(EventKind::BroadcastCompleted, &BroadcastView::from(&counted));
                    let by = access.acting_as(Actor::broadcast(broadcast));
                    self.ports.add_event(event, &by, &mut set);
                }
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }
}
