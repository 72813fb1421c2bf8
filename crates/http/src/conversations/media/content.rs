//! The bytes of a file as a response. A browser stores the file, and never shows or runs it as a page of this server.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
};
use bytes::Bytes;
use futures::stream::{self, StreamExt};
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::media::{Media, MediaService};

use super::byte_range::ByteRange;
use super::disposition::attachment;
use crate::response::answer::{AbortedBody, Answer};
use crate::response::problem::{Code, Problem};

/// Maximum number of bytes that are read at once.
const PORTION: u64 = 64 * 1024;
/// Forbids scripts, frames and requests, even if a browser shows the file.
const POLICY: &str = "default-src 'none'; sandbox";
/// Only the client itself may store the file, for an hour.
const CACHING: &str = "private, max-age=3600";

/// A file that is being read, from the byte with the index `next` on, up to the index `end`.
struct Reading {
    service: MediaService,
    access: Access,
    media: Media,
    next: u64,
    end: u64,
}

impl Reading {
    /// Reads the next bytes; empty at the end.
    async fn read(&mut self) -> Result<Bytes, Error> {
        let most = self.end.saturating_sub(self.next).min(PORTION);
        if most == 0 {
            return Ok(Bytes::new());
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let bytes = self.service.read(&self.access, self.media.id, self.next, most).await?;
        self.next = self.next.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Ok(bytes.into())
    }

    /// Returns the next bytes of a body; `None` at the end. A file that ends too early aborts the response.
    async fn portion(mut self) -> Result<Option<(Bytes, Self)>, AbortedBody> {
        let bytes = self.read().await.map_err(|error| {
            tracing::warn!(%error, "a file could not be read");
            AbortedBody
        })?;
        match bytes.is_empty() {
            true if self.next < self.end => Err(AbortedBody),
            true => Ok(None),
            false => Ok(Some((bytes, self))),
        }
    }
}

/// Returns the bytes of a file that `range`, a header, selects.
///
/// # Errors
/// 404 if the file was deleted, 416 if the range begins after its end, 503.
pub(super) async fn content(
    service: MediaService,
    access: Access,
    media: Media,
    range: Option<&str>,
) -> Result<Answer, Problem> {
    let size = u64::try_from(media.size).unwrap_or_default();
    let (content_type, disposition) = (media.media_type.as_str(), attachment(&media.name));
    let (status, next, end) = match ByteRange::of(range, size) {
        ByteRange::Whole => (StatusCode::OK, 0, size),
        ByteRange::Part(first, last) => (StatusCode::PARTIAL_CONTENT, first, last.saturating_add(1)),
        ByteRange::Unsatisfiable => {
            return Err(Problem::new(Code::RangeNotSatisfiable).header(CONTENT_RANGE, &format!("bytes */{size}")));
        }
    };
    let mut reading = Reading { service, access, media, next, end };
    // A missing file is reported before the response begins.
    let first = reading.read().await?;
    let rest = stream::try_unfold(reading, Reading::portion);
    let body = stream::once(async move { Ok(first) }).filter(|it| futures::future::ready(has_bytes(it))).chain(rest);
    let answer = guarded(Answer::streamed(content_type, body).sized(end.saturating_sub(next)).status(status));
    let answer = answer.with(CONTENT_DISPOSITION, &disposition);
    if status == StatusCode::OK {
        return Ok(answer);
    }
    Ok(answer.with(CONTENT_RANGE, &format!("bytes {next}-{}/{size}", end.saturating_sub(1))))
}

fn has_bytes(portion: &Result<Bytes, AbortedBody>) -> bool {
    portion.as_ref().is_ok_and(|bytes| !bytes.is_empty())
}

fn guarded(answer: Answer) -> Answer {
    let answer = answer.with(CONTENT_SECURITY_POLICY, POLICY).with(CACHE_CONTROL, CACHING);
    answer.with(ACCEPT_RANGES, "bytes")
}
