//! Valid conditions, and the errors of invalid ones.

use serde_json::{Value, json};

use super::{leaf, parse, vocabulary};
use crate::conditions::{Condition, Mentions, Vocabulary};
use crate::error::Violation;

fn wrong(written: &Value) -> Vec<Violation> {
    Condition::parse(written, &vocabulary()).err().unwrap_or_default()
}

fn places(written: &Value) -> Vec<(String, &'static str)> {
    wrong(written).into_iter().map(|it| (it.pointer, it.code)).collect()
}

#[test]
fn reports_each_mistake_at_its_pointer() {
    let table: &[(Value, &str, &str)] = &[
        (json!([]), "", "wrong_type"),
        (json!({}), "", "required"),
        (json!({ "all": {} }), "/all", "wrong_type"),
        (json!({ "all": [1] }), "/all/0", "wrong_type"),
        (json!({ "not": [] }), "/not", "wrong_type"),
        (json!({ "all": [], "any": [] }), "/any", "not_allowed"),
        (json!({ "all": [], "field": "name" }), "/field", "not_allowed"),
        (json!({ "field": "name" }), "/op", "required"),
        (json!({ "op": "exists" }), "/field", "required"),
        (json!({ "field": 1, "op": "exists" }), "/field", "wrong_type"),
        (json!({ "field": "name", "op": "exists", "x/y": 1 }), "/x~1y", "unknown_field"),
        (json!({ "field": "name", "op": "eq" }), "/value", "required"),
        (leaf("name", "eq", json!(null)), "/value", "null_not_allowed"),
        (leaf("name", "exists", json!(true)), "/value", "not_allowed"),
        (leaf("name", "is", json!("x")), "/op", "unknown_operator"),
        (leaf("name", "gt", json!("x")), "/op", "unknown_operator"),
        (leaf("nmae", "eq", json!("x")), "/field", "unknown_field"),
        (leaf("custom_fields.age", "eq", json!("x")), "/field", "unknown_field"),
        (leaf("bot_fields.age", "eq", json!("x")), "/field", "unknown_field"),
        (leaf("conversation.age", "eq", json!("x")), "/field", "unknown_field"),
        (leaf("vars.", "eq", json!("x")), "/field", "invalid_format"),
        (leaf("vars.a..b", "eq", json!("x")), "/field", "invalid_format"),
        (leaf("vars.a", "eq", json!({})), "/value", "wrong_type"),
        (leaf("vars.a", "gt", json!("x")), "/value", "invalid_format"),
        (leaf("vars.a", "between", json!([1, "2026-01-01"])), "/value", "wrong_type"),
        (leaf("name", "eq", json!(1)), "/value", "wrong_type"),
        (leaf("name", "eq", json!("a\0")), "/value", "invalid_character"),
        (leaf("name", "eq", json!("a".repeat(4_097))), "/value", "too_long"),
        (leaf("name", "contains", json!("a".repeat(201))), "/value", "too_long"),
        (leaf("name", "contains", json!(" \u{2003}")), "/value", "blank"),
        (leaf("name", "in", json!("x")), "/value", "wrong_type"),
        (leaf("name", "in", json!([])), "/value", "too_few"),
        (leaf("name", "in", json!(["x", 1])), "/value/1", "wrong_type"),
        (leaf("name", "in", Value::from(vec!["x"; 101])), "/value", "too_many"),
        (leaf("id", "eq", json!("tag_00000000000000000000000001")), "/value", "invalid_id"),
        (leaf("status", "eq", json!("gone")), "/value", "invalid_value"),
        (leaf("email", "eq", json!("ada")), "/value", "invalid_format"),
        (leaf("phone", "eq", json!(1)), "/value", "wrong_type"),
        (leaf("subscribed", "eq", json!("true")), "/value", "wrong_type"),
        (leaf("created_at", "gt", json!("2026-01-01")), "/value", "invalid_format"),
        (leaf("created_at", "within_last", json!("3 days")), "/value", "invalid_format"),
        (leaf("created_at", "within_last", json!("P1M")), "/value", "invalid_format"),
        (leaf("created_at", "after", json!("2026-01-31")), "/value", "invalid_format"),
        (leaf("created_at", "within_last", json!(3)), "/value", "wrong_type"),
        (leaf("custom_fields.number", "gte", json!("18")), "/value", "wrong_type"),
        (leaf("custom_fields.number", "between", json!([1])), "/value", "wrong_type"),
        (leaf("custom_fields.number", "between", json!([1, "2"])), "/value/1", "wrong_type"),
        (leaf("custom_fields.number", "between", json!([2, 1])), "/value", "invalid_value"),
        (leaf("custom_fields.date", "eq", json!("2026-02-30")), "/value", "invalid_format"),
        (leaf("custom_fields.email", "eq", json!("nobody")), "/value", "invalid_format"),
        (leaf("custom_fields.select", "eq", json!("Blue")), "/value", "invalid_value"),
        (leaf("custom_fields.multi_select", "eq", json!("Red")), "/op", "unknown_operator"),
        (leaf("tags", "has", json!("vpi")), "/value", "unknown_tag"),
        (leaf("tags", "in", json!(["vip", "tag_00000000000000000000000009"])), "/value/1", "unknown_tag"),
        (leaf("tags", "has", json!(1)), "/value", "wrong_type"),
    ];
    for (written, pointer, code) in table {
        assert_eq!(places(written), [((*pointer).to_owned(), *code)], "{written}");
    }
}

