//! The body of a response, read within the bounds of its call.

use std::fmt;

use bytes::{Bytes, BytesMut};
use futures::{Stream, stream};
use tokio::time::{Instant, timeout_at};

use crate::bounds::Bounds;
use crate::failure::EgressError;

/// The body of a response as a stream.
pub struct AnswerBody {
    /// `None` after the end or an error.
    response: Option<reqwest::Response>,
    bounds: Bounds,
    deadline: Instant,
    read: u64,
}

impl fmt::Debug for AnswerBody {
    /// Without the response, which contains the URL.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AnswerBody").field("bounds", &self.bounds).field("read", &self.read).finish_non_exhaustive()
    }
}

/// The body of a response did not arrive as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerBodyError {
    /// The body is larger than [`Bounds::max_body`].
    #[error("The response is larger than {max_body} bytes.")]
    TooLarge {
        /// The largest number of bytes that is accepted.
        max_body: u64,
    },
    /// The body did not arrive in time.
    #[error("No complete response arrived in time.")]
    TimedOut,
    /// The transfer failed.
    #[error("{0}")]
    Failed(String),
}

impl From<EgressError> for AnswerBodyError {
    fn from(error: EgressError) -> Self {
        match error {
            EgressError::TimedOut => Self::TimedOut,
            EgressError::Failed(sentence) | EgressError::Forbidden(sentence) => Self::Failed(sentence),
        }
    }
}

impl AnswerBody {
    pub(crate) fn new(response: reqwest::Response, bounds: Bounds, deadline: Instant) -> Self {
        Self { response: Some(response), bounds, deadline, read: 0 }
    }

    /// The next bytes; `None` after the last ones, and after an error. A caller may stop waiting and call it again.
    ///
    /// # Errors
    /// [`AnswerBodyError`]. No bytes follow an error, and the connection is closed.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, AnswerBodyError> {
        let Some(response) = &mut self.response else { return Ok(None) };
        let next = next(response, &self.bounds, self.deadline, self.read).await;
        match &next {
            Ok(Some(chunk)) => self.read = self.read.saturating_add(length(chunk)),
            Ok(None) | Err(_) => self.response = None,
        }
        next
    }

    /// Reads the rest of the body into memory.
    ///
    /// # Errors
    /// [`AnswerBodyError`].
    pub async fn read_rest(mut self) -> Result<Bytes, AnswerBodyError> {
        let mut whole = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            whole.extend_from_slice(&chunk);
        }
        Ok(whole.freeze())
    }

    /// The rest of the body as a stream that ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, AnswerBodyError>> + Send {
        stream::unfold(self, |mut body| async move { body.chunk().await.transpose().map(|chunk| (chunk, body)) })
    }
}

async fn next(
    response: &mut reqwest::Response,
    bounds: &Bounds,
    deadline: Instant,
    read: u64,
) -> Result<Option<Bytes>, AnswerBodyError> {
    let left = bounds.max_body.saturating_sub(read);
    let too_large = AnswerBodyError::TooLarge { max_body: bounds.max_body };
    // The part that is still to come, if the response announced its length.
    if response.content_length().is_some_and(|announced| announced > left) {
        return Err(too_large);
    }
    let limit = deadline.min(Instant::now() + bounds.idle);
    let chunk = timeout_at(limit, response.chunk()).await.map_err(|_| AnswerBodyError::TimedOut)?;
    let chunk = chunk.map_err(EgressError::from)?;
    if chunk.as_ref().is_some_and(|chunk| length(chunk) > left) { Err(too_large) } else { Ok(chunk) }
}

fn length(chunk: &Bytes) -> u64 {
    u64::try_from(chunk.len()).unwrap_or(u64::MAX)
}
