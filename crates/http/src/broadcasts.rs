//! `/broadcasts`: one message to many contacts.

use std::time::Duration;

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::broadcasts::{
    Audience, BroadcastPatch, BroadcastPreviewView, BroadcastStatus, BroadcastView, BroadcastZone, CountedBroadcast,
    NewBroadcast,
};
use tidings_domain::conversations::{Content, Message, MessageView};
use tidings_domain::ids::{BroadcastId, ChannelId, ContactId};
use tidings_domain::outcome::{Done, Outcome};
use tidings_domain::ports::StoreError;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, id, integer, list as items, name, timestamp, word};
use tidings_domain::references::LostReferenceView;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::list_filters::NameFilters;
use crate::paging::{List, PageParams};
use crate::path::BROADCAST;
use crate::problem::Problem;
use crate::query::parameters;
use crate::request::Cx;

const READ_ONLY: &[&str] =
    &["id", "status", "error", "stats", "started_at", "ended_at", "created_at", "updated_at", "version"];
/// The most messages in a minute.
/// The time limit of a preview, which counts several times.
const PREVIEW: Duration = Duration::from_secs(9);
const MOST_A_MINUTE: i64 = 100_000;
/// The most contacts of a test.
const MOST_TESTED: usize = 5;

body! {
    /// A broadcast to be created: a draft.
    #[read_only(READ_ONLY)]
    struct CreateBroadcast {
        /// What people call it.
        required name: String = name(1..=100);
        /// To whom it goes: a condition, or `{"segment_id": …}`.
        required audience: Audience = audience();
        /// What it says; its texts are templates, rendered for each contact.
        required message: Content = content();
        /// On which channel; the workspace's default one when it is sent where absent.
        nullable channel_id: ChannelId = id();
        /// When it begins; as soon as it is sent where absent.
        nullable scheduled_at: Timestamp = timestamp();
        /// Whose clocks that is shown by: `workspace` (when absent), everybody at the same instant, or `contact`, everybody
        /// when their own clocks show what those of the workspace show then.
        optional time_zone: BroadcastZone = word(BroadcastZone::WORDS, BroadcastZone::parse);
        /// How many messages are made in a minute at the most; as many as can be where absent.
        nullable rate_per_minute: i64 = integer(1..=MOST_A_MINUTE);
    }
}

body! {
    /// A merging update of a draft: what is absent stays; audience and message are replaced whole.
    #[read_only(READ_ONLY)]
    struct UpdateBroadcast {
        /// What people call it.
        optional name: String = name(1..=100);
        /// To whom it goes: a condition, or `{"segment_id": …}`.
        optional audience: Audience = audience();
        /// What it says; its texts are templates, rendered for each contact.
        optional message: Content = content();
        /// On which channel.
        patch channel_id: ChannelId = id();
        /// When it begins.
        patch scheduled_at: Timestamp = timestamp();
        /// Whose clocks that is shown by.
        optional time_zone: BroadcastZone = word(BroadcastZone::WORDS, BroadcastZone::parse);
        /// How many messages are made in a minute at the most.
        patch rate_per_minute: i64 = integer(1..=MOST_A_MINUTE);
    }
}

body! {
    /// How a broadcast is sent.
    struct SendBroadcast {
        /// How many contacts its audience should have, as a preview told. Where it differs by more than 5 %, nothing is sent.
        nullable expected_count: i64 = integer(0..=1_000_000_000);
    }
}

body! {
    /// To whom a broadcast is tried out.
    struct TestBroadcast {
        /// One to five contacts.
        required contact_ids: Vec<ContactId> = items(1..=MOST_TESTED, id());
    }
}

parameters! {
    /// The filters; all must hold.
    struct BroadcastFilters {
        flat called: NameFilters;
        /// With this status.
        one status: BroadcastStatus = word(BroadcastStatus::WORDS, BroadcastStatus::parse);
    }
}

