//! Texts of people and templates, read as values of a type.

use serde_json::{Number, Value, json};

use crate::fields::{FieldKind, FieldValue, Rules, check_value};
use crate::text::fold;

/// Reads a text that people or templates wrote as a value of this type.
///
/// # Errors
/// What would be right.
pub(in crate::flows) fn read_as(kind: FieldKind, options: &[String], text: &str) -> Result<Value, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("expected an answer in words".to_owned());
    }
    let value = match kind {
        FieldKind::Number => number(text).ok_or("expected a number such as 12 or 1.5")?,
        FieldKind::Boolean => boolean(text).ok_or("expected yes or no")?,
        FieldKind::Select => {
            let said = fold(text);
            let option = options.iter().find(|option| fold(option) == said);
            json!(option.ok_or_else(|| format!("expected one of: {}", options.join(", ")))?)
        }
        FieldKind::MultiSelect => {
            let known = |part: &str| options.iter().find(|option| fold(option) == fold(part));
            let parts: Option<Vec<&String>> = text.split(',').map(known).collect();
            json!(parts.ok_or_else(|| format!("expected some of: {}", options.join(", ")))?)
        }
        _ => json!(text),
    };
    check_value(kind, options, &Rules::default(), &value).map(|value| value.json).map_err(|wrong| wrong.message)
}

/// A value as a field takes it; texts, which is all that people and templates write, are read as
/// the field's type where they are not of it.
///
/// # Errors
/// What would be right.
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
