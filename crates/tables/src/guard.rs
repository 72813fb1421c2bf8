//! Formulas: exports guard texts that a spreadsheet would run, imports remove the guard.
//!
//! The guard is one apostrophe before the cell. A text that itself begins with apostrophes before a sign gets one
//! more, and [`unguarded`] returns every text unchanged.

use std::borrow::Cow;

/// Signs with which a formula begins, full-width forms included, and characters that spreadsheets skip before them.
const SIGNS: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// The type of a column, as far as a guard depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardedType {
    /// Any text.
    Text,
    /// Numbers: a cell that is wholly a number in JSON notation needs no guard.
    Number,
    /// Phone numbers: a cell that is wholly a number in E.164 needs no guard.
    Phone,
}

/// Whether a spreadsheet would read a text as a formula.
pub fn is_formula(text: &str) -> bool {
    text.starts_with(SIGNS)
}

fn needs_guard(text: &str) -> bool {
    is_formula(text.trim_start_matches('\''))
}

/// The cell that an export writes for a text.
pub fn guarded(text: &str, column: GuardedType) -> Cow<'_, str> {
    let is_safe = match column {
        GuardedType::Text => false,
        GuardedType::Number => is_number(text),
        GuardedType::Phone => is_e164(text),
    };
    if needs_guard(text) && !is_safe { Cow::Owned(["'", text].concat()) } else { Cow::Borrowed(text) }
}

/// The text of a cell: without the one apostrophe that a guard has added.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| needs_guard(text)).unwrap_or(cell)
}

/// A number as JSON writes it (RFC 8259).
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let is_mantissa = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(mantissa),
    };
    is_mantissa && exponent.is_none_or(digits)
}

/// `+` and 7 to 15 digits (ITU-T E.164).
fn is_e164(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or_default();
    (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn guards_texts_that_begin_with_a_sign() {
        for text in ["=1+1", "+1", "-1", "@A1", "\tx", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A1", "'=1"] {
            assert_eq!(guarded(text, GuardedType::Text), format!("'{text}"));
        }
        for text in ["1=1", "", "'tis", "Ada", "'"] {
            assert_eq!(guarded(text, GuardedType::Text), text);
        }
    }

    #[test]
    fn numbers_and_phones_need_no_guard_in_their_columns() {
        for (text, column, is_guarded) in [
            ("-5", GuardedType::Number, false),
            ("-1.5e-3", GuardedType::Number, false),
            ("-5+A1", GuardedType::Number, true),
            ("-", GuardedType::Number, true),
            ("+5", GuardedType::Number, true),
            ("+49301234567", GuardedType::Phone, false),
            ("+49301234567-A1", GuardedType::Phone, true),
            ("+49301234567", GuardedType::Text, true),
            ("-5", GuardedType::Phone, true),
        ] {
            assert_eq!(guarded(text, column) != text, is_guarded, "{text}");
        }
    }

    #[test]
    fn removes_one_apostrophe_before_a_sign() {
        for (cell, text) in [("'=1", "=1"), ("''=1", "'=1"), ("'tis", "'tis"), ("''x", "''x"), ("'", "'"), ("=1", "=1")]
        {
            assert_eq!(unguarded(cell), text);
        }
    }

    proptest! {
        #[test]
        fn unguarding_returns_every_text(text in "['=+@\\-\t]{0,4}\\PC{0,6}") {
            for column in [GuardedType::Text, GuardedType::Number, GuardedType::Phone] {
                let cell = guarded(&text, column);
                prop_assert_eq!(unguarded(&cell), &text);
                prop_assert!(!is_formula(&cell) || column != GuardedType::Text);
            }
        }
    }
}
