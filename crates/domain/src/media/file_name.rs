//! Names of files that are safe in headers, on disks and on screens.

use unicode_normalization::UnicodeNormalization;

/// Maximum number of characters of a file's name.
pub const MAX_FILE_NAME: usize = 120;

/// The name of a file without a usable name.
const UNNAMED: &str = "file";

/// Returns a safe form of a given name: the last segment of a path, in Unicode NFC, without control characters and
/// characters that change the direction of text, at most [`MAX_FILE_NAME`] characters long. A shortened name keeps its
/// extension.
pub fn safe_file_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.nfc().filter(|it| !is_unsafe(*it)).collect();
    let name = kept.trim_matches(|it: char| it.is_whitespace() || it == '.');
    if name.is_empty() { UNNAMED.to_owned() } else { shortened(name) }
}

/// Whether a character could break a header or show a false name.
fn is_unsafe(it: char) -> bool {
    let changes_direction =
        matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    it.is_control() || changes_direction || matches!(it, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn shortened(name: &str) -> String {
    const MAX_EXTENSION: usize = 10;
    if name.chars().count() <= MAX_FILE_NAME {
        return name.to_owned();
    }
    let extension = name.rsplit_once('.').map(|(_, it)| it).filter(|it| it.chars().count() <= MAX_EXTENSION);
    let extension = extension.map(|it| format!(".{it}")).unwrap_or_default();
    let kept = MAX_FILE_NAME.saturating_sub(extension.chars().count());
    name.chars().take(kept).chain(extension.chars()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keeps_the_last_segment_without_unsafe_characters() {
        for (given, safe) in [
            ("Bill.pdf", "Bill.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\Ada\\cat.png", "cat.png"),
            ("photo\u{202e}gnp.exe", "photognp.exe"),
            ("a\r\nSet-Cookie: b", "aSet-Cookie: b"),
            ("Cafe\u{301}.txt", "Café.txt"),
            ("...", "file"),
            (" .htaccess ", "htaccess"),
            ("", "file"),
            ("folder/", "file"),
        ] {
            assert_eq!(safe_file_name(given), safe, "{given:?}");
        }
    }

    #[test]
    fn keeps_the_extension_of_a_long_name() {
        let safe = safe_file_name(&format!("{}.jpeg", "ä".repeat(300)));
        assert_eq!((safe.chars().count(), safe.ends_with("ä.jpeg")), (MAX_FILE_NAME, true));
        assert_eq!(safe_file_name(&"x".repeat(300)).len(), MAX_FILE_NAME);
    }

    proptest! {
        #[test]
        fn any_name_becomes_safe_once(given: String) {
            let safe = safe_file_name(&given);
            prop_assert!(!safe.is_empty() && safe.chars().count() <= MAX_FILE_NAME);
            prop_assert!(!safe.contains(['/', '\\', '\0', '\r', '\n']));
        }
    }
}
