//! Queued work that a change makes due.

use crate::ids::WebhookId;
use crate::ports::jobs::Pool;

/// Queued work that a change makes due, or can make due. The jobs of the change set are not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// No work.
    Nothing,
    /// Deliveries to this webhook.
    Deliveries(WebhookId),
    /// Jobs of this pool that were held until an event.
    Held(Pool),
    /// Steps of runs.
    Steps,
    /// Work of all kinds in the workspace.
    All,
}

impl Due {
    /// Returns the webhook with due deliveries.
    pub fn webhook(self) -> Option<WebhookId> {
        match self {
            Self::Deliveries(webhook) => Some(webhook),
            Self::Nothing | Self::Held(_) | Self::Steps | Self::All => None,
        }
    }

    /// Whether held jobs are due.
    pub fn is_held(self) -> bool {
        match self {
            Self::Held(_) => true,
            Self::Nothing | Self::Deliveries(_) | Self::Steps | Self::All => false,
        }
    }

    /// Whether jobs of this pool are due. Deliveries are not counted: a set that inserts one has a job for it.
    pub fn has_jobs_of(self, pool: Pool) -> bool {
        match self {
            Self::All => true,
            Self::Held(of) => of == pool,
            Self::Steps => pool == Pool::Work,
            Self::Nothing | Self::Deliveries(_) => false,
        }
    }
}
