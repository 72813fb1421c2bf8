//! Phone numbers: from national or international notation to E.164.
//!
//! The result has a known calling code and a possible length. The importer validates it against the full numbering
//! plans.

mod plans;

use std::fmt;

use plans::{CODES, PLANS, Plan};

use crate::reasons::{Reason, is_scientific};
use crate::text::{is_space, plain_char};

/// A country, as the default for national phone numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Country(&'static Plan);

impl Country {
    /// Reads a code of ISO 3166-1 alpha-2 in any case, such as `DE`.
    pub fn parse(code: &str) -> Option<Self> {
        PLANS.iter().find(|plan| plan.region.eq_ignore_ascii_case(code)).map(Self)
    }

    /// The code in upper case.
    pub fn code(self) -> &'static str {
        self.0.region
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

/// A form of phone numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhoneForm {
    /// With `+` or `00` and the country code.
    International,
    /// As [`Self::International`], or with the country code and neither `+` nor `00`.
    Digits,
    /// As [`Self::International`], or a national number of this country.
    National(Country),
}

/// The digits of a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Digits {
    bytes: [u8; 24],
    length: usize,
    has_plus: bool,
}

impl Digits {
    /// Removes spaces, points, hyphens, slashes and brackets. `(0)` behind a country code is removed as well.
    pub(crate) fn of(cell: &str) -> Result<Self, Reason> {
        let wrong = || if is_scientific(cell) { Reason::ScientificNotation } else { Reason::NotAPhone };
        // Programs write numbers of cells so; the point is no separator.
        if cell.strip_suffix(".0").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
            return Err(Reason::NotAPhone);
        }
        let mut digits = Self::default();
        let international = cell.starts_with(['+', '＋']) || cell.starts_with("00");
        let mut rest = cell;
        while let Some(c) = rest.chars().next() {
            if international && let Some(behind) = rest.strip_prefix("(0)") {
                rest = behind;
                continue;
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            let Some(plain) = plain_char(c) else { continue };
            match plain {
                '0'..='9' => {
                    let place = digits.bytes.get_mut(digits.length).ok_or(Reason::PhoneLength)?;
                    *place = u8::try_from(plain).unwrap_or_default();
                    digits.length += 1;
                }
                '+' if digits.length == 0 && !digits.has_plus => digits.has_plus = true,
                '.' | '-' | '(' | ')' | '/' => {}
                plain if is_space(plain) => {}
                _ => return Err(wrong()),
            }
        }
        if digits.length < 3 { Err(wrong()) } else { Ok(digits) }
    }

