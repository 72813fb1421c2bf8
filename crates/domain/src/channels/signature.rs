//! The port that tells whether a provider's request is signed by the channel's secret.

use secrecy::SecretString;

use crate::time::Timestamp;

/// The headers of a signed request, as Standard Webhooks names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHeaders {
    /// `webhook-id`.
    pub id: String,
    /// `webhook-timestamp`, in Unix seconds.
    pub timestamp: String,
    /// `webhook-signature`: `v1,…`, several separated by spaces.
    pub signature: String,
}

/// Verifies signatures.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait SignatureVerifier: Send + Sync {
    /// Whether one of the signatures is that of this secret over id, time and body, and the time is
    /// within five minutes of `now`. Takes the same time wherever a wrong signature differs.
    fn holds(&self, secret: &SecretString, headers: &SignatureHeaders, body: &[u8], now: Timestamp) -> bool;
}
