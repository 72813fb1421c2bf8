//! Values of fields: validation, normal form, and keys for filters.

use chrono::NaiveDate;
use serde_json::{Number, Value, json};

use super::pattern::compiled;
use super::{FieldKind, Rules};
use crate::contacts::{Email, Phone};
use crate::text::fold;
use crate::time::Timestamp;

/// Maximum number of characters of a text value.
const MAX_TEXT: usize = 4_096;
/// Separates the elements in the key of a list. Options cannot contain control characters.
pub(super) const SEPARATOR: char = '\u{1f}';
/// Maximum length of a key: longer texts differ by their first 200 characters only.
const MAX_KEY: usize = 200;

/// A value in its normal form.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValue {
    /// The value in the API.
    pub json: Value,
    /// The key that filters compare. Compared byte by byte, keys of one type have the order of their values.
    pub match_key: String,
}

impl FieldValue {
    /// Returns a stored value. It was checked before it was stored.
    pub fn from_store(json: Value) -> Self {
        Self { match_key: match_key(&json), json }
    }
}

/// Why a value does not fit its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidValue {
    /// Error code.
    pub code: &'static str,
    /// Description of the error.
    pub message: String,
}

pub(super) fn wrong(code: &'static str, message: impl Into<String>) -> InvalidValue {
    InvalidValue { code, message: message.into() }
}

fn wrong_type(expected: &str) -> InvalidValue {
    wrong("wrong_type", format!("expected {expected}"))
}

/// Checks a value (never `null`) against its field and returns its normal form.
///
/// # Errors
/// The violation, with the accepted values.
pub fn check_value(
    kind: FieldKind,
    options: &[String],
    rules: &Rules,
    value: &Value,
) -> Result<FieldValue, InvalidValue> {
    let text = || value.as_str();
    let json = match kind {
        FieldKind::Text => {
            let text = text().ok_or_else(|| wrong_type("a string"))?;
            check_text(text, rules)?;
            json!(text)
        }
        FieldKind::Number => {
            let number = value.as_number().ok_or_else(|| wrong_type("a number"))?;
            check_number(number, rules)?;
            json!(number)
        }
        FieldKind::Boolean => json!(value.as_bool().ok_or_else(|| wrong_type("true or false"))?),
        FieldKind::Date => {
            // Without a sign, so the texts sort like the dates.
            let plain = |text: &&str| text.len() == 10 && text.starts_with(|c: char| c.is_ascii_digit());
            let text = text().filter(plain).ok_or_else(|| wrong_type("a date such as 2026-01-31"))?;
            let date = NaiveDate::parse_from_str(text, "%Y-%m-%d");
            json!(date.map_err(|_| wrong("invalid_format", "expected a date such as 2026-01-31"))?.to_string())
        }
        FieldKind::Datetime => {
            let text = text().ok_or_else(|| wrong_type("a time such as 2026-01-31T09:30:00Z"))?;
            json!(text.parse::<Timestamp>().map_err(|error| wrong("invalid_format", error.to_string()))?)
        }
        FieldKind::Email => {
            let text = text().ok_or_else(|| wrong_type("an email address"))?;
            json!(text.parse::<Email>().map_err(|error| wrong("invalid_format", error.to_string()))?.canonical())
        }
        FieldKind::Phone => {
            let text = text().ok_or_else(|| wrong_type("a phone number"))?;
            json!(text.parse::<Phone>().map_err(|error| wrong("invalid_format", error.to_string()))?.as_str())
        }
        FieldKind::Url => {
            let text = text().ok_or_else(|| wrong_type("a URL"))?;
            check_text(text, rules)?;
            let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            json!(url.ok_or_else(|| wrong("invalid_format", "expected a URL such as https://example.com/"))?.as_str())
        }
        FieldKind::Select => json!(chosen(value, options)?),
        FieldKind::MultiSelect => {
            let list = value.as_array().ok_or_else(|| wrong_type("a list of options"))?;
            let mut taken: Vec<&str> = Vec::new();
            for element in list {
                let option = chosen(element, options)?;
                if !taken.contains(&option) {
                    taken.push(option);
                }
            }
            json!(taken)
        }
    };
    Ok(FieldValue { match_key: match_key(&json), json })
}

