//! Characters of cells and headings: spaces, invisible characters and folding.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Whether a character is invisible at the ends of a text: soft hyphens, zero-width spaces, directional and order
/// marks.
fn is_format(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Removes spaces and format characters at both ends.
pub(crate) fn trim(text: &str) -> &str {
    let is_plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = text.as_bytes();
    if is_plain(bytes.first()) && is_plain(bytes.last()) {
        return text;
    }
    text.trim_matches(|c: char| c.is_whitespace() || is_format(c))
}

/// Whether a character is a space that groups digits: ordinary, no-break, narrow no-break, thin or figure space.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{202F}' | '\u{2009}' | '\u{2007}')
}

/// Whether a character is an apostrophe that groups digits.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02BC}')
}

/// The plain form of a character, or `None` for an invisible one: ASCII for full-width forms, typographic apostrophes,
/// hyphens and minus signs, a space for other spaces, and Latin digits for Arabic, Persian, Devanagari and Bengali
/// digits.
pub(crate) fn plain_char(c: char) -> Option<char> {
    let shifted = |zero: u32| char::from_u32(u32::from(c) - zero + u32::from('0')).unwrap_or(c);
    Some(match c {
        '\0'..='\u{7F}' => c,
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2212}' => '-',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{0660}'..='\u{0669}' => shifted(0x0660),
        '\u{06F0}'..='\u{06F9}' => shifted(0x06F0),
        '\u{0966}'..='\u{096F}' => shifted(0x0966),
        '\u{09E6}'..='\u{09EF}' => shifted(0x09E6),
        '\u{FE00}'..='\u{FE0F}' => return None,
        c if is_format(c) => return None,
        c if c.is_whitespace() => ' ',
        c => c,
    })
}

/// A text of plain characters, without spaces at its ends.
pub(crate) fn plain(text: &str) -> String {
    trim(text).chars().filter_map(plain_char).collect()
}

/// Folds a heading, a word or a name for comparing: letters and digits alone, in lower case and without accents.
/// `E-Mail`, `e mail` and `Email` fold to `email`; `ß` folds to `ss`.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            c if c.is_alphanumeric() => folded.push(c),
            _ => {}
        }
    }
    folded
}

/// At most the first `most` characters, with `…` after them if there are more.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folds_case_spaces_accents_and_punctuation() {
        for (text, folded) in [
            ("E-Mail", "email"),
            (" e mail: ", "email"),
            ("First_Name", "firstname"),
            ("Prénom", "prenom"),
            ("Telefon (mobil)", "telefonmobil"),
            ("Straße", "strasse"),
            ("Número de teléfono", "numerodetelefono"),
            ("ＰＨＯＮＥ", "phone"),
            ("Имя", "имя"),
            ("–", ""),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn trims_spaces_and_marks_at_the_ends() {
        assert_eq!(trim("\u{feff}\u{a0} Ada  L \u{200b}\t"), "Ada  L");
        assert_eq!(trim("x"), "x");
        assert_eq!(trim(" "), "");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,12}") {
            prop_assert_eq!(fold(&fold(&text)), fold(&text));
        }
    }
}
