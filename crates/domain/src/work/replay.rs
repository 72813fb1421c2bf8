//! Deliveries of a time → attempts, fifty a second.

use std::sync::Arc;
use std::time::Duration;

use super::unless_lost;
use crate::access::Access;
use crate::error::Error;
use crate::ids::{JobId, TypedId};
use crate::pagination::{Order, PageRequest};
use crate::ports::{Change, ChangeSet, ClaimedJob, JobChange, NewJob, Ports, Row, WebhookChange};
use crate::settle::{Setback, settle};
use crate::webhooks::{DeliveryFilter, REPLAY_BATCH, Replay};

/// How often a batch is sent.
const BEAT: Duration = Duration::from_secs(1);

/// Sends deliveries of a time again.
#[derive(Clone)]
pub struct Replayer {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Replayer {
    /// Sends the next batch of the job's replay; the job comes back until none is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn replay(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        settle(|| async {
            let set = match self.ports.webhooks.replay(access, JobId::from_uuid(job.subject)).await? {
                Some(replay) => self.batch(access, job, replay).await?,
                None => {
                    let mut set = ChangeSet::new(access.workspace());
                    set.change(Change::Job(JobChange::Finish { job: job.id, token: job.token }));
                    set
                }
            };
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }

    async fn batch(&self, access: &Access, job: &ClaimedJob, mut replay: Replay) -> Result<ChangeSet, Setback> {
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
        let (id, token) = (job.id, job.token);
        match page.next.filter(|_| is_wanted) {
            Some(next) => {
                replay.after = Some(next);
                let due_at = now.plus(BEAT);
                set.change(Change::Job(JobChange::Reschedule { job: id, token, due_at, error: None }));
                set.change(Change::Webhook(WebhookChange::PutReplay(replay)));
            }
            None => {
                set.change(Change::Job(JobChange::Finish { job: id, token }))
                    .change(Change::Webhook(WebhookChange::DropReplay(replay.id)));
            }
        }
        let mut due_at = now;
        for delivery in page.items.into_iter().filter(|_| is_wanted) {
            let delivery = delivery.replayed(due_at, now);
            let id = JobId::from_uuid(self.ports.ids.next());
            let attempt = NewJob::attempt_delivery(id, delivery.id, delivery.webhook, due_at);
            set.jobs.push(attempt.in_round(delivery.round_start));
            set.change(Change::Update(Row::Delivery(delivery)));
            due_at = due_at.plus(BEAT / REPLAY_BATCH);
        }
        Ok(set)
    }
}