fn check_text(text: &str, rules: &Rules) -> Result<(), InvalidValue> {
    let most = rules.max_length.map_or(MAX_TEXT, |most| (most as usize).min(MAX_TEXT));
    if text.chars().count() > most {
        return Err(wrong("too_long", format!("at most {most} characters")));
    }
    if let Some(pattern) = &rules.pattern {
        let expression = compiled(pattern)
            .map_err(|_| wrong("invalid_format", "the pattern of the field is not a valid regular expression"))?;
        if !expression.is_match(text) {
            return Err(wrong("invalid_format", format!("must match the pattern {pattern}")));
        }
    }
    Ok(())
}

fn check_number(number: &Number, rules: &Rules) -> Result<(), InvalidValue> {
    let float = number.as_f64().filter(|float| float.is_finite()).ok_or_else(|| wrong_type("a finite number"))?;
    if rules.min.is_some_and(|min| float < min) {
        return Err(wrong("too_small", format!("must be at least {}", rules.min.unwrap_or_default())));
    }
    if rules.max.is_some_and(|max| float > max) {
        return Err(wrong("too_large", format!("must be at most {}", rules.max.unwrap_or_default())));
    }
    Ok(())
}

pub(super) fn chosen<'a>(value: &Value, options: &'a [String]) -> Result<&'a str, InvalidValue> {
    let text = value.as_str().ok_or_else(|| wrong_type("one of the options as a string"))?;
    let known = options.iter().find(|option| *option == text).map(String::as_str);
    known.ok_or_else(|| wrong("invalid_value", format!("expected one of: {}", options.join(", "))))
}

/// Returns the key of a value: texts in lower case, numbers by value.
fn match_key(json: &Value) -> String {
    match json {
        Value::String(text) => cut_key(&fold(text)),
        Value::Number(number) => number_key(number),
        Value::Array(elements) => {
            let keys = elements.iter().map(|element| format!("{SEPARATOR}{}", match_key(element)));
            keys.chain([SEPARATOR.to_string()]).collect()
        }
        other => other.to_string(),
    }
}

/// Returns 16 hexadecimal digits that sort like the nearest `f64`, then four for the difference of an integer from it:
/// beyond 2^53, integers share one.
pub(crate) fn number_key(number: &Number) -> String {
    let float = number.as_f64().unwrap_or_default();
    // Minus zero is zero.
    let bits = if float == 0.0 { 0 } else { float.to_bits() };
    let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    let beside = whole.map_or(0, |whole| whole - float as i128);
    format!("{ordered:016x}{:04x}", beside + 0x8000)
}

/// Returns the start of a folded text: its match key.
pub fn cut_key(folded: &str) -> String {
    folded.chars().take(MAX_KEY).collect()
}

/// Returns the folded text if it is longer than the match key; otherwise `None`.
pub fn long_text(json: &Value) -> Option<String> {
    let folded = fold(json.as_str()?);
    (folded.chars().nth(MAX_KEY).is_some()).then_some(folded)
}

/// Returns the part of a list's key that shows that the list contains this folded option.
pub fn element_key(folded: &str) -> String {
    format!("{SEPARATOR}{}{SEPARATOR}", cut_key(folded))
}

