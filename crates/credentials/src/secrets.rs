//! The adapter of the domain's port for new secrets.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::hmac;
use secrecy::SecretString;
use tidings_domain::ports::{NewApiKey, NewToken, Secrets};

use crate::key::{ApiKey, Mode};
use crate::random::{RandomSource, SystemRandom, bytes};
use crate::webhook_secret;

/// The length of 32 bytes in base64 without padding.
const TOKEN_LENGTH: usize = 43;

fn sha256(text: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
    bytes
}

/// Generates secrets from a random source.
pub struct RandomSecrets {
    random: Box<dyn RandomSource>,
}

impl RandomSecrets {
    /// Uses the operating system's random source.
    pub fn new() -> Self {
        Self::with_random(Box::new(SystemRandom::new()))
    }

    /// Uses `random` as the source.
    pub fn with_random(random: Box<dyn RandomSource>) -> Self {
        Self { random }
    }
}

impl Default for RandomSecrets {
    fn default() -> Self {
        Self::new()
    }
}

impl Secrets for RandomSecrets {
    fn webhook_secret(&self) -> SecretString {
        webhook_secret::generate(self.random.as_ref())
    }

    fn api_key(&self, live: bool) -> NewApiKey {
        let mode = if live { Mode::Live } else { Mode::Test };
        let (text, known) = ApiKey::generate(mode, self.random.as_ref()).into_parts();
        NewApiKey {
            text,
            digest: known.digest(),
            prefix: known.prefix().to_owned(),
            last_four: known.last_four().to_owned(),
        }
    }

    fn inbound_token(&self) -> NewToken {
        let text = URL_SAFE_NO_PAD.encode(bytes::<32>(self.random.as_ref()));
        NewToken { digest: sha256(&text), text: text.into() }
    }

    fn inbound_digest(&self, presented: &str) -> Option<[u8; 32]> {
        let is_token = presented.len() == TOKEN_LENGTH
            && presented.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        is_token.then(|| sha256(presented))
    }

    fn key_digest(&self, presented: &str) -> Option<[u8; 32]> {
        ApiKey::parse(presented).ok().map(|known| known.digest())
    }

    fn digest_key(&self) -> [u8; 32] {
        bytes::<32>(self.random.as_ref())
    }

    fn keyed_digest(&self, key: &[u8], text: &str) -> [u8; 32] {
        let mut digest = [0; 32];
        digest.copy_from_slice(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref());
        digest
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn finds_a_new_key_by_its_digest() {
        let secrets = RandomSecrets::new();
        for live in [true, false] {
            let made = secrets.api_key(live);
            assert_eq!(secrets.key_digest(made.text.expose_secret()), Some(made.digest));
            assert!(made.text.expose_secret().ends_with(&made.last_four));
            assert_eq!(made.prefix, if live { "tdg_live" } else { "tdg_test" });
        }
    }

    #[test]
    fn an_inbound_token_is_found_by_its_digest() {
        let secrets = RandomSecrets::new();
        let (made, other) = (secrets.inbound_token(), secrets.inbound_token());
        assert_eq!(secrets.inbound_digest(made.text.expose_secret()), Some(made.digest));
        assert_ne!(made.digest, other.digest);
        for text in ["", "short", &format!("{}=", "a".repeat(42)), &"a".repeat(44)] {
            assert_eq!(secrets.inbound_digest(text), None, "{text}");
        }
    }

    /// Test case 2 of RFC 4231.
    #[test]
    fn a_keyed_digest_is_the_hmac_of_the_text() {
        let digest = RandomSecrets::new().keyed_digest(b"Jefe", "what do ya want for nothing?");
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assert_ne!(RandomSecrets::new().digest_key(), RandomSecrets::new().digest_key());
    }

    #[test]
    fn a_mistyped_key_has_no_digest() {
        assert_eq!(RandomSecrets::new().key_digest("tdg_live_0123"), None);
    }
}
