//! The part of a mail that is parsed: a hostile mail could otherwise have millions of parts, or occupy the parser for
//! minutes.

/// Maximum number of bytes of a mail that are parsed for its text, which comes before attachments.
pub(super) const MAX_PARSED: usize = 1024 * 1024;
/// Maximum number of bytes that are parsed of a mail that may contain other mails.
pub(super) const MAX_NESTING: usize = 128 * 1024;
/// Maximum number of lines that may be the border of a part, among the parsed ones.
pub(super) const MAX_BORDERS: usize = 500;
/// Maximum number of encoded words, such as `=?utf-8?q?a?=`. The parser searches the end of each in the rest of the mail.
pub(super) const MAX_WORDS: usize = 300;
/// Maximum number of stars, and of lines of stars. The parser compares each parameter with a star, such as `name*1`, with all others.
pub(super) const MAX_STARS: usize = 2_000;
/// Maximum number of places that may begin a mail inside the mail.
pub(super) const MAX_MAILS: usize = 100;
/// Subtypes of parts that contain mails.
const NESTING: [&[u8]; 3] = [b"rfc822", b"global", b"digest"];

/// Returns the start of a mail that is safe to parse.
pub(super) fn bounded(raw: &[u8]) -> &[u8] {
    let start = first(raw, MAX_PARSED);
    let start = if may_nest(start) { first(start, MAX_NESTING) } else { start };
    let start = before(start, MAX_BORDERS, |position| begins(start, position, b"\n--"));
    let start = before(start, MAX_WORDS, |position| begins(start, position, b"=?"));
    let start = before(start, MAX_STARS, |position| ends_stars(start, position));
    before(start, MAX_MAILS, |position| names_nesting(start, position))
}

fn first(raw: &[u8], most: usize) -> &[u8] {
    raw.get(..most).unwrap_or(raw)
}

/// Returns the bytes before the place that is one too many.
fn before(raw: &[u8], most: usize, counts: impl Fn(usize) -> bool) -> &[u8] {
    match (0..raw.len()).filter(|position| counts(*position)).nth(most) {
        Some(position) => first(raw, position),
        None => raw,
    }
}

fn begins(raw: &[u8], position: usize, text: &[u8]) -> bool {
    raw.get(position..).is_some_and(|rest| rest.starts_with(text))
}

/// Whether a place is a star, and the last one of a line of stars.
fn ends_stars(raw: &[u8], position: usize) -> bool {
    begins(raw, position, b"*") && !begins(raw, position + 1, b"*")
}

/// Whether the parser may find mails inside a mail.
pub(super) fn may_nest(raw: &[u8]) -> bool {
    (0..raw.len()).any(|position| names_nesting(raw, position))
}

/// Whether a place may be the subtype of a part that contains mails. The parser skips spaces, quotation marks, backslashes
/// and comments before a subtype.
fn names_nesting(raw: &[u8], position: usize) -> bool {
    if !matches!(raw.get(position), Some(b'r' | b'R' | b'g' | b'G' | b'd' | b'D')) {
        return false;
    }
    let Some((before, rest)) = raw.split_at_checked(position) else { return false };
    let is_name = |name: &&[u8]| rest.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
    NESTING.iter().any(is_name)
        && before.trim_ascii_end().last().is_some_and(|byte| matches!(byte, b'/' | b')' | b'"' | b'\\'))
}
