//! Webhooks and deliveries as the API shows them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Attempt, Delivery, DeliveryStatus, PayloadForm, Replay, ShownWebhook, WebhookStats, WebhookStatus};
use crate::ids::{DeliveryId, EventId, JobId, WebhookId};
use crate::time::Timestamp;

/// A subscription of another system to events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Webhook))]
#[non_exhaustive]
pub struct WebhookView {
    /// The ID.
    pub id: WebhookId,
    /// URL that receives deliveries.
    pub url: String,
    /// `["*"]`, or the types of the delivered events.
    pub events: Vec<String>,
    /// Description.
    pub description: Option<String>,
    /// Status of the webhook.
    pub status: WebhookStatus,
    /// Why the webhook is disabled.
    pub disabled_reason: Option<String>,
    /// `full`: envelopes contain whole objects; `thin`: only IDs.
    pub payload: PayloadForm,
    /// Headers of each delivery, in addition to the service's own. For a value, `••••` and its last four characters are
    /// shown; for a value shorter than twelve characters, only `••••`.
    pub headers: BTreeMap<String, String>,
    /// The last four characters of the secret.
    pub secret_hint: String,
    /// When the receiver last accepted a delivery. Does not change the version.
    pub last_delivery_at: Option<Timestamp>,
    /// Attempts of the last 24 hours. Does not change the version.
    pub stats: WebhookStats,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&ShownWebhook> for WebhookView {
    fn from(ShownWebhook { webhook: it, stats }: &ShownWebhook) -> Self {
        Self {
            id: it.id,
            url: it.url.clone(),
            events: it.events.words(),
            description: it.description.clone(),
            status: it.status,
            disabled_reason: it.disabled_reason.clone(),
            payload: it.payload,
            headers: it.headers.to_map(),
            secret_hint: it.secret_hint.clone(),
            last_delivery_at: it.health.last_delivery_at,
            stats: *stats,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// A webhook with its signing secret: the response to its creation and to the rotation of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreatedWebhook {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: WebhookView,
    /// The signing secret. It is not shown again.
    pub secret: String,
}

/// The delivery of one event to one webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Delivery))]
#[non_exhaustive]
pub struct DeliveryView {
    /// The ID.
    pub id: DeliveryId,
    /// ID of the webhook.
    pub webhook_id: WebhookId,
    /// ID of the event.
    pub event_id: EventId,
    /// Type of the event.
    pub event_type: &'static str,
    /// The status.
    pub status: DeliveryStatus,
    /// Number of attempts.
    pub attempt_count: i32,
    /// When the next attempt is due; `null` if there is none, and while the webhook is paused or disabled.
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

impl From<&Delivery> for DeliveryView {
    fn from(it: &Delivery) -> Self {
        Self {
            id: it.id,
            webhook_id: it.webhook,
            event_id: it.event,
            event_type: it.event_kind.as_str(),
            status: it.status,
            attempt_count: it.attempts,
            next_attempt_at: it.next_attempt_at,
            last_status: it.last_status,
            last_error: it.last_error.clone(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// An attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DeliveryAttempt))]
#[non_exhaustive]
pub struct AttemptView {
    /// Number of the attempt, from 1.
    pub number: i32,
    /// When the attempt started.
    pub at: Timestamp,
    /// Duration in milliseconds.
    pub duration_ms: i64,
    /// HTTP status of the response.
    pub status: Option<i32>,
    /// Headers of the response.
    pub headers: BTreeMap<String, String>,
    /// The first 4 KiB of the response.
    pub body: String,
    /// The error of the attempt.
    pub error: Option<String>,
}

impl From<&Attempt> for AttemptView {
    fn from(it: &Attempt) -> Self {
        Self {
            number: it.number,
            at: it.at,
            duration_ms: it.duration_ms,
            status: it.status,
            headers: it.headers.iter().cloned().collect(),
            body: it.body.clone(),
            error: it.error.clone(),
        }
    }
}

/// A delivery with its attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DeliveryDetail))]
pub struct DeliveryDetailView {
    /// The delivery.
    #[serde(flatten)]
    pub delivery: DeliveryView,
    /// The newest 100 attempts, in order.
    pub attempts: Vec<AttemptView>,
}

/// A replay of the deliveries of a time range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Replay))]
#[non_exhaustive]
pub struct ReplayView {
    /// ID of the job.
    pub id: JobId,
    /// ID of the webhook.
    pub webhook_id: WebhookId,
    /// Start of the range, inclusive.
    pub since: Timestamp,
    /// End of the range, exclusive.
    pub until: Timestamp,
    /// Status of the replayed deliveries.
    pub status: DeliveryStatus,
}

impl From<&Replay> for ReplayView {
    fn from(it: &Replay) -> Self {
        Self { id: it.id, webhook_id: it.webhook, since: it.since, until: it.until, status: it.status }
    }
}
