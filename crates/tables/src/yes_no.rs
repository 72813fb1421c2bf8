//! Yes and no, in the words of people and of spreadsheets.

use crate::text::plain_char;

/// The most bytes of a word.
const MAX_WORD: usize = 24;

/// Reads a trimmed cell as yes (`true`) or no (`false`), in any case and with or without accents.
pub(crate) fn read(cell: &str) -> Option<bool> {
    let bytes = cell.as_bytes();
    if bytes.len() > MAX_WORD {
        return None;
    }
    let mut lower = [0_u8; MAX_WORD];
    if cell.is_ascii() {
        let word = lower.get_mut(..bytes.len())?;
        word.copy_from_slice(bytes);
        word.make_ascii_lowercase();
        return std::str::from_utf8(word).ok().and_then(word_value);
    }
    let folded: String = cell.chars().filter_map(plain_char).flat_map(char::to_lowercase).map(without_accent).collect();
    word_value(&folded)
}

fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'ã' => 'a',
        'í' | 'ì' => 'i',
        c => c,
    }
}

/// English, German, French, Spanish, Portuguese, Italian, Dutch, Polish and Scandinavian words; the words of Excel;
/// signs.
fn word_value(word: &str) -> Option<bool> {
    match word {
        "true" | "t" | "yes" | "y" | "1" | "x" | "on" | "ja" | "j" | "wahr" | "oui" | "o" | "vrai" | "si" | "s"
        | "verdadero" | "sim" | "verdadeiro" | "vero" | "waar" | "tak" | "sand" | "sant" | "✓" | "✔" | "☑" | "✅" => {
            Some(true)
        }
        "false" | "f" | "no" | "n" | "0" | "off" | "nein" | "falsch" | "non" | "faux" | "falso" | "nao" | "nee"
        | "onwaar" | "nie" | "nej" | "nei" | "falsk" | "falskt" | "✗" | "✘" | "❌" | "☐" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_words_of_several_languages_in_any_case() {
        for cell in [
            "TRUE",
            "yes",
            "Ja",
            "1",
            "x",
            "X",
            "Oui",
            "Sí",
            "si",
            "SIM",
            "WAHR",
            "VRAI",
            "Verdadero",
            "✓",
            "✔\u{fe0f}",
            "Ｙ",
        ] {
            assert_eq!(read(cell), Some(true), "{cell}");
        }
        for cell in ["FALSE", "no", "Nein", "0", "Non", "Não", "FALSCH", "FAUX", "Falso", "❌", "n"] {
            assert_eq!(read(cell), Some(false), "{cell}");
        }
        for cell in ["", "maybe", "2", "yes please", "-", "subscribed", "abcdefghijklmnopqrstuvwxyz"] {
            assert_eq!(read(cell), None, "{cell}");
        }
    }
}
