//! Executes replays: it queues attempts, fifty per second.

use std::sync::Arc;
use std::time::Duration;

use super::{DeliveryFilter, REPLAY_BATCH, Replay};
use crate::access::Access;
use crate::error::Error;
use crate::ids::JobId;
use crate::pagination::{Order, PageRequest};
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports, Row, WebhookChange};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::work::ignore_lost_claim;

/// The interval of batches.
const BEAT: Duration = Duration::from_secs(1);

/// Queues the deliveries of replays.
#[derive(Clone)]
pub struct Replayer {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl Replayer {
    /// Queues the next batch of a replay. The job is rescheduled until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn replay(&self, access: &Access, job: &ClaimedJob, replay: JobId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let set = match self.ports.webhooks.replay(access, replay).await? {
                Some(replay) => self.batch(access, job, replay).await?,
                None => {
                    let mut set = ChangeSet::new(access.workspace());
                    set.change(job.finish());
                    set
                }
            };
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Adds the end of a replay to the set that dead-letters its job.
    pub(crate) fn abandon(replay: JobId, set: &mut ChangeSet) {
        set.change(Change::Webhook(WebhookChange::DropReplay(replay)));
    }

    async fn batch(&self, access: &Access, job: &ClaimedJob, mut replay: Replay) -> Result<ChangeSet, AttemptError> {
        let filter = DeliveryFilter {
            status: Some(replay.status),
            event_kind: None,
            since: Some(replay.since),
            until: Some(replay.until),
        };
        let page = PageRequest { limit: REPLAY_BATCH, order: Order::OldestFirst, after: replay.after, counted: false };
        let page = self.ports.webhooks.deliveries(access, replay.webhook, &filter, page).await?;
        let is_wanted = self.ports.webhooks.get(access, replay.webhook).await?.is_some();
        let now = self.ports.clock.now();
        let mut set = ChangeSet::new(access.workspace());
        match page.next.filter(|_| is_wanted) {
            Some(next) => {
                replay.after = Some(next);
                let due_at = now.plus(BEAT);
                set.change(job.reschedule(due_at, None));
                set.change(Change::Webhook(WebhookChange::PutReplay(replay)));
            }
            None => {
                set.change(job.finish()).change(Change::Webhook(WebhookChange::DropReplay(replay.id)));
            }
        }
        let mut due_at = now;
        for delivery in page.items.into_iter().filter(|_| is_wanted) {
            let delivery = delivery.replayed(due_at, now);
            set.jobs.push(delivery.queued(due_at));
            set.change(Change::Update(Row::Delivery(delivery)));
            due_at = due_at.plus(BEAT / REPLAY_BATCH);
        }
        Ok(set)
    }
}
