//! What changes beside the rows of webhooks and deliveries.

use uuid::Uuid;

use super::{Attempt, AttemptCount, Delivery, Health, Replay};
use crate::ids::{JobId, WebhookId};
use crate::ports::{Job, Object, Touches};
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
            // Who stamps does not care who else does, and changes no key.
            Self::Stamp { .. }
            | Self::CountAttempt { .. }
            | Self::InsertAttempt(_)
            | Self::PutReplay(_)
            | Self::DropReplay(_) => Touches::Beside,
        }
    }
}

impl Delivery {
    /// Makes its first attempt, or the first one after a replay.
    pub fn first_attempt(&self) -> Job {
        Job::AttemptDelivery { delivery: self.id, webhook: self.webhook, round: self.round_start }
    }

    /// Makes a later attempt.
    pub fn next_attempt(&self) -> Job {
        Job::RetryDelivery { delivery: self.id, webhook: self.webhook, round: self.round_start }
    }
}
