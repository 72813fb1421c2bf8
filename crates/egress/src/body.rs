//! Bodies of requests: none, bytes in memory, or a stream.

use std::{fmt, io};

use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt, TryStreamExt};
use reqwest::RequestBuilder;
use reqwest::header::CONTENT_LENGTH;

pub(crate) type Chunks = BoxStream<'static, io::Result<Bytes>>;

/// The body of a request.
pub struct Body(pub(crate) Content);

pub(crate) enum Content {
    Empty,
    Whole(Bytes),
    /// Without a length, HTTP/1.1 sends the stream in chunks.
    Stream {
        chunks: Chunks,
        length: Option<u64>,
    },
}

/// The source of a streamed body failed, or did not have the length that was announced.
#[derive(Debug, thiserror::Error)]
#[error("the source of the request body failed")]
pub(crate) struct SourceFailed;

impl Body {
    /// No body.
    pub fn empty() -> Self {
        Self(Content::Empty)
    }

    /// A stream of unknown length. Many servers, such as S3, reject a request without `Content-Length`: use
    /// [`Body::sized`] for them.
    pub fn stream(chunks: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self(Content::Stream { chunks: chunks.boxed(), length: None })
    }

    /// A stream of `length` bytes. The call fails if the stream has more or fewer.
    pub fn sized(chunks: impl Stream<Item = io::Result<Bytes>> + Send + 'static, length: u64) -> Self {
        Self(Content::Stream { chunks: exactly(chunks.boxed(), length).boxed(), length: Some(length) })
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Content::Empty)
    }

    /// The number of bytes, if it is known before the body is sent.
    pub fn length(&self) -> Option<u64> {
        match &self.0 {
            Content::Empty => Some(0),
            Content::Whole(bytes) => u64::try_from(bytes.len()).ok(),
            Content::Stream { length, .. } => *length,
        }
    }

    pub(crate) fn into_chunks(self) -> Chunks {
        match self.0 {
            Content::Empty => stream::empty().boxed(),
            Content::Whole(bytes) => stream::iter([Ok(bytes)]).boxed(),
            Content::Stream { chunks, .. } => chunks,
        }
    }

    /// The request with this body.
    pub(crate) fn attach(self, request: RequestBuilder) -> RequestBuilder {
        match self.0 {
            Content::Empty => request,
            Content::Whole(bytes) => request.body(bytes),
            Content::Stream { chunks, length } => {
                let marked = chunks.map_err(|error| {
                    tracing::debug!(%error, "request body failed");
                    io::Error::other(SourceFailed)
                });
                let request = request.body(reqwest::Body::wrap_stream(marked));
                match length {
                    Some(length) => request.header(CONTENT_LENGTH, length),
                    None => request,
                }
            }
        }
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self(Content::Whole(bytes))
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Body").field("length", &self.length()).finish_non_exhaustive()
    }
}

/// The stream, or an error if it does not have this length. The last bytes are returned when the end is known, because
/// the client stops reading after the announced length.
fn exactly(chunks: Chunks, length: u64) -> impl Stream<Item = io::Result<Bytes>> + Send {
    // Empty chunks would look like more bytes.
    let chunks = chunks.try_filter(|chunk| std::future::ready(!chunk.is_empty())).boxed();
    stream::try_unfold((chunks, length), |(mut chunks, left)| async move {
        let Some(chunk) = chunks.try_next().await? else {
            let missing = io::Error::new(io::ErrorKind::UnexpectedEof, format!("{left} bytes are missing"));
            return if left == 0 { Ok(None) } else { Err(missing) };
        };
        let rest = u64::try_from(chunk.len()).ok().and_then(|read| left.checked_sub(read));
        let is_longer = rest.is_none() || (rest == Some(0) && chunks.try_next().await?.is_some());
        match rest.filter(|_| !is_longer) {
            Some(rest) => Ok(Some((chunk, (chunks, rest)))),
            None => Err(io::Error::other("the body is longer than its announced length")),
        }
    })
}
