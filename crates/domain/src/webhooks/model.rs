//! What webhooks and deliveries are.

use serde::Serialize;

use super::{CustomHeaders, Health, SealedHeaders};
use crate::events::EventKind;
use crate::ids::{DeliveryId, EventId, JobId, WebhookId};
use crate::patch::Patch;
use crate::time::Timestamp;
use crate::words::words;

/// How many webhooks a workspace has at the most.
pub const MAX_WEBHOOKS: i64 = 20;

/// Which events a webhook wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subscription {
    /// All kinds, later ones included: `"*"`.
    All,
    /// These kinds.
    Kinds(Vec<EventKind>),
}

impl Subscription {
    /// Whether it wants events of this kind.
    pub fn wants(&self, kind: EventKind) -> bool {
        match self {
            Self::All => true,
            Self::Kinds(kinds) => kinds.contains(&kind),
        }
    }

    /// The words of the API and the store.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::All => vec!["*".to_owned()],
            Self::Kinds(kinds) => kinds.iter().map(|kind| kind.as_str().to_owned()).collect(),
        }
    }

    /// Reads [`Subscription::words`] back; names of kinds that are no more are passed over.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut kinds = Vec::new();
        for word in words {
            if word == "*" {
                return Self::All;
            }
            kinds.extend(EventKind::parse(word));
        }
        Self::Kinds(kinds)
    }
}

/// Form of the envelopes of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PayloadForm {
    /// Whole objects.
    Full,
    /// Ids only.
    Thin,
}

impl PayloadForm {
    /// The words of the API and the store.
    pub const WORDS: [&str; 2] = ["full", "thin"];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thin => "thin",
        }
    }

    /// The form with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Full, Self::Thin].into_iter().find(|form| form.as_str() == word)
    }
}

words! {
    /// Status of a webhook.
    WebhookStatus {
        /// It does.
        Active = "active",
        /// They wait until it is enabled.
        Paused = "paused",
        /// What was on its way waits until it is enabled, and nothing new is made for it: its receiver is
        /// gone, or failed for too long.
        Disabled = "disabled",
    }
}

/// A secret that was rotated out and signs for a while yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlderSecret {
    /// The secret, sealed as the webhook's own.
    pub sealed: Vec<u8>,
    /// From this instant on it signs no more.
    pub expires_at: Timestamp,
}

/// A subscription of an outside system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The ID.
    pub id: WebhookId,
    /// URL that receives deliveries.
    pub url: String,
    /// Which events it wants.
    pub events: Subscription,
    /// At most 500 characters.
    pub description: Option<String>,
    /// Which form of the envelope it gets.
    pub payload: PayloadForm,
    /// The signing secret, sealed.
    pub secret: Vec<u8>,
    /// The last four characters of the secret.
    pub secret_hint: String,
    /// Secrets that were rotated out, the newest first; those that expired may be among them.
    pub older_secrets: Vec<OlderSecret>,
    /// Status of the webhook.
    pub status: WebhookStatus,
    /// Why it was disabled.
    pub disabled_reason: Option<String>,
    /// Headers that each delivery carries beside the service's own.
    pub headers: SealedHeaders,
    /// How its receiver fared lately. Written by itself and in no version.
    pub health: Health,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// A webhook to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// URL that receives deliveries.
    pub url: String,
    /// Which events it wants.
    pub events: Subscription,
    /// At most 500 characters.
    pub description: Option<String>,
    /// Which form of the envelope it gets.
    pub payload: PayloadForm,
    /// Headers that each delivery carries beside the service's own.
    pub headers: CustomHeaders,
}

/// A merging update of a webhook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookPatch {
    /// URL that receives deliveries.
    pub url: Option<String>,
    /// Which events it wants.
    pub events: Option<Subscription>,
    /// At most 500 characters.
    pub description: Patch<String>,
    /// Which form of the envelope it gets.
    pub payload: Option<PayloadForm>,
    /// Replaced whole; cleared, there are none. The shown form of a value keeps it.
    pub headers: Patch<CustomHeaders>,
}

/// Status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// An attempt is to come.
    Pending,
    /// The receiver answered 2xx.
    Succeeded,
    /// No attempt is to come.
    Failed,
}

impl DeliveryStatus {
    /// The words of the API and the store.
    pub const WORDS: [&str; 3] = ["pending", "succeeded", "failed"];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// The status with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Pending, Self::Succeeded, Self::Failed].into_iter().find(|status| status.as_str() == word)
    }
}

/// The delivery of one event to one webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The ID.
    pub id: DeliveryId,
    /// ID of the webhook.
    pub webhook: WebhookId,
    /// What.
    pub event: EventId,
    /// Type of the event.
    pub event_kind: EventKind,
    /// The status.
    pub status: DeliveryStatus,
    /// Number of attempts.
    pub attempts: i32,
    /// How many of them were made before the last replay, which begins the schedule anew. The job of
    /// an attempt carries this number as its mark: one with another mark is of the past.
    pub round_start: i32,
    /// When the next one is due; `None` where none is, or while the webhook is paused or disabled.
    pub next_attempt_at: Option<Timestamp>,
    /// The status of the last answer.
    pub last_status: Option<i32>,
    /// The error of the last attempt.
    pub last_error: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Delivery {
    /// A delivery of an event, of which no attempt was made.
    pub fn new(id: DeliveryId, webhook: WebhookId, (event, event_kind): (EventId, EventKind), now: Timestamp) -> Self {
        Self {
            id,
            webhook,
            event,
            event_kind,
            status: DeliveryStatus::Pending,
            attempts: 0,
            round_start: 0,
            next_attempt_at: Some(now),
            last_status: None,
            last_error: None,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }
}

/// An attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Of which delivery.
    pub delivery: DeliveryId,
    /// Number of the attempt, from 1.
    pub number: i32,
    /// When the attempt started.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// The status of the answer.
    pub status: Option<i32>,
    /// Headers of the response.
    pub headers: Vec<(String, String)>,
    /// The first 4 KiB of the response.
    pub body: String,
    /// The error of the attempt.
    pub error: Option<String>,
}

/// Which deliveries a list shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Only deliveries with this status.
    pub status: Option<DeliveryStatus>,
    /// Only deliveries of events of this type.
    pub event_kind: Option<EventKind>,
    /// Made at or after.
    pub since: Option<Timestamp>,
    /// Made before.
    pub until: Option<Timestamp>,
}

/// Deliveries of a time that are being sent again, batch by batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The job that does it.
    pub id: JobId,
    /// ID of the webhook.
    pub webhook: WebhookId,
    /// Only deliveries created at this time or later.
    pub since: Timestamp,
    /// Only deliveries created before this time.
    pub until: Timestamp,
    /// Only deliveries with this status.
    pub status: DeliveryStatus,
    /// The last one that was looked at.
    pub after: Option<crate::pagination::Position>,
}
