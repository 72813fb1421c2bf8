//! A body that is handed over in portions, as the wire takes them.
//!
//! actix-http copies each chunk of a body into the buffer of its connection. A body that is one chunk would be there once
//! for each client that reads it slowly.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

/// How much is handed over at once.
const PORTION: usize = 32 * 1024;

/// What is left of a body; all clients share its bytes.
#[derive(Debug)]
pub(crate) struct Portions(Bytes);

impl Portions {
    /// The body of an answer. Where it is no longer than a portion it goes as it is.
    pub(crate) fn of(body: Bytes) -> BoxBody {
        if body.len() <= PORTION { BoxBody::new(body) } else { BoxBody::new(Self(body)) }
    }
}

impl MessageBody for Portions {
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
    async fn a_long_body_comes_in_portions_and_whole() {
        let whole: Bytes = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut portions = Portions::of(whole.clone());
        assert_eq!(portions.size(), BodySize::Sized(400_000));
        let mut came = Vec::new();
        while let Some(Ok(portion)) = std::future::poll_fn(|cx| Pin::new(&mut portions).poll_next(cx)).await {
            assert!(portion.len() <= PORTION);
            came.extend_from_slice(&portion);
        }
        assert_eq!(came, whole);
    }

    #[actix_web::test]
    async fn a_short_body_comes_at_once() {
        let mut body = Portions::of(Bytes::from_static(b"short"));
        let first = std::future::poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await;
        assert_eq!(first.unwrap().unwrap(), "short");
    }
}