/// Lists broadcasts.
///
/// The last one first, where `sort` says nothing else; drafts and what is over among them.
#[utoipa::path(get, path = "/api/v1/broadcasts", tag = "Broadcasts", params(BroadcastFilters, PageParams),
    responses((status = 200, description = "A page of broadcasts.", body = List<BroadcastView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>()?;
    let BroadcastFilters { called, status } = query.read();
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().broadcasts.list(cx.access(), &called.with(status), paging.request).await?;
    Ok(cx.page(&paging, page, |broadcast| BroadcastView::from(broadcast)))
}

/// Creates a draft of a broadcast.
///
/// Nothing is sent before it is told to `send`.
#[utoipa::path(post, path = "/api/v1/broadcasts", tag = "Broadcasts", request_body = CreateBroadcast,
    responses((status = 201, description = "The draft.", body = BroadcastView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let it: CreateBroadcast = cx.body()?;
    let command = NewBroadcast {
        name: it.name,
        audience: it.audience,
        message: it.message,
        channel: it.channel_id,
        scheduled_at: it.scheduled_at,
        time_zone: it.time_zone.unwrap_or(BroadcastZone::Workspace),
        rate_per_minute: it.rate_per_minute,
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.create(cx.access(), command, idempotency).await
    })
    .await
}

/// Shows a broadcast, with how far its messages came.
///
/// What it names and is not there any more stands in `lost_references`.
#[utoipa::path(get, path = "/api/v1/broadcasts/{id}", tag = "Broadcasts",
    responses((status = 200, description = "The broadcast.", body = ShownBroadcast)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, cx.named(&BROADCAST)?).await?)
}

/// Updates a draft.
///
/// Merges, as PATCH does; audience and message are replaced whole.
#[utoipa::path(put, path = "/api/v1/broadcasts/{id}", tag = "Broadcasts", request_body = UpdateBroadcast, responses(
    (status = 200, description = "The draft afterwards.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: it is no draft any more.")))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let it: UpdateBroadcast = cx.body()?;
    let broadcast = cx.named(&BROADCAST)?;
    let expected = cx.expected(shown(&cx, broadcast)).await?;
    let patch = BroadcastPatch {
        name: it.name,
        audience: it.audience,
        message: it.message,
        channel: it.channel_id,
        scheduled_at: it.scheduled_at,
        time_zone: it.time_zone,
        rate_per_minute: it.rate_per_minute,
    };
    Ok(show(&cx.services().broadcasts.update(cx.access(), broadcast, patch, &expected).await?))
}

/// Updates a draft.
///
/// Merges, as PUT does; audience and message are replaced whole.
#[utoipa::path(patch, path = "/api/v1/broadcasts/{id}", tag = "Broadcasts", request_body = UpdateBroadcast, responses(
    (status = 200, description = "The draft afterwards.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: it is no draft any more.")))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Deletes a broadcast that never began.
///
/// One that has begun is kept, with its counts.
#[utoipa::path(delete, path = "/api/v1/broadcasts/{id}", tag = "Broadcasts", responses(
    (status = 204, description = "It is gone."),
    (status = 409, description = "`broadcast_status`: it is on its way, or has begun once.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let broadcast = cx.named(&BROADCAST)?;
    let expected = cx.expected(shown(&cx, broadcast)).await?;
    cx.services().broadcasts.delete(cx.access(), broadcast, &expected).await?;
    Ok(Answer::no_content())
}

/// Shows what a broadcast would do if it were sent now.
///
/// Nothing is changed, so `Idempotency-Key` is ignored.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/preview", tag = "Broadcasts", responses(
    (status = 200, description = "A sample, and who would get nothing.", body = BroadcastPreviewView),
    (status = 409, description = "`no_channel`: the workspace has no channel to send on.")))]
pub async fn preview(cx: Cx) -> Result<Answer, Problem> {
    let broadcast = cx.named(&BROADCAST)?;
    let preview = tokio::time::timeout(PREVIEW, cx.services().broadcasts.preview(cx.access(), broadcast)).await;
    let preview = preview.unwrap_or_else(|_| Err(Error::Store(StoreError::TooSlow)))?;
    Ok(Answer::json(&BroadcastPreviewView::from(preview)))
}

/// Sends the message of a broadcast to one to five contacts, as it is now.
///
/// These are ordinary messages: each stands in its conversation, and counts for no broadcast.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/test", tag = "Broadcasts", request_body = TestBroadcast, responses(
    (status = 202, description = "The messages.", body = TestedBroadcast),
    (status = 409, description = "`no_channel`: the workspace has no channel to send on.")))]
pub async fn test(cx: Cx) -> Result<Answer, Problem> {
    let TestBroadcast { contact_ids } = cx.body()?;
    let broadcast = cx.named(&BROADCAST)?;
    let render = |done: &Done<Vec<Message>>| {
        let messages = done.value.iter().map(MessageView::from).collect();
        Answer::json(&TestedBroadcast { messages }).outcome(done.outcome)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.test(cx.access(), broadcast, &contact_ids, idempotency).await
    })
    .await
}

