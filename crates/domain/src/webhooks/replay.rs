//! Use cases that replay deliveries.

use super::{Delivery, DeliveryStatus, Replay, WebhookService};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{DeliveryId, JobId, TypedId, WebhookId};
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, Job, NewJob, Row, WebhookChange};
use crate::retention::days;
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::time::Timestamp;

/// The number of deliveries that a replay sends each second.
pub const REPLAY_BATCH: u32 = 50;

/// The deliveries to replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayRange {
    /// Start of the range, inclusive.
    pub since: Timestamp,
    /// End of the range, exclusive; the current time if absent.
    pub until: Option<Timestamp>,
    /// Status of the deliveries: `failed` or `succeeded`.
    pub status: DeliveryStatus,
}

impl ReplayRange {
    /// Creates a range without an end.
    pub fn new(since: Timestamp, status: DeliveryStatus) -> Self {
        Self { since, until: None, status }
    }
}

impl Delivery {
    /// Returns the delivery with its schedule restarted.
    #[must_use]
    pub(crate) fn replayed(&self, due_at: Timestamp, now: Timestamp) -> Self {
        Self {
            status: DeliveryStatus::Pending,
            round_start: self.attempts,
            next_attempt_at: Some(due_at),
            updated_at: now.max(self.updated_at),
            version: self.version + 1,
            ..self.clone()
        }
    }
}

impl WebhookService {
    /// Sends one delivery again now, whatever its status: the same event with the same ID. A delivery that still waits
    /// for its first attempt, or for the first one after a replay, is unchanged.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn replay_delivery(
        &self,
        access: &Access,
        webhook: WebhookId,
        delivery: DeliveryId,
        idempotency: IdempotencyHook<'_, Delivery>,
    ) -> Result<Done<Delivery>, Error> {
        retry_on_conflict(|| async {
            self.find(access, webhook).await?;
            let before = self.delivery_to(access, webhook, delivery).await?;
            let mut set = ChangeSet::new(access.workspace());
            let waits = before.status == DeliveryStatus::Pending && before.attempts == before.round_start;
            let done = if waits {
                Done::accepted(before)
            } else {
                let now = self.ports.clock.now();
                let after = before.replayed(now, now);
                set.change(Change::Update(Row::Delivery(after.clone())));
                set.jobs.push(after.queued(now));
                Done::accepted(after)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Sends the deliveries of a time range again, fifty per second, oldest first.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] at `/since` or `/until`, [`Error::Store`].
    pub async fn replay(
        &self,
        access: &Access,
        webhook: WebhookId,
        range: ReplayRange,
        idempotency: IdempotencyHook<'_, Replay>,
    ) -> Result<Done<Replay>, Error> {
        self.find(access, webhook).await?;
        let now = self.ports.clock.now();
        let until = range.until.unwrap_or(now);
        if until <= range.since {
            let place = if range.until.is_some() { "/until" } else { "/since" };
            return Err(Error::invalid(
                place,
                "out_of_range",
                "`since` must be before `until` and before the present time",
            ));
        }
        let reach = self.retention.replayable();
        if now.since(range.since) > days(reach) {
            let message = format!("must be at most {reach} days ago; older deliveries cannot be replayed");
            return Err(Error::invalid("/since", "out_of_range", message));
        }
        let id = JobId::from_uuid(self.ports.ids.next());
        let ReplayRange { since, status, .. } = range;
        let replay = Replay { id, webhook, since, until, status, after: None };
        let done = Done::accepted(replay.clone());
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Webhook(WebhookChange::PutReplay(replay)));
        set.jobs.push(NewJob::new(id, Job::ReplayDeliveries { replay: id }, now));
        set.idempotency = record_of(idempotency, &done);
        self.ports.ledger.commit(set).await?;
        Ok(done)
    }
}