    fn as_str(&self) -> &str {
        self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// Applies a form, and passes the calling code with the national number to a function.
fn read_parts<T>(digits: &Digits, form: PhoneForm, result: impl FnOnce(&str, &str) -> T) -> Result<T, Reason> {
    let text = digits.as_str();
    let country = if let PhoneForm::National(country) = form { Some(country.0) } else { None };
    let american = country.filter(|plan| plan.code == 1 && text.len() > 11).and_then(|_| text.strip_prefix("011"));
    let international = if digits.has_plus { Some(text) } else { text.strip_prefix("00").or(american) };
    let international = international.or(Some(text).filter(|_| form == PhoneForm::Digits && !text.starts_with('0')));
    if let Some(text) = international {
        return check_code(text).map(|()| result("", text));
    }
    let plan = country.ok_or(Reason::NoCountry)?;
    let (fewest, most) = plan.digits;
    let is_possible = |national: &&str| (fewest..=most).contains(&national.len());
    let without_prefix = text.strip_prefix(plan.prefix).filter(is_possible);
    // The prefix `0` is always written; `8` of Russia and `1` of North America often are not.
    let national = match without_prefix {
        Some(national) => national,
        None if plan.prefix.starts_with('0') && !text.starts_with(plan.prefix) => return Err(Reason::NoNationalPrefix),
        None if plan.prefix.starts_with('0') => return Err(Reason::PhoneLength),
        None => Some(text).filter(is_possible).ok_or(Reason::PhoneLength)?,
    };
    let mut code = [0_u8; 3];
    Ok(result(code_text(plan.code, &mut code), national))
}

/// Reads a trimmed cell as a phone number in E.164, such as `+49301234567`.
pub(crate) fn read(cell: &str, form: PhoneForm) -> Result<String, Reason> {
    read_parts(&Digits::of(cell)?, form, |code, national| ["+", code, national].concat())
}

/// A number that is equal for equal phone numbers.
pub(crate) fn signature(digits: &Digits, form: PhoneForm) -> Result<u64, Reason> {
    let number = |text: &str, from: u64| {
        text.bytes().fold(from, |sum, byte| sum.wrapping_mul(11).wrapping_add(u64::from(byte - b'0') + 1))
    };
    read_parts(digits, form, |code, national| number(national, number(code, 0)))
}

fn code_text(code: u16, place: &mut [u8; 3]) -> &str {
    let digits = [code / 100, code / 10 % 10, code % 10];
    let skipped = if code >= 100 {
        0
    } else if code >= 10 {
        1
    } else {
        2
    };
    for (place, digit) in place.iter_mut().zip(digits) {
        *place = b'0' + u8::try_from(digit).unwrap_or_default();
    }
    place.get(skipped..).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Checks the calling code and the length of an international number. A national `0` behind the code is tolerated: the
/// importer removes it if the country has none.
fn check_code(digits: &str) -> Result<(), Reason> {
    let found = (1..=3).find_map(|length| {
        let (code, national) = digits.split_at_checked(length)?;
        let code: u16 = code.parse().ok()?;
        let place = CODES.binary_search_by_key(&code, |(code, _, _)| *code).ok()?;
        Some((CODES.get(place)?, national.len()))
    });
    let ((_, fewest, most), length) = found.ok_or(Reason::UnknownCountryCode)?;
    let is_possible = (*fewest..=most + 1).contains(&length) && (7..=16).contains(&digits.len());
    if is_possible { Ok(()) } else { Err(Reason::PhoneLength) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn national(code: &str) -> PhoneForm {
        PhoneForm::National(Country::parse(code).unwrap())
    }

    #[test]
    fn reads_international_notation_in_every_form() {
        for form in [PhoneForm::International, PhoneForm::Digits, national("DE"), national("US")] {
            for cell in [
                "+49 (30) 123-45.67",
                "0049 30 1234567",
                "+49 (0)30 / 123 45 67",
                "+49\u{a0}30–1234567",
                "＋４９ ３０ １２３４５６７",
            ] {
                assert_eq!(read(cell, form).as_deref(), Ok("+49301234567"), "{cell} {form:?}");
            }
        }
        assert_eq!(read("011 49 30 1234567", national("US")).as_deref(), Ok("+49301234567"));
    }

    #[test]
    fn reads_national_numbers_of_a_country() {
        for (country, cell, phone) in [
            ("DE", "030 1234567", "+49301234567"),
            ("de", "(0170) 123 4567", "+491701234567"),
            ("US", "(415) 555-0100", "+14155550100"),
            ("US", "1-415-555-0100", "+14155550100"),
            ("IT", "06 1234 5678", "+390612345678"),
            ("ES", "612 345 678", "+34612345678"),
            ("FR", "06 12 34 56 78", "+33612345678"),
            ("RU", "8 (916) 123-45-67", "+79161234567"),
            ("RU", "812 345-67-89", "+78123456789"),
            ("HU", "06 1 234 5678", "+3612345678"),
            ("BR", "(11) 91234-5678", ""),
            ("MX", "55 1234 5678", "+525512345678"),
        ] {
            let read = read(cell, national(country));
            if phone.is_empty() {
                assert_eq!(read, Err(Reason::NoNationalPrefix), "{cell}");
            } else {
                assert_eq!(read.as_deref(), Ok(phone), "{cell}");
            }
        }
    }

    #[test]
    fn reads_country_codes_without_a_sign_only_if_asked() {
        assert_eq!(read("491701234567", PhoneForm::Digits).as_deref(), Ok("+491701234567"));
        assert_eq!(read("491701234567", PhoneForm::International), Err(Reason::NoCountry));
        assert_eq!(read("491701234567", national("DE")), Err(Reason::NoNationalPrefix));
        assert_eq!(read("030 1234567", PhoneForm::Digits), Err(Reason::NoCountry));
    }

    #[test]
    fn refuses_other_texts_with_reasons() {
        for (cell, reason) in [
            ("4.9E+11", Reason::ScientificNotation),
            ("4,91524E+12", Reason::ScientificNotation),
            ("n/a", Reason::NotAPhone),
            ("491701234567.0", Reason::NotAPhone),
            ("-", Reason::NotAPhone),
            ("+49 30 1234567 ext. 5", Reason::NotAPhone),
            ("++49301234567", Reason::NotAPhone),
            ("030 1234567", Reason::NoCountry),
            ("+999 1234567", Reason::UnknownCountryCode),
            ("+1 415 555 010", Reason::PhoneLength),
            ("+4930123456789012345678", Reason::PhoneLength),
        ] {
            assert_eq!(read(cell, PhoneForm::International), Err(reason), "{cell}");
        }
    }

    #[test]
    fn tables_are_sorted() {
        assert!(PLANS.is_sorted_by_key(|plan| plan.region) && CODES.is_sorted_by_key(|(code, _, _)| *code));
        assert!(Country::parse("XX").is_none());
    }

    proptest! {
        #[test]
        fn results_are_international_and_read_back_unchanged(cell in r"\PC{0,24}|\+?[0-9 ()./-]{0,24}|0[0-9 ]{3,12}") {
            for form in [PhoneForm::International, PhoneForm::Digits, national("DE"), national("US")] {
                if let Ok(phone) = read(&cell, form) {
                    let signature = |cell: &str, form| Digits::of(cell).and_then(|digits| signature(&digits, form));
                    prop_assert_eq!(signature(&cell, form), signature(&phone, PhoneForm::International));
                    prop_assert_eq!(read(&phone, PhoneForm::International), Ok(phone));
                }
            }
        }
    }
}
