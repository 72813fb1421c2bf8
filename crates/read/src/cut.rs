//! Texts of limited length.

/// Cuts a text to at most this many bytes; a cut text ends with `…`.
pub fn cut(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        let end = (0..=bytes.saturating_sub('…'.len_utf8())).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_long_texts_with_an_ellipsis() {
        assert_eq!((cut("abc".to_owned(), 3), cut("abcd".to_owned(), 3)), ("abc".to_owned(), "…".to_owned()));
        assert_eq!(cut("äöü".to_owned(), 5), "ä…");
    }
}
