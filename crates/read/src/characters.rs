//! Characters that are invisible or look alike, and that keyboards and copied texts insert.
//!
//! These functions prepare texts for comparison. They never change how a stored text is displayed.

/// Whether a character joins or separates its neighbours: U+200C and U+200D. Persian words, Indic scripts and emoji
/// need them inside a text.
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Whether a character has no shape of its own: zero-width spaces, joiners, directional marks, soft hyphens, variation
/// selectors, fillers and tags (the property `Default_Ignorable_Code_Point`, and annotation marks).
pub fn is_invisible(c: char) -> bool {
    is_format(c)
        || matches!(c, '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}')
        || matches!(c, '\u{3164}' | '\u{FFA0}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFF0}'..='\u{FFF8}')
        || matches!(c, '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a format character has no meaning at the ends of a text. Tags are excluded: the flag of Scotland ends with
/// them.
fn is_format(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}')
}

/// Removes Unicode spaces and format characters at both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_format(c))
}

/// Whether a text displays nothing: it is empty, or has only spaces and invisible characters. U+2800 is a Braille cell
/// without dots.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c) || c == '\u{2800}')
}

/// Returns the plain form of a character, or `None` for an invisible one: a space for every Unicode space, `'` for
/// typographic apostrophes, `-` for hyphens that do not break, and ASCII for full-width letters, digits and signs.
/// Other characters do not change; they keep case and diacritics.
pub fn plain_char(c: char) -> Option<char> {
    let plain = match c {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' | '\u{2032}' | '\u{FF07}' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        c if is_invisible(c) => return None,
        c if c.is_whitespace() => ' ',
        c => c,
    };
    Some(plain)
}

/// Converts a text to plain characters by [`plain_char`]. Removes joiners, too.
pub fn plain(text: &str) -> String {
    text.chars().filter_map(plain_char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_typographic_and_invisible_characters() {
        for (text, expected) in [
            ("O\u{2019}Neil", "O'Neil"),
            ("+49\u{a0}30\u{2011}1234", "+49 30-1234"),
            ("ＳＴＯＰ！", "STOP!"),
            ("\u{feff}Ja\u{200b}\u{200f}", "Ja"),
            ("\u{202a}+49\u{202c}", "+49"),
            ("❤\u{fe0f}", "❤"),
            ("a\u{3000}b\u{202f}c\td", "a b c d"),
            ("Åse — naïve ŁÓDŹ", "Åse — naïve ŁÓDŹ"),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
            assert_eq!(plain(expected), expected);
        }
    }

    #[test]
    fn trims_spaces_and_format_characters_only_at_the_ends() {
        assert_eq!(trim("\u{feff}\u{a0}\u{200e} Ada  Lovelace\u{2009}\u{200b}\n"), "Ada  Lovelace");
        assert_eq!(trim("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(trim("👨\u{200d}👩"), "👨\u{200d}👩");
        for whole in ["❤\u{fe0f}", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"] {
            assert_eq!(trim(whole), whole, "the emoji keeps its shape");
        }
    }

    #[test]
    fn a_text_of_invisible_characters_is_blank() {
        for blank in
            ["", " \u{3000}", "\u{200b}\u{200d}", "\u{2060}", "\u{3164}", "\u{2800}", "\u{feff}\u{ad}", "\u{e0020}"]
        {
            assert!(is_blank(blank), "{blank:?}");
        }
        assert!(!is_blank("\u{200b}a") && !is_blank("❤\u{fe0f}") && !is_blank("."));
    }
}
