//! Secrets that sign webhooks, in the format of [Standard
//! Webhooks](https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::SecretString;

use crate::random::{RandomSource, bytes};

/// The prefix of every secret.
pub const PREFIX: &str = "whsec_";

/// Generates `whsec_` and 32 random bytes in base64 (the specification requires 24 to 64 bytes).
pub fn generate(random: &dyn RandomSource) -> SecretString {
    format!("{PREFIX}{}", STANDARD.encode(bytes::<32>(random))).into()
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;
    use crate::random::testing::Counting;

    #[test]
    fn a_secret_is_its_prefix_and_32_bytes() {
        let secret = generate(&Counting::default());
        assert_eq!(secret.expose_secret(), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    }
}
