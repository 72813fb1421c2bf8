//! Passwords and tokens without cryptography: deterministic, and not secret.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};

use crate::ids::SigningKeyId;
use crate::ports::{
    AccessClaims, NewApiKey, NewToken, OpaqueToken, OpaqueTokens, Passwords, SealError, SealedBy, Sealer, Secrets,
    TokenSigner, TooBusy, Waiting,
};

/// Returns a digest that distinguishes short texts, and long ones by their length and ends.
fn digest(text: &str) -> [u8; 32] {
    let mut digest = [0_u8; 32];
    for (place, byte) in text.bytes().enumerate() {
        if let Some(slot) = digest.get_mut(place % 32) {
            *slot = u8::wrapping_add(slot.rotate_left(3), byte);
        }
    }
    digest
}

/// A hasher that returns the passwords themselves and counts the checks.
#[derive(Debug, Default)]
pub struct PlainPasswords(AtomicU64);

#[cfg(any(test, feature = "mocks"))]
impl PlainPasswords {
    /// The number of checked passwords.
    pub fn checked(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Passwords for PlainPasswords {
    async fn hash(&self, password: SecretString, _: Waiting) -> Result<String, TooBusy> {
        Ok(password.expose_secret().to_owned())
    }

    async fn matches(&self, password: SecretString, hash: Option<String>, _: Waiting) -> Result<bool, TooBusy> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(hash.as_deref() == Some(password.expose_secret()))
    }
}

/// A signer of readable tokens without a signature.
#[derive(Debug, Default)]
pub struct PlainSigner;

impl TokenSigner for PlainSigner {
    fn generate(&self) -> Vec<u8> {
        b"key".to_vec()
    }

    fn sign(&self, _: &[u8], id: SigningKeyId, claims: &AccessClaims) -> Option<SecretString> {
        let AccessClaims { user, session, issued_at, expires_at } = claims;
        Some(format!("{id}.{user}.{session}.{issued_at}.{expires_at}").into())
    }

    fn key_of(&self, token: &str) -> Option<SigningKeyId> {
        token.split('.').next()?.parse().ok()
    }

    fn verify(&self, _: &[u8], token: &str) -> Option<AccessClaims> {
        let mut parts = token.split('.').skip(1);
        Some(AccessClaims {
            user: parts.next()?.parse().ok()?,
            session: parts.next()?.parse().ok()?,
            issued_at: parts.next()?.parse().ok()?,
            expires_at: parts.next()?.parse().ok()?,
        })
    }
}

/// Tokens that count: `token-1`, `token-2`. The successor of `token-1` is `token-1+`.
#[derive(Debug, Default)]
pub struct CountingTokens(AtomicU64);

fn opaque(text: String) -> OpaqueToken {
    OpaqueToken { digest: digest(&text), text: text.into() }
}

impl OpaqueTokens for CountingTokens {
    fn fresh(&self) -> OpaqueToken {
        opaque(format!("token-{}", self.0.fetch_add(1, Ordering::SeqCst) + 1))
    }

    fn successors(&self, presented: &str) -> (OpaqueToken, Vec<OpaqueToken>) {
        (opaque(format!("{presented}+")), Vec::new())
    }

    fn digest(&self, presented: &str) -> Option<[u8; 32]> {
        presented.starts_with("token-").then(|| digest(presented))
    }

    fn password(&self) -> SecretString {
        "password".to_owned().into()
    }
}

/// A sealer that does not encrypt.
#[derive(Debug, Default)]
pub struct PlainSealer;

impl Sealer for PlainSealer {
    fn seal(&self, plain: &[u8], _: &str) -> Vec<u8> {
        plain.to_vec()
    }

    fn open(&self, sealed: &[u8], _: &str) -> Result<Vec<u8>, SealError> {
        Ok(sealed.to_vec())
    }

    fn sealed_by(&self, _: &[u8]) -> SealedBy {
        SealedBy::Current
    }
}

/// Secrets that count.
#[derive(Debug, Default)]
pub struct CountingSecrets(AtomicU64);

impl Secrets for CountingSecrets {
    fn webhook_secret(&self) -> SecretString {
        format!("whsec_{}", self.0.fetch_add(1, Ordering::SeqCst) + 1).into()
    }

    fn inbound_token(&self) -> NewToken {
        let text = format!("inbound-{}", self.0.fetch_add(1, Ordering::SeqCst) + 1);
        let digest = digest(&text);
        NewToken { text: text.into(), digest }
    }

    fn inbound_digest(&self, presented: &str) -> Option<[u8; 32]> {
        presented.starts_with("inbound-").then(|| digest(presented))
    }

    fn api_key(&self, live: bool) -> NewApiKey {
        let prefix = if live { "tdg_live" } else { "tdg_test" };
        let text = format!("{prefix}_{}", self.0.fetch_add(1, Ordering::SeqCst) + 1);
        let digest = digest(&text);
        NewApiKey { text: text.into(), digest, prefix: prefix.to_owned(), last_four: "0000".to_owned() }
    }

    fn key_digest(&self, presented: &str) -> Option<[u8; 32]> {
        presented.starts_with("tdg_").then(|| digest(presented))
    }

    fn digest_key(&self) -> [u8; 32] {
        digest(&format!("key-{}", self.0.fetch_add(1, Ordering::SeqCst) + 1))
    }

    fn keyed_digest(&self, key: &[u8], text: &str) -> [u8; 32] {
        let mut digest = [0_u8; 32];
        for (place, part) in digest.chunks_mut(8).enumerate() {
            let mut hasher = DefaultHasher::new();
            (place, key, text).hash(&mut hasher);
            part.copy_from_slice(&hasher.finish().to_be_bytes());
        }
        digest
    }
}
