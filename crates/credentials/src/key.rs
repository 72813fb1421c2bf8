//! API keys: creation, parsing and lookup.
//!
//! A key is `tdg_live_` or `tdg_test_`, then 32 random characters of base62 (190 bits), then the CRC-32 (IEEE 802.3) of
//! everything before it as six base62 digits, the most significant first. With the checksum, a mistyped key is rejected
//! without a query, and scanners for leaked secrets can recognise a key.

use std::fmt;

use ring::digest::{SHA256, digest};
use secrecy::SecretString;

use crate::random::RandomSource;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS: usize = 32;
const CHECKSUM_DIGITS: usize = 6;

/// Whether a key's workspace sends messages to real contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A key of a workspace with real contacts.
    Live,
    /// A key of a sandbox workspace.
    Test,
}

impl Mode {
    /// Returns the prefix of keys of this mode, as users see it: `tdg_live` or `tdg_test`.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Live => "tdg_live",
            Self::Test => "tdg_test",
        }
    }
}

/// The text is not an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an API key")]
pub struct InvalidKey;

/// A new API key, with its text.
#[derive(Debug)]
pub struct ApiKey {
    text: SecretString,
    known: ParsedKey,
}

/// The stored form of a key. A presented key is looked up with it.
#[derive(Clone, PartialEq, Eq)]
pub struct ParsedKey {
    mode: Mode,
    digest: [u8; 32],
    last_four: String,
}

impl ApiKey {
    /// Generates a random key.
    pub fn generate(mode: Mode, random: &dyn RandomSource) -> Self {
        let mut text = format!("{}_", mode.prefix());
        push_random_characters(&mut text, random);
        let checksum = checksum(&text);
        text.push_str(&checksum);
        let known = ParsedKey::of(mode, &text);
        Self { text: text.into(), known }
    }

    /// Parses a presented key and checks its checksum. A key rejected here needs no query.
    ///
    /// # Errors
    /// [`InvalidKey`] if the text is not a key or was mistyped.
    pub fn parse(text: &str) -> Result<ParsedKey, InvalidKey> {
        let mode = [Mode::Live, Mode::Test]
            .into_iter()
            .find(|mode| text.strip_prefix(mode.prefix()).is_some_and(|rest| rest.starts_with('_')))
            .ok_or(InvalidKey)?;
        let length = mode.prefix().len() + 1 + RANDOM_CHARACTERS + CHECKSUM_DIGITS;
        let (body, given) = text.split_at_checked(length - CHECKSUM_DIGITS).ok_or(InvalidKey)?;
        let digits = body.bytes().skip(mode.prefix().len() + 1);
        let well_formed = text.len() == length && digits.into_iter().all(|byte| ALPHABET.contains(&byte));
        if well_formed && checksum(body) == given { Ok(ParsedKey::of(mode, text)) } else { Err(InvalidKey) }
    }

    /// The whole key. It is shown once and never stored.
    pub fn text(&self) -> &SecretString {
        &self.text
    }

    /// The stored form of the key.
    pub fn parsed_key(&self) -> &ParsedKey {
        &self.known
    }

    /// Splits the key into its text and its stored form.
    pub fn into_parts(self) -> (SecretString, ParsedKey) {
        (self.text, self.known)
    }
}

impl ParsedKey {
    fn of(mode: Mode, text: &str) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
        let last_four = text.get(text.len().saturating_sub(4)..).unwrap_or_default().to_owned();
        Self { mode, digest: bytes, last_four }
    }

    /// Whether the key's workspace has real contacts.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// SHA-256 of the whole key, the only stored form of it. A plain hash without salt or stretching is enough, because
    /// 190 random bits cannot be searched.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The prefix: `tdg_live` or `tdg_test`.
    pub fn prefix(&self) -> &'static str {
        self.mode.prefix()
    }

    /// The last four characters. They are part of the checksum, so they reveal nothing of the random part.
    pub fn last_four(&self) -> &str {
        &self.last_four
    }
}

impl fmt::Debug for ParsedKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}_…{}", self.prefix(), self.last_four)
    }
}

