//! `/webhooks/{id}/…`: test, pause, resume, secret rotation and replay.

use tidings_domain::body;
use tidings_domain::events::EventKind;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Annotate, choice};
use tidings_domain::read::{Violation, string, timestamp};
use tidings_domain::time::{IsoDuration, Timestamp};
use tidings_domain::trial::TrialView;
use tidings_domain::webhooks::{
    CreatedWebhook, DEFAULT_OVERLAP, Delivery, DeliveryStatus, DeliveryView, MAX_OVERLAP, Replay, ReplayRange,
    ReplayView, RevealedWebhook, ShownWebhook, WebhookView,
};

use super::{kind, load_answer, reveal, show};
use crate::request::RequestContext;
use crate::request::path::{DELIVERY, WEBHOOK};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

body! {
    /// A sample event to send.
    struct TestWebhook {
        /// Type of the sample; if absent, the first type that the webhook receives.
        optional event_type: EventKind = string(kind).example("contact.created");
    }
}

body! {
    /// Options for rotating a secret.
    struct RotateSecret {
        /// Overlap (ISO 8601): the previous secret also signs deliveries for this time. At most `P7D`.
        optional overlap: IsoDuration = string(overlap).default("PT24H").example("PT1H");
    }
}

body! {
    /// The deliveries to replay.
    struct ReplayDeliveries {
        /// Deliveries created at this time or later. Deliveries and events are kept for 30 days by default.
        required since: Timestamp = timestamp();
        /// Deliveries created before this time; now if absent.
        nullable until: Timestamp = timestamp();
        /// Deliveries with this status.
        optional status: DeliveryStatus = choice(
            "ReplayStatus", "Status of deliveries that can be \
                             replayed.", &["failed", "succeeded"], settled).default("failed");
    }
}

fn settled(word: &str) -> Option<DeliveryStatus> {
    DeliveryStatus::parse(word).filter(|it| *it != DeliveryStatus::Pending)
}

/// Test a webhook.
///
/// Sends a sample with `"test": true` now, in any status of the webhook, and returns the result within 15 s. Nothing is
/// stored.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/test", tag = "Webhooks",
    request_body = TestWebhook,
    responses((status = 200, description = "The result of the test.", body = TrialView),
    (status = 409, description = "`outbound_held`: outbound sending is paused for this workspace.")))]
pub async fn test(cx: RequestContext) -> Result<Answer, Problem> {
    let TestWebhook { event_type: kind } = cx.body()?;
    let (webhook, outcome) = cx.services().webhooks.test(cx.access(), cx.path_parameter(&WEBHOOK)?, kind).await?;
    Ok(Answer::object(&TrialView::from(&outcome), webhook.version))
}

/// Rotate a webhook secret.
///
/// The response contains the new secret, which is never shown again. For `overlap`, the previous secret also signs
/// deliveries, so receivers have time to change.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/rotate-secret", tag = "Webhooks",
    request_body = RotateSecret,
    responses((status = 200, description = "The webhook with its new secret.", body = CreatedWebhook)))]
pub async fn rotate_secret(cx: RequestContext) -> Result<Answer, Problem> {
    let RotateSecret { overlap } = cx.body()?;
    let overlap = overlap.map_or(DEFAULT_OVERLAP, IsoDuration::get);
    let webhook = cx.path_parameter(&WEBHOOK)?;
    cx.run_idempotent(
        |done: &Done<RevealedWebhook>| reveal(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, webhook)).await?;
            cx.services().webhooks.rotate_secret(cx.access(), webhook, overlap, &expected, idempotency).await
        },
    )
    .await
}

/// Reads the overlap of a secret with its successor.
pub(crate) fn overlap(text: &str) -> Result<IsoDuration, Violation> {
    let overlap: IsoDuration =
        text.parse().map_err(|error| Violation::at_root("invalid_format", format!("{error}")))?;
    if overlap.get() > MAX_OVERLAP {
        Err(Violation::at_root("out_of_range", "must be at most P7D"))
    } else {
        Ok(overlap)
    }
}

/// Enable a webhook.
///
/// Starts a paused or disabled webhook again and sends waiting deliveries. An active webhook stays unchanged.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/enable", tag = "Webhooks",
    responses((status = 200, description = "The updated webhook.", body = WebhookView)))]
pub async fn enable(cx: RequestContext) -> Result<Answer, Problem> {
    let webhook = cx.path_parameter(&WEBHOOK)?;
    cx.run_idempotent(
        |done: &Done<ShownWebhook>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, webhook)).await?;
            cx.services().webhooks.enable(cx.access(), webhook, &expected, idempotency).await
        },
    )
    .await
}

/// Pause a webhook.
///
/// Its deliveries wait until it is enabled, within the retention of deliveries.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/pause", tag = "Webhooks",
    responses((status = 200, description = "The updated webhook.", body = WebhookView)))]
pub async fn pause(cx: RequestContext) -> Result<Answer, Problem> {
    let webhook = cx.path_parameter(&WEBHOOK)?;
    cx.run_idempotent(
        |done: &Done<ShownWebhook>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(load_answer(&cx, webhook)).await?;
            cx.services().webhooks.pause(cx.access(), webhook, &expected, idempotency).await
        },
    )
    .await
}

/// Replay deliveries.
///
/// Sends the deliveries of a time range again: 50 per second, oldest first, with the same events and IDs, and new
/// signatures.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/replay", tag = "Webhooks",
    request_body = ReplayDeliveries,
    responses((status = 202, description = "The deliveries that are sent again.", body = ReplayView)))]
pub async fn replay(cx: RequestContext) -> Result<Answer, Problem> {
    let ReplayDeliveries { since, until, status } = cx.body()?;
    let range = ReplayRange { since, until, status: status.unwrap_or(DeliveryStatus::Failed) };
    let webhook = cx.path_parameter(&WEBHOOK)?;
    let render = |done: &Done<Replay>| {
        let deliveries = format!("/api/v1/webhooks/{webhook}/deliveries");
        Answer::object(&ReplayView::from(&done.value), 1).outcome(done.outcome).located(deliveries)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().webhooks.replay(cx.access(), webhook, range, idempotency).await
    })
    .await
}

/// Replay a delivery.
///
/// Works for every status of the delivery. Sends the same event with the same ID and a new signature, and starts the
/// retry schedule again.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/deliveries/{delivery_id}/replay", tag = "Webhooks",
    responses((status = 202, description = "The delivery, `pending`.", body = DeliveryView)))]
pub async fn replay_delivery(cx: RequestContext) -> Result<Answer, Problem> {
    let (webhook, delivery) = (cx.path_parameter(&WEBHOOK)?, cx.path_parameter(&DELIVERY)?);
    let render = |done: &Done<Delivery>| {
        let location = format!("/api/v1/webhooks/{webhook}/deliveries/{delivery}");
        Answer::object(&DeliveryView::from(&done.value), done.value.version).outcome(done.outcome).located(location)
    };
    let webhooks = &cx.services().webhooks;
    cx.run_idempotent(render, async |idempotency| {
        webhooks.replay_delivery(cx.access(), webhook, delivery, idempotency).await
    })
    .await
}
