//! Time, ids, randomness and secrets: they come in, so that every decision can be repeated.

use secrecy::SecretString;
use uuid::Uuid;

use crate::ids::{FlowId, RunId, TypedId};
use crate::time::Timestamp;

/// Tells the time.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

/// Makes ids.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Ids: Send + Sync {
    /// A UUIDv7 (RFC 9562 §5.7) that is greater than all that this process made before.
    fn next(&self) -> Uuid;

    /// An id for a run that begins through a flow. Only who tries a flow out says which.
    fn next_run(&self, _flow: FlowId) -> RunId {
        RunId::from_uuid(self.next())
    }
}

/// Makes random numbers, for jitter only.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Randomness: Send + Sync {
    /// A number from 0 (inclusive) to 1 (exclusive).
    fn unit(&self) -> f64;
}

/// A sealed value does not open: another key, another row, or it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a sealed value cannot be decrypted with this master key")]
pub struct SealError;

/// By which key a value is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedBy {
    /// The one that seals now.
    Current,
    /// One that was replaced and still opens.
    Earlier,
    /// One that is not known here: it does not open.
    Unknown,
}

/// Seals secrets at rest.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Sealer: Send + Sync {
    /// Encrypts and authenticates `plain`, bound to `context`: the identity of its row.
    fn seal(&self, plain: &[u8], context: &str) -> Vec<u8>;

    /// Opens what [`Sealer::seal`] made with the same context.
    ///
    /// # Errors
    /// [`SealError`] when it was sealed otherwise.
    fn open(&self, sealed: &[u8], context: &str) -> Result<Vec<u8>, SealError>;

    /// By which key a value says that it is sealed.
    fn sealed_by(&self, sealed: &[u8]) -> SealedBy;
}

/// A new API key: the text for its owner, the rest for the store.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// The whole key.
    pub text: SecretString,
    /// SHA-256 of the whole key.
    pub digest: [u8; 32],
    /// How it begins.
    pub prefix: String,
    /// The last four characters.
    pub last_four: String,
}

/// A new token for an address that nobody can guess.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// The token: letters, digits, `-` and `_`.
    pub text: SecretString,
    /// SHA-256 of the token.
    pub digest: [u8; 32],
}

/// Makes secrets from a cryptographic source.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Secrets: Send + Sync {
    /// `whsec_` and the base64 of 32 random bytes.
    fn webhook_secret(&self) -> SecretString;

    /// An API key, `tdg_live_…` or `tdg_test_…`.
    fn api_key(&self, live: bool) -> NewApiKey;

    /// The token of a channel's inbound address.
    fn inbound_token(&self) -> NewToken;

    /// The SHA-256 of a presented inbound token, or `None` where its form is wrong.
    fn inbound_digest(&self, presented: &str) -> Option<[u8; 32]>;

    /// The SHA-256 of a presented key, or `None` where its form or its checksum is wrong.
    fn key_digest(&self, presented: &str) -> Option<[u8; 32]>;

    /// A key for [`Secrets::keyed_digest`]: 32 random bytes.
    fn digest_key(&self) -> [u8; 32];

    /// The HMAC-SHA-256 (RFC 2104) of a text. Without the key nobody finds the text by trying.
    fn keyed_digest(&self, key: &[u8], text: &str) -> [u8; 32];
}