/// Sends a draft at its time, or at once.
///
/// Its audience is frozen when it begins.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/send", tag = "Broadcasts", request_body = SendBroadcast, responses(
    (status = 202, description = "The broadcast, scheduled.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: it is no draft. `audience_changed`: its audience has `count` contacts, which differs from `expected_count` by more than 5 %. `no_channel`: the workspace has no channel to send on.")))]
pub async fn send(cx: Cx) -> Result<Answer, Problem> {
    let SendBroadcast { expected_count } = cx.body()?;
    let broadcast = cx.named(&BROADCAST)?;
    let expected = cx.expected(shown(&cx, broadcast)).await?;
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.send(cx.access(), broadcast, expected_count, &expected, idempotency).await
    })
    .await
}

/// Pauses a broadcast that is being sent.
///
/// Portions that are under way go to their end; nobody further gets a message until it is resumed.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/pause", tag = "Broadcasts", responses(
    (status = 200, description = "The broadcast, paused.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: it is not being sent.")))]
pub async fn pause(cx: Cx) -> Result<Answer, Problem> {
    let broadcast = cx.named(&BROADCAST)?;
    let expected = cx.expected(shown(&cx, broadcast)).await?;
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.pause(cx.access(), broadcast, &expected, idempotency).await
    })
    .await
}

/// Resumes a paused broadcast, behind those who have their messages.
///
/// Each person gets it once, whatever the pauses.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/resume", tag = "Broadcasts", responses(
    (status = 200, description = "The broadcast, being sent.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: it is not paused.")))]
pub async fn resume(cx: Cx) -> Result<Answer, Problem> {
    let broadcast = cx.named(&BROADCAST)?;
    let expected = cx.expected(shown(&cx, broadcast)).await?;
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.resume(cx.access(), broadcast, &expected, idempotency).await
    })
    .await
}

/// Ends a broadcast for good: who has no message yet gets none.
///
/// Messages that went out stay.
#[utoipa::path(post, path = "/api/v1/broadcasts/{id}/cancel", tag = "Broadcasts", responses(
    (status = 200, description = "The broadcast, cancelled.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: it is a draft, or over.")))]
pub async fn cancel(cx: Cx) -> Result<Answer, Problem> {
    let broadcast = cx.named(&BROADCAST)?;
    let expected = cx.expected(shown(&cx, broadcast)).await?;
    cx.run_idempotent(render, async |idempotency| {
        cx.services().broadcasts.cancel(cx.access(), broadcast, &expected, idempotency).await
    })
    .await
}

/// The messages of a test, in the order of the contacts.
#[derive(Serialize, ToSchema)]
struct TestedBroadcast {
    /// The messages.
    messages: Vec<MessageView>,
}

/// A broadcast with what it lost.
#[derive(Serialize, ToSchema)]
struct ShownBroadcast {
    #[serde(flatten)]
    view: BroadcastView,
    /// What it named when that was deleted by force, until its audience is next written; absent where it lost nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn shown(cx: &Cx, broadcast: BroadcastId) -> Result<Answer, Error> {
    let found = cx.services().broadcasts.get(cx.access(), broadcast).await?;
    let lost = cx.services().broadcasts.lost(cx.access(), &found.broadcast).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    Ok(Answer::object(&ShownBroadcast { view: BroadcastView::from(&found), lost_references }, found.broadcast.version))
}

fn show(broadcast: &CountedBroadcast) -> Answer {
    Answer::object(&BroadcastView::from(broadcast), broadcast.broadcast.version)
}

fn render(done: &Done<CountedBroadcast>) -> Answer {
    let answer = show(&done.value).outcome(done.outcome);
    match done.outcome {
        Outcome::Created | Outcome::Accepted => {
            answer.located(format!("/api/v1/broadcasts/{}", done.value.broadcast.id))
        }
        Outcome::Changed | Outcome::Unchanged => answer,
    }
}

/// A condition or a segment; the condition's grammar is the domain's, which knows the fields of the workspace.
fn audience() -> impl Read<Audience> + Describe {
    described(|input: Input<'_>| Audience::parse(input), Described::named::<Audience>)
}

/// A message, as it is sent.
fn content() -> impl Read<Content> + Describe {
    described(|input: Input<'_>| Content::parse(input), Described::named::<Content>)
}
