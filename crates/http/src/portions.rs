//! A body that is handed over in portions, as the wire takes them.
//!
//! actix-http copies each chunk of a body into the buffer of its connection. A body that is one chunk would be there once
//! for each client that reads it slowly.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;

/// How much is handed over at once.
const PORTION: usize = 32 * 1024;

/// What is left of a body; all clients share its bytes.
#[derive(Debug)]
pub(crate) struct Portions(Bytes);

impl Portions {
    pub(crate) fn of(body: Bytes) -> Self {
        Self(body)
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

    fn try_into_bytes(self) -> Result<Bytes, Self> {
        Ok(self.0)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body;

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
        assert_eq!(body::to_bytes(Portions::of(Bytes::new())).await.unwrap(), Bytes::new());
    }
}
