//! `/saved-replies`: texts and files for members who answer contacts.

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::conversations::{Attachment, MAX_ATTACHMENTS, MAX_TEXT};
use tidings_domain::ids::SavedReplyId;
use tidings_domain::outcome::Done;
use tidings_domain::read::{list as list_of, name, nested, text};
use tidings_domain::saved_replies::{NewSavedReply, SavedReply, SavedReplyPatch, SavedReplyView};

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::request::path::SAVED_REPLY;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &["id", "created_at", "updated_at", "version"];

body! {
    /// A saved reply to create.
    #[read_only(READ_ONLY)]
    struct CreateSavedReply {
        /// Name, unique in the workspace (case-insensitive).
        required name: String = name(1..=100);
        /// Text, a template as in messages of flows.
        required text: String = text(1..=MAX_TEXT);
        /// Files that are attached with the text.
        optional attachments: Vec<Attachment> = list_of(0..=MAX_ATTACHMENTS, nested());
    }
}

body! {
    /// Fields to update. Absent fields stay.
    #[read_only(READ_ONLY)]
    struct UpdateSavedReply {
        /// Name, unique in the workspace (case-insensitive).
        optional name: String = name(1..=100);
        /// Text, a template as in messages of flows.
        optional text: String = text(1..=MAX_TEXT);
        /// Files that are attached with the text; replaced as a whole.
        optional attachments: Vec<Attachment> = list_of(0..=MAX_ATTACHMENTS, nested());
    }
}

/// List saved replies.
///
/// Agents insert saved replies into their messages.
#[utoipa::path(get, path = "/api/v1/saved-replies", tag = "Saved replies", params(PageParams),
    responses((status = 200, description = "A page of saved replies.", body = List<SavedReplyView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().saved_replies.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |reply| SavedReplyView::from(reply)))
}

/// Create a saved reply.
///
/// The text is a template, which is rendered for the contact when it is sent. Names are unique in a workspace.
#[utoipa::path(post, path = "/api/v1/saved-replies", tag = "Saved replies", request_body = CreateSavedReply,
    responses((status = 201, description = "The saved reply.", body = SavedReplyView),
    (status = 409, description = "`name_taken`: another saved reply has this name.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateSavedReply { name, text, attachments } = cx.body()?;
    let command = NewSavedReply { name, text, attachments: attachments.unwrap_or_default() };
    let render = |done: &Done<SavedReply>| {
        show(&done.value).outcome(done.outcome).located(format!("/api/v1/saved-replies/{}", done.value.id))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().saved_replies.create(cx.access(), command, idempotency).await
    })
    .await
}

/// Get a saved reply.
///
/// Returns the template, not the rendered text.
#[utoipa::path(get, path = "/api/v1/saved-replies/{id}", tag = "Saved replies",
    responses((status = 200, description = "The saved reply.", body = SavedReplyView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&SAVED_REPLY)?).await?)
}

/// Update a saved reply.
///
/// Present fields replace, absent fields stay. `attachments` is replaced as a whole.
#[utoipa::path(method(put, patch), path = "/api/v1/saved-replies/{id}", tag = "Saved replies",
    request_body = UpdateSavedReply,
    responses((status = 200, description = "The updated saved reply.", body = SavedReplyView),
    (status = 409, description = "`name_taken`: another saved reply has this name.")))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateSavedReply { name, text, attachments } = cx.body()?;
    let reply = cx.path_parameter(&SAVED_REPLY)?;
    let expected = cx.expected(load_answer(&cx, reply)).await?;
    let patch = SavedReplyPatch { name, text, attachments };
    Ok(show(&cx.services().saved_replies.update(cx.access(), reply, patch, &expected).await?))
}

/// Delete a saved reply.
///
/// Messages that were sent with it stay.
#[utoipa::path(delete, path = "/api/v1/saved-replies/{id}", tag = "Saved replies",
    responses((status = 204, description = "Deleted.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let reply = cx.path_parameter(&SAVED_REPLY)?;
    let expected = cx.expected(load_answer(&cx, reply)).await?;
    cx.services().saved_replies.delete(cx.access(), reply, &expected).await?;
    Ok(Answer::no_content())
}

async fn load_answer(cx: &RequestContext, reply: SavedReplyId) -> Result<Answer, Error> {
    Ok(show(&cx.services().saved_replies.get(cx.access(), reply).await?))
}

fn show(reply: &SavedReply) -> Answer {
    Answer::object(&SavedReplyView::from(reply), reply.version)
}
