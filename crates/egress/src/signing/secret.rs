//! A webhook secret and the two HMAC keys derived from it.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

/// The prefix of a secret.
const PREFIX: &str = "whsec_";

/// The text is not `whsec_` followed by the base64 of 24 to 64 bytes. It does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a webhook secret must be whsec_ followed by the base64 of 24 to 64 bytes")]
pub struct InvalidSecret;

/// A secret that can sign and verify. It never prints itself.
#[derive(Clone)]
pub struct SigningSecret {
    /// Keyed with the UTF-8 bytes of the whole text, as for `X-Service-Signature`.
    pub(crate) whole: hmac::Key,
    /// Keyed with the decoded bytes, as for `webhook-signature`.
    pub(crate) decoded: hmac::Key,
}

impl SigningSecret {
    /// Parses a secret. The Standard Webhooks specification sets the limits on its length.
    ///
    /// # Errors
    /// [`InvalidSecret`] if the prefix, the base64 or the length is wrong.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let encoded = text.strip_prefix(PREFIX).ok_or(InvalidSecret)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| InvalidSecret)?;
        if !(24..=64).contains(&bytes.len()) {
            return Err(InvalidSecret);
        }
        let key = |bytes: &[u8]| hmac::Key::new(hmac::HMAC_SHA256, bytes);
        Ok(Self { whole: key(text.as_bytes()), decoded: key(&bytes) })
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SigningSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signing::vectors::SECRET_A;

    #[test]
    fn accepts_only_complete_secrets() {
        assert!(SigningSecret::parse(SECRET_A).is_ok());
        let sized = |length: usize| format!("{PREFIX}{}", STANDARD.encode(vec![7; length]));
        for (length, valid) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
            assert_eq!(SigningSecret::parse(&sized(length)).is_ok(), valid, "{length}");
        }
        for text in [
            "",
            "whsec_",
            "whsec_****",
            &SECRET_A[6..],
            &SECRET_A[..40],
            &format!("{SECRET_A}\n"),
            &format!(" {SECRET_A}"),
        ] {
            assert_eq!(SigningSecret::parse(text).err(), Some(InvalidSecret), "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_secret() {
        assert_eq!(format!("{:?}", SigningSecret::parse(SECRET_A).unwrap()), "SigningSecret(…)");
    }
}
