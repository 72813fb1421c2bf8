//! Numbers: decimal signs, grouping of digits, and the exact decimal value.

use std::fmt;

use crate::reasons::Reason;
use crate::text::{is_apostrophe, is_space};

/// The sign before decimal places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decimal {
    /// `.`
    Point,
    /// `,`
    Comma,
}

/// The sign between groups of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// Digits are not grouped.
    None,
    /// By a comma if the decimal sign is a point, by a point if it is a comma.
    OtherSign,
    /// By spaces, no-break spaces included.
    Space,
    /// By apostrophes.
    Apostrophe,
}

/// A form of numbers, such as `1.234,5`. Numbers without grouping fit a form with grouping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberForm {
    /// The decimal sign.
    pub decimal: Decimal,
    /// The grouping.
    pub grouping: Grouping,
}

const fn form(decimal: Decimal, grouping: Grouping) -> NumberForm {
    NumberForm { decimal, grouping }
}

impl NumberForm {
    /// All forms. Of forms that give the same values the first one is chosen.
    pub const ALL: [Self; 8] = [
        form(Decimal::Point, Grouping::None),
        form(Decimal::Comma, Grouping::None),
        form(Decimal::Point, Grouping::OtherSign),
        form(Decimal::Comma, Grouping::OtherSign),
        form(Decimal::Comma, Grouping::Space),
        form(Decimal::Point, Grouping::Space),
        form(Decimal::Point, Grouping::Apostrophe),
        form(Decimal::Comma, Grouping::Apostrophe),
    ];

