//! IDs with a type prefix, written as a [TypeID](https://github.com/jetify-com/typeid/tree/main/spec).

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of base32 digits.
pub const DIGITS: usize = 26;

/// The error for a text that is not an ID of the expected type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an ID such as `{prefix}_01h455vb4pex5vsknk084sn02q`")]
pub struct InvalidId {
    /// The expected prefix.
    pub prefix: &'static str,
}

/// Encodes 128 bits as 26 base32 digits, most significant first (TypeID specification, "Base32 encoding").
pub fn encode(value: u128) -> [u8; DIGITS] {
    std::array::from_fn(|place| {
        let digit = value >> ((DIGITS - 1 - place) * 5) & 31;
        ALPHABET.get(digit as usize).copied().unwrap_or_default()
    })
}

/// Decodes the digits of [`encode`]. Returns `None` for capital letters and for values over 128 bits.
pub fn decode(text: &str) -> Option<u128> {
    if text.len() != DIGITS || text.as_bytes().first()? > &b'7' {
        return None;
    }
    text.bytes().try_fold(0_u128, |value, byte| {
        let digit = ALPHABET.iter().position(|known| *known == byte)?;
        Some(value << 5 | digit as u128)
    })
}

/// The operations of every ID type.
pub trait TypedId: Copy + Eq + Ord + fmt::Display + FromStr<Err = InvalidId> + Send + Sync {
    /// The text before the underscore.
    const PREFIX: &'static str;

    /// Returns the ID with these 128 bits.
    fn from_uuid(uuid: Uuid) -> Self;

    /// Returns the 128 bits.
    fn uuid(self) -> Uuid;
}
