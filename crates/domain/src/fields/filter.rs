use serde_json::{Number, Value, json};

use super::values::{SEPARATOR, chosen, wrong};
use super::{CustomField, FieldKind, InvalidValue, Rules, check_value};
use crate::conditions::{Selection, presence};
use crate::contacts::MatchPattern;
use crate::text::fold;

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `eq`, the default.
    Equal,
    /// `ne`: another value, or none.
    NotEqual,
    /// `gt`.
    Greater,
    /// `gte`.
    AtLeast,
    /// `lt`.
    Less,
    /// `lte`.
    AtMost,
    /// `exists`: whether there is a value.
    Exists,
}

impl Comparison {
    /// The words in the API.
    pub const WORDS: [&str; 7] = ["eq", "ne", "gt", "gte", "lt", "lte", "exists"];

    /// Returns the comparison with this word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "eq" => Some(Self::Equal),
            "ne" => Some(Self::NotEqual),
            "gt" => Some(Self::Greater),
            "gte" => Some(Self::AtLeast),
            "lt" => Some(Self::Less),
            "lte" => Some(Self::AtMost),
            "exists" => Some(Self::Exists),
            _ => None,
        }
    }
}

impl CustomField {
    /// Returns the selection for a filter on presence while options are being removed; `None` for other filters, and if
    /// no option is being removed.
    pub fn presence_matching(&self, pattern: &MatchPattern) -> Option<Selection> {
        match pattern {
            MatchPattern::Any => presence(self),
            MatchPattern::Not(inner) => Some(Selection::Not(Box::new(self.presence_matching(inner)?))),
            _ => None,
        }
    }

    /// Returns the pattern of a filter `custom_fields.KEY=text` on this field.
    ///
    /// # Errors
    /// The text is not a value of the field's type.
    pub fn match_pattern(&self, text: &str) -> Result<MatchPattern, InvalidValue> {
        self.compare_pattern(Comparison::Equal, text)
    }

    /// Returns the pattern of a filter `custom_fields.KEY[gte]=text` on this field.
    ///
    /// # Errors
    /// The text is not a value of the field's type, or such values have no order.
    pub fn compare_pattern(&self, comparison: Comparison, text: &str) -> Result<MatchPattern, InvalidValue> {
        match_pattern(self.kind, &self.options, comparison, text)
    }
}

/// Returns the pattern of a filter `custom_fields.KEY[gte]=text`.
///
/// # Errors
/// The text is not a value of the type, or such values have no order.
fn match_pattern(
    kind: FieldKind,
    options: &[String],
    comparison: Comparison,
    text: &str,
) -> Result<MatchPattern, InvalidValue> {
    let bound = || match equal_pattern(kind, options, text)? {
        MatchPattern::Equal(key) if kind.has_order() => Ok(key),
        _ => {
            let kind = kind.as_str();
            Err(wrong("invalid_operator", format!("values of type {kind} cannot be ordered; use eq, ne or exists")))
        }
    };
    Ok(match comparison {
        Comparison::Equal => equal_pattern(kind, options, text)?,
        Comparison::NotEqual => MatchPattern::Not(Box::new(equal_pattern(kind, options, text)?)),
        Comparison::Greater => MatchPattern::Above { key: bound()?, or_equal: false },
        Comparison::AtLeast => MatchPattern::Above { key: bound()?, or_equal: true },
        Comparison::Less => MatchPattern::Below { key: bound()?, or_equal: false },
        Comparison::AtMost => MatchPattern::Below { key: bound()?, or_equal: true },
        Comparison::Exists => match text {
            "true" => MatchPattern::Any,
            "false" => MatchPattern::Not(Box::new(MatchPattern::Any)),
            _ => return Err(wrong("invalid_format", "expected true or false")),
        },
    })
}