    /// The number 1234.5 in this form, which is also the stable name.
    pub fn as_str(self) -> &'static str {
        match (self.decimal, self.grouping) {
            (Decimal::Point, Grouping::None) => "1234.5",
            (Decimal::Comma, Grouping::None) => "1234,5",
            (Decimal::Point, Grouping::OtherSign) => "1,234.5",
            (Decimal::Comma, Grouping::OtherSign) => "1.234,5",
            (Decimal::Comma, Grouping::Space) => "1 234,5",
            (Decimal::Point, Grouping::Space) => "1 234.5",
            (Decimal::Point, Grouping::Apostrophe) => "1'234.5",
            (Decimal::Comma, Grouping::Apostrophe) => "1'234,5",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// An exact decimal number, such as `-1234.5`: a JSON number without superfluous zeros.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number(String);

impl Number {
    /// The number as JSON writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or_default()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The most signs between the digits of one number.
const MAX_SIGNS: usize = 12;
/// The most digits of one number.
const MAX_DIGITS: u32 = 60;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Sign {
    #[default]
    Point,
    Comma,
    Space,
    Apostrophe,
}

/// The outline of a number: its runs of digits and the signs between them. It is the same for every form.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outline {
    is_negative: bool,
    starts_with_zero: bool,
    /// The number of digits before the first sign, and behind each sign.
    first: u32,
    signs: [(Sign, u32); MAX_SIGNS],
    count: usize,
    exponent: Option<i32>,
}

impl Outline {
    /// Reads the outline of a trimmed cell.
    pub(crate) fn of(cell: &str) -> Result<Self, Reason> {
        let mut outline = Self::default();
        let mut chars = cell.chars().peekable();
        match chars.peek() {
            Some('-' | '\u{2212}') => {
                outline.is_negative = true;
                chars.next();
            }
            Some('+') => {
                chars.next();
            }
            _ => {}
        }
        outline.starts_with_zero = chars.peek() == Some(&'0');
        let mut digits = 0;
        while let Some(c) = chars.next() {
            let sign = match c {
                '0'..='9' => {
                    digits += 1;
                    let run = outline.count.checked_sub(1).and_then(|last| outline.signs.get_mut(last));
                    *run.map_or(&mut outline.first, |(_, length)| length) += 1;
                    continue;
                }
                '.' => Sign::Point,
                ',' => Sign::Comma,
                'e' | 'E' if digits > 0 => {
                    outline.exponent = Some(chars.collect::<String>().parse().map_err(|_| Reason::NotANumber)?);
                    break;
                }
                '%' | '‰' | '$' | '€' | '£' | '¥' | '₹' => return Err(Reason::UnitSign),
                c if is_apostrophe(c) => Sign::Apostrophe,
                c if is_space(c) => Sign::Space,
                _ => return Err(Reason::NotANumber),
            };
            *outline.signs.get_mut(outline.count).ok_or(Reason::NotANumber)? = (sign, 0);
            outline.count += 1;
        }
        let is_small = outline.exponent.is_none_or(|it| it.abs() < 300);
        if digits == 0 || digits > MAX_DIGITS || !is_small { Err(Reason::NotANumber) } else { Ok(outline) }
    }

    /// The number of digits behind the decimal sign if the number has this form, `None` if it has another one.
    ///
    /// All forms read the same digits, so two forms give the same value exactly if these numbers are equal.
    pub(crate) fn decimals(&self, form: NumberForm) -> Option<u32> {
        let decimal = if form.decimal == Decimal::Point { Sign::Point } else { Sign::Comma };
        let group = match (form.grouping, form.decimal) {
            (Grouping::None, _) => None,
            (Grouping::OtherSign, Decimal::Point) => Some(Sign::Comma),
            (Grouping::OtherSign, Decimal::Comma) => Some(Sign::Point),
            (Grouping::Space, _) => Some(Sign::Space),
            (Grouping::Apostrophe, _) => Some(Sign::Apostrophe),
        };
        let signs = self.signs.get(..self.count)?;
        let (groups, decimals) = match signs.split_last() {
            Some(((sign, length), groups)) if *sign == decimal => (groups, Some(*length)),
            _ => (signs, None),
        };
        if let Some((last, middle)) = groups.split_last() {
            let is_group = |(sign, _): &(Sign, u32)| Some(*sign) == group;
            let has_length = |most: u32| middle.iter().all(|(_, length)| *length == most);
            // India groups as 12,34,567.
            let is_even = has_length(3) || (has_length(2) && self.first <= 2 && form.grouping == Grouping::OtherSign);
            let fits = (1..=3).contains(&self.first) && !self.starts_with_zero && last.1 == 3 && is_even;
            if !fits || !groups.iter().all(is_group) {
                return None;
            }
        }
        if decimals == Some(0) { None } else { Some(decimals.unwrap_or(0)) }
    }

    /// The value of the cell with this outline.
    pub(crate) fn value(&self, cell: &str, decimals: u32) -> Number {
        let mantissa = cell.split(['e', 'E']).next().unwrap_or_default();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let point = digits.len().saturating_sub(usize::try_from(decimals).unwrap_or_default());
        let (whole, fraction) = digits.split_at_checked(point).unwrap_or((&digits, ""));
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let is_zero = whole.is_empty() && fraction.is_empty();
        let mut text = String::with_capacity(digits.len() + 3);
        if self.is_negative && !is_zero {
            text.push('-');
        }
        text.push_str(if whole.is_empty() { "0" } else { whole });
        if !fraction.is_empty() {
            text.extend([".", fraction]);
        }
        if let Some(exponent) = self.exponent.filter(|it| *it != 0 && !is_zero) {
            text.push_str(&format!("e{exponent}"));
        }
        Number(text)
    }
}

/// Reads a trimmed cell as a number of this form.
pub(crate) fn read(cell: &str, form: NumberForm) -> Result<Number, Reason> {
    let outline = Outline::of(cell)?;
    let decimals = outline.decimals(form).ok_or(Reason::OtherNumberForm)?;
    Ok(outline.value(cell, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn forms(cell: &str) -> Vec<(&'static str, String)> {
        let read = |form: NumberForm| Some((form.as_str(), read(cell, form).ok()?.to_string()));
        NumberForm::ALL.into_iter().filter_map(read).collect()
    }

    fn values(cell: &str) -> Vec<String> {
        let mut values: Vec<_> = forms(cell).into_iter().map(|(_, value)| value).collect();
        values.sort();
        values.dedup();
        values
    }

    #[test]
    fn reads_decimal_signs_and_grouping() {
        for (cell, value) in [
            ("12", "12"),
            ("-12,50", "-12.5"),
            ("\u{2212}0.5", "-0.5"),
            ("+7", "7"),
            ("1.234.567", "1234567"),
            ("1,234,567.89", "1234567.89"),
            ("1.234.567,89", "1234567.89"),
            ("1\u{a0}234,5", "1234.5"),
            ("1\u{202f}234\u{202f}567", "1234567"),
            ("1’234.50", "1234.5"),
            ("12,34,567.5", "1234567.5"),
            (".5", "0.5"),
            ("0.500", "0.5"),
            ("0,000", "0"),
            ("-0", "0"),
            ("007", "7"),
            ("4.9E+11", "4.9e11"),
            ("1234567890123456789012", "1234567890123456789012"),
        ] {
            assert_eq!(values(cell), [value], "{cell}");
        }
    }

    #[test]
    fn one_sign_before_three_digits_has_two_values() {
        assert_eq!(values("1.234"), ["1.234", "1234"]);
        assert_eq!(values("-1,000"), ["-1", "-1000"]);
        assert_eq!(values("0.123"), ["0.123"], "a group does not begin with zero");
        assert_eq!(values("1234.567"), ["1234.567"], "the first group has at most three digits");
    }

    #[test]
    fn refuses_other_texts() {
        for (cell, reason) in [
            ("", Reason::NotANumber),
            ("abc", Reason::NotANumber),
            ("1.2.3", Reason::OtherNumberForm),
            ("12.", Reason::OtherNumberForm),
            ("1 2", Reason::OtherNumberForm),
            ("5 %", Reason::UnitSign),
            ("€ 5", Reason::UnitSign),
            ("--5", Reason::NotANumber),
            ("1e", Reason::NotANumber),
            ("1e999", Reason::NotANumber),
            ("1-2", Reason::NotANumber),
        ] {
            assert!(values(cell).is_empty(), "{cell}");
            assert_eq!(read(cell, NumberForm::ALL[0]), Err(reason), "{cell}");
        }
    }

    fn written(whole: u32, cents: u32, form: NumberForm) -> String {
        let (group, decimal) = match form.decimal {
            Decimal::Point => (',', '.'),
            Decimal::Comma => ('.', ','),
        };
        let group = match form.grouping {
            Grouping::None => None,
            Grouping::OtherSign => Some(group),
            Grouping::Space => Some('\u{a0}'),
            Grouping::Apostrophe => Some('\''),
        };
        let digits = whole.to_string();
        let mut text = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.extend(group);
            }
            text.push(digit);
        }
        format!("{text}{decimal}{cents:02}")
    }

    proptest! {
        #[test]
        fn every_form_reads_its_own_numbers(whole in 0_u32.., cents in 0_u32..100, at in 0_usize..8) {
            let form = NumberForm::ALL[at];
            let value = read(&written(whole, cents, form), form).map(|it| it.to_f64());
            let expected: f64 = format!("{whole}.{cents:02}").parse().unwrap_or_default();
            prop_assert_eq!(value, Ok(expected));
        }

        #[test]
        fn values_read_back_unchanged(cell in "[-+0-9., '%eE]{0,12}") {
            for form in NumberForm::ALL {
                if let Ok(value) = read(&cell, form) {
                    prop_assert_eq!(read(value.as_str(), NumberForm::ALL[0]), Ok(value));
                }
            }
        }
    }
}
