//! The domain's port for new secrets.

use secrecy::SecretString;
use tidings_domain::ports::{NewApiKey, Secrets};

use crate::key::{ApiKey, Mode};
use crate::random::{RandomSource, SystemRandom};
use crate::webhook_secret;

/// Makes secrets from a source of randomness.
pub struct RandomSecrets {
    random: Box<dyn RandomSource>,
}

impl RandomSecrets {
    /// Secrets from the operating system's randomness.
    pub fn new() -> Self {
        Self::with_random(Box::new(SystemRandom::new()))
    }

    /// Secrets from `random`.
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

    fn key_digest(&self, presented: &str) -> Option<[u8; 32]> {
        ApiKey::parse(presented).ok().map(|known| known.digest())
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn what_is_kept_of_a_new_key_finds_it_again() {
        let secrets = RandomSecrets::new();
        for live in [true, false] {
            let made = secrets.api_key(live);
            assert_eq!(secrets.key_digest(made.text.expose_secret()), Some(made.digest));
            assert!(made.text.expose_secret().ends_with(&made.last_four));
            assert_eq!(made.prefix, if live { "tdg_live" } else { "tdg_test" });
        }
    }

    #[test]
    fn a_mistyped_key_has_no_digest_to_look_up() {
        assert_eq!(RandomSecrets::new().key_digest("tdg_live_0123"), None);
    }
}
