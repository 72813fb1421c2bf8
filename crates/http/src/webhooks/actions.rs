//! What is done with a webhook: tried out, stopped, started, given a new secret, sent again.

use tidings_domain::body;
use tidings_domain::events::EventKind;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Annotate, choice};
use tidings_domain::read::{Violation, string, timestamp};
use tidings_domain::time::{IsoDuration, Timestamp};
use tidings_domain::trial::TrialView;
use tidings_domain::webhooks::{
    DEFAULT_OVERLAP, Delivery, DeliveryStatus, DeliveryView, MAX_OVERLAP, Replay, ReplayRange, ReplayView,
    RevealedWebhook, ShownWebhook, WebhookView,
};

use super::{kind, reveal, show, shown};
use crate::answer::Answer;
use crate::path::{DELIVERY, WEBHOOK};
use crate::problem::Problem;
use crate::request::Cx;

body! {
    /// What is to be tried.
    struct TestWebhook {
        /// The kind of the sample; when absent, the first that the webhook wants.
        optional event_type: EventKind = string(kind).example("contact.created");
    }
}

body! {
    /// How the secret changes.
    struct RotateSecret {
        /// For how long the secret so far signs beside the new one (ISO 8601): at most `P7D`.
        optional overlap: IsoDuration = string(overlap).default("PT24H").example("PT1H");
    }
}

body! {
    /// Which deliveries are to be sent again.
    struct ReplayDeliveries {
        /// Those made at this time or later: at most as long ago as deliveries and events are kept, 30 days by default.
        required since: Timestamp = timestamp();
        /// Those made before this time; when absent, until now.
        nullable until: Timestamp = timestamp();
        /// Those with this status.
        optional status: DeliveryStatus = choice(
            "ReplayStatus", "Which deliveries can be sent again.", &["failed", "succeeded"], settled).default("failed");
    }
}

fn settled(word: &str) -> Option<DeliveryStatus> {
    DeliveryStatus::parse(word).filter(|it| *it != DeliveryStatus::Pending)
}

/// Tries a webhook out.
///
/// Sends a sample with `"test": true` now, whatever the webhook's status, and answers with what came of it: within
/// 15 s. Nothing is kept.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/test", tag = "Webhooks",
    request_body = TestWebhook,
    responses((status = 200, description = "What came of it.", body = TrialView),
    (status = 409, description = "`outbound_held`: what the workspace sends is held.")))]
pub async fn test(cx: Cx) -> Result<Answer, Problem> {
    let TestWebhook { event_type: kind } = cx.body()?;
    let (webhook, outcome) = cx.services().webhooks.test(cx.access(), cx.named(&WEBHOOK)?, kind).await?;
    Ok(Answer::object(&TrialView::from(&outcome), webhook.version))
}

/// Gives a webhook a new secret.
///
/// The answer holds it; it is never shown again. The secret so far signs beside it for `overlap`, so that receivers
/// can change over.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/rotate-secret", tag = "Webhooks",
    request_body = RotateSecret,
    responses((status = 200, description = "The webhook with its new secret.", body = WebhookView)))]
pub async fn rotate_secret(cx: Cx) -> Result<Answer, Problem> {
    let RotateSecret { overlap } = cx.body()?;
    let overlap = overlap.map_or(DEFAULT_OVERLAP, IsoDuration::get);
    let webhook = cx.named(&WEBHOOK)?;
    cx.run_idempotent(
        |done: &Done<RevealedWebhook>| reveal(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, webhook)).await?;
            cx.services().webhooks.rotate_secret(cx.access(), webhook, overlap, &expected, idempotency).await
        },
    )
    .await
}

fn overlap(text: &str) -> Result<IsoDuration, Violation> {
    let overlap: IsoDuration = text.parse().map_err(|error| Violation::here("invalid_format", format!("{error}")))?;
    if overlap.get() > MAX_OVERLAP { Err(Violation::here("out_of_range", "must be at most P7D")) } else { Ok(overlap) }
}

/// Starts a paused or disabled webhook again.
///
/// What waited goes out. A webhook that is active already stays as it is.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/enable", tag = "Webhooks",
    responses((status = 200, description = "The webhook afterwards.", body = WebhookView)))]
pub async fn enable(cx: Cx) -> Result<Answer, Problem> {
    let webhook = cx.named(&WEBHOOK)?;
    cx.run_idempotent(
        |done: &Done<ShownWebhook>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, webhook)).await?;
            cx.services().webhooks.enable(cx.access(), webhook, &expected, idempotency).await
        },
    )
    .await
}

/// Stops a webhook.
///
/// Its deliveries wait, as long as deliveries are kept, until it is enabled.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/pause", tag = "Webhooks",
    responses((status = 200, description = "The webhook afterwards.", body = WebhookView)))]
pub async fn pause(cx: Cx) -> Result<Answer, Problem> {
    let webhook = cx.named(&WEBHOOK)?;
    cx.run_idempotent(
        |done: &Done<ShownWebhook>| show(&done.value),
        async |idempotency| {
            let expected = cx.expected(shown(&cx, webhook)).await?;
            cx.services().webhooks.pause(cx.access(), webhook, &expected, idempotency).await
        },
    )
    .await
}

/// Sends the deliveries of a time again.
///
/// Fifty a second, oldest first: the same events under the same ids, signed anew.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/replay", tag = "Webhooks",
    request_body = ReplayDeliveries,
    responses((status = 202, description = "What is going to be sent again.", body = ReplayView)))]
pub async fn replay(cx: Cx) -> Result<Answer, Problem> {
    let ReplayDeliveries { since, until, status } = cx.body()?;
    let range = ReplayRange { since, until, status: status.unwrap_or(DeliveryStatus::Failed) };
    let webhook = cx.named(&WEBHOOK)?;
    let render = |done: &Done<Replay>| {
        let deliveries = format!("/api/v1/webhooks/{webhook}/deliveries");
        Answer::object(&ReplayView::from(&done.value), 1).outcome(done.outcome).located(deliveries)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().webhooks.replay(cx.access(), webhook, range, idempotency).await
    })
    .await
}

/// Sends a delivery again.
///
/// Whatever became of it: the same event under the same id, signed anew, with the schedule from its beginning.
#[utoipa::path(post, path = "/api/v1/webhooks/{id}/deliveries/{delivery_id}/replay", tag = "Webhooks",
    responses((status = 202, description = "The delivery, `pending`.", body = DeliveryView)))]
pub async fn replay_delivery(cx: Cx) -> Result<Answer, Problem> {
    let (webhook, delivery) = (cx.named(&WEBHOOK)?, cx.named(&DELIVERY)?);
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
