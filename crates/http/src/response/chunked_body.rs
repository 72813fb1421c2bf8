//! A response body that is sent in portions.
//!
//! actix-http copies each chunk of a body into the buffer of its connection. So a body in one chunk would be copied for
//! each client that reads slowly.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

/// The size of a portion in bytes.
const PORTION: usize = 32 * 1024;

/// The rest of a body; all clients share its bytes.
#[derive(Debug)]
pub(crate) struct ChunkedBody(Bytes);

impl ChunkedBody {
    /// Returns the body of a response. A short body is one chunk.
    pub(crate) fn of(body: Bytes) -> BoxBody {
        if body.len() <= PORTION { BoxBody::new(body) } else { BoxBody::new(Self(body)) }
    }
}

impl MessageBody for ChunkedBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.0.len() as u64)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let rest = &mut self.get_mut().0;
        let portion = rest.split_to(rest.len().min(PORTION));
        Poll::Ready((!portion.is_empty()).then_some(Ok(portion)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn sends_a_long_body_whole_in_portions() {
        let whole: Bytes = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut portions = ChunkedBody::of(whole.clone());
        assert_eq!(portions.size(), BodySize::Sized(400_000));
        let mut came = Vec::new();
        while let Some(Ok(portion)) = std::future::poll_fn(|cx| Pin::new(&mut portions).poll_next(cx)).await {
            assert!(portion.len() <= PORTION);
            came.extend_from_slice(&portion);
        }
        assert_eq!(came, whole);
    }

    #[actix_web::test]
    async fn sends_a_short_body_at_once() {
        let mut body = ChunkedBody::of(Bytes::from_static(b"short"));
        let first = std::future::poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await;
        assert_eq!(first.unwrap().unwrap(), "short");
    }
}
