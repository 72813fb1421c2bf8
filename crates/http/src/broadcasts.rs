//! `/broadcasts`: one message to many contacts.

pub(crate) mod sending;

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::broadcasts::{
    Audience, BroadcastPatch, BroadcastRecipientView, BroadcastStatus, BroadcastView, BroadcastZone, CountedBroadcast,
    NewBroadcast, RecipientStatus,
};
use tidings_domain::conversations::Content;
use tidings_domain::ids::{BroadcastId, ChannelId};
use tidings_domain::outcome::{Done, Outcome};
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, id, integer, name, timestamp, word};
use tidings_domain::references::LostReferenceView;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::request::RequestContext;
use crate::request::list_filters::NameFilters;
use crate::request::paging::{List, PageParams, UncountedPageParams};
use crate::request::path::BROADCAST;
use crate::request::query::parameters;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] =
    &["id", "repeats", "status", "error", "stats", "started_at", "ended_at", "created_at", "updated_at", "version"];
/// The maximum of `rate_per_minute`.
const MOST_A_MINUTE: i64 = 100_000;

body! {
    /// A broadcast to create, as a draft.
    #[read_only(READ_ONLY)]
    struct CreateBroadcast {
        /// Display name.
        required name: String = name(1..=100);
        /// The audience: a condition, or `{"segment_id": …}`.
        required audience: Audience = audience();
        /// The message. Its texts are templates, rendered for each contact.
        required message: Content = content();
        /// The channel; if absent, the default channel of the workspace at the time of sending.
        nullable channel_id: ChannelId = id();
        /// When to start; immediately after `send` if absent.
        nullable scheduled_at: Timestamp = timestamp();
        /// Time zone of `scheduled_at`: `workspace` (default) starts for all contacts at the same instant; `contact`
        /// starts when the local time of each contact reaches the local time that `scheduled_at` has in the workspace.
        optional time_zone: BroadcastZone = word(BroadcastZone::WORDS, BroadcastZone::parse);
        /// Maximum number of messages per minute; unlimited if absent.
        nullable rate_per_minute: i64 = integer(1..=MOST_A_MINUTE);
    }
}

body! {
    /// Fields of a draft to update. Absent fields stay; `audience` and `message` are replaced as a whole.
    #[read_only(READ_ONLY)]
    struct UpdateBroadcast {
        /// Display name.
        optional name: String = name(1..=100);
        /// The audience: a condition, or `{"segment_id": …}`.
        optional audience: Audience = audience();
        /// The message. Its texts are templates, rendered for each contact.
        optional message: Content = content();
        /// The channel.
        patch channel_id: ChannelId = id();
        /// When to start.
        patch scheduled_at: Timestamp = timestamp();
        /// Time zone of `scheduled_at`.
        optional time_zone: BroadcastZone = word(BroadcastZone::WORDS, BroadcastZone::parse);
        /// Maximum number of messages per minute.
        patch rate_per_minute: i64 = integer(1..=MOST_A_MINUTE);
    }
}

parameters! {
    struct BroadcastFilters {
        flat called: NameFilters;
        /// Only broadcasts with this status.
        one status: BroadcastStatus = word(BroadcastStatus::WORDS, BroadcastStatus::parse);
    }
}

parameters! {
    struct RecipientFilters {
        /// Only recipients with this status.
        one status: RecipientStatus = word(RecipientStatus::WORDS, RecipientStatus::parse);
    }
}

