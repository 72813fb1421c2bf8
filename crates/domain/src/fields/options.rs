//! Removed options: the visible part of values that contain them, and the definitions that name them.

use serde_json::Value;

use crate::text::fold;

/// Returns the visible part of a value while these options are being removed from contacts; `None` if the value
/// consists of removed options only.
pub fn without_retired(value: Value, retired: &[String]) -> Option<Value> {
    let is_retired = |value: &Value| value.as_str().is_some_and(|text| retired.iter().any(|option| option == text));
    match value {
        Value::Array(mut elements) => {
            let before = elements.len();
            elements.retain(|element| !is_retired(element));
            (before == 0 || !elements.is_empty()).then_some(Value::Array(elements))
        }
        value => (!is_retired(&value)).then_some(value),
    }
}

/// Whether a definition uses this option: an object with the `field` `custom_fields.KEY` contains it, ignoring case.
pub(super) fn names_option(definition: &Value, key: &str, option: &str) -> bool {
    match definition {
        Value::Object(members) => {
            let field = members.get("field").and_then(Value::as_str);
            let is_about = field.and_then(|field| field.strip_prefix("custom_fields.")) == Some(key);
            (is_about && members.values().any(|it| holds(it, &fold(option))))
                || members.values().any(|it| names_option(it, key, option))
        }
        Value::Array(items) => items.iter().any(|it| names_option(it, key, option)),
        _ => false,
    }
}

fn holds(value: &Value, folded: &str) -> bool {
    match value {
        Value::String(text) => fold(text) == folded,
        Value::Array(items) => items.iter().any(|it| holds(it, folded)),
        Value::Object(members) => members.values().any(|it| holds(it, folded)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hides_the_retired_options_of_a_value() {
        let retired = ["red".to_owned()];
        let shown = |value: Value| without_retired(value, &retired);
        assert_eq!(shown(json!("red")), None);
        assert_eq!(shown(json!("Red")), Some(json!("Red")));
        assert_eq!(shown(json!(["red", "green"])), Some(json!(["green"])));
        assert_eq!(shown(json!(["red"])), None);
        // The list was already empty.
        assert_eq!(shown(json!([])), Some(json!([])));
    }

    #[test]
    fn finds_an_option_only_with_its_own_field() {
        let leaf =
            |field: &str, value: Value| json!({"nodes": [{"when": {"any": [{"field": field, "value": value}]}}]});
        assert!(names_option(&leaf("custom_fields.plan", json!("Gold")), "plan", "gold"));
        assert!(names_option(&leaf("custom_fields.plan", json!(["silver", "gold"])), "plan", "gold"));
        assert!(!names_option(&leaf("custom_fields.plan", json!("golden")), "plan", "gold"));
        assert!(!names_option(&leaf("custom_fields.other", json!("gold")), "plan", "gold"));
    }
}
