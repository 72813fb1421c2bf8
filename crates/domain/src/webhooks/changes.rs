//! Changes of webhooks and deliveries outside their rows.

use uuid::Uuid;

use super::{Attempt, AttemptCount, Delivery, Health, Replay};
use crate::ids::{JobId, TypedId, WebhookId};
use crate::ports::{Due, Job, NewJob, Object, RowEffect};
use crate::time::Timestamp;

/// A change of a webhook's health, counters, attempts or replays.
#[derive(Debug, Clone, PartialEq)]
pub enum WebhookChange {
    /// Updates only the health. Its stored version must be one less, otherwise [`crate::ports::Conflict::Stale`].
    UpdateHealth {
        /// The webhook.
        webhook: WebhookId,
        /// The new health.
        health: Health,
    },
    /// Stores that a delivery succeeded at `at`, unless a success within the second before is stored. Ignores the
    /// version of the health. A deleted webhook is skipped.
    Stamp {
        /// The webhook.
        webhook: WebhookId,
        /// The time of success.
        at: Timestamp,
    },
    /// Adds to the counter of this hour, outcome and duration. Such changes commute.
    CountAttempt {
        /// ID of the fact that represents it until it is counted.
        id: Uuid,
        /// The counter and its increment.
        count: AttemptCount,
    },
    /// Stores the result of an attempt and ends its claim. [`crate::ports::Conflict::ClaimLost`] if the claim is not
    /// held; [`crate::ports::Conflict::Stale`] if the delivery has changed.
    RecordAttempt(Box<AttemptRecord>),
    /// Inserts an attempt at a delivery.
    InsertAttempt(Attempt),
    /// Inserts or replaces a replay. Requires the claim of the replay's job.
    PutReplay(Replay),
    /// Removes a finished replay.
    DropReplay(JobId),
}

impl WebhookChange {
    /// Returns its effect on rows that others may lock.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::UpdateHealth { webhook, .. } => RowEffect::Object(Object::Webhook(*webhook)),
            Self::RecordAttempt(_) => RowEffect::Claim,
            // Concurrent stamps are independent of each other, and change no key.
            Self::Stamp { .. }
            | Self::CountAttempt { .. }
            | Self::InsertAttempt(_)
            | Self::PutReplay(_)
            | Self::DropReplay(_) => RowEffect::Unguarded,
        }
    }

    /// Returns the queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::RecordAttempt(it) => Due::Deliveries(it.delivery.webhook),
            Self::UpdateHealth { .. }
            | Self::Stamp { .. }
            | Self::CountAttempt { .. }
            | Self::InsertAttempt(_)
            | Self::PutReplay(_)
            | Self::DropReplay(_) => Due::Nothing,
        }
    }
}

/// The result of a worker's attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    /// The updated delivery. Its stored version is one less.
    pub delivery: Delivery,
    /// The token of the claim to end.
    pub token: i64,
    /// The delivery's first attempt, which is part of the delivery's row. Later ones have their own rows.
    pub first: Option<Attempt>,
}

impl Delivery {
    /// Returns the job of its next attempt. The job has the delivery's ID, because the delivery's own row represents it
    /// in the queue.
    pub fn queued(&self, due_at: Timestamp) -> NewJob {
        let (delivery, webhook, round) = (self.id, self.webhook, self.round_start);
        let job = match self.attempts > round {
            true => Job::RetryDelivery { delivery, webhook, round },
            false => Job::AttemptDelivery { delivery, webhook, round },
        };
        NewJob::new(JobId::from_uuid(self.id.uuid()), job, due_at)
    }
}
