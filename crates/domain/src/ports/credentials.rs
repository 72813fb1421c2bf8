//! Passwords and tokens of people: the cryptography behind signing in.

use async_trait::async_trait;
use secrecy::SecretString;

use crate::ids::{SessionId, SigningKeyId, UserId};

/// More passwords are waiting than can be looked at in time; nothing was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are waiting to be checked")]
pub struct TooBusy;

/// For whom a password waits: nobody who comes alone waits behind somebody who comes often. The
/// default is the service itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The network from which they come.
    pub network: String,
    /// The account that they want.
    pub account: String,
}

/// Hashes and checks passwords. Both take tens of milliseconds and much memory on purpose, so they
/// run beside everything else, few at once; networks take turns, and the accounts of each do.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Passwords: Send + Sync {
    /// A hash that no other call returns, in the PHC string format.
    ///
    /// # Errors
    /// [`TooBusy`].
    async fn hash(&self, password: SecretString, who: Waiting) -> Result<String, TooBusy>;

    /// Whether the password has this hash. With `None`, and with what is no hash, it is false after
    /// the same time.
    ///
    /// # Errors
    /// [`TooBusy`].
    async fn matches(&self, password: SecretString, hash: Option<String>, who: Waiting) -> Result<bool, TooBusy>;
}

/// What an access token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessClaims {
    /// Whose session it is of.
    pub user: UserId,
    /// The session that must be live.
    pub session: SessionId,
    /// When it was signed, in seconds since 1970.
    pub issued_at: i64,
    /// From when on it opens nothing, in seconds since 1970.
    pub expires_at: i64,
}

/// Signs access tokens: JSON Web Tokens (RFC 7519) by Ed25519 (RFC 8037).
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait TokenSigner: Send + Sync {
    /// A private key that nobody had before.
    fn generate(&self) -> Vec<u8>;

    /// A token that says this; the same each time. `None` where the key is none.
    fn sign(&self, key: &[u8], id: SigningKeyId, claims: &AccessClaims) -> Option<SecretString>;

    /// The key that a token names, where it has the form of one that was signed here. Nothing of it
    /// is known to be true.
    fn key_of(&self, token: &str) -> Option<SigningKeyId>;

    /// What the token says, where the key has signed it for this issuer and audience. Whether it has
    /// expired is for the caller to judge.
    fn verify(&self, key: &[u8], token: &str) -> Option<AccessClaims>;
}

/// A token without a meaning of its own: the text for its owner, the rest for the store.
#[derive(Debug, Clone)]
pub struct OpaqueToken {
    /// The whole token.
    pub text: SecretString,
    /// SHA-256 of the whole token.
    pub digest: [u8; 32],
}

/// Makes and reads opaque tokens: refresh tokens and those of invitations.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait OpaqueTokens: Send + Sync {
    /// A token that nobody can guess.
    fn fresh(&self) -> OpaqueToken;

    /// The one token that follows a presented one: the same each time and on every instance, and
    /// not to be found from the presented one without the service's own key. Behind it those that
    /// followed under the keys before: another instance may have made one of them a moment ago.
    fn successors(&self, presented: &str) -> (OpaqueToken, Vec<OpaqueToken>);

    /// The SHA-256 of a presented token, or `None` where it never was one.
    fn digest(&self, presented: &str) -> Option<[u8; 32]>;

    /// A password that nobody can guess and people can copy.
    fn password(&self) -> SecretString;
}
