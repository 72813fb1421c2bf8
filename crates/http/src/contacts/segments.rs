//! `/segments`: named conditions that select contacts.

use serde::Serialize;
use serde_json::Value;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::conditions::Condition;
use tidings_domain::ids::SegmentId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, any, name, wrong_type};
use tidings_domain::references::LostReferenceView;
use tidings_domain::segments::{CountedSegment, NewSegment, SegmentPatch, SegmentView};
use utoipa::ToSchema;

use crate::request::etag::EntityTag;
use crate::request::list_filters::NameFilters;
use crate::request::paging::{List, PageParams};
use crate::request::path::SEGMENT;
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] =
    &["id", "contact_count", "contact_count_is_capped", "counted_at", "created_at", "updated_at", "version"];

body! {
    /// A segment to create.
    #[read_only(READ_ONLY)]
    struct CreateSegment {
        /// Display name.
        required name: String = name(1..=100);
        /// The condition that contacts must satisfy.
        required condition: Value = condition();
    }
}

body! {
    /// Fields to update. Absent fields stay; the condition is replaced as a whole.
    #[read_only(READ_ONLY)]
    struct UpdateSegment {
        /// Display name.
        optional name: String = name(1..=100);
        /// The condition that contacts must satisfy.
        optional condition: Value = condition();
    }
}

/// List segments.
///
/// `contact_count` is the number of contacts at `counted_at`. A list updates old counts in the background, at most once
/// a minute. The next list shows the result.
#[utoipa::path(get, path = "/api/v1/segments", tag = "Segments", params(NameFilters, PageParams),
    responses((status = 200, description = "A page of segments.", body = List<SegmentView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let filter = query.read::<NameFilters>().with(None);
    query.finish()?;
    let page = cx.services().segments.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |segment| SegmentView::from(segment)))
}

/// Create a segment.
///
/// A segment is a named condition that selects contacts. It is evaluated again at each use.
#[utoipa::path(post, path = "/api/v1/segments", tag = "Segments", request_body = CreateSegment,
    responses((status = 201, description = "The segment.", body = SegmentView)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateSegment { name, condition } = cx.body()?;
    let command = NewSegment { name, condition };
    let render = |done: &Done<CountedSegment>| {
        show(&done.value).outcome(done.outcome).located(format!("/api/v1/segments/{}", done.value.segment.id))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().segments.create(cx.access(), command, idempotency).await
    })
    .await
}

/// Get a segment.
///
/// Includes the exact number of contacts that match now.
#[utoipa::path(get, path = "/api/v1/segments/{id}", tag = "Segments",
    responses((status = 200, description = "The segment.", body = ShownSegment),
    (status = 422, description = "`query_too_slow`: counting takes too long.")))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&SEGMENT)?).await?)
}

/// Update a segment.
///
/// Present fields replace, absent fields stay. The condition is replaced as a whole.
#[utoipa::path(method(put, patch), path = "/api/v1/segments/{id}", tag = "Segments", request_body = UpdateSegment,
    responses((status = 200, description = "The updated segment.", body = SegmentView)))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateSegment { name, condition } = cx.body()?;
    let segment = cx.path_parameter(&SEGMENT)?;
    let expected = cx.expected(load_answer(&cx, segment)).await?;
    let patch = SegmentPatch { name, condition };
    Ok(show(&cx.services().segments.update(cx.access(), segment, patch, &expected).await?))
}

/// Delete a segment.
///
/// Its contacts stay unchanged.
#[utoipa::path(delete, path = "/api/v1/segments/{id}", tag = "Segments", params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let segment = cx.path_parameter(&SEGMENT)?;
    let expected = cx.expected(load_answer(&cx, segment)).await?;
    cx.services().segments.delete(cx.access(), segment, deletion, &expected).await?;
    Ok(Answer::no_content())
}

/// A segment with its lost references.
#[derive(Serialize, ToSchema)]
struct ShownSegment {
    #[serde(flatten)]
    view: SegmentView,
    /// Objects that its condition used and that were deleted with `force`. Cleared when the condition is next updated;
    /// absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn load_answer(cx: &RequestContext, segment: SegmentId) -> Result<Answer, Error> {
    let found = cx.services().segments.get(cx.access(), segment).await?;
    let lost = cx.services().segments.lost_references(cx.access(), &found.segment).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    let mut body = ShownSegment { view: SegmentView::from(&found), lost_references };
    let answer = Answer::json(&body);
    body.view.counted_at = None;
    Ok(answer.tagged(EntityTag::of(found.segment.version, &Answer::json(&body).body)))
}

fn show(segment: &CountedSegment) -> Answer {
    let mut view = SegmentView::from(segment);
    let answer = Answer::json(&view);
    // A new count with the same result does not change the tag.
    view.counted_at = None;
    answer.tagged(EntityTag::of(segment.segment.version, &Answer::json(&view).body))
}

/// Reads a condition. The domain checks it, as it knows the fields of the workspace.
pub(crate) fn condition() -> impl Read<Value> + Describe {
    let read = |input: Input<'_>| match input {
        Input::Object(_) => any().read(input),
        other => Err(wrong_type("an object", other).into()),
    };
    described(read, Described::named::<Condition>)
}
