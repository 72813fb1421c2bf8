//! Phone numbers: normalisation to E.164 and validation against the numbering plans of all countries.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use phonenumber::Metadata;
use phonenumber::metadata::DATABASE;
use regex::{Regex, RegexBuilder};

use crate::text::characters::plain;

/// Number of digits including the country code. The upper bound is from ITU-T E.164; no example of the numbering plans
/// is shorter than the lower bound.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
const FORM: &str = "expected a phone number with its country code such as +49301234567";
const UNKNOWN_CODE: &str = "unknown country code; expected a phone number such as +49301234567";
const WRONG_LENGTH: &str =
    "the country has no phone numbers of this length or prefix; expected a complete number such as +49301234567";

/// Returns the E.164 form of a number written with `+` and its country code. A workspace has no country, so a number
/// without a country code is ambiguous. A national `0` after the code, as in `+49 (0)30 …`, is removed if the country's
/// numbers have none.
///
/// The numbering plans are from libphonenumber, unpacked when the first number is read. A number that its country's
/// plan allows is accepted even if it is not assigned: ranges are opened faster than tables are published.
///
/// # Errors
/// A description of the accepted form.
pub(super) fn normal_form(text: &str) -> Result<String, &'static str> {
    let bare: String =
        plain(text).chars().filter(|c| !matches!(c, ' ' | '.' | '-' | '(' | ')' | '/' | '–' | '\u{2212}')).collect();
    let bare = without_mobile_one(&bare);
    let digits = bare.strip_prefix('+').ok_or(FORM)?;
    // One more digit, for a national `0`.
    let fits = (*DIGITS.start()..=DIGITS.end() + 1).contains(&digits.len()) && !digits.starts_with('0');
    if !fits || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FORM);
    }
    let (code, national, plans) = split(digits).ok_or(UNKNOWN_CODE)?;
    let whole = |national: &str| plans.iter().any(|plan| could_hold(plan, national));
    let without_trunk = || plans.iter().find_map(|plan| national.strip_prefix(plan.national_prefix()?));
    let national = match whole(national) {
        true => Some(national),
        false => without_trunk().filter(|national| whole(national)),
    };
    let normal = national.map(|national| format!("{code}{national}")).filter(|digits| DIGITS.contains(&digits.len()));
    normal.map(|digits| format!("+{digits}")).ok_or(WRONG_LENGTH)
}

/// Removes the `1` that WhatsApp and older plans write after Mexico's country code for mobile numbers: `+52 1 55…`
/// becomes `+52 55…`. Numbers of other countries are returned unchanged.
pub(crate) fn without_mobile_one(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('+').map_or(("", number), |digits| ("+", digits));
    match digits.strip_prefix("521") {
        Some(national) if national.len() == 10 && national.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{sign}52{national}")
        }
        Some(_) | None => number.to_owned(),
    }
}

