//! The port that carries one delivery to its receiver.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;

use crate::ids::WebhookId;

/// One attempt at one delivery, ready to be signed and sent.
#[derive(Debug, Clone)]
pub struct DeliveryAttempt {
    /// Where to: an absolute `https:` (in development also `http:`) address.
    pub url: String,
    /// The webhook among whose attempts it waits for its turn; a test waits for none.
    pub in_turn: Option<WebhookId>,
    /// `whsec_…` secrets, the newest first; every one of them signs.
    pub secrets: Vec<SecretString>,
    /// The event's id, as text; the same on every attempt and replay.
    pub event_id: String,
    /// The event's kind, such as `contact.created`.
    pub event_kind: &'static str,
    /// The delivery's id, as text.
    pub delivery_id: String,
    /// 1 for the first attempt.
    pub number: u32,
    /// Headers of the webhook's owner; the service's own win over them.
    pub headers: Vec<(String, String)>,
    /// The envelope: the bytes that are signed and sent.
    pub body: String,
}

/// What came of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// From the start of the name look-up to the end of the answer.
    pub duration: Duration,
    /// Headers of the answer, at most 64, values cut at 1 KiB.
    pub response_headers: Vec<(String, String)>,
    /// The first 4 KiB of the answer's body; bytes that are not UTF-8 are replaced.
    pub response_body: String,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// Status, headers and the bounded body arrived in time.
    Answered {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, already turned into a time from now.
        retry_after: Option<Duration>,
    },
    /// Nothing, or too little, arrived in time.
    TimedOut,
    /// Name look-up, connection, TLS or transfer failed. The text is for the webhook's owner.
    Failed(String),
    /// The address is one that this service must never call: final.
    Forbidden(String),
}

/// Sends deliveries. An implementation signs right before it connects, follows no redirect, keeps
/// to the bounds of `docs/reference/webhooks.md` and never fails as a call: every end is an outcome.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Makes this one attempt.
    async fn send(&self, attempt: DeliveryAttempt) -> AttemptResult;
}

/// Tells whether an address may be a webhook's at all, before anything is sent to it.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait AddressPolicy: Send + Sync {
    /// Checks scheme, form, literal addresses and names under `localhost`; no name is looked up.
    ///
    /// # Errors
    /// A sentence for the caller that says what is wrong with the address.
    fn check(&self, url: &str) -> Result<(), String>;
}
