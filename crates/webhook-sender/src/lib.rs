//! Signs webhook deliveries and sends them through the address wall.
//!
//! Each delivery carries two signatures of the same facts: `X-Service-Signature`, which a `stripe` library verifies,
//! and the three `webhook-*` headers of Standard Webhooks. [`verify`] is the receiver's side of both.

mod answer;
pub mod headers;
mod retry_after;
mod secret;
mod sender;
mod signature;
#[cfg(test)]
mod vectors;
mod verification;

pub use secret::{InvalidSecret, SigningSecret};
pub use sender::HttpWebhookSender;
pub use signature::{Signatures, sign};
pub use verification::{TOLERANCE, VerifyError, verify};
