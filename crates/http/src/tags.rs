//! `/tags`: labels on contacts.

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::ids::TagId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, string, text};
use tidings_domain::tags::{NewTagCommand, Tag, TagPatch, TagView};
use utoipa::{IntoParams, ToSchema};

use crate::answer::Answer;
use crate::paging::{Include, List};
use crate::problem::Problem;
use crate::request::{Cx, ForceParams};

const READ_ONLY: &[&str] = &["id", "contact_count", "created_at", "updated_at", "version"];

/// A tag in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct TagPath {
    /// The tag's id.
    #[param(inline)]
    id: TagId,
}

/// The parameters of the list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct TagPage {
    /// How many rows at the most.
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: Option<u32>,
    /// By which attribute; a `-` in front turns the order around. Names without regard to case.
    #[param(inline)]
    sort: Option<TagSort>,
    /// `next_cursor` of the page before.
    #[param(max_length = 1024)]
    cursor: Option<String>,
    /// `total` counts the rows of all pages.
    #[param(inline)]
    include: Option<Include>,
}

/// In which order the list runs.
#[derive(ToSchema)]
#[schema(default = "-created_at")]
#[allow(dead_code, reason = "describes the parameter")]
enum TagSort {
    #[schema(rename = "created_at")]
    OldestFirst,
    #[schema(rename = "-created_at")]
    NewestFirst,
    #[schema(rename = "name")]
    Name,
    #[schema(rename = "-name")]
    NameBackwards,
}

body! {
    /// A tag to be created.
    #[read_only(READ_ONLY)]
    struct CreateTag {
        /// Unique in the workspace without regard to case.
        required name: String = text(1..=100);
        /// `#rrggbb`.
        nullable color: String = color();
        /// What it is for.
        nullable description: String = text(0..=500);
    }
}

body! {
    /// A merging update: what is absent stays, `null` clears.
    #[read_only(READ_ONLY)]
    struct UpdateTag {
        /// Unique in the workspace without regard to case.
        optional name: String = text(1..=100);
        /// `#rrggbb`.
        patch color: String = color();
        /// What it is for.
        patch description: String = text(0..=500);
    }
}

/// Lists tags.
#[utoipa::path(get, path = "/api/v1/tags", tag = "Tags", params(TagPage),
    responses((status = 200, description = "A page of tags.", body = List<TagView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (query, paging) = cx.sorted_query(&Tag::SORTS)?;
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().tags.list(cx.access(), paging.request.clone()).await?;
    Ok(cx.page(&paging, page, |tag| TagView::from(tag)))
}

/// Creates a tag.
#[utoipa::path(post, path = "/api/v1/tags", tag = "Tags", request_body = CreateTag, responses(
    (status = 201, description = "The tag.", body = TagView),
    (status = 409, description = "`name_taken`: another tag has this name.")))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let CreateTag { name, color, description } = cx.body()?;
    let command = NewTagCommand { name, color, description };
    let render =
        |done: &Done<Tag>| show(&done.value).outcome(done.outcome).located(format!("/api/v1/tags/{}", done.value.id));
    cx.run_idempotent(render, async |idempotency| cx.services().tags.create(cx.access(), command, idempotency).await)
        .await
}

/// Shows a tag.
#[utoipa::path(get, path = "/api/v1/tags/{id}", tag = "Tags", params(TagPath),
    responses((status = 200, description = "The tag.", body = TagView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, cx.id("id")?).await?)
}

/// Updates a tag.
///
/// Merges, as PATCH does.
#[utoipa::path(put, path = "/api/v1/tags/{id}", tag = "Tags", params(TagPath), request_body = UpdateTag, responses(
    (status = 200, description = "The tag afterwards.", body = TagView),
    (status = 409, description = "`name_taken`: another tag has this name.")))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let UpdateTag { name, color, description } = cx.body()?;
    let patch = TagPatch { name, color, description };
    let tag = cx.id("id")?;
    let expected = cx.expected(shown(&cx, tag)).await?;
    Ok(show(&cx.services().tags.update(cx.access(), tag, patch, &expected).await?))
}

/// Updates a tag.
///
/// Merges, as PUT does.
#[utoipa::path(patch, path = "/api/v1/tags/{id}", tag = "Tags", params(TagPath), request_body = UpdateTag, responses(
    (status = 200, description = "The tag afterwards.", body = TagView),
    (status = 409, description = "`name_taken`: another tag has this name.")))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Deletes a tag.
///
/// It is gone from all contacts at once.
#[utoipa::path(delete, path = "/api/v1/tags/{id}", tag = "Tags",
    params(TagPath, ForceParams),
    responses((status = 204, description = "It is gone."),
    (status = 409, description = "`in_use`: other objects name it; `dependents` lists them.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let tag = cx.id("id")?;
    let expected = cx.expected(shown(&cx, tag)).await?;
    cx.services().tags.delete(cx.access(), tag, deletion, &expected).await?;
    Ok(Answer::no_content())
}

async fn shown(cx: &Cx, tag: TagId) -> Result<Answer, Error> {
    Ok(show(&cx.services().tags.get(cx.access(), tag).await?))
}

fn show(tag: &Tag) -> Answer {
    Answer::object(&TagView::from(tag), tag.version)
}

/// `#rrggbb`, in small letters from here on.
fn color() -> impl Read<String> + Describe {
    string(|text| {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        match digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            Some(_) => Ok(text.to_ascii_lowercase()),
            None => Err(Violation::here("invalid_format", "expected a colour such as #1a2b3c")),
        }
    })
    .with(|it| it.pattern(Some("^#[0-9A-Fa-f]{6}$")))
}
