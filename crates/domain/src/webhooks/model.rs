//! Webhooks, deliveries and attempts.

use serde::Serialize;

use super::{CustomHeaders, Health, SealedHeaders};
use crate::events::EventKind;
use crate::ids::{DeliveryId, EventId, JobId, WebhookId};
use crate::patch::Patch;
use crate::time::Timestamp;
use crate::words::words;

/// The maximum number of attempts of a delivery that are returned. Each can have 68 KiB, and each replay adds attempts.
pub const MAX_SHOWN_ATTEMPTS: u16 = 100;

/// The maximum number of webhooks of a workspace.
pub const MAX_WEBHOOKS: i64 = 20;

/// The events that a webhook subscribes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subscription {
    /// All types, including future ones: `"*"`.
    All,
    /// These types.
    Kinds(Vec<EventKind>),
}

impl Subscription {
    /// Whether it includes events of this type.
    pub fn wants(&self, kind: EventKind) -> bool {
        match self {
            Self::All => true,
            Self::Kinds(kinds) => kinds.contains(&kind),
        }
    }

    /// Returns the words of the API and the store.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::All => vec!["*".to_owned()],
            Self::Kinds(kinds) => kinds.iter().map(|kind| kind.as_str().to_owned()).collect(),
        }
    }

    /// Parses [`Subscription::words`]. Names of removed event types are skipped.
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
    /// IDs only.
    Thin,
}

impl PayloadForm {
    /// The words of the API and the store.
    pub const WORDS: [&str; 2] = ["full", "thin"];

    /// Returns the word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thin => "thin",
        }
    }

    /// Returns the form with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Full, Self::Thin].into_iter().find(|form| form.as_str() == word)
    }
}

words! {
    /// Status of a webhook.
    WebhookStatus {
        /// Events are delivered.
        Active = "active",
        /// Deliveries wait until the webhook is enabled.
        Paused = "paused",
        /// Pending deliveries wait until the webhook is enabled, and no new ones are created. Its receiver answered
        /// 410, or failed for too long.
        Disabled = "disabled",
    }
}

/// A rotated secret that still signs for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlderSecret {
    /// The secret, sealed like the webhook's current one.
    pub sealed: Vec<u8>,
    /// The end of its validity: it no longer signs from then on.
    pub expires_at: Timestamp,
}

/// A subscription of another system to events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The ID.
    pub id: WebhookId,
    /// URL that receives deliveries.
    pub url: String,
    /// The events that it subscribes to.
    pub events: Subscription,
    /// Description, at most 500 characters.
    pub description: Option<String>,
    /// The form of its envelopes.
    pub payload: PayloadForm,
    /// The signing secret, sealed.
    pub secret: Vec<u8>,
    /// The last four characters of the secret.
    pub secret_hint: String,
    /// Rotated secrets, the newest first. Expired ones may be included.
    pub older_secrets: Vec<OlderSecret>,
    /// Status of the webhook.
    pub status: WebhookStatus,
    /// Why it was disabled.
    pub disabled_reason: Option<String>,
    /// Headers of each delivery, in addition to the service's own.
    pub headers: SealedHeaders,
    /// Recent health of its receiver. It is stored separately and does not change the version.
    pub health: Health,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// A webhook to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// URL that receives deliveries.
    pub url: String,
    /// The events to subscribe to.
    pub events: Subscription,
    /// Description, at most 500 characters.
    pub description: Option<String>,
    /// The form of its envelopes.
    pub payload: PayloadForm,
    /// Headers of each delivery, in addition to the service's own.
    pub headers: CustomHeaders,
}

impl NewWebhook {
    /// Creates the command for a webhook that receives whole objects, without own headers.
    pub fn new(url: impl Into<String>, events: Subscription) -> Self {
        Self {
            url: url.into(),
            events,
            description: None,
            payload: PayloadForm::Full,
            headers: CustomHeaders::default(),
        }
    }
}

/// A merging update of a webhook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookPatch {
    /// URL that receives deliveries.
    pub url: Option<String>,
    /// The events to subscribe to.
    pub events: Option<Subscription>,
    /// Description, at most 500 characters.
    pub description: Patch<String>,
    /// The form of its envelopes.
    pub payload: Option<PayloadForm>,
    /// Replaces all headers; a cleared value removes them. A masked value keeps the stored one.
    pub headers: Patch<CustomHeaders>,
}

/// Status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// Another attempt will be made.
    Pending,
    /// The receiver answered 2xx.
    Succeeded,
    /// No further attempt will be made.
    Failed,
}

impl DeliveryStatus {
    /// The words of the API and the store.
    pub const WORDS: [&str; 3] = ["pending", "succeeded", "failed"];

    /// Returns the word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// Returns the status with this word.
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
    /// ID of the event.
    pub event: EventId,
    /// Type of the event.
    pub event_kind: EventKind,
    /// The status.
    pub status: DeliveryStatus,
    /// Number of attempts.
    pub attempts: i32,
    /// The number of attempts before the last replay, which restarts the schedule. The job of an attempt has this
    /// number as its mark: a job with another one is outdated.
    pub round_start: i32,
    /// When the next attempt is due; `None` if there is none, or while the webhook is paused or disabled.
    pub next_attempt_at: Option<Timestamp>,
    /// HTTP status of the last response.
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
    /// Creates a delivery of an event without attempts.
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
    /// ID of the delivery.
    pub delivery: DeliveryId,
    /// Number of the attempt, from 1.
    pub number: i32,
    /// When the attempt started.
    pub at: Timestamp,
    /// Duration in milliseconds.
    pub duration_ms: i64,
    /// HTTP status of the response.
    pub status: Option<i32>,
    /// Headers of the response.
    pub headers: Vec<(String, String)>,
    /// The first 4 KiB of the response.
    pub body: String,
    /// The error of the attempt.
    pub error: Option<String>,
}

/// A filter of deliveries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Only deliveries with this status.
    pub status: Option<DeliveryStatus>,
    /// Only deliveries of events of this type.
    pub event_kind: Option<EventKind>,
    /// Only deliveries created at or after this time.
    pub since: Option<Timestamp>,
    /// Only deliveries created before this time.
    pub until: Option<Timestamp>,
}

/// A replay of the deliveries of a time range, in batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// ID of its job.
    pub id: JobId,
    /// ID of the webhook.
    pub webhook: WebhookId,
    /// Only deliveries created at this time or later.
    pub since: Timestamp,
    /// Only deliveries created before this time.
    pub until: Timestamp,
    /// Only deliveries with this status.
    pub status: DeliveryStatus,
    /// Position of the last processed delivery.
    pub after: Option<crate::pagination::Position>,
}
