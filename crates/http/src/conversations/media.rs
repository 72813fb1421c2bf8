//! `/media`: files of messages.

mod byte_range;
mod content;
mod disposition;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::media::{LINK_LIFE, MAX_LINK_LIFE, Media, MediaView};
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Violation, string};
use tidings_domain::time::{IsoDuration, Timestamp};

use crate::request::RequestContext;
use crate::request::path::{MEDIA, MEDIA_TOKEN};
use crate::request::upload::UploadParams;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};
use content::content;

/// Value of `Retry-After`, in seconds, for a file that is being fetched.
const PENDING_RETRY: u64 = 5;

body! {
    /// The lifetime of a link.
    struct CreateMediaLink {
        /// Lifetime (ISO 8601), at most `P7D`.
        optional expires_in: IsoDuration = string(life).default("PT24H").example("PT1H");
    }
}

/// A link to a file.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct MediaLink {
    /// The URL. Everyone who has it can read the file. It begins with the public URL of the server; without a public
    /// URL, it is a path.
    url: String,
    /// End of its lifetime.
    expires_at: Timestamp,
}

fn life(text: &str) -> Result<IsoDuration, Violation> {
    let life: IsoDuration = text.parse().map_err(|error| Violation::at_root("invalid_format", format!("{error}")))?;
    if life.get().is_zero() || life.get() > MAX_LINK_LIFE {
        Err(Violation::at_root("out_of_range", "must be more than zero and at most P7D"))
    } else {
        Ok(life)
    }
}

/// Upload a file.
///
/// The body is the file itself, with `name` as a parameter, or `multipart/form-data` with one part, `file`. The server
/// stores the bytes as they arrive, and recognizes the type by the content. `Content-Type` is ignored. HTML, SVG and
/// unknown content become `application/octet-stream`.
///
/// Send `id` as `media_id` of an attachment. A file that no message, flow, sequence, broadcast or saved reply
/// uses is deleted after 24 hours.
#[utoipa::path(post, path = "/api/v1/media", tag = "Files", params(UploadParams),
    request_body(content = String, content_type = "application/octet-stream", example = "Hello"),
    responses((status = 201, description = "The file.", body = MediaView),
    (status = 409, description = "`media_quota`: the files of the workspace would exceed the limit of its plan."),
    (status = 413, description = "`too_large`: the file is larger than `media.max_bytes`.")))]
pub async fn upload(mut cx: RequestContext) -> Result<Answer, Problem> {
    let received = cx.upload.take().ok_or_else(|| Problem::new(Code::Internal))?;
    let render = |done: &Done<Media>| {
        let media = &done.value;
        let answer = Answer::object(&MediaView::from(media), media.version).outcome(done.outcome);
        answer.located(format!("/api/v1/media/{}", media.id))
    };
    let media = &cx.services().media;
    let is_used = AtomicBool::new(false);
    let answer = cx
        .run_idempotent(render, async |idempotency| {
            is_used.store(true, Ordering::Relaxed);
            media.create(cx.access(), (received.name.as_str(), &received.file), idempotency).await
        })
        .await;
    if !is_used.load(Ordering::Relaxed) {
        // An earlier request with the same idempotency key has stored the file, or the workspace is full.
        media.discard(&received.file).await;
    }
    answer
}

/// Download a file.
///
/// Returns the content. With `Range`, the response is 206 with a part of it. A browser stores the file and does not
/// show it.
#[utoipa::path(get, path = "/api/v1/media/{id}", tag = "Files",
    responses((status = 200, description = "The content.", content_type = "application/octet-stream", body = String),
    (status = 416, description = "`range_not_satisfiable`: the range begins after the end of the file."),
    (status = 425, description = "`file_pending`: the server is still fetching the file of a contact's message.")))]
pub async fn download(cx: RequestContext) -> Result<Answer, Problem> {
    let id = cx.path_parameter(&MEDIA)?;
    let service = cx.services().media.clone();
    let found = service.get(cx.access(), id).await;
    if found == Err(Error::NotFound) && cx.services().conversations.is_file_pending(cx.access(), id).await? {
        return Err(Problem::new(Code::FilePending).retry_after(PENDING_RETRY));
    }
    content(service, cx.access().clone(), found?, cx.range.as_deref()).await
}

/// Delete a file.
///
/// Only a file that no message, flow, sequence, broadcast or saved reply uses can be deleted. A file that only messages
/// with one contact use is deleted when the contact is erased.
#[utoipa::path(delete, path = "/api/v1/media/{id}", tag = "Files",
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: a message uses the file, or one of the `dependents`.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    cx.services().media.delete(cx.access(), cx.path_parameter(&MEDIA)?).await?;
    Ok(Answer::no_content())
}

/// Create a link to a file.
///
/// The link works without a credential until it expires. It cannot be revoked.
#[utoipa::path(post, path = "/api/v1/media/{id}/link", tag = "Files", request_body = CreateMediaLink,
    responses((status = 200, description = "The link.", body = MediaLink)))]
pub async fn link(cx: RequestContext) -> Result<Answer, Problem> {
    let CreateMediaLink { expires_in } = cx.body()?;
    let life = expires_in.map_or(LINK_LIFE, IsoDuration::get);
    let link = cx.services().media.link(cx.access(), cx.path_parameter(&MEDIA)?, life).await?;
    Ok(Answer::json(&MediaLink { url: link.url, expires_at: link.expires_at }))
}

/// Download a file by a link.
///
/// Returns the content, without a credential. Invalid and expired links return the same 404.
#[utoipa::path(get, path = "/m/{token}", tag = "Files",
    responses((status = 200, description = "The content.", content_type = "application/octet-stream", body = String),
    (status = 404, description = "`not_found`: the link is invalid or has expired, or the file or its \
    workspace was deleted."),
    (status = 416, description = "`range_not_satisfiable`: the range begins after the end of the file."),
    (status = 429, description = "`too_many_attempts`: too many requests from this address.")))]
pub async fn open_link(cx: RequestContext) -> Result<Answer, Problem> {
    let token = cx.path_parameter(&MEDIA_TOKEN)?;
    let service = cx.services().media.clone();
    let (access, media) = service.open_link(&token).await?;
    content(service, access, media, cx.range.as_deref()).await
}