#[test]
fn reports_all_mistakes_together() {
    let written = json!({ "all": [leaf("nmae", "iz", json!(1)), { "not": leaf("tags", "has", json!("x")) }] });
    let expected =
        [("/all/0/field", "unknown_field"), ("/all/0/op", "unknown_operator"), ("/all/1/not/value", "unknown_tag")];
    assert_eq!(places(&written), expected.map(|(pointer, code)| (pointer.to_owned(), code)));
}

#[test]
fn messages_suggest_a_correction() {
    let table = [
        (leaf("nmae", "eq", json!("x")), "did you mean `name`"),
        (leaf("contact.email", "eq", json!("x")), "did you mean `email`"),
        (leaf("number", "eq", json!("x")), "did you mean `custom_fields.number`"),
        (leaf("custom_fields.nubmer", "eq", json!("x")), "did you mean `number`"),
        (leaf("conversation.stauts", "eq", json!("x")), "did you mean `status`"),
        (leaf("name", "start_with", json!("x")), "did you mean `starts_with`"),
        (leaf("name", "gt", json!("x")), "use `eq`, `ne`"),
        (leaf("tags", "has", json!("VPI")), "did you mean `VIP`"),
    ];
    for (written, expected) in table {
        let message = wrong(&written).pop().map(|it| it.message).unwrap_or_default();
        assert!(message.contains(expected), "{written}: {message}");
    }
}

#[test]
fn limits_depth_and_leaves() {
    let name = leaf("name", "eq", json!("x"));
    let nested = |levels: usize| (1..levels).fold(name.clone(), |inner, _| json!({ "not": inner }));
    parse(&nested(5));
    assert_eq!(places(&nested(6)), [("/not/not/not/not/not".to_owned(), "too_deep")]);
    let wide = |leaves: usize| json!({ "any": vec![name.clone(); leaves] });
    parse(&wide(50));
    assert_eq!(places(&wide(51)), [(String::new(), "too_many")]);
    assert_eq!(places(&wide(101)), [("/any".to_owned(), "too_many")]);
}

#[test]
fn lists_its_references_and_serializes_unchanged() {
    let written = json!({ "all": [leaf("tags", "in", json!(["VIP", "late"])), leaf("custom_fields.number", "eq", json!(1)),
        { "not": leaf("bot_fields.open", "eq", json!(true)) }, leaf("vars.a.b", "eq", json!(1)),
        leaf("event.tag.name", "eq", json!("x")), leaf("conversation.status", "eq", json!("pending"))] });
    let condition = parse(&written);
    assert_eq!(serde_json::to_value(&condition).expect("a condition serializes to JSON"), written);
    let names = condition.names();
    assert_eq!((names.tags.len(), names.custom_fields.len(), names.bot_fields.len()), (2, 1, 1));
    assert_eq!((names.vars.first().map(String::as_str), names.conversation), (Some("a.b"), true));
    assert_eq!(names.event.first().map(String::as_str), Some("tag.name"));
    let mentions = Mentions::of([&written]);
    assert_eq!(mentions.tags.iter().collect::<Vec<_>>(), ["VIP", "late"]);
    assert!(mentions.custom_fields.contains("number") && mentions.bot_fields.contains("open"));
}

#[test]
fn rejects_variables_outside_flows() {
    let outside = Vocabulary::default();
    for field in ["vars.a", "event.a"] {
        let wrong = Condition::parse(&leaf(field, "eq", json!(1)), &outside).unwrap_err();
        assert_eq!((wrong[0].pointer.as_str(), wrong[0].code), ("/field", "unknown_field"));
        assert!(wrong[0].message.contains("only available in flows"));
    }
}

#[test]
fn treats_deleted_references_of_a_stored_condition_as_empty() {
    let empty = Vocabulary::default();
    let facts = |written: Value| {
        let condition = Condition::parse_stored(&written, &empty).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let (contact, bot_fields) = (super::ada(), serde_json::Map::new());
        condition.holds(&crate::conditions::Facts {
            contact: &contact,
            conversations: &[],
            bot_fields: &bot_fields,
            vars: None,
            event: None,
            now: super::now(),
            zone: chrono_tz::Tz::UTC,
        })
    };
    assert!(!facts(leaf("custom_fields.plan", "gt", json!(1))));
    assert!(facts(leaf("custom_fields.plan", "ne", json!("gold"))));
    assert!(!facts(leaf("bot_fields.open", "exists", json!(null))));
    assert!(!facts(leaf("tags", "has", json!("gone"))));
    assert!(facts(leaf("tags", "has_not", json!("gone"))));
    assert_eq!(Condition::parse_stored(&leaf("nmae", "eq", json!(1)), &empty).unwrap_err()[0].code, "unknown_field");
}
