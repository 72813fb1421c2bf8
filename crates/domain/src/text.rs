//! Comparison of texts: one folding for all databases.

pub mod characters;
mod search;
mod sorting;

use unicode_normalization::UnicodeNormalization;

pub use search::{meant, search_fold};
pub use sorting::sort_key;

/// Returns the key of a unique name: compatibility-normalized, lower-cased, trimmed, with single spaces. Keys are
/// compared byte by byte, so all stores agree. Names are sorted by [`sort_key`].
pub fn fold(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    single_spaced(&lower)
}

/// Trims a text, and replaces each run of white space by one space.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a folded text of at most this many bytes, cut between characters.
pub fn fold_up_to(text: &str, bytes: usize) -> String {
    let mut folded = fold(text);
    let end = (0..=bytes.min(folded.len())).rev().find(|end| folded.is_char_boundary(*end));
    folded.truncate(end.unwrap_or(0));
    folded
}

/// Derives a key such as `favourite_colour` from a name. `None` if no letter or digit is left.
///
/// The form is `^[a-z][a-z0-9_]{0,35}$`.
pub fn key_from_name(name: &str) -> Option<String> {
    let name = name.replace(['ß', 'ẞ'], "ss");
    let mut key = String::new();
    for c in name.nfkd().flat_map(char::to_lowercase).filter(|c| c.is_ascii()) {
        if c.is_ascii_alphanumeric() {
            key.push(c);
        } else if !key.ends_with('_') {
            key.push('_');
        }
    }
    let key = key.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    let key: String = key.chars().take(36).collect();
    let key = key.trim_end_matches('_');
    is_key(key).then(|| key.to_owned())
}

/// Whether a text has the form `^[a-z][a-z0-9_]{0,35}$`.
pub fn is_key(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && text.len() <= 36
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Cuts a text to at most this many bytes; a cut text ends with `…`.
pub fn cut(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        let end = (0..=bytes.saturating_sub('…'.len_utf8())).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}

/// Maximum length of a name that gets suggestions. The distance of two names takes time in proportion to the product of
/// their lengths.
const LONGEST_MISTYPED: usize = 64;

/// Shorter words occur in too many names.
const SHORTEST_WORD: usize = 3;

/// Finds similar names with limited work, because clients choose the names and their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hints {
    left: usize,
}

impl Default for Hints {
    fn default() -> Self {
        Self { left: 1 << 20 }
    }
}

impl Hints {
    /// Like [`nearest`], for the known names that the remaining work allows.
    pub fn nearest<'a>(&mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        // No suggestion for a long name, so no work.
        if name.len() > LONGEST_MISTYPED {
            return Vec::new();
        }
        nearest(
            name,
            known.into_iter().map_while(|candidate| {
                let left = self.left.checked_sub(name.len().saturating_mul(candidate.len()));
                self.left = left.unwrap_or(0);
                left.map(|_| candidate)
            }),
        )
    }
}

/// Returns the known names that are most similar to `name`, the best first, at most three. A name of several words is
/// similar to each of them: `first_name` to `name`.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > LONGEST_MISTYPED {
        return Vec::new();
    }
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .map(|candidate| {
            let is_word = name.len() >= SHORTEST_WORD && candidate.split(['_', '.']).any(|word| word == name);
            (if is_word { 1 } else { strsim::damerau_levenshtein(name, candidate) }, candidate)
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(name.len()).saturating_sub(1) / 3)
        .collect();
    scored.sort_unstable();
    scored.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_looking_names_fold_to_the_same_key() {
        assert_eq!(fold("  VIP\u{a0} Customer "), "vip customer");
        assert_eq!(fold("Ｖｉｐ customer"), "vip customer");
        assert_eq!(fold("ÄRGER"), fold("a\u{308}rger"));
        assert_ne!(fold("vip"), fold("v.i.p"));
    }

    #[test]
    fn cuts_long_texts_with_an_ellipsis() {
        assert_eq!((cut("abc".to_owned(), 3), cut("abcd".to_owned(), 3)), ("abc".to_owned(), "…".to_owned()));
        assert_eq!(cut("äöü".to_owned(), 5), "ä…");
    }

    #[test]
    fn suggests_names_that_contain_the_word() {
        assert_eq!(nearest("name", ["first_name", "last_name", "email"]), ["first_name", "last_name"]);
        assert_eq!(nearest("send", ["send_message", "end"]), ["end", "send_message"]);
        // `id` occurs in too many of them.
        assert!(nearest("id", ["external_id", "channel_id"]).is_empty());
    }

    #[test]
    fn suggests_no_short_name_with_two_different_letters() {
        assert!(nearest("foo", ["now"]).is_empty());
        assert_eq!(nearest("nwo", ["now"]), ["now"]);
    }

    #[test]
    fn stops_suggesting_at_the_limit_of_work() {
        let mut hints = Hints { left: 25 };
        assert_eq!(hints.nearest("emial", ["email", "phone"]), ["email"]);
        assert!(hints.nearest("phnoe", ["phone"]).is_empty());
    }

    #[test]
    fn long_keys_are_cut_between_characters() {
        assert_eq!(fold_up_to("ÄÖ", 4), "äö");
        assert_eq!((fold_up_to("ÄÖ", 3), fold_up_to("ÄÖ", 1)), ("ä".to_owned(), String::new()));
    }

    #[test]
    fn builds_keys_from_names() {
        assert_eq!(key_from_name("Favourite colour").as_deref(), Some("favourite_colour"));
        assert_eq!(key_from_name("1st Größe!").as_deref(), Some("st_grosse"));
        assert_eq!(key_from_name("日本"), None);
        assert!(key_from_name(&"long ".repeat(20)).is_some_and(|key| is_key(&key)));
    }

    #[test]
    fn suggests_only_near_names() {
        assert_eq!(nearest("emial", ["email", "phone", "external_id"]), ["email"]);
        assert!(nearest("zzz", ["email", "phone"]).is_empty());
        assert!(nearest(&"e".repeat(65), ["e".repeat(65).as_str()]).is_empty());
    }
}
