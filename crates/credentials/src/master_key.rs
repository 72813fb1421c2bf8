//! The master key: the one secret that an operator provides. All other keys are derived from it.

use std::fmt;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use secrecy::{ExposeSecret, SecretBox, SecretString};

use crate::random::{RandomSource, bytes, stop};

/// Base64 of RFC 4648, section 4, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The reason why a text is not a master key. It never repeats the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMasterKey {
    /// The text is empty.
    #[error("the master key is empty; create a key with `openssl rand -base64 32`")]
    Empty,
    /// The text contains characters outside base64.
    #[error("the master key is not base64; create a key with `openssl rand -base64 32`")]
    NotBase64,
    /// The key does not have 32 bytes.
    #[error("the master key has {0} bytes but must have 32; create a key with `openssl rand -base64 32`")]
    WrongLength(usize),
    /// The key is one repeated byte: a placeholder from an example.
    #[error("the master key is a placeholder; create a key with `openssl rand -base64 32`")]
    Placeholder,
}

/// 32 unguessable bytes.
pub struct MasterKey(SecretBox<[u8; 32]>);

impl MasterKey {
    /// Generates a random key.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(SecretBox::new(Box::new(bytes(random))))
    }

    /// Parses 32 bytes in base64, as `openssl rand -base64 32` prints them; surrounding white space is ignored.
    ///
    /// # Errors
    /// [`InvalidMasterKey`] describes the problem and how to create a valid key.
    pub fn from_base64(text: &str) -> Result<Self, InvalidMasterKey> {
        let text = text.trim();
        if text.is_empty() {
            return Err(InvalidMasterKey::Empty);
        }
        let decoded = BASE64.decode(text).map_err(|_| InvalidMasterKey::NotBase64)?;
        let bytes: [u8; 32] = decoded.try_into().map_err(|it: Vec<u8>| InvalidMasterKey::WrongLength(it.len()))?;
        if bytes.iter().all(|byte| Some(byte) == bytes.first()) {
            return Err(InvalidMasterKey::Placeholder);
        }
        Ok(Self(SecretBox::new(Box::new(bytes))))
    }

    /// Returns the key in base64, to show it once.
    pub fn to_base64(&self) -> SecretString {
        BASE64.encode(self.0.expose_secret()).into()
    }

    /// Derives the 32-byte key for one purpose (HKDF-SHA256, RFC 5869, `info` = the purpose). It is the same on every
    /// instance and reveals no other key.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        struct Length;
        impl KeyType for Length {
            fn len(&self) -> usize {
                32
            }
        }
        let mut derived = [0; 32];
        Salt::new(HKDF_SHA256, b"tidings master key v1")
            .extract(self.0.expose_secret())
            .expand(&[purpose.as_bytes()], Length)
            .and_then(|key| key.fill(&mut derived))
            .unwrap_or_else(|_| stop("a key could not be derived"));
        derived
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("MasterKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use ring::hmac;

    use super::*;
    use crate::random::{SystemRandom, testing::Counting};

    #[test]
    fn reads_its_own_base64_text() {
        let key = MasterKey::generate(&SystemRandom::new());
        let text = key.to_base64().expose_secret().to_owned();
        for text in [text.clone(), format!(" {text}\n"), text.trim_end_matches('=').to_owned()] {
            let read = MasterKey::from_base64(&text).unwrap();
            assert_eq!(read.0.expose_secret(), key.0.expose_secret());
        }
    }

    #[test]
    fn each_kind_of_invalid_key_has_its_own_error() {
        let read = |text: &str| MasterKey::from_base64(text).err();
        assert_eq!(read("  "), Some(InvalidMasterKey::Empty));
        assert_eq!(read("change me, please!"), Some(InvalidMasterKey::NotBase64));
        assert_eq!(read("c2hvcnQ="), Some(InvalidMasterKey::WrongLength(5)));
        assert_eq!(read(&BASE64.encode([0; 33])), Some(InvalidMasterKey::WrongLength(33)));
        assert_eq!(read(&BASE64.encode([0; 32])), Some(InvalidMasterKey::Placeholder));
        assert!(InvalidMasterKey::WrongLength(5).to_string().contains("5 bytes"));
    }

    #[test]
    fn derivation_follows_rfc_5869() {
        let key = MasterKey::generate(&Counting::default());
        let by_hand = |key: &[u8], text: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text);
        let extracted = by_hand(b"tidings master key v1", key.0.expose_secret());
        let expanded = by_hand(extracted.as_ref(), b"cursor\x01");
        assert_eq!(key.derive("cursor"), expanded.as_ref());
        assert_ne!(key.derive("cursor"), key.derive("sealing"));
    }

    #[test]
    fn debug_output_hides_the_key() {
        assert_eq!(format!("{:?}", MasterKey::generate(&Counting::default())), "MasterKey(…)");
    }
}
