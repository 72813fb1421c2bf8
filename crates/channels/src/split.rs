//! Splits long texts into parts that a provider accepts.

use unicode_segmentation::UnicodeSegmentation;

/// Ends of sentences.
const SENTENCE_ENDS: [char; 7] = ['.', '!', '?', '…', '。', '！', '？'];

/// Number of units of a character.
type Units = fn(char) -> usize;

/// Splits a text into parts of at most `limit` UTF-16 code units: after a paragraph or a line, otherwise after a
/// sentence, otherwise at a space. A word, such as a link, is only split if it is longer than `limit`, and then between
/// two graphemes. Spaces at the borders of parts are removed.
pub(crate) fn split_utf16(text: &str, limit: usize) -> Vec<&str> {
    split(text, limit, char::len_utf16)
}

/// Splits a text into parts of at most `limit` characters, as [`split_utf16`].
pub(crate) fn split_characters(text: &str, limit: usize) -> Vec<&str> {
    split(text, limit, |_| 1)
}

fn split(text: &str, limit: usize, units: Units) -> Vec<&str> {
    if length(text, units) <= limit {
        return vec![text];
    }
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while length(rest, units) > limit {
        let window = fitting(rest, limit, units);
        let (part, after) = rest.split_at(border(window, rest));
        parts.push(part.trim_end());
        rest = after.trim_start();
    }
    parts.push(rest);
    parts.retain(|part| !part.is_empty());
    parts
}

fn length(text: &str, units: Units) -> usize {
    text.chars().map(units).sum()
}

/// Returns the longest start of a text that has at most `limit` units and ends between two graphemes. A single grapheme
/// that is too long is cut between two characters.
fn fitting(text: &str, limit: usize, units: Units) -> &str {
    let by_graphemes = prefix(text, text.graphemes(true), limit, units);
    match by_graphemes.is_empty() {
        true => prefix(text, text.split_inclusive(|_| true), limit, units),
        false => by_graphemes,
    }
}

fn prefix<'t>(text: &'t str, pieces: impl Iterator<Item = &'t str>, limit: usize, units: Units) -> &'t str {
    let (mut total, mut end) = (0, 0);
    for piece in pieces {
        total += length(piece, units);
        if total > limit {
            break;
        }
        end += piece.len();
    }
    text.get(..end).unwrap_or_default()
}

/// Returns the position at which `text` is split; at most the end of `window`. Paragraphs, lines and sentences only
/// count in the second half. So no part is much shorter than the limit.
fn border(window: &str, text: &str) -> usize {
    let half = window.len() / 2;
    let late = |position: &usize| *position > half;
    let after = |found: Option<usize>, length: usize| found.map(|start| start + length).filter(late);
    let next = text.get(window.len()..).and_then(|rest| rest.chars().next());
    // The window may end exactly before a space.
    let whole = Some(window.len()).filter(|_| next.is_some_and(char::is_whitespace));
    after(window.rfind("\n\n"), 2)
        .or_else(|| after(window.rfind('\n'), 1))
        .or_else(|| sentence_end(window).filter(late))
        .or(whole)
        .or_else(|| window.rfind(char::is_whitespace).filter(|start| *start > 0))
        .unwrap_or(window.len())
}

/// Returns the position after the last sentence that a space follows.
fn sentence_end(window: &str) -> Option<usize> {
    let mut ends = window.char_indices().rev().zip(window.char_indices().rev().skip(1));
    let found = ends.find(|((_, next), (_, end))| next.is_whitespace() && SENTENCE_ENDS.contains(end));
    found.map(|((start, _), _)| start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_text_that_fits() {
        assert_eq!(split_utf16("Hello", 5), ["Hello"]);
        assert_eq!(split_utf16("🦀🦀", 4), ["🦀🦀"]);
        assert_eq!(split_utf16(" Hi ", 4), [" Hi "]);
    }

    #[test]
    fn prefers_paragraphs_then_sentences_then_spaces() {
        assert_eq!(split_utf16("One two.\n\nThree four", 12), ["One two.", "Three four"]);
        assert_eq!(split_utf16("One two. Three four", 14), ["One two.", "Three four"]);
        assert_eq!(split_utf16("One two three", 8), ["One two", "three"]);
        assert_eq!(split_utf16("One two three", 7), ["One two", "three"]);
    }

    #[test]
    fn never_splits_a_link_that_fits() {
        let link = "https://example.com/a.b?c=d";
        assert_eq!(split_utf16(&format!("See this: {link}"), 30), ["See this:", link]);
    }

    #[test]
    fn counts_utf16_units_and_keeps_graphemes_whole() {
        // The 4,096th unit is the first half of an emoji.
        let text = format!("{}🦀", "x".repeat(4_095));
        assert_eq!(split_utf16(&text, 4_096), ["x".repeat(4_095).as_str(), "🦀"]);
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(split_utf16(&family.repeat(3), 17), [family.repeat(2), family.to_owned()]);
        let parts = split_utf16("e\u{301}e\u{301}e\u{301}", 3);
        assert_eq!(parts, ["e\u{301}", "e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn counts_characters() {
        assert_eq!(split_characters("🦀🦀", 2), ["🦀🦀"]);
        assert_eq!(split_characters("One two", 4), ["One", "two"]);
    }

    #[test]
    fn splits_a_grapheme_that_is_longer_than_the_limit() {
        let marks = format!("e{}", "\u{301}".repeat(9));
        let parts = split_utf16(&marks, 4);
        assert!(parts.iter().all(|part| length(part, char::len_utf16) <= 4), "{parts:?}");
        assert_eq!(parts.concat(), marks);
    }
}
