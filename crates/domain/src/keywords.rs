//! Comparison of whole messages with words: opt-out words and `exact` keywords.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::fold;

/// Returns the words of a message in lower case, with single spaces, without diacritics, width, punctuation, symbols
/// and emoji. Empty without letters and digits.
pub fn fold_message(text: &str) -> String {
    let mut folded = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_emoji = letters.peek() == Some(&EMOJI_STYLE) && !letter.is_ascii_alphanumeric();
        if is_emoji || is_symbol(letter) {
            folded.push(' ');
            continue;
        }
        for part in std::iter::once(letter).nfkd().flat_map(char::to_lowercase).nfkd() {
            match part {
                part if is_dropped(part) => {}
                part if part.is_alphanumeric() || is_combining_mark(part) => base(part, &mut folded),
                _ => folded.push(' '),
            }
        }
    }
    let composed: String = folded.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text that is compared for `exact` keywords: [`fold_message`], or [`fold`] if that is empty, as for an
/// emoji.
pub fn exact_key(text: &str) -> String {
    let folded = fold_message(text);
    if folded.is_empty() { fold(text) } else { folded }
}

/// The variation selector that displays the preceding character as an emoji.
const EMOJI_STYLE: char = '\u{fe0f}';

/// Whether a character counts as a symbol although Unicode classifies it as alphabetic or decomposes it into letters.
fn is_symbol(c: char) -> bool {
    matches!(c, '™' | '℠' | '\u{1f150}'..='\u{1f2ff}')
}

/// Whether a character is removed without separating words: diacritics, marks around a character, apostrophes, and
/// invisible characters.
fn is_dropped(c: char) -> bool {
    matches!(c,
        // Diacritics of Latin, Greek and Cyrillic letters, and vowel signs of Hebrew and Arabic.
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'..='\u{5c7}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{640}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}'
        // Apostrophes.
        | '\'' | '`' | '\u{b4}' | '\u{2b0}'..='\u{2ff}' | '\u{2018}'..='\u{201b}' | '\u{2032}'
        // Invisible characters.
        | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// Adds a lower-case character. Replaces strokes and ligatures that Unicode does not decompose.
fn base(c: char, to: &mut String) {
    let plain = match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'ς' => "σ",
        other => return to.push(other),
    };
    to.push_str(plain);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_case_width_diacritics_punctuation_and_symbols() {
        let stop = [
            "STOP",
            "Stop.",
            "¡¡stop!!",
            "ＳＴＯＰ",
            "STOP 🛑",
            "🛑STOP🛑",
            "\"stop\"",
            "(Stop)",
            "*stop*",
            "«stop»",
            "stop…",
            "Štóp",
            "st\u{200b}op",
            "\u{202e}stop\u{202c}",
            "S\u{ad}TOP",
            "𝐒𝐓𝐎𝐏",
            "Ⓢⓣⓞⓟ",
            "stop™",
            "stop ❤️",
            "stop 👨‍👩‍👧",
            "STOP 🇩🇪",
            "stop ‼️",
            "\u{feff}stop\r\n",
            "stop 🅰️",
            "stop ℹ️",
            "sto\u{301}p",
        ];
        for text in stop {
            assert_eq!(fold_message(text), "stop", "{text:?}");
        }
    }

    #[test]
    fn separates_words_but_not_at_apostrophes() {
        for text in ["opt-out", "OPT_OUT", "opt.out!", "Opt\u{a0}Out", "opt\u{2011}out"] {
            assert_eq!(fold_message(text), "opt out", "{text:?}");
        }
        for text in ["don't", "don’t", "donʼt", "DON`T"] {
            assert_eq!(fold_message(text), "dont", "{text:?}");
        }
    }

    #[test]
    fn keeps_marks_that_distinguish_words_of_other_scripts() {
        assert_eq!(fold_message("ARRÊT"), fold_message("arret"));
        assert_eq!(fold_message("Straße"), "strasse");
        assert_eq!(fold_message("İPTAL"), "iptal");
        assert_eq!(fold_message("СТОП!"), "стоп");
        assert_eq!(fold_message("٣"), "٣");
        assert_ne!(fold_message("が"), fold_message("か"));
        assert_ne!(fold_message("बंद"), fold_message("बद"));
        assert_eq!(fold_message("停止。"), "停止");
    }

    #[test]
    fn compares_keywords_of_symbols_exactly() {
        assert_eq!(exact_key(" 👍 "), exact_key("👍"));
        assert_ne!(exact_key("👍"), exact_key("👎"));
        assert_eq!(exact_key("1️⃣"), exact_key("1"));
        assert_eq!(exact_key(""), "");
    }
}
