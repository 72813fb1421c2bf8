//! The parts of a mail with their encoded content, found in one pass over the lines of the whole mail. The parser of
//! the text reads only the start of a mail, because a hostile mail could occupy it for minutes.

use std::mem;
use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{MessageParser, MimeHeaders};

use super::parse_bounds::bounded;

/// Maximum number of parts that are read, also those that contain other parts.
pub(super) const MAX_PARTS: usize = 100;
/// Maximum number of parts around a part. A deeper part is not read.
pub(super) const MAX_DEPTH: usize = 20;
/// Maximum number of bytes of the headers of a part that are read.
const MAX_HEAD: usize = 64 * 1024;
/// Number of bytes of headers after which no further part is read. The parser compares some parameters of a header with
/// all others.
const MAX_HEADS: usize = 256 * 1024;
/// Number of digits of base64 that are decoded at once. Four of them contain whole bytes.
const DIGITS: usize = 4 * 1024;
/// Decodes text without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The encoding of a part's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Identity,
    QuotedPrintable,
    Base64,
}

/// The headers of a part.
#[derive(Debug)]
struct Head {
    /// The type, such as `text`, in lower case; empty if it is missing.
    kind: String,
    /// The subtype, such as `plain`, in lower case.
    subtype: Option<String>,
    /// The line between the parts that it contains, without hyphens.
    border: Option<Vec<u8>>,
    name: Option<String>,
    is_attachment: bool,
    encoding: Encoding,
}

/// A part that contains no other parts.
#[derive(Debug)]
pub(super) struct LeafPart<'m> {
    head: Head,
    body: &'m [u8],
    /// Whether the mail has no other part.
    is_whole: bool,
}

impl LeafPart<'_> {
    /// Returns the stated name.
    pub(super) fn name(&self) -> Option<&str> {
        self.head.name.as_deref()
    }

    /// Returns the stated type, such as `image/png`.
    pub(super) fn media_type(&self) -> Option<String> {
        Some(format!("{}/{}", self.head.kind, self.head.subtype.as_ref()?))
    }

    /// Whether it is a file and not the text of the mail. Mail programs insert pictures into a text without a name.
    pub(super) fn is_file(&self) -> bool {
        let Head { kind, subtype, name, is_attachment, .. } = &self.head;
        match kind.as_str() {
            "multipart" => false,
            "text" | "" => name.is_some() || (*is_attachment && !self.is_whole),
            // Some programs write an incomplete type for a text.
            _ => subtype.is_some() || name.is_some() || *is_attachment,
        }
    }

    /// Returns the decoded content. A content with a wrong encoding is decoded as far as possible.
    pub(super) fn content(&self) -> Vec<u8> {
        match self.head.encoding {
            Encoding::Identity => self.body.to_vec(),
            Encoding::QuotedPrintable => quoted_printable_decode(self.body).unwrap_or_else(|| self.body.to_vec()),
            Encoding::Base64 => from_base64(self.body),
        }
    }
}

/// Decodes base64. Other characters are skipped, as RFC 2045 requires (section 6.8). Only few digits are in memory
/// besides the result.
fn from_base64(text: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut decoded = Vec::with_capacity(text.len().div_ceil(4) * 3);
    let mut digits = Vec::with_capacity(DIGITS);
    for digit in text.iter().copied().filter(is_digit) {
        digits.push(digit);
        if digits.len() == DIGITS {
            decoded.extend(BASE64.decode(&digits).unwrap_or_default());
            digits.clear();
        }
    }
    // A single digit contains no whole byte.
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    decoded.extend(BASE64.decode(&digits).unwrap_or_default());
    decoded
}

