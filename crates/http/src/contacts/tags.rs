//! `/tags`: labels on contacts.

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::ids::TagId;
use tidings_domain::outcome::Done;
use tidings_domain::pagination::Sort;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, name, string, text};
use tidings_domain::tags::{NewTagCommand, Tag, TagPatch, TagView};

use crate::request::list_filters::NameFilters;
use crate::request::paging::{Include, List, ListParameters, ListQuery, cursor, include, sort};
use crate::request::path::TAG;
use crate::request::query::{limit, parameters};
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &["id", "contact_count", "created_at", "updated_at", "version"];

parameters! {
    struct TagPage {
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
        /// Attribute to sort by; a leading `-` reverses the order. Names are sorted case-insensitively.
        one sort: Sort = sort("TagSort", &Tag::SORTS);
        /// `total` also counts the items on all pages.
        one include: Include = include();
        /// `next_cursor` of the previous page.
        one cursor: String = cursor();
    }
}

impl ListParameters for TagPage {
    type Order = Sort;

    fn into_list_query(self) -> ListQuery<Sort> {
        ListQuery { limit: self.limit, order: self.sort, counted: self.include.is_some(), cursor: self.cursor }
    }
}

body! {
    /// A tag to create.
    #[read_only(READ_ONLY)]
    struct CreateTag {
        /// Name, unique in the workspace (case-insensitive).
        required name: String = name(1..=100);
        /// `#rrggbb`.
        nullable color: String = color();
        /// Description.
        nullable description: String = text(0..=500);
    }
}

body! {
    /// Fields to update. Absent fields stay, `null` clears.
    #[read_only(READ_ONLY)]
    struct UpdateTag {
        /// Name, unique in the workspace (case-insensitive).
        optional name: String = name(1..=100);
        /// `#rrggbb`.
        patch color: String = color();
        /// Description.
        patch description: String = text(0..=500);
    }
}

/// List tags.
///
/// `q` matches part of the name, `name` the whole name.
#[utoipa::path(get, path = "/api/v1/tags", tag = "Tags", params(NameFilters, TagPage),
    responses((status = 200, description = "A page of tags.", body = List<TagView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<TagPage>();
    let filter = query.read::<NameFilters>().with(None);
    query.finish()?;
    let page = cx.services().tags.list(cx.access(), &filter, paging.request.clone()).await?;
    Ok(cx.page(&paging, page, |tag| TagView::from(tag)))
}

/// Create a tag.
///
/// Names are unique in a workspace.
#[utoipa::path(post, path = "/api/v1/tags", tag = "Tags", request_body = CreateTag, responses(
    (status = 201, description = "The tag.", body = TagView),
    (status = 409, description = "`name_taken`: another tag has this name.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateTag { name, color, description } = cx.body()?;
    let command = NewTagCommand { name, color, description };
    let render =
        |done: &Done<Tag>| show(&done.value).outcome(done.outcome).located(format!("/api/v1/tags/{}", done.value.id));
    cx.run_idempotent(render, async |idempotency| cx.services().tags.create(cx.access(), command, idempotency).await)
        .await
}

/// Get a tag.
///
/// `GET /contacts` lists the contacts with the tag.
#[utoipa::path(get, path = "/api/v1/tags/{id}", tag = "Tags",
    responses((status = 200, description = "The tag.", body = TagView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&TAG)?).await?)
}

/// Update a tag.
///
/// Present fields replace, absent fields stay, `null` clears.
#[utoipa::path(method(put, patch), path = "/api/v1/tags/{id}", tag = "Tags", request_body = UpdateTag, responses(
    (status = 200, description = "The updated tag.", body = TagView),
    (status = 409, description = "`name_taken`: another tag has this name.")))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateTag { name, color, description } = cx.body()?;
    let patch = TagPatch { name, color, description };
    let tag = cx.path_parameter(&TAG)?;
    let expected = cx.expected(load_answer(&cx, tag)).await?;
    Ok(show(&cx.services().tags.update(cx.access(), tag, patch, &expected).await?))
}

/// Delete a tag.
///
/// It is removed from all contacts at once.
#[utoipa::path(delete, path = "/api/v1/tags/{id}", tag = "Tags",
    params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let tag = cx.path_parameter(&TAG)?;
    let expected = cx.expected(load_answer(&cx, tag)).await?;
    cx.services().tags.delete(cx.access(), tag, deletion, &expected).await?;
    Ok(Answer::no_content())
}

async fn load_answer(cx: &RequestContext, tag: TagId) -> Result<Answer, Error> {
    Ok(show(&cx.services().tags.get(cx.access(), tag).await?))
}

fn show(tag: &Tag) -> Answer {
    Answer::object(&TagView::from(tag), tag.version)
}

/// Reads `#rrggbb`, and converts it to lower case.
fn color() -> impl Read<String> + Describe {
    string(|text| {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        match digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            Some(_) => Ok(text.to_ascii_lowercase()),
            None => Err(Violation::at_root("invalid_format", "expected a colour such as #1a2b3c")),
        }
    })
    .with(|it| it.pattern(Some("^#[0-9A-Fa-f]{6}$")))
}
