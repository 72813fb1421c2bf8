//! Robustness against arbitrary input.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{ada, now, vocabulary};
use crate::conditions::{Condition, Facts, MAX_DEPTH, Mentions, Operator};

/// Generates any JSON, often with words of the grammar.
fn any_json() -> impl Strategy<Value = Value> {
    let words = ["all", "any", "not", "field", "op", "value", "tags", "name", "vip", "custom_fields.number", "vars.a"];
    let words: Vec<String> = words.iter().chain(Operator::WORDS).map(|word| (*word).to_owned()).collect();
    let key = prop_oneof![proptest::sample::select(words), any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(|it| json!(it)),
        any::<i64>().prop_map(Value::from),
        key.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 64, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn depth(json: &Value) -> usize {
    match json {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

proptest! {
    #[test]
    fn parses_any_json_or_reports_violations_at_valid_pointers(json in any_json()) {
        let _ = Mentions::of([&json]);
        match Condition::parse(&json, &vocabulary()) {
            Ok(condition) => {
                prop_assert_eq!(condition.source_json(), &json);
                prop_assert!(depth(&json) <= 2 * MAX_DEPTH + 1);
                let (contact, bot_fields) = (ada(), Map::new());
                let facts = Facts {
                    contact: &contact, conversations: &[], bot_fields: &bot_fields, vars: None, event: None, now: now(),
 zone: chrono_tz::Tz::UTC,
                };
                let held = condition.holds(&facts);
                let negated = Condition::parse(&json!({ "not": json }), &vocabulary());
                prop_assert!(negated.is_err() || negated.is_ok_and(|it| it.holds(&facts) != held));
                prop_assert!(Condition::parse_stored(&json, &vocabulary()).is_ok());
            }
            Err(violations) => {
                prop_assert!(!violations.is_empty());
                for it in violations {
                    prop_assert!(it.pointer.is_empty() || json.pointer(&it.pointer).is_some() || it.code == "required");
                }
            }
        }
    }
}
