//! Conversion of texts from contacts and templates to typed values.

use serde_json::{Number, Value, json};

use crate::fields::{FieldKind, FieldValue, Rules, check_value};
use crate::text::{fold, meant};

/// Reads a text from a contact or template as a value of this type.
///
/// # Errors
/// The expected format.
pub(in crate::flows) fn read_as(kind: FieldKind, options: &[String], text: &str) -> Result<Value, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("expected a text that is not empty".to_owned());
    }
    let value = match kind {
        FieldKind::Number => number(text).ok_or("expected a number such as 12 or 1.5")?,
        FieldKind::Boolean => boolean(text).ok_or("expected yes or no")?,
        FieldKind::Select => {
            json!(option_meant(options, text).ok_or_else(|| format!("expected one of: {}", options.join(", ")))?)
        }
        FieldKind::MultiSelect => {
            let parts: Option<Vec<&str>> = text.split(',').map(|part| option_meant(options, part)).collect();
            json!(parts.ok_or_else(|| format!("expected one or more of: {}", options.join(", ")))?)
        }
        _ => json!(text),
    };
    check_value(kind, options, &Rules::default(), &value).map(|value| value.json).map_err(|wrong| wrong.message)
}

fn option_meant<'a>(options: &'a [String], said: &str) -> Option<&'a str> {
    meant(said, options.iter().map(|option| (option.as_str(), option.as_str())))
}

/// Checks a value against a field. A text that does not have the field's type is converted, because contacts and
/// templates only produce text.
///
/// # Errors
/// The expected format.
pub(in crate::flows) fn fitting(
    kind: FieldKind,
    options: &[String],
    rules: &Rules,
    value: Value,
) -> Result<FieldValue, String> {
    check_value(kind, options, rules, &value).or_else(|wrong| match &value {
        Value::String(text) => {
            let read = read_as(kind, options, text)?;
            check_value(kind, options, rules, &read).map_err(|wrong| wrong.message)
        }
        _ => Err(wrong.message),
    })
}

fn number(text: &str) -> Option<Value> {
    let integer = text.parse::<i64>().ok().map(Number::from);
    integer.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64)).map(Value::Number)
}

fn boolean(text: &str) -> Option<Value> {
    match fold(text).as_str() {
        "yes" | "y" | "true" | "1" => Some(json!(true)),
        "no" | "n" | "false" | "0" => Some(json!(false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(all: &[&str]) -> Vec<String> {
        all.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn matches_an_option_as_a_search_does_if_only_one_fits() {
        let read = |said: &str, all: &[&str]| read_as(FieldKind::Select, &options(all), said).ok();
        assert_eq!(read("strasse", &["Straße", "Platz"]), Some(json!("Straße")));
        assert_eq!(read("i don\u{2019}t know", &["I don't know", "Yes"]), Some(json!("I don't know")));
        assert_eq!(read("Cafe", &["Café", "Cafe"]), Some(json!("Cafe")));
        assert_eq!(read("cafe", &["Café", "Cafè"]), None, "two options fit");
        let several = read_as(FieldKind::MultiSelect, &options(&["Café", "Łódź"]), "cafe, LODZ");
        assert_eq!(several, Ok(json!(["Café", "Łódź"])));
    }
}
