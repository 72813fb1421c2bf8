//! Time, IDs, randomness and secrets. They are ports, so each decision can be repeated in a test.

use secrecy::SecretString;
use uuid::Uuid;

use crate::ids::{FlowId, RunId, TypedId};
use crate::time::Timestamp;

/// A clock.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// A source of IDs.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Ids: Send + Sync {
    /// Returns a UUIDv7 (RFC 9562 §5.7) that is greater than all earlier ones of this process.
    fn next(&self) -> Uuid;

    /// Returns an ID for a run of this flow. Only simulations choose it by flow.
    fn next_run(&self, _flow: FlowId) -> RunId {
        RunId::from_uuid(self.next())
    }
}

/// A source of random numbers, for jitter only.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Randomness: Send + Sync {
    /// Returns a number from 0 (inclusive) to 1 (exclusive).
    fn unit(&self) -> f64;
}

/// A sealed value that cannot be opened: it has another key or another row, or was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a sealed value cannot be decrypted with this master key")]
pub struct SealError;

/// The key that seals a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedBy {
    /// The current key.
    Current,
    /// A former key, which still opens values.
    Earlier,
    /// An unknown key: the value cannot be opened.
    Unknown,
}

/// Encrypts secrets at rest.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Sealer: Send + Sync {
    /// Encrypts and authenticates `plain`, bound to `context`, the identity of its row.
    fn seal(&self, plain: &[u8], context: &str) -> Vec<u8>;

    /// Decrypts a value of [`Sealer::seal`] with the same context.
    ///
    /// # Errors
    /// [`SealError`] if it was sealed with another key or context, or was changed.
    fn open(&self, sealed: &[u8], context: &str) -> Result<Vec<u8>, SealError>;

    /// Returns which key a sealed value names.
    fn sealed_by(&self, sealed: &[u8]) -> SealedBy;
}

/// A new API key. The text is for its owner, the other fields are stored.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// The whole key.
    pub text: SecretString,
    /// SHA-256 of the whole key.
    pub digest: [u8; 32],
    /// The first characters.
    pub prefix: String,
    /// The last four characters.
    pub last_four: String,
}

/// A new, unguessable token for an inbound URL.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// The token: letters, digits, `-` and `_`.
    pub text: SecretString,
    /// SHA-256 of the token.
    pub digest: [u8; 32],
}

/// Generates secrets from a cryptographic source.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Secrets: Send + Sync {
    /// Returns `whsec_` and the base64 of 32 random bytes.
    fn webhook_secret(&self) -> SecretString;

    /// Returns an API key, `tdg_live_…` or `tdg_test_…`.
    fn api_key(&self, live: bool) -> NewApiKey;

    /// Returns a token for the inbound URL of a channel.
    fn inbound_token(&self) -> NewToken;

    /// Returns the SHA-256 of a presented inbound token, or `None` if its form is wrong.
    fn inbound_digest(&self, presented: &str) -> Option<[u8; 32]>;

    /// Returns the SHA-256 of a presented key, or `None` if its form or checksum is wrong.
    fn key_digest(&self, presented: &str) -> Option<[u8; 32]>;

    /// Returns a key for [`Secrets::keyed_digest`]: 32 random bytes.
    fn digest_key(&self) -> [u8; 32];

    /// Returns the HMAC-SHA-256 (RFC 2104) of a text. Without the key, guessing texts does not reveal it.
    fn keyed_digest(&self, key: &[u8], text: &str) -> [u8; 32];
}
