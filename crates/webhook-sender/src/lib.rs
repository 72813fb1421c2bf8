//! Signs webhook deliveries and sends them through the address filter, and makes the HTTP calls of flows.
//!
//! Each delivery has two signatures of the same content: `X-Service-Signature`, which a `stripe` library verifies, and
//! the three `webhook-*` headers of Standard Webhooks. [`verify`] is the receiver's side of both.

mod answer;
mod caller;
pub mod headers;
mod retry_after;
mod sender;
mod under_way;
#[cfg(test)]
mod vectors;

pub use caller::FlowCaller;
pub use retry_after::parse as retry_after;
pub use sender::HttpWebhookSender;
use tidings_domain::time::Timestamp;
pub use tidings_egress::signing::{InvalidSecret, Signatures, SigningSecret, TOLERANCE, VerifyError, sign};

/// Verifies a request with one secret; see [`tidings_egress::signing::verify`].
///
/// # Errors
/// [`VerifyError`] with the first problem found.
pub fn verify<'h>(
    secret: &SigningSecret,
    header: impl Fn(&str) -> Option<&'h str>,
    body: &[u8],
    now: Timestamp,
) -> Result<(), VerifyError> {
    tidings_egress::signing::verify(secret, header, body, now.unix_seconds())
}
