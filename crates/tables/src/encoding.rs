//! Text encodings: names, detection from a sample, and decoding in pieces.

use std::fmt;
use std::str::FromStr;

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// An encoding of a table: UTF-8, UTF-16, or one with one byte for each character, by its name in the Encoding
/// Standard of the WHATWG (`windows-1252`, `windows-1250`, `macintosh`, `iso-8859-15` and others).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding(pub(crate) &'static Encoding);

impl TextEncoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(UTF_8);
    /// UTF-16, little-endian.
    pub const UTF_16LE: Self = Self(UTF_16LE);
    /// UTF-16, big-endian.
    pub const UTF_16BE: Self = Self(UTF_16BE);
    /// Windows-1252, the encoding of Western Europe and America. `latin1` is another name for it.
    pub const WINDOWS_1252: Self = Self(WINDOWS_1252);

    /// The name in lower case, as a parameter repeats it.
    pub fn name(self) -> String {
        self.0.name().to_ascii_lowercase()
    }

    /// The number of bytes of the source that decode to this text.
    pub(crate) fn source_length(self, text: &str) -> usize {
        if self == Self::UTF_8 {
            text.len()
        } else if self.0.is_single_byte() {
            text.chars().count()
        } else {
            2 * text.chars().map(char::len_utf16).sum::<usize>()
        }
    }

    /// Whether it is UTF-16.
    pub(crate) fn is_wide(self) -> bool {
        [UTF_16LE, UTF_16BE].contains(&self.0)
    }

    /// A decoder for pieces of the source, behind any byte order mark.
    pub(crate) fn decoder(self) -> Decoder {
        self.0.new_decoder_without_bom_handling()
    }

    /// Decodes a whole sample; invalid bytes become U+FFFD.
    pub(crate) fn decode(self, sample: &[u8]) -> String {
        self.0.decode_without_bom_handling(sample).0.into_owned()
    }
}

impl fmt::Debug for TextEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.name())
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name())
    }
}

/// The name of no supported encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(label) = self;
        write!(out, "`{label}` is not a supported encoding: use `utf-8`, `utf-16le`, `utf-16be`, `windows-1252` ")?;
        out.write_str("or another encoding with one byte for each character, such as `windows-1250`")
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for TextEncoding {
    type Err = UnknownEncoding;

    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        let found = Encoding::for_label(label.as_bytes()).map(Self);
        let is_supported = |it: &Self| *it == Self::UTF_8 || it.is_wide() || it.0.is_single_byte();
        found.filter(is_supported).ok_or_else(|| UnknownEncoding(label.to_owned()))
    }
}

/// The result of detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detection {
    /// The encoding, and the length of its byte order mark.
    Found(TextEncoding, usize),
    /// The sample is ASCII: later bytes decide between UTF-8 and Windows-1252.
    Ascii,
    /// The bytes are neither UTF-8, UTF-16 nor plausible Windows-1252. The first one that is not UTF-8 is at this
    /// place.
    Unclear(usize),
}

/// The encoding that a byte order mark names, and the length of the mark.
pub(crate) fn by_mark(bytes: &[u8]) -> Option<(TextEncoding, usize)> {
    Encoding::for_bom(bytes).map(|(encoding, length)| (TextEncoding(encoding), length))
}

/// Detects the encoding of a sample. `is_whole` states that no bytes follow: a cut character is an error.
pub(crate) fn detect(sample: &[u8], is_whole: bool) -> Detection {
    if let Some((encoding, length)) = by_mark(sample) {
        return Detection::Found(encoding, length);
    }
    if let Some(encoding) = utf_16_without_mark(sample) {
        return Detection::Found(encoding, 0);
    }
    if sample.is_ascii() {
        return Detection::Ascii;
    }
    match std::str::from_utf8(sample) {
        Ok(_) => Detection::Found(TextEncoding::UTF_8, 0),
        Err(error) if error.error_len().is_none() && !is_whole => {
            let valid = sample.get(..error.valid_up_to()).unwrap_or_default();
            if valid.is_ascii() { Detection::Ascii } else { Detection::Found(TextEncoding::UTF_8, 0) }
        }
        Err(_) if is_western(sample) => Detection::Found(TextEncoding::WINDOWS_1252, 0),
        Err(error) => Detection::Unclear(error.valid_up_to()),
    }
}

/// UTF-16 has a zero byte in every Latin letter, digit and separator: high bytes are zero, low bytes are not.
fn utf_16_without_mark(sample: &[u8]) -> Option<TextEncoding> {
    let zeros = |place: usize| sample.iter().skip(place).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    let is_most = |high: usize, low: usize| pairs >= 2 && high * 10 >= pairs * 3 && low * 20 <= high;
    match () {
        () if is_most(odd, even) => Some(TextEncoding::UTF_16LE),
        () if is_most(even, odd) => Some(TextEncoding::UTF_16BE),
        () => None,
    }
}

/// Whether bytes that are not UTF-8 read as a Western language in Windows-1252.
fn is_western(sample: &[u8]) -> bool {
    let mut signs = WesternSigns::default();
    signs.add(sample);
    signs.is_plausible()
}

