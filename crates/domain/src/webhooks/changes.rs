//! What changes beside the rows of webhooks and deliveries.

use uuid::Uuid;

use super::{Attempt, AttemptCount, Delivery, Health, Replay};
use crate::ids::{JobId, TypedId, WebhookId};
use crate::ports::{Due, Job, NewJob, Object, Touches};
use crate::time::Timestamp;

/// A change to what is known of a webhook.
#[derive(Debug, Clone, PartialEq)]
pub enum WebhookChange {
    /// Its health alone, whose stored version is one less; [`crate::ports::Conflict::Stale`] otherwise.
    UpdateHealth {
        /// Of which.
        webhook: WebhookId,
        /// What it becomes.
        health: Health,
    },
    /// The receiver took a delivery at `at`: kept where no success of the second before it is, whatever the version of its
    /// health; a webhook that is gone is none.
    Stamp {
        /// Which.
        webhook: WebhookId,
        /// When.
        at: Timestamp,
    },
    /// Adds to the counter of this hour, outcome and duration; it commutes.
    CountAttempt {
        /// Of the fact that it is until it is counted.
        id: Uuid,
        /// What is counted.
        count: AttemptCount,
    },
    /// Writes what came of an attempt and ends its claim: [`crate::ports::Conflict::ClaimLost`] where the claim is not held,
    /// [`crate::ports::Conflict::Stale`] where the delivery changed meanwhile.
    RecordAttempt(Box<AttemptRecord>),
    /// Writes an attempt at a delivery.
    InsertAttempt(Attempt),
    /// Inserts or replaces: only who holds the replay's job may.
    PutReplay(Replay),
    /// Forgets a replay that is done.
    DropReplay(JobId),
}

impl WebhookChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::UpdateHealth { webhook, .. } => Touches::Object(Object::Webhook(*webhook)),
            Self::RecordAttempt(_) => Touches::Claim,
            // Who stamps does not care who else does, and changes no key.
            Self::Stamp { .. }
            | Self::CountAttempt { .. }
            | Self::InsertAttempt(_)
            | Self::PutReplay(_)
            | Self::DropReplay(_) => Touches::Beside,
        }
    }

    /// The queued work that it makes due.
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

/// What came of an attempt that a worker made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    /// The delivery as it becomes; its stored version is one less.
    pub delivery: Delivery,
    /// The token of the claim, which ends.
    pub token: i64,
    /// The attempt, if it is the delivery's first: it stands in the delivery's row. Later ones have rows of their own.
    pub first: Option<Attempt>,
}

impl Delivery {
    /// Its next attempt. It bears the delivery's id, as the delivery's own row is its place in the queue.
    pub fn queued(&self, due_at: Timestamp) -> NewJob {
        let (delivery, webhook, round) = (self.id, self.webhook, self.round_start);
        let job = match self.attempts > round {
            true => Job::RetryDelivery { delivery, webhook, round },
            false => Job::AttemptDelivery { delivery, webhook, round },
        };
        NewJob::new(JobId::from_uuid(self.id.uuid()), job, due_at)
    }
}
