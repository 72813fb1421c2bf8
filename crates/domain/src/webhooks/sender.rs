//! The port that sends a delivery to its receiver.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;

use crate::ids::{WebhookId, WorkspaceId};

/// One attempt at one delivery, ready to be signed and sent.
#[derive(Debug, Clone)]
pub struct DeliveryAttempt {
    /// The workspace of the webhook. The sender limits the calls of each workspace.
    pub workspace: WorkspaceId,
    /// The absolute `https:` URL (in development also `http:`).
    pub url: String,
    /// The webhook whose attempts take turns with this one. `None` for a test, which does not wait.
    pub in_turn: Option<WebhookId>,
    /// `whsec_…` secrets, the newest first. Each of them signs.
    pub secrets: Vec<SecretString>,
    /// The event's ID, the same for all attempts and replays.
    pub event_id: String,
    /// The event's type, such as `contact.created`.
    pub event_kind: &'static str,
    /// The delivery's ID.
    pub delivery_id: String,
    /// The number of the attempt, from 1.
    pub number: u32,
    /// Custom headers. The service's own headers take precedence.
    pub headers: Vec<(String, String)>,
    /// The envelope: the bytes to sign and send.
    pub body: String,
}

/// The result of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// The outcome.
    pub outcome: AttemptOutcome,
    /// The time from the start of the name look-up to the end of the response.
    pub duration: Duration,
    /// Headers of the response, at most 64, values cut at 1 KiB.
    pub response_headers: Vec<(String, String)>,
    /// The first 4 KiB of the response body. Bytes that are not UTF-8 are replaced.
    pub response_body: String,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// Status, headers and the bounded body arrived in time.
    Answered {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, converted to a duration from now.
        retry_after: Option<Duration>,
    },
    /// No complete response arrived in time.
    TimedOut,
    /// Name look-up, connection, TLS or transfer failed. The text is for the webhook's owner.
    Failed(String),
    /// The service must never call this address. This is final.
    Forbidden(String),
}

/// Sends deliveries. An implementation signs right before it connects, does not follow redirects and enforces the
/// limits in `docs/reference/webhooks.md`. It never fails: each end is an outcome.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Makes one attempt.
    async fn send(&self, attempt: DeliveryAttempt) -> AttemptResult;
}

/// Decides whether a webhook may have an address, before anything is sent to it.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait AddressPolicy: Send + Sync {
    /// Checks scheme, form, literal addresses and names under `localhost`, without a name look-up.
    ///
    /// # Errors
    /// A message for the caller that describes what is wrong with the address.
    fn check(&self, url: &str) -> Result<(), String>;
}