/// Returns the key of an empty list.
pub fn empty_list_key() -> String {
    SEPARATOR.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<String> {
        vec!["red".to_owned(), "green".to_owned()]
    }

    fn check(kind: FieldKind, value: Value) -> Result<Value, &'static str> {
        check_value(kind, &options(), &Rules::default(), &value).map(|it| it.json).map_err(|it| it.code)
    }

    #[test]
    fn accepts_the_values_of_each_type_in_normal_form() {
        use FieldKind::*;
        assert_eq!(check(Text, json!("Hi")), Ok(json!("Hi")));
        assert_eq!(check(Number, json!(1.5)), Ok(json!(1.5)));
        assert_eq!(check(Date, json!("2024-02-29")), Ok(json!("2024-02-29")));
        assert_eq!(check(Datetime, json!("2026-01-01T01:00:00+01:00")), Ok(json!("2026-01-01T00:00:00.000Z")));
        assert_eq!(check(Email, json!("A@B.io")), Ok(json!("a@b.io")));
        assert_eq!(check(Phone, json!("+1 415 555 0100")), Ok(json!("+14155550100")));
        assert_eq!(check(Url, json!("https://a.io")), Ok(json!("https://a.io/")));
        assert_eq!(check(Select, json!("red")), Ok(json!("red")));
        assert_eq!(check(MultiSelect, json!(["red", "red", "green"])), Ok(json!(["red", "green"])));
    }

    #[test]
    fn rejects_values_of_the_wrong_type_or_form() {
        use FieldKind::*;
        assert_eq!(check(Text, json!(1)), Err("wrong_type"));
        assert_eq!(check(Text, json!("x".repeat(4_097))), Err("too_long"));
        assert_eq!(check(Number, json!("1")), Err("wrong_type"));
        assert_eq!(check(Boolean, json!("true")), Err("wrong_type"));
        assert_eq!(check(Date, json!("2023-02-29")), Err("invalid_format"));
        assert_eq!(check(Datetime, json!("yesterday")), Err("invalid_format"));
        assert_eq!(check(Url, json!("javascript:alert(1)")), Err("invalid_format"));
        assert_eq!(check(Select, json!("blue")), Err("invalid_value"));
        assert_eq!(check(MultiSelect, json!("red")), Err("wrong_type"));
    }

    #[test]
    fn applies_rules_to_numbers_and_texts() {
        let rules = Rules { min: Some(1.0), max: Some(2.0), max_length: Some(3), pattern: Some("^a".to_owned()) };
        let code = |kind, value| check_value(kind, &[], &rules, &value).map(|_| ()).map_err(|it| it.code);
        assert_eq!(code(FieldKind::Number, json!(0.5)), Err("too_small"));
        assert_eq!(code(FieldKind::Number, json!(3)), Err("too_large"));
        assert_eq!(code(FieldKind::Text, json!("abcd")), Err("too_long"));
        assert_eq!(code(FieldKind::Text, json!("bc")), Err("invalid_format"));
        assert_eq!(code(FieldKind::Text, json!("abc")), Ok(()));
    }

    #[test]
    fn keys_sort_in_the_order_of_their_values() {
        let key = |json: &Value| FieldValue::from_store(json.clone()).match_key;
        let numbers = [
            json!(-1e300),
            json!(i64::MIN),
            json!(i64::MIN + 1),
            json!(-9_007_199_254_740_993_i64),
            json!(-9_007_199_254_740_992_i64),
            json!(-10),
            json!(-9.5),
            json!(-1),
            json!(-1e-9),
            json!(0),
            json!(1e-9),
            json!(1),
            json!(1.5),
            json!(2),
            json!(10),
            json!(9_007_199_254_740_992_i64),
            json!(9_007_199_254_740_993_i64),
            json!(i64::MAX - 1),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(1e300),
        ];
        for pair in numbers.windows(2) {
            assert!(key(&pair[0]) < key(&pair[1]), "{pair:?}");
        }
        assert_eq!((key(&json!(0)), key(&json!(18))), (key(&json!(-0.0)), key(&json!(18.0))));
        assert!(key(&json!("2025-12-31")) < key(&json!("2026-01-01")));
        assert!(key(&json!("2026-01-01T00:00:00.000Z")) < key(&json!("2026-01-01T00:00:00.001Z")));
    }
}
