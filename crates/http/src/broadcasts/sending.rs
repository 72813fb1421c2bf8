//! Sending a broadcast: previews, tests, and its course.

use std::time::Duration;

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::broadcasts::{BroadcastPreviewView, BroadcastView};
use tidings_domain::conversations::{Message, MessageView};
use tidings_domain::ids::ContactId;
use tidings_domain::outcome::Done;
use tidings_domain::ports::StoreError;
use tidings_domain::read::{id, integer, list as items};
use utoipa::ToSchema;

use super::{load_answer, render};
use crate::request::RequestContext;
use crate::request::path::BROADCAST;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The time limit of a preview, which counts contacts several times.
const PREVIEW: Duration = Duration::from_secs(9);
/// The maximum number of contacts of a test.
const MOST_TESTED: usize = 5;

body! {
    /// Options for sending a broadcast.
    struct SendBroadcast {
        /// Expected number of contacts in the audience, from a preview. If the audience differs by more than 5 %,
        /// nothing is sent.
        nullable expected_count: i64 = integer(0..=1_000_000_000);
    }
}

body! {
    /// The recipients of a test.
    struct TestBroadcast {
        /// One to five contacts.
        required contact_ids: Vec<ContactId> = items(1..=MOST_TESTED, id());
    }
}

/// Preview a broadcast.
///
/// Shows the result of sending it now. Nothing is changed, so `Idempotency-Key` is ignored.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/preview", tag = "Broadcasts", responses(
    (status = 200, description = "A sample of the messages, and the number of suppressed \
                                  ones.", body = BroadcastPreviewView),
    (status = 409, description = "`no_channel`: the workspace has no channel to send on.")))]
pub async fn preview(cx: RequestContext) -> Result<Answer, Problem> {
    let broadcast = cx.path_parameter(&BROADCAST)?;
    let preview = tokio::time::timeout(PREVIEW, cx.services().broadcasts.preview(cx.access(), broadcast)).await;
    let preview = preview.unwrap_or_else(|_| Err(Error::Store(StoreError::TooSlow)))?;
    Ok(Answer::json(&BroadcastPreviewView::from(preview)))
}

/// Test a broadcast.
///
/// Sends its current message to one to five contacts. These are ordinary messages: each appears in its conversation,
/// and none counts for the broadcast.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/test", tag = "Broadcasts", request_body = TestBroadcast, responses(
    (status = 202, description = "The messages.", body = TestedBroadcast),
    (status = 409, description = "`no_channel`: the workspace has no channel to send on.")))]
pub async fn test(cx: RequestContext) -> Result<Answer, Problem> {
    let TestBroadcast { contact_ids } = cx.body()?;
    let broadcast = cx.path_parameter(&BROADCAST)?;
    let render = |done: &Done<Vec<Message>>| {
        let messages = done.value.iter().map(MessageView::from).collect();
        Answer::json(&TestedBroadcast { messages }).outcome(done.outcome)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.test(cx.access(), broadcast, &contact_ids, idempotency).await
    })
    .await
}

/// Send a broadcast.
///
/// Sends a draft at `scheduled_at`, or immediately. The audience is fixed when the broadcast starts.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/send", tag = "Broadcasts", request_body = SendBroadcast, responses(
    (status = 202, description = "The broadcast, scheduled.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: the broadcast is not a draft. `audience_changed`: its audience \
                                  has `count` contacts, which differs from `expected_count` by more than 5 %. \
                                  `no_channel`: the workspace has no channel to send on.")))]
pub async fn send(cx: RequestContext) -> Result<Answer, Problem> {
    let SendBroadcast { expected_count } = cx.body()?;
    let broadcast = cx.path_parameter(&BROADCAST)?;
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, broadcast)).await?;
        cx.services().broadcasts.send(cx.access(), broadcast, expected_count, &expected, idempotency).await
    })
    .await
}

/// Pause a broadcast.
///
/// Batches in progress finish. No other contact gets a message until the broadcast is resumed.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/pause", tag = "Broadcasts", responses(
    (status = 200, description = "The broadcast, paused.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: the broadcast is not running.")))]
pub async fn pause(cx: RequestContext) -> Result<Answer, Problem> {
    let broadcast = cx.path_parameter(&BROADCAST)?;
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, broadcast)).await?;
        cx.services().broadcasts.pause(cx.access(), broadcast, &expected, idempotency).await
    })
    .await
}

/// Resume a broadcast.
///
/// Continues a paused broadcast after the last recipient. Each contact gets the message once, regardless of pauses.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/resume", tag = "Broadcasts", responses(
    (status = 200, description = "The broadcast, running.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: the broadcast is not paused.")))]
pub async fn resume(cx: RequestContext) -> Result<Answer, Problem> {
    let broadcast = cx.path_parameter(&BROADCAST)?;
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, broadcast)).await?;
        cx.services().broadcasts.resume(cx.access(), broadcast, &expected, idempotency).await
    })
    .await
}

/// Cancel a broadcast.
///
/// Contacts without a message get none. Sent messages stay. A cancelled broadcast cannot be resumed.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/cancel", tag = "Broadcasts", responses(
    (status = 200, description = "The broadcast, cancelled.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: the broadcast is a draft, or has ended.")))]
pub async fn cancel(cx: RequestContext) -> Result<Answer, Problem> {
    let broadcast = cx.path_parameter(&BROADCAST)?;
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, broadcast)).await?;
        cx.services().broadcasts.cancel(cx.access(), broadcast, &expected, idempotency).await
    })
    .await
}

/// Repeat a broadcast.
///
/// Creates a draft with the same message and channel for the recipients of an ended broadcast who did not get it: `failed`
/// recipients, and `suppressed` ones whose cause can end (`no_address`, `channel_disconnected`, `quiet_hours`,
/// `human_handling`). Nobody gets the content twice: recipients who are `sent` or `uncertain`, here or in another
/// repeat, are excluded, and so are contacts who opted out or cannot be reached now. Nothing is sent before `send`; the
/// recipients are chosen when the draft starts. The draft can be changed; its `audience` chooses among the recipients.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/repeat", tag = "Broadcasts", responses(
    (status = 201, description = "The draft. `repeats` is the ID of the first broadcast.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: the broadcast has not ended. `no_recipients`: no recipient can get \
                                  its message again. `no_channel`: the workspace has no channel to send on.")))]
pub async fn repeat(cx: RequestContext) -> Result<Answer, Problem> {
    let broadcast = cx.path_parameter(&BROADCAST)?;
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.repeat(cx.access(), broadcast, idempotency).await
    })
    .await
}

/// The messages of a test, in the order of the contacts.
#[derive(Serialize, ToSchema)]
struct TestedBroadcast {
    /// The messages.
    messages: Vec<MessageView>,
}
