//! Webhooks and deliveries as the API shows them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Attempt, Delivery, DeliveryStatus, PayloadForm, Replay, ShownWebhook, WebhookStats, WebhookStatus};
use crate::ids::{DeliveryId, EventId, JobId, WebhookId};
use crate::time::Timestamp;

/// A subscription of an outside system to events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Webhook))]
pub struct WebhookView {
    /// The id.
    pub id: WebhookId,
    /// Where deliveries go.
    pub url: String,
    /// `["*"]`, or the kinds of events that are delivered.
    pub events: Vec<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it gets deliveries.
    pub status: WebhookStatus,
    /// Why it is disabled.
    pub disabled_reason: Option<String>,
    /// `full`: envelopes hold whole objects; `thin`: ids only.
    pub payload: PayloadForm,
    /// Headers that each delivery carries beside the service's own. Of a value the last four characters are shown, behind
    /// `••••`; of one that is shorter than twelve, none.
    pub headers: BTreeMap<String, String>,
    /// The signing secret. Only in the answers to its creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub secret: Option<String>,
    /// The secret's last four characters.
    pub secret_hint: String,
    /// When the receiver last took a delivery. Does not change the version.
    pub last_delivery_at: Option<Timestamp>,
    /// What became of the attempts of the last 24 hours. Does not change the version.
    pub stats: WebhookStats,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
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
            secret: None,
            secret_hint: it.secret_hint.clone(),
            last_delivery_at: it.health.last_delivery_at,
            stats: *stats,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// One event on its way to one webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Delivery))]
pub struct DeliveryView {
    /// The id.
    pub id: DeliveryId,
    /// To which webhook.
    pub webhook_id: WebhookId,
    /// Which event.
    pub event_id: EventId,
    /// The event's kind.
    pub event_type: &'static str,
    /// How far it is.
    pub status: DeliveryStatus,
    /// How many attempts were made.
    pub attempt_count: i32,
    /// When the next one is due; `null` where none is, and while the webhook is paused or disabled.
    pub next_attempt_at: Option<Timestamp>,
    /// The HTTP status of the last answer.
    pub last_status: Option<i32>,
    /// What was wrong with the last attempt.
    pub last_error: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
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

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DeliveryAttempt))]
pub struct AttemptView {
    /// 1 for the first.
    pub number: i32,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration_ms: i64,
    /// The HTTP status of the answer.
    pub status: Option<i32>,
    /// The headers of the answer.
    pub headers: BTreeMap<String, String>,
    /// The first 4 KiB of the answer.
    pub body: String,
    /// What was wrong.
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

/// A delivery with every attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DeliveryDetail))]
pub struct DeliveryDetailView {
    /// The delivery.
    #[serde(flatten)]
    pub delivery: DeliveryView,
    /// Every attempt, first to last.
    pub attempts: Vec<AttemptView>,
}

/// Deliveries of a time that are being sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Replay))]
pub struct ReplayView {
    /// The id of the work that does it.
    pub id: JobId,
    /// To which webhook.
    pub webhook_id: WebhookId,
    /// Deliveries made at or after.
    pub since: Timestamp,
    /// Deliveries made before.
    pub until: Timestamp,
    /// Deliveries with this status.
    pub status: DeliveryStatus,
}

impl From<&Replay> for ReplayView {
    fn from(it: &Replay) -> Self {
        Self { id: it.id, webhook_id: it.webhook, since: it.since, until: it.until, status: it.status }
    }
}