fn equal_pattern(kind: FieldKind, options: &[String], text: &str) -> Result<MatchPattern, InvalidValue> {
    let loose = Rules::default();
    let equal =
        |value: &Value| check_value(kind, options, &loose, value).map(|value| MatchPattern::Equal(value.match_key));
    match kind {
        FieldKind::Number => {
            let number = text.parse::<i64>().map(Number::from).ok();
            let number = number.or_else(|| text.parse::<u64>().map(Number::from).ok());
            let number = number.or_else(|| text.parse().ok().and_then(Number::from_f64));
            equal(&json!(number.ok_or_else(|| wrong("invalid_format", "expected a number"))?))
        }
        FieldKind::Boolean => match text {
            "true" => equal(&json!(true)),
            "false" => equal(&json!(false)),
            _ => Err(wrong("invalid_format", "expected true or false")),
        },
        FieldKind::MultiSelect => {
            let element = fold(chosen(&json!(text), options)?);
            Ok(MatchPattern::Element(format!("{SEPARATOR}{element}{SEPARATOR}")))
        }
        _ => equal(&json!(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::FieldValue;

    fn options() -> Vec<String> {
        vec!["red".to_owned(), "green".to_owned()]
    }

    #[test]
    fn matches_equal_values_and_elements_of_lists() {
        let key = |kind, value: Value| {
            check_value(kind, &options(), &Rules::default(), &value).expect("the value is valid").match_key
        };
        let pattern =
            |kind, text| match_pattern(kind, &options(), Comparison::Equal, text).expect("the pattern is valid");
        assert_eq!(pattern(FieldKind::Text, "GOLD "), MatchPattern::Equal(key(FieldKind::Text, json!("Gold"))));
        assert_eq!(pattern(FieldKind::Number, "18.0"), MatchPattern::Equal(key(FieldKind::Number, json!(18))));
        let MatchPattern::Element(element) = pattern(FieldKind::MultiSelect, "green") else {
            panic!("the pattern matches an element")
        };
        assert!(key(FieldKind::MultiSelect, json!(["red", "green"])).contains(&element));
        assert!(!key(FieldKind::MultiSelect, json!(["red"])).contains(&element));
    }

    #[test]
    fn evaluates_each_comparison() {
        let holds = |comparison, text, value: Option<Value>| {
            let pattern = match_pattern(FieldKind::Number, &[], comparison, text).expect("the pattern is valid");
            pattern.holds(value.map(|value| FieldValue::from_store(value).match_key).as_deref())
        };
        use Comparison::*;
        for (comparison, below, same, above, none) in [
            (Equal, false, true, false, false),
            (NotEqual, true, false, true, true),
            (Greater, false, false, true, false),
            (AtLeast, false, true, true, false),
            (Less, true, false, false, false),
            (AtMost, true, true, false, false),
        ] {
            let held = [Some(json!(17.5)), Some(json!(18)), Some(json!(100)), None];
            let held = held.map(|value| holds(comparison, "18.0", value));
            assert_eq!(held, [below, same, above, none], "{comparison:?}");
        }
        assert!(holds(Exists, "true", Some(json!(1))) && !holds(Exists, "true", None));
        assert!(holds(Exists, "false", None) && !holds(Exists, "false", Some(json!(1))));
    }

    #[test]
    fn rejects_comparisons_of_unordered_types() {
        let code = |kind, comparison, text| {
            match_pattern(kind, &options(), comparison, text).map(|_| ()).map_err(|wrong| wrong.code)
        };
        for kind in [FieldKind::Text, FieldKind::Email, FieldKind::Select] {
            let text = if kind == FieldKind::Email { "a@b.io" } else { "red" };
            assert_eq!(code(kind, Comparison::Less, text), Err("invalid_operator"), "{kind:?}");
        }
        assert_eq!(code(FieldKind::Boolean, Comparison::AtLeast, "true"), Err("invalid_operator"));
        assert_eq!(code(FieldKind::MultiSelect, Comparison::AtLeast, "red"), Err("invalid_operator"));
        assert_eq!(code(FieldKind::Date, Comparison::AtLeast, "2026-01-31"), Ok(()));
        assert_eq!(code(FieldKind::Datetime, Comparison::AtLeast, "2026-01-31T09:30:00Z"), Ok(()));
        assert_eq!(code(FieldKind::Number, Comparison::AtLeast, "many"), Err("invalid_format"));
        assert_eq!(code(FieldKind::Number, Comparison::Exists, "1"), Err("invalid_format"));
    }
}
