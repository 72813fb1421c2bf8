//! `/segments`: conditions with a name, which choose contacts.

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

use crate::answer::Answer;
use crate::etag::EntityTag;
use crate::list_filters::NameFilters;
use crate::paging::{List, PageParams};
use crate::path::SEGMENT;
use crate::problem::Problem;
use crate::request::{Cx, ForceParams};

const READ_ONLY: &[&str] =
    &["id", "contact_count", "contact_count_is_capped", "counted_at", "created_at", "updated_at", "version"];

body! {
    /// A segment to be created.
    #[read_only(READ_ONLY)]
    struct CreateSegment {
        /// What people call it.
        required name: String = name(1..=100);
        /// Whom it chooses.
        required condition: Value = condition();
    }
}

body! {
    /// A merging update: what is absent stays, the condition is replaced whole.
    #[read_only(READ_ONLY)]
    struct UpdateSegment {
        /// What people call it.
        optional name: String = name(1..=100);
        /// Whom it chooses.
        optional condition: Value = condition();
    }
}

/// Lists segments.
///
/// `contact_count` is the number of contacts at `counted_at`. A list has old counts refreshed in the background, at most once a
/// minute; the next list shows the result.
#[utoipa::path(get, path = "/api/v1/segments", tag = "Segments", params(NameFilters, PageParams),
    responses((status = 200, description = "A page of segments.", body = List<SegmentView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>()?;
    let filter = query.read::<NameFilters>().with(None);
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().segments.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |segment| SegmentView::from(segment)))
}

/// Creates a segment.
///
/// A condition with a name, which chooses contacts; who is chosen is asked anew each time.
#[utoipa::path(post, path = "/api/v1/segments", tag = "Segments", request_body = CreateSegment,
    responses((status = 201, description = "The segment.", body = SegmentView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
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

/// Shows a segment, with the number of contacts that it chooses now.
///
/// The count is exact.
#[utoipa::path(get, path = "/api/v1/segments/{id}", tag = "Segments",
    responses((status = 200, description = "The segment.", body = ShownSegment),
    (status = 422, description = "`query_too_slow`: counting takes too long.")))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, cx.named(&SEGMENT)?).await?)
}

/// Updates a segment.
///
/// Merges, as PATCH does; the condition is replaced whole.
#[utoipa::path(put, path = "/api/v1/segments/{id}", tag = "Segments", request_body = UpdateSegment,
    responses((status = 200, description = "The segment afterwards.", body = SegmentView)))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let UpdateSegment { name, condition } = cx.body()?;
    let segment = cx.named(&SEGMENT)?;
    let expected = cx.expected(shown(&cx, segment)).await?;
    let patch = SegmentPatch { name, condition };
    Ok(show(&cx.services().segments.update(cx.access(), segment, patch, &expected).await?))
}

/// Updates a segment.
///
/// Merges, as PUT does; the condition is replaced whole.
#[utoipa::path(patch, path = "/api/v1/segments/{id}", tag = "Segments", request_body = UpdateSegment,
    responses((status = 200, description = "The segment afterwards.", body = SegmentView)))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Deletes a segment.
///
/// The contacts that it chooses stay as they are.
#[utoipa::path(delete, path = "/api/v1/segments/{id}", tag = "Segments", params(ForceParams),
    responses((status = 204, description = "It is gone."),
    (status = 409, description = "`in_use`: other objects name it; `dependents` lists them.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let segment = cx.named(&SEGMENT)?;
    let expected = cx.expected(shown(&cx, segment)).await?;
    cx.services().segments.delete(cx.access(), segment, deletion, &expected).await?;
    Ok(Answer::no_content())
}

/// A segment with what it lost.
#[derive(Serialize, ToSchema)]
struct ShownSegment {
    #[serde(flatten)]
    view: SegmentView,
    /// What its condition named when that was deleted by force, until it is next written; absent where it lost nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn shown(cx: &Cx, segment: SegmentId) -> Result<Answer, Error> {
    let found = cx.services().segments.get(cx.access(), segment).await?;
    let lost = cx.services().segments.lost(cx.access(), &found.segment).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    let mut body = ShownSegment { view: SegmentView::from(&found), lost_references };
    let answer = Answer::json(&body);
    body.view.counted_at = None;
    Ok(answer.tagged(EntityTag::of(found.segment.version, &Answer::json(&body).body)))
}

fn show(segment: &CountedSegment) -> Answer {
    let mut view = SegmentView::from(segment);
    let answer = Answer::json(&view);
    // The same number, counted again, is the same segment.
    view.counted_at = None;
    answer.tagged(EntityTag::of(segment.segment.version, &Answer::json(&view).body))
}

/// Its grammar is the domain's, which knows the fields of the workspace.
pub(crate) fn condition() -> impl Read<Value> + Describe {
    let read = |input: Input<'_>| match input {
        Input::Object(_) => any().read(input),
        other => Err(wrong_type("an object", other).into()),
    };
    described(read, Described::named::<Condition>)
}