/// Returns the other spellings of an international number, which has only digits, or a plus sign and digits: with or
/// without the plus sign, and with or without the digit that marks mobile numbers in Brazil (`9` after the area code),
/// Argentina (`9`) and Mexico (`1`). Providers and address books differ in them. Empty for another text.
pub fn number_spellings(number: &str) -> Vec<String> {
    let (sign, digits) = number.strip_prefix('+').map_or(("", number), |digits| ("+", digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let other_sign = if sign.is_empty() { "+" } else { "" };
    let variant = mobile_variant(digits);
    let same = variant.iter().map(|variant| format!("{sign}{variant}"));
    let others = std::iter::once(digits).chain(variant.as_deref()).map(|digits| format!("{other_sign}{digits}"));
    same.chain(others).collect()
}

/// Returns the digits with or without the digit that marks mobile numbers. Landlines of Brazil have no variant.
fn mobile_variant(digits: &str) -> Option<String> {
    let is_mobile_in_brazil = |local: &str| local.starts_with(['6', '7', '8', '9']);
    match (digits.len(), digits.get(..2)?, digits.get(2..)?) {
        (12, "55", rest) => {
            let (area, local) = rest.split_at_checked(2)?;
            is_mobile_in_brazil(local).then(|| format!("55{area}9{local}"))
        }
        (13, "55", rest) => {
            let (area, local) = rest.split_at_checked(2)?;
            let local = local.strip_prefix('9').filter(|local| is_mobile_in_brazil(local))?;
            Some(format!("55{area}{local}"))
        }
        (12, "54", rest) => Some(format!("549{rest}")),
        (13, "54", rest) => rest.strip_prefix('9').map(|rest| format!("54{rest}")),
        (12, "52", rest) => Some(format!("521{rest}")),
        (13, "52", rest) => rest.strip_prefix('1').map(|rest| format!("52{rest}")),
        (_, _, _) => None,
    }
}

/// Whether the plan allows the number. Unlike in the crate's own check, the pattern must match all digits. Compiled
/// patterns are cached, at most one per country. They are shared: a clone of an expression has no scratch memory yet, and
/// builds it again for its first match.
fn could_hold(plan: &'static Metadata, national: &str) -> bool {
    type Patterns = HashMap<&'static str, Option<Arc<Regex>>>;
    static WHOLE: LazyLock<Mutex<Patterns>> = LazyLock::new(Mutex::default);
    let pattern = plan.descriptors().general().national_number().as_str();
    let anchored = || RegexBuilder::new(&format!("^(?:{pattern})$")).ignore_whitespace(true).build().ok().map(Arc::new);
    let mut kept = WHOLE.lock().unwrap_or_else(PoisonError::into_inner);
    let whole = kept.entry(pattern).or_insert_with(anchored).clone();
    drop(kept);
    whole.is_some_and(|whole| whole.is_match(national))
}

/// Returns the country code, the other digits, and the plans of the countries that share the code. No code is a prefix
/// of another.
fn split(digits: &str) -> Option<(u16, &str, Vec<&'static Metadata>)> {
    (1..=3).find_map(|length| {
        let (code, national) = digits.split_at_checked(length)?;
        let code: u16 = code.parse().ok()?;
        Some((code, national, DATABASE.by_code(&code)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn returns_numbers_in_e_164() {
        for (text, normal) in [
            ("+49 (30) 123-45.67", "+49301234567"),
            (" +49 (0)30 / 123 45 67 ", "+49301234567"),
            ("+1 (415) 555-0100", "+14155550100"),
            ("+1 555 123 4567", "+15551234567"),
            ("+44 (0)20 7946 0958", "+442079460958"),
            ("+39 06 1234 5678", "+390612345678"),
            ("+7 800 555 35 35", "+78005553535"),
            ("+375 800 123 4567", "+3758001234567"),
            ("+55 11 91234-5678", "+5511912345678"),
            ("+86 138 0013 8000", "+8613800138000"),
            ("+91 98765 43210", "+919876543210"),
            ("+800 1234 5678", "+80012345678"),
            ("+49\u{a0}30\u{a0}1234567", "+49301234567"),
            ("\u{202a}+49 30\u{2011}1234567\u{202c}", "+49301234567"),
            ("＋４９ ３０ １２３４５６７", "+49301234567"),
            ("+49\u{200b}30–1234567\u{feff}", "+49301234567"),
            ("+52 1 55 1234 5678", "+525512345678"),
            ("+5215512345678", "+525512345678"),
            ("+52 55 1234 5678", "+525512345678"),
        ] {
            assert_eq!(normal_form(text).as_deref(), Ok(normal), "{text}");
            assert_eq!(normal_form(normal).as_deref(), Ok(normal), "a normal form stays as it is");
        }
    }

    #[test]
    fn numbers_of_three_countries_have_two_forms() {
        for (one, other) in [("5491123456789", "541123456789"), ("5215512345678", "525512345678")] {
            assert!(number_spellings(one).contains(&other.to_owned()), "{one}");
            assert!(number_spellings(other).contains(&one.to_owned()), "{other}");
        }
        assert_eq!(number_spellings("551181234567"), ["5511981234567", "+551181234567", "+5511981234567"]);
        assert_eq!(number_spellings("+5511981234567"), ["+551181234567", "5511981234567", "551181234567"]);
        assert_eq!(number_spellings("551131234567"), ["+551131234567"], "a landline has no variant");
        assert_eq!(number_spellings("+4930123456"), ["4930123456"]);
        for other in ["", "+", "ada", "DE.123", "49 30", "５５１１８１２３４５６７"] {
            assert_eq!(number_spellings(other), Vec::<String>::new(), "{other}");
        }
    }

    #[test]
    fn rejects_other_numbers_with_the_expected_form() {
        for text in ["", "49301234567", "030 1234567", "0049 30 1234567", "+0301234567", "+49x", "+12", "++49301234567"]
        {
            assert_eq!(normal_form(text), Err(FORM), "{text}");
        }
        for text in ["tel:+4930123456", "+49301234567;ext=5", "+1-800-FLOWERS", "+12345678901234567"] {
            assert_eq!(normal_form(text), Err(FORM), "{text}");
        }
        assert_eq!(normal_form("+9991234567"), Err(UNKNOWN_CODE));
        for text in ["+1415555010", "+141555501000", "+11155550100", "+33123456", "+1234567890123456", "+49 (0)1234"] {
            assert_eq!(normal_form(text), Err(WRONG_LENGTH), "{text}");
        }
    }

    #[test]
    fn reads_the_example_numbers_of_every_country() {
        let mut seen = 0;
        for plan in DATABASE.iter() {
            let kinds = plan.descriptors();
            let kinds = [Some(kinds.general()), kinds.fixed_line(), kinds.mobile(), kinds.toll_free(), kinds.voip()];
            for example in kinds.into_iter().flatten().filter_map(|kind| kind.example()) {
                let number = format!("+{}{example}", plan.country_code());
                assert_eq!(normal_form(&number).as_ref(), Ok(&number), "{}", plan.id());
                seen += 1;
            }
        }
        assert!(seen > 500, "{seen} examples");
    }

    /// Any text; digits and punctuation; and plausible numbers, often with a national `0` or `8`.
    const WRITTEN: &str = r"\PC{0,24}|\+?[0-9 ()./-]{0,24}|\+(7|39|4[0-9]|5[0-9]|375)[ (]?[08]?[)]?[0-9]{2,14}";

    proptest! {
        #[test]
        fn accepted_numbers_are_e_164_and_read_back_unchanged(text in WRITTEN) {
            if let Ok(normal) = normal_form(&text) {
                prop_assert!(normal.starts_with('+') && (8..=16).contains(&normal.len()), "{}", normal);
                prop_assert_eq!(normal_form(&normal), Ok(normal));
            }
        }
    }
}