/// List broadcasts.
///
/// Newest first unless `sort` is set. Includes drafts and finished broadcasts.
#[utoipa::path(get, path = "/api/v1/broadcasts", tag = "Broadcasts", params(BroadcastFilters, PageParams),
    responses((status = 200, description = "A page of broadcasts.", body = List<BroadcastView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let BroadcastFilters { called, status } = query.read();
    query.finish()?;
    let page = cx.services().broadcasts.list(cx.access(), &called.with(status), paging.request).await?;
    Ok(cx.page(&paging, page, |broadcast| BroadcastView::from(broadcast)))
}

/// Create a broadcast.
///
/// Creates a draft. Nothing is sent before `send`.
#[utoipa::path(post, path = "/api/v1/broadcasts", tag = "Broadcasts", request_body = CreateBroadcast,
    responses((status = 201, description = "The draft.", body = BroadcastView)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
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

/// Get a broadcast.
///
/// Includes the counts of its messages. `lost_references` lists deleted objects that the broadcast used.
#[utoipa::path(get, path = "/api/v1/broadcasts/{id}", tag = "Broadcasts",
    responses((status = 200, description = "The broadcast.", body = ShownBroadcast)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&BROADCAST)?).await?)
}

/// Update a broadcast.
///
/// Works only for drafts. Present fields replace, absent fields stay, `null` clears. `audience` and `message` are
/// replaced as a whole.
#[utoipa::path(method(put, patch), path = "/api/v1/broadcasts/{id}", tag = "Broadcasts",
    request_body = UpdateBroadcast, responses(
    (status = 200, description = "The updated draft.", body = BroadcastView),
    (status = 409, description = "`broadcast_status`: the broadcast is no longer a draft.")))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let it: UpdateBroadcast = cx.body()?;
    let broadcast = cx.path_parameter(&BROADCAST)?;
    let expected = cx.expected(load_answer(&cx, broadcast)).await?;
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

/// Delete a broadcast.
///
/// Works only for broadcasts that never started. A broadcast that started stays, with its counts.
#[utoipa::path(delete, path = "/api/v1/broadcasts/{id}", tag = "Broadcasts", responses(
    (status = 204, description = "Deleted."),
    (status = 409, description = "`broadcast_status`: the broadcast is scheduled, or has already started.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let broadcast = cx.path_parameter(&BROADCAST)?;
    let expected = cx.expected(load_answer(&cx, broadcast)).await?;
    cx.services().broadcasts.delete(cx.access(), broadcast, &expected).await?;
    Ok(Answer::no_content())
}

/// List recipients.
///
/// Returns the recipients of a broadcast that started, with their results, in the order of their contacts: the newest
/// contact first unless `sort` is set. Recipients are removed some time after the end of the broadcast.
#[utoipa::path(get, path = "/api/v1/broadcasts/{id}/recipients", tag = "Broadcasts",
    params(RecipientFilters, UncountedPageParams),
    responses((status = 200, description = "A page of recipients.", body = List<BroadcastRecipientView>)))]
pub async fn list_recipients(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<UncountedPageParams>();
    let RecipientFilters { status } = query.read();
    query.finish()?;
    let broadcast = cx.path_parameter(&BROADCAST)?;
    let page = cx.services().broadcasts.recipients(cx.access(), broadcast, status, paging.request).await?;
    Ok(cx.page(&paging, page, |recipient| BroadcastRecipientView::from(recipient)))
}

/// A broadcast with its lost references.
#[derive(Serialize, ToSchema)]
struct ShownBroadcast {
    #[serde(flatten)]
    view: BroadcastView,
    /// Objects that it used and that were deleted with `force`. Cleared when the audience is next updated; absent if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn load_answer(cx: &RequestContext, broadcast: BroadcastId) -> Result<Answer, Error> {
    let found = cx.services().broadcasts.get(cx.access(), broadcast).await?;
    let lost = cx.services().broadcasts.shown_losses(cx.access(), &found.broadcast).await?;
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

/// Reads a condition or a segment. The domain checks the condition, as it knows the fields of the workspace.
fn audience() -> impl Read<Audience> + Describe {
    described(|input: Input<'_>| Audience::parse(input), Described::named::<Audience>)
}

pub(crate) fn content() -> impl Read<Content> + Describe {
    described(|input: Input<'_>| Content::parse(input), Described::named::<Content>)
}
