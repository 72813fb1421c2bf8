//! Signatures of outgoing and incoming requests, shared by all adapters: pure functions of secret, ID, time and body.

mod secret;
mod signature;
#[cfg(test)]
mod vectors;
mod verification;

pub use secret::{InvalidSecret, SigningSecret};
pub use signature::{Signatures, sign};
pub use verification::{TOLERANCE, VerifyError, verify};

/// `t=<unix seconds>,v1=<hex>[,v1=<hex>]`.
pub const SERVICE_SIGNATURE: &str = "x-service-signature";
/// The ID of the signed message: the same on every attempt.
pub const WEBHOOK_ID: &str = "webhook-id";
/// The Unix time in seconds of the signature.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// `v1,<base64>`, one for each secret, separated by spaces.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";
