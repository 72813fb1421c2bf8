//! Phone numbers: normalisation to E.164 and validation against the numbering plans of all countries.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

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

/// Whether the plan allows the number. Unlike in the crate's own check, the pattern must match all digits. Compiled
/// patterns are cached, at most one per country.
fn could_hold(plan: &'static Metadata, national: &str) -> bool {
    static WHOLE: LazyLock<Mutex<HashMap<&'static str, Option<Regex>>>> = LazyLock::new(Mutex::default);
    let pattern = plan.descriptors().general().national_number().as_str();
    let anchored = || RegexBuilder::new(&format!("^(?:{pattern})$")).ignore_whitespace(true).build().ok();
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