impl Head {
    /// Reads the headers of a part. `None` if there are none.
    fn read(head: &[u8]) -> Option<Self> {
        let parsed = MessageParser::default().parse_headers(bounded(head.get(..MAX_HEAD).unwrap_or(head)))?;
        if parsed.parts.is_empty() {
            return None;
        }
        let media_type = parsed.content_type();
        let border = media_type.and_then(|it| it.attribute("boundary")).filter(|it| !it.is_empty());
        let encoding = parsed.content_transfer_encoding().map(|it| it.trim().to_ascii_lowercase());
        Some(Self {
            kind: media_type.map(|it| it.ctype().to_ascii_lowercase()).unwrap_or_default(),
            subtype: media_type.and_then(|it| it.subtype()).map(str::to_ascii_lowercase),
            border: border.map(|it| it.as_bytes().to_vec()),
            name: parsed.attachment_name().map(str::to_owned),
            is_attachment: parsed.content_disposition().is_some_and(|it| it.ctype().eq_ignore_ascii_case("attachment")),
            encoding: match encoding.as_deref() {
                Some("base64") => Encoding::Base64,
                Some("quoted-printable") => Encoding::QuotedPrintable,
                Some(_) | None => Encoding::Identity,
            },
        })
    }
}

/// The place of a walk over the lines of a mail.
enum Place {
    /// In the headers of a part that begin there.
    Head(usize),
    /// In the content of a part that begins there.
    Body(Head, usize),
    /// Outside of all readable parts.
    Between,
}

/// A walk over the lines of a mail.
struct Walk<'m> {
    mail: &'m [u8],
    place: Place,
    /// The borders of the parts around the place, the outermost first.
    borders: Vec<Vec<u8>>,
    /// Number of parts whose headers were read.
    begun: usize,
    /// Number of bytes of headers that were read.
    read: usize,
    found: Vec<LeafPart<'m>>,
}

/// Returns the parts of a mail that contain no other parts, in their order. A mail inside the mail is one part.
pub(super) fn leaf_parts(mail: &[u8]) -> Vec<LeafPart<'_>> {
    let mut walk = Walk { mail, place: Place::Head(0), borders: Vec::new(), begun: 0, read: 0, found: Vec::new() };
    let mut end = 0;
    for line in mail.split_inclusive(|byte| *byte == b'\n') {
        let start = end;
        end += line.len();
        walk.pass(line, start..end);
        if walk.begun > MAX_PARTS || walk.read > MAX_HEADS {
            return walk.found;
        }
    }
    walk.end_part(mail.len());
    walk.found
}

impl Walk<'_> {
    fn pass(&mut self, line: &[u8], at: Range<usize>) {
        if let Some((level, is_last)) = self.border(line) {
            self.end_part(at.start);
            self.borders.truncate(if is_last { level } else { level + 1 });
            self.place = if is_last { Place::Between } else { Place::Head(at.end) };
        } else if let Place::Head(start) = self.place
            && line.trim_ascii().is_empty()
        {
            self.place = self.after_head(start..at.end);
        }
    }

    /// Returns the number of the border that a line is, and whether it is the last one.
    fn border(&self, line: &[u8]) -> Option<(usize, bool)> {
        let text = line.strip_prefix(b"--")?.trim_ascii_end();
        self.borders.iter().enumerate().rev().find_map(|(level, border)| {
            let rest = text.strip_prefix(border.as_slice())?;
            (rest.is_empty() || rest == b"--").then_some((level, !rest.is_empty()))
        })
    }

    fn after_head(&mut self, head: Range<usize>) -> Place {
        self.begun += 1;
        self.read += head.len().min(MAX_HEAD);
        let body = head.end;
        let Some(mut head) = self.mail.get(head).and_then(Head::read) else { return Place::Between };
        match head.border.take().filter(|_| head.kind == "multipart") {
            Some(_) if self.borders.len() >= MAX_DEPTH => Place::Between,
            Some(border) => {
                self.borders.push(border);
                Place::Between
            }
            None => Place::Body(head, body),
        }
    }

    /// Ends the part before a border. The line end before a border belongs to the border.
    fn end_part(&mut self, end: usize) {
        let Place::Body(head, start) = mem::replace(&mut self.place, Place::Between) else { return };
        let is_whole = self.borders.is_empty();
        let body = self.mail.get(start..end).unwrap_or_default();
        let inner = body.strip_suffix(b"\n").unwrap_or(body);
        let inner = inner.strip_suffix(b"\r").unwrap_or(inner);
        self.found.push(LeafPart { head, body: if is_whole { body } else { inner }, is_whole });
    }
}

#[cfg(test)]
#[path = "mime_parts_tests.rs"]
mod tests;
