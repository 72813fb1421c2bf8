//! The filter `number`: formats numbers. It works on decimal digits, so rounding applies to the number as displayed.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, Value};
use serde_json::{Map, Value as Json};

use super::arguments::{count_argument, is_absent, shown, text_argument, wrong};

const MAX_DECIMALS: usize = 20;
/// Maximum size in bytes of a text that is parsed as a number, enough for the largest `f64`.
const MAX_NUMBER: usize = 400;

/// Largest number that is converted to an integer; larger numbers are unchanged.
const MAX_WHOLE: f64 = 1e37;

/// Converts a number without a fraction to an integer: texts show `7`, not `7.0`.
pub(super) fn without_empty_fraction(value: Value) -> Value {
    if value.kind() != ValueKind::Number || value.is_integer() {
        return value;
    }
    f64::try_from(value.clone()).ok().and_then(whole).map_or(value, Value::from)
}

/// Applies [`without_empty_fraction`] to all numbers in a JSON value.
pub(super) fn without_empty_fractions(value: &Json) -> Json {
    match value {
        Json::Number(number) if number.is_f64() => number
            .as_f64()
            .and_then(whole)
            .and_then(|it| i64::try_from(it).ok())
            .map_or_else(|| value.clone(), Json::from),
        Json::Array(items) => items.iter().map(without_empty_fractions).collect(),
        Json::Object(members) => Json::Object(each_without_empty_fraction(members)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value.clone(),
    }
}

/// Applies [`without_empty_fraction`] to all members of an object.
pub(super) fn each_without_empty_fraction(members: &Map<String, Json>) -> Map<String, Json> {
    members.iter().map(|(name, value)| (name.clone(), without_empty_fractions(value))).collect()
}

fn whole(number: f64) -> Option<i128> {
    (number.fract() == 0.0 && number.abs() <= MAX_WHOLE).then_some(number as i128)
}

/// The decimal digits of a number.
struct Digits {
    is_negative: bool,
    whole: String,
    fraction: String,
}

/// Formats a number with this many decimals, rounded half away from zero. The default decimal mark is `.`, and by
/// default thousands are not grouped.
///
/// # Errors
/// The value is not a number, or a mark is invalid.
pub(super) fn number(
    value: &Value,
    decimals: Option<&Value>,
    decimal_mark: Option<&Value>,
    group_mark: Option<&Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    let decimals = count_argument(decimals, &named, "decimals", 0..=MAX_DECIMALS)?;
    let decimal_mark = text_argument(decimal_mark, &named, "decimal_mark")?.unwrap_or_else(|| ".".to_owned());
    let group_mark = text_argument(group_mark, &named, "group_mark")?.unwrap_or_default();
    named.assert_all_used()?;
    if !is_mark(&decimal_mark) {
        return Err(wrong("decimal_mark must be one character that is not a digit, such as ,"));
    }
    if !group_mark.is_empty() && (!is_mark(&group_mark) || group_mark == decimal_mark) {
        return Err(wrong("group_mark must be empty, or one character that is neither a digit nor the decimal_mark"));
    }
    if is_absent(value) {
        return Ok(Value::UNDEFINED);
    }
    let digits = Digits::of(value)
        .ok_or_else(|| wrong(format!("number requires a number such as 12 or 1234.5, got {}", shown(value))))?;
    Ok(Value::from(digits.rounded(decimals).format_with(&decimal_mark, &group_mark)))
}

fn is_mark(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| !c.is_numeric() && c != '-') && characters.next().is_none()
}

impl Digits {
    fn of(value: &Value) -> Option<Self> {
        let text = match value.kind() {
            ValueKind::Number if value.is_integer() => value.to_string(),
            // Without an exponent, and with the fewest digits that identify the number.
            ValueKind::Number => f64::try_from(value.clone()).ok().filter(|it| it.is_finite())?.to_string(),
            ValueKind::String => value.as_str().map(str::trim).filter(|text| text.len() <= MAX_NUMBER)?.to_owned(),
            _ => return None,
        };
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.as_str()),
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        let fraction = if text.contains('.') { fraction } else { "" };
        Some(Self { is_negative, whole: whole.to_owned(), fraction: fraction.to_owned() })
    }

    /// Rounds to this many decimals; keeps the decimals if absent.
    fn rounded(self, decimals: Option<usize>) -> Self {
        let decimals = decimals.unwrap_or(self.fraction.len().min(MAX_DECIMALS));
        let mut carries = self.fraction.as_bytes().get(decimals).is_some_and(|digit| *digit >= b'5');
        let kept = self.fraction.chars().chain(std::iter::repeat('0')).take(decimals);
        let mut digits: Vec<char> = self.whole.chars().chain(kept).collect();
        for digit in digits.iter_mut().rev() {
            if !carries {
                break;
            }
            carries = *digit == '9';
            *digit = if carries { '0' } else { char::from(*digit as u8 + 1) };
        }
        if carries {
            digits.insert(0, '1');
        }
        let fraction = digits.split_off(digits.len() - decimals);
        Self { whole: digits.into_iter().collect(), fraction: fraction.into_iter().collect(), ..self }
    }

    fn format_with(&self, decimal_mark: &str, group_mark: &str) -> String {
        let whole = self.whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        let is_zero = whole == "0" && self.fraction.bytes().all(|digit| digit == b'0');
        let mut text = if self.is_negative && !is_zero { "-".to_owned() } else { String::new() };
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place) % 3 == 0 {
                text.push_str(group_mark);
            }
            text.push(digit);
        }
        if !self.fraction.is_empty() {
            text.push_str(decimal_mark);
            text.push_str(&self.fraction);
        }
        text
    }
}
