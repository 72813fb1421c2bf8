//! Passwords and tokens of users: the cryptography of sign-in.

use async_trait::async_trait;
use secrecy::SecretString;

use crate::ids::{SessionId, SigningKeyId, UserId};

/// Too many passwords wait to be checked; nothing was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are waiting to be checked")]
pub struct TooBusy;

/// The network and account of a waiting password check. They keep a frequent client from delaying others. The default
/// is the service itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The network of the client.
    pub network: String,
    /// The account to sign in to.
    pub account: String,
}

/// Hashes and checks passwords. Both take tens of milliseconds and much memory on purpose, so few run at once, off the
/// async threads. Networks take turns, and so do the accounts of each network.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Passwords: Send + Sync {
    /// Returns a salted hash in the PHC string format.
    ///
    /// # Errors
    /// [`TooBusy`].
    async fn hash(&self, password: SecretString, who: Waiting) -> Result<String, TooBusy>;

    /// Whether the password has this hash. Returns false for `None` and for an invalid hash, after the same time.
    ///
    /// # Errors
    /// [`TooBusy`].
    async fn matches(&self, password: SecretString, hash: Option<String>, who: Waiting) -> Result<bool, TooBusy>;
}

/// The claims of an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessClaims {
    /// The user of the session.
    pub user: UserId,
    /// The session, which must be live.
    pub session: SessionId,
    /// Time of signing, in seconds since 1970.
    pub issued_at: i64,
    /// Time of expiry, in seconds since 1970.
    pub expires_at: i64,
}

/// Signs access tokens: JSON Web Tokens (RFC 7519) with Ed25519 (RFC 8037).
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait TokenSigner: Send + Sync {
    /// Generates a private key.
    fn generate(&self) -> Vec<u8>;

    /// Returns a token with these claims, always the same one. Returns `None` if the key is invalid.
    fn sign(&self, key: &[u8], id: SigningKeyId, claims: &AccessClaims) -> Option<SecretString>;

    /// Returns the key that a token names, if the token has the form of ours. Nothing is verified.
    fn key_of(&self, token: &str) -> Option<SigningKeyId>;

    /// Returns the claims of the token, if the key signed it for this issuer and audience. The caller checks the
    /// expiry.
    fn verify(&self, key: &[u8], token: &str) -> Option<AccessClaims>;
}

/// A random token. The text is for its owner, the digest is stored.
#[derive(Debug, Clone)]
pub struct OpaqueToken {
    /// The whole token.
    pub text: SecretString,
    /// SHA-256 of the whole token.
    pub digest: [u8; 32],
}

/// Generates and reads opaque tokens: refresh tokens and tokens of invitations.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait OpaqueTokens: Send + Sync {
    /// Returns an unguessable token.
    fn fresh(&self) -> OpaqueToken;

    /// Returns the successor of a presented token, and its successors under earlier keys: another instance may have
    /// issued one of them a moment ago. The successor is always the same, and cannot be computed without the service's
    /// key.
    fn successors(&self, presented: &str) -> (OpaqueToken, Vec<OpaqueToken>);

    /// Returns the SHA-256 of a presented token, or `None` if it has the wrong form.
    fn digest(&self, presented: &str) -> Option<[u8; 32]>;

    /// Returns an unguessable password that is easy to copy.
    fn password(&self) -> SecretString;
}