/// Counts signs for and against Windows-1252. Cyrillic, Greek and Asian texts have runs of high bytes; texts of DOS
/// and old Macs have punctuation or capitals inside words; mixed texts have UTF-8 characters.
#[derive(Debug, Clone, Default)]
pub(crate) struct WesternSigns {
    high: usize,
    strange: usize,
    utf_8: usize,
    /// The last two bytes, the older one first.
    before: (u8, u8),
}

impl WesternSigns {
    /// Adds bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for (place, byte) in bytes.iter().copied().enumerate() {
            if byte >= 0x80 {
                self.add_high(byte, bytes.get(place + 1).copied().unwrap_or_default());
            }
            self.before = (self.before.1, byte);
        }
    }

    fn add_high(&mut self, byte: u8, next: u8) {
        let (before, previous) = self.before;
        let is_inside = previous.is_ascii_alphabetic() && next.is_ascii_lowercase();
        let is_capital = matches!(byte, 0x8A | 0x8C | 0x8E | 0x9F | 0xC0..=0xDE);
        let is_late = is_capital && previous.is_ascii_lowercase();
        // Without ordinal signs, apostrophes, soft hyphens and the point of Catalan, which are inside words.
        let is_sign = matches!(byte, 0x80 | 0x82..=0x89 | 0x8B | 0x93..=0x95 | 0x98 | 0x99 | 0x9B)
            || matches!(byte, 0xA1..=0xBF if ![0xAA, 0xAD, 0xB0, 0xB4, 0xB7, 0xBA].contains(&byte));
        let is_missing = matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
        let is_run = byte >= 0xC0 && previous >= 0xC0 && before >= 0xC0;
        self.high += 1;
        self.strange += usize::from(is_missing || is_run || is_late || (is_inside && (is_capital || is_sign)));
        self.utf_8 += usize::from(matches!(byte, 0xC3..=0xF4) && matches!(next, 0x80..=0xBF));
    }

    /// Whether almost all signs speak for Windows-1252. Of Polish names in Windows-1250, every fifth letter does not.
    pub(crate) fn is_plausible(&self) -> bool {
        self.strange * 10 <= self.high && self.utf_8 * 4 <= self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latin(text: &str) -> Vec<u8> {
        WINDOWS_1252.encode(text).0.into_owned()
    }

    #[test]
    fn detects_utf_8_and_windows_1252() {
        assert_eq!(detect(b"a;b", true), Detection::Ascii);
        assert_eq!(detect("Zoë".as_bytes(), true), Detection::Found(TextEncoding::UTF_8, 0));
        assert_eq!(detect(b"\xEF\xBB\xBFa", true), Detection::Found(TextEncoding::UTF_8, 3));
        for text in [
            "Zoë",
            "Größe;Füße",
            "Grüße aus Köln, 5 €",
            "São Paulo",
            "“Ana” Núñez",
            "l’été à Nîmes",
            "col·legi",
            "GRÜSSE",
        ] {
            assert_eq!(detect(&latin(text), true), Detection::Found(TextEncoding::WINDOWS_1252, 0), "{text}");
        }
    }

    #[test]
    fn ignores_a_character_that_the_sample_cuts() {
        let bytes = "Zoë".as_bytes();
        assert_eq!(detect(&bytes[..3], false), Detection::Ascii);
        assert_eq!(detect(&[bytes, &bytes[..3]].concat(), false), Detection::Found(TextEncoding::UTF_8, 0));
    }

    #[test]
    fn detects_utf_16_with_and_without_a_mark() {
        let little: Vec<u8> = "email\tname\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "email\tname\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(detect(&little, true), Detection::Found(TextEncoding::UTF_16LE, 0));
        assert_eq!(detect(&big, true), Detection::Found(TextEncoding::UTF_16BE, 0));
        assert_eq!(detect(&[b"\xFF\xFE", &little[..]].concat(), true), Detection::Found(TextEncoding::UTF_16LE, 2));
        assert_eq!(detect(&[b"\xFE\xFF", &big[..]].concat(), true), Detection::Found(TextEncoding::UTF_16BE, 2));
    }

    #[test]
    fn does_not_guess_other_encodings() {
        let cyrillic = encoding_rs::WINDOWS_1251.encode("Имя;Фамилия\n").0.into_owned();
        let mac = encoding_rs::MACINTOSH.encode("Müller;Köhler;Jäger;René\n").0.into_owned();
        let dos = b"M\x81ller;J\x84ger\n".to_vec();
        let mixed = [&latin("Müller;"), "Jäger;Größe;Füße".as_bytes()].concat();
        let polish = encoding_rs::WINDOWS_1250.encode("Łukasz;Zofia Kępińska;Józef;Michał Gąsior\n").0.into_owned();
        for bytes in [cyrillic, mac, dos, mixed, polish] {
            assert!(matches!(detect(&bytes, true), Detection::Unclear(_)), "{bytes:?}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for name in ["utf-8", "utf-16le", "utf-16be", "windows-1252", "macintosh", "windows-1250"] {
            assert_eq!(name.parse::<TextEncoding>().map(TextEncoding::name).as_deref(), Ok(name));
        }
        assert_eq!("latin1".parse(), Ok(TextEncoding::WINDOWS_1252));
        for name in ["", "shift_jis", "utf-7", "cp850"] {
            assert!(name.parse::<TextEncoding>().is_err(), "{name}");
        }
    }
}
