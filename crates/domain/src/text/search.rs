//! Folding for searches and typed answers. It ignores differences that a keyboard may not be able to type.
//!
//! Unique names, conditions and digests still use [`fold`](super::fold).

use unicode_normalization::UnicodeNormalization;

use super::characters::plain_char;
use super::{fold, single_spaced};

/// Folds a text for searches, keywords and options: like [`fold`], but without diacritics, with one form of the
/// apostrophe, and with plain letters for those without a decomposition (ß as ss, ł as l, ø as o). It is idempotent.
pub fn search_fold(text: &str) -> String {
    if !text.is_ascii() {
        return search_fold_any(text);
    }
    let plain = text.chars().filter_map(plain_char).map(with_apostrophe);
    single_spaced(&plain.map(|c| c.to_ascii_lowercase()).collect::<String>())
}

fn search_fold_any(text: &str) -> String {
    let plain: String = text.chars().filter_map(plain_char).map(with_apostrophe).collect();
    let letters = plain.nfkd().flat_map(char::to_lowercase).nfkd().filter(|c| !is_diacritic(*c));
    let mut folded = String::with_capacity(text.len());
    for c in letters.filter_map(plain_char).map(with_apostrophe) {
        match spelled(c) {
            Some(spelling) => folded.push_str(spelling),
            None => folded.push(c),
        }
    }
    let composed: String = folded.nfkc().collect();
    single_spaced(&composed)
}

/// Replaces accents that keyboards produce instead of an apostrophe.
fn with_apostrophe(c: char) -> char {
    match c {
        '`' | '\u{B4}' | '\u{2BB}' | '\u{2BD}' | '\u{55A}' | '\u{1FEF}' | '\u{1FFD}' => '\'',
        c => c,
    }
}

/// Whether a search ignores a mark: Latin, Greek and Cyrillic diacritics, Hebrew points and Arabic vowel signs. Marks
/// of Japanese and Indic scripts are not ignored, because they make other letters.
fn is_diacritic(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}')
        || matches!(c, '\u{FE20}'..='\u{FE2F}' | '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}'..='\u{5C2}')
        || matches!(c, '\u{5C4}'..='\u{5C5}' | '\u{5C7}' | '\u{64B}'..='\u{652}' | '\u{670}' | '\u{640}')
}

/// Returns the plain spelling of a letter without a decomposition.
fn spelled(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ŧ' => "t",
        'þ' => "th",
        'ŋ' => "n",
        'ĸ' => "k",
        'ς' => "σ",
        _ => return None,
    })
}

/// Returns the candidate that a typed text matches: an exact match, otherwise the first with the same [`fold`],
/// otherwise the only one with the same [`search_fold`].
pub fn meant<'a, T>(said: &str, candidates: impl IntoIterator<Item = (&'a str, T)>) -> Option<T> {
    let said = said.trim();
    let (folded, searched) = (fold(said), search_fold(said));
    let (mut by_fold, mut by_search, mut others) = (None, None, false);
    for (text, candidate) in candidates {
        if text.trim() == said {
            return Some(candidate);
        }
        if by_fold.is_none() && fold(text) == folded {
            by_fold = Some(candidate);
        } else if !searched.is_empty() && search_fold(text) == searched {
            others |= by_search.is_some();
            by_search = Some(candidate);
        }
    }
    by_fold.or(by_search.filter(|_| !others))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn search_keys_ignore_accents_and_variants_of_letters() {
        for (typed, stored) in [
            ("alvaro", "Álvaro"),
            ("strasse", "Straße"),
            ("STRASSE", "STRAẞE"),
            ("o\u{2019}neil", "O'Neil"),
            ("o`neil", "O\u{2BC}Neil"),
            ("o\u{1FEF}neil", "O\u{1FFD}Neil"),
            ("o'neil", "O\u{FF40}Neil"),
            ("lodz", "Łódź"),
            ("kobenhavn", "København"),
            ("istanbul", "İstanbul"),
            ("istanbul", "ıstanbul"),
            ("aesop", "Æsop"),
            ("francois", "Franc\u{327}ois"),
            ("thor", "Þór"),
            ("ho chi minh", "Hồ\u{a0}Chí  Minh"),
            ("sofia", "\u{200f}Sófia\u{200b}"),
            ("елка", "Ёлка"),
            ("αθηνα", "Αθήνα"),
            ("vip", "ＶＩＰ"),
        ] {
            assert_eq!(search_fold(typed), search_fold(stored), "{typed} {stored}");
        }
        for (one, other) in [("か", "が"), ("vip", "v.i.p"), ("ann", "anna"), ("大阪", "大坂")] {
            assert_ne!(search_fold(one), search_fold(other));
        }
        assert_ne!(fold("Café"), fold("Cafe"), "names still differ");
    }

    #[test]
    fn prefers_exact_then_folded_then_unique_matches() {
        let find = |said: &str, all: &[&'static str]| meant(said, all.iter().map(|it| (*it, *it)));
        assert_eq!(find("cafe", &["Café", "Cafe", "cafe"]), Some("cafe"));
        assert_eq!(find("CAFE", &["Café", "Cafe"]), Some("Cafe"));
        assert_eq!(find("cafe", &["Café", "Tea"]), Some("Café"));
        assert_eq!(find("cafe", &["Café", "Cafè"]), None, "two matches are ambiguous");
        assert_eq!(find(" Yes ", &["No", "yes"]), Some("yes"));
        assert_eq!(find("", &["\u{301}"]), None);
    }

    #[test]
    fn folding_a_folded_character_changes_nothing() {
        for c in '\0'..='\u{FFFF}' {
            let once = search_fold(&format!("a{c}b"));
            assert_eq!(search_fold(&once), once, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn an_ascii_text_folds_like_any_other(text in "[\\x00-\\x7F]{0,12}|[ A-Z`']{0,12}") {
            prop_assert_eq!(search_fold(&text), search_fold_any(&text));
        }

        #[test]
        fn folding_a_key_again_changes_nothing(text in "\\PC{0,12}") {
            let once = search_fold(&text);
            prop_assert_eq!(search_fold(&once), once);
        }

        #[test]
        fn folding_a_name_does_not_change_its_search_key(text in "[a-zA-ZÀ-ſ' ]{0,12}") {
            prop_assert_eq!(search_fold(&fold(&text)), search_fold(&text));
        }
    }
}