/// Appends [`RANDOM_CHARACTERS`]. Six-bit values without a digit are discarded: taking them modulo 62 would make two
/// digits twice as likely.
fn push_random_characters(text: &mut String, random: &dyn RandomSource) {
    let end = text.len() + RANDOM_CHARACTERS;
    while text.len() < end {
        let mut batch = [0_u8; 64];
        random.fill(&mut batch);
        let digits = batch.iter().filter_map(|byte| ALPHABET.get(usize::from(byte & 0x3f)));
        text.extend(digits.map(|digit| char::from(*digit)).take(end - text.len()));
    }
}

/// CRC-32 (IEEE 802.3) of `text` in base62, most significant digit first, padded with `0`.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM_DIGITS];
    for place in digits.iter_mut().rev() {
        *place = ALPHABET.get(rest % 62).copied().unwrap_or(b'0');
        rest /= 62;
    }
    digits.map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use secrecy::ExposeSecret;

    use super::*;
    use crate::random::SystemRandom;

    fn a_key() -> String {
        ApiKey::generate(Mode::Live, &SystemRandom::new()).text().expose_secret().to_owned()
    }

    #[test]
    fn computes_the_standard_crc_32_checksum() {
        // CRC-32/ISO-HDLC of "123456789" is 0xCBF43926 (catalogue of parametrised CRC algorithms);
        // that is 3 421 780 262, in base 62 the digits 3, 45, 35, 27, 22, 14.
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(checksum(""), "000000");
    }

    #[test]
    fn parses_a_generated_key() {
        for mode in [Mode::Live, Mode::Test] {
            let key = ApiKey::generate(mode, &SystemRandom::new());
            let text = key.text().expose_secret();
            assert_eq!(text.len(), 47);
            assert_eq!(ApiKey::parse(text).as_ref(), Ok(key.parsed_key()));
            assert_eq!(key.parsed_key().mode(), mode);
            assert!(text.starts_with(key.parsed_key().prefix()) && text.ends_with(key.parsed_key().last_four()));
            assert_eq!(key.parsed_key().digest(), digest(&SHA256, text.as_bytes()).as_ref());
        }
    }

    #[test]
    fn rejects_every_mistyped_character() {
        let key = a_key();
        for place in 0..key.len() {
            for wrong in ['x', '0', '-', 'é'] {
                let mut typed: Vec<char> = key.chars().collect();
                if typed[place] == wrong {
                    continue;
                }
                typed[place] = wrong;
                let typed: String = typed.into_iter().collect();
                assert_eq!(ApiKey::parse(&typed), Err(InvalidKey), "{typed}");
            }
        }
    }

    #[test]
    fn rejects_malformed_keys() {
        let key = a_key();
        let foreign_body = format!("tdg_live_{}", "-".repeat(32));
        let foreign = format!("{foreign_body}{}", checksum(&foreign_body));
        for text in
            ["", "tdg_live_", "tdg_live", &key[1..], &key[..46], &format!("{key}0"), &foreign, &key.to_lowercase()]
        {
            assert_eq!(ApiKey::parse(text), Err(InvalidKey), "{text}");
        }
    }

    #[test]
    fn draws_all_digits_equally_often() {
        let (random, mut text, mut counts) = (Xorshift(Mutex::new(0x9e37_79b9)), String::new(), HashMap::new());
        (0..4_000).for_each(|_| push_random_characters(&mut text, &random));
        text.chars().for_each(|digit| *counts.entry(digit).or_insert(0_i32) += 1);
        // 2 065 each are expected, with a standard deviation of 45.
        assert_eq!(counts.len(), 62);
        assert!(counts.values().all(|count| (count - 2_065).abs() < 250), "{counts:?}");
    }

    /// Marsaglia's xorshift: repeatable, evenly spread bytes.
    struct Xorshift(Mutex<u32>);

    impl RandomSource for Xorshift {
        fn fill(&self, bytes: &mut [u8]) {
            let mut state = self.0.lock().unwrap();
            bytes.fill_with(|| {
                *state ^= *state << 13;
                *state ^= *state >> 17;
                *state ^= *state << 5;
                state.to_be_bytes()[0]
            });
        }
    }

    #[test]
    fn debug_output_hides_the_key() {
        let key = ApiKey::generate(Mode::Live, &SystemRandom::new());
        let random = &key.text().expose_secret()[9..41];
        assert!(!format!("{key:?} {:?}", key.parsed_key()).contains(random));
    }
}
