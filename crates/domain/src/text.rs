//! Comparison of texts: one folding for all databases.

mod search;
mod sorting;

use unicode_normalization::UnicodeNormalization;

pub use search::{meant, search_fold};
pub use sorting::sort_key;
pub use tidings_read::characters;
pub use tidings_read::cut;
pub use tidings_read::similar_names::{Hints, nearest};

/// Returns the key of a unique name: compatibility-normalized, lower-cased, trimmed, with single spaces. Keys are
/// compared byte by byte, so all stores agree. Names are sorted by [`sort_key`].
pub fn fold(text: &str) -> String {
    // Most texts of an import are ASCII, which is normalized already.
    if text.is_ascii() { single_spaced(&text.to_ascii_lowercase()) } else { fold_any(text) }
}

fn fold_any(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    single_spaced(&lower)
}

/// Trims a text, and replaces each run of white space by one space.
fn single_spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    spaced
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_looking_names_fold_to_the_same_key() {
        assert_eq!(fold("  VIP\u{a0} Customer "), "vip customer");
        assert_eq!(fold("Ｖｉｐ customer"), "vip customer");
        assert_eq!(fold("ÄRGER"), fold("a\u{308}rger"));
        assert_ne!(fold("vip"), fold("v.i.p"));
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

    proptest! {
        #[test]
        fn an_ascii_text_folds_like_any_other(text in "[\\x00-\\x7F]{0,12}|[ A-Z]{0,12}") {
            prop_assert_eq!(fold(&text), fold_any(&text));
        }
    }
}
