//! Semantics of conditions.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{a_conversation, ada, holds, leaf, nobody, now, parse};
use crate::conditions::{Condition, Facts, Vocabulary};

#[test]
fn evaluates_each_operator_for_each_type() {
    let table: &[(&str, &str, Value, bool)] = &[
        ("first_name", "eq", json!(" ADA "), true),
        ("first_name", "eq", json!("Ad"), false),
        ("first_name", "ne", json!("Ad"), true),
        ("first_name", "in", json!(["x", "ada"]), true),
        ("first_name", "not_in", json!(["x", "ada"]), false),
        ("name", "eq", json!("ada  lovelace"), true),
        ("name", "contains", json!("A LOVE"), true),
        ("name", "starts_with", json!("love"), false),
        ("name", "starts_with", json!("ADA l"), true),
        ("locale", "starts_with", json!("PT"), true),
        ("email", "eq", json!("Ada@Example.com"), true),
        ("email", "contains", json!("@EXAMPLE."), true),
        ("phone", "eq", json!("+49 (30) 123-45.67"), true),
        ("phone", "contains", json!("30 123"), true),
        ("status", "eq", json!("active"), true),
        ("status", "in", json!(["blocked"]), false),
        ("subscribed", "eq", json!(true), true),
        ("subscribed", "ne", json!(true), false),
        ("id", "eq", json!("contact_00000000000000000000000007"), true),
        ("id", "ne", json!("contact_00000000000000000000000007"), false),
        ("tags", "has", json!("vip"), true),
        ("tags", "has", json!("tag_00000000000000000000000001"), true),
        ("tags", "has", json!("late"), false),
        ("tags", "has_not", json!("Late"), true),
        ("tags", "in", json!(["late", "vip"]), true),
        ("tags", "not_in", json!(["late"]), true),
        ("created_at", "before", json!("2026-01-01T00:00:00Z"), true),
        ("created_at", "after", json!("2025-12-31T00:00:00Z"), false),
        ("created_at", "gte", json!("2025-12-31T01:00:00+01:00"), true),
        ("last_message_at", "within_last", json!("PT1H"), true),
        ("last_message_at", "within_last", json!("PT59M"), false),
        ("custom_fields.text", "eq", json!("STRASSE 10"), false),
        ("custom_fields.text", "eq", json!("straße 10"), true),
        ("custom_fields.text", "contains", json!("E 1"), true),
        ("custom_fields.number", "eq", json!(18.0), true),
        ("custom_fields.number", "gt", json!(18), false),
        ("custom_fields.number", "gte", json!(18), true),
        ("custom_fields.number", "lt", json!(18.5), true),
        ("custom_fields.number", "lte", json!(17.99), false),
        ("custom_fields.number", "between", json!([18, 20]), true),
        ("custom_fields.number", "between", json!([19, 20]), false),
        ("custom_fields.boolean", "eq", json!(true), true),
        ("custom_fields.date", "eq", json!("2025-12-30"), true),
        ("custom_fields.date", "before", json!("2025-12-30"), false),
        ("custom_fields.date", "lte", json!("2025-12-30"), true),
        ("custom_fields.date", "between", json!(["2025-12-01", "2025-12-30"]), true),
        ("custom_fields.date", "within_last", json!("P2D"), true),
        ("custom_fields.date", "within_last", json!("P1D"), false),
        ("custom_fields.datetime", "eq", json!("2026-01-01T00:00:00+01:00"), true),
        ("custom_fields.datetime", "within_last", json!("PT1H"), true),
        ("custom_fields.email", "eq", json!("A@b.io"), true),
        ("custom_fields.phone", "eq", json!("+1 415 555 0100"), true),
        ("custom_fields.url", "eq", json!("https://a.io"), true),
        ("custom_fields.select", "eq", json!("red"), true),
        ("custom_fields.select", "ne", json!("Green"), true),
        ("custom_fields.multi_select", "has", json!("Red"), true),
        ("custom_fields.multi_select", "has", json!("Green"), false),
        ("custom_fields.multi_select", "has_not", json!("Green"), true),
        ("custom_fields.multi_select", "in", json!(["Green", "Red"]), true),
        ("bot_fields.open", "eq", json!(true), true),
    ];
    for (field, op, value, expected) in table {
        let written = leaf(field, op, value.clone());
        assert_eq!(holds(&written, &ada()), *expected, "{written}");
        let negated = json!({ "not": written });
        assert_eq!(holds(&negated, &ada()), !expected, "{negated}");
    }
}

#[test]
fn only_negative_operators_hold_for_missing_values() {
    let positive = [
        ("first_name", "eq", json!("")),
        ("first_name", "contains", json!("a")),
        ("custom_fields.number", "lt", json!(1)),
        ("custom_fields.number", "eq", json!(0)),
        ("custom_fields.boolean", "eq", json!(false)),
        ("last_message_at", "within_last", json!("P3000D")),
        ("last_message_at", "before", json!("9999-01-01T00:00:00Z")),
        ("tags", "has", json!("vip")),
        ("custom_fields.multi_select", "in", json!(["Red"])),
        ("conversation.status", "eq", json!("pending")),
    ];
    for (field, op, value) in positive {
        assert!(!holds(&leaf(field, op, value), &nobody()), "{field} {op}");
    }
    let opposites = [
        ("first_name", "ne", json!("a")),
        ("first_name", "not_in", json!(["a"])),
        ("custom_fields.boolean", "ne", json!(true)),
        ("tags", "has_not", json!("vip")),
        ("custom_fields.multi_select", "not_in", json!(["Red"])),
        ("conversation.status", "ne", json!("pending")),
    ];
    for (field, op, value) in opposites {
        assert!(holds(&leaf(field, op, value), &nobody()), "{field} {op}");
    }
}

#[test]
fn exists_holds_only_for_set_values() {
    for field in ["first_name", "tags", "custom_fields.multi_select", "custom_fields.date", "last_message_at"] {
        let (exists, not_exists) =
            (json!({ "field": field, "op": "exists" }), json!({ "field": field, "op": "not_exists", "value": null }));
        assert!(holds(&exists, &ada()) && !holds(&not_exists, &ada()), "{field}");
        assert!(!holds(&exists, &nobody()) && holds(&not_exists, &nobody()), "{field}");
    }
    let compared = json!({ "field": "avatar_url", "op": "eq", "value": "https://example.com/ada.png" });
    let wrong = Condition::parse(&compared, &Vocabulary::default()).expect_err("an avatar URL cannot be compared");
    assert_eq!((wrong[0].pointer.as_str(), wrong[0].code), ("/op", "unknown_operator"));
    let mut empty = nobody();
    empty.custom_fields.insert("multi_select".to_owned(), json!([]));
    assert!(!holds(&json!({ "field": "custom_fields.multi_select", "op": "exists" }), &empty));
    empty.custom_fields.insert("text".to_owned(), json!(""));
    assert!(holds(&json!({ "field": "custom_fields.text", "op": "exists" }), &empty));
}

#[test]
fn combines_groups_with_and_or_and_not() {
    let (yes, no) = (leaf("first_name", "eq", json!("ada")), leaf("first_name", "eq", json!("x")));
    let table = [
        (json!({ "all": [yes, yes] }), true),
        (json!({ "all": [yes, no] }), false),
        (json!({ "any": [no, yes] }), true),
        (json!({ "any": [no, no] }), false),
        (json!({ "all": [] }), true),
        (json!({ "any": [] }), false),
        (json!({ "not": { "any": [no, { "all": [yes, { "not": yes }] }] } }), true),
    ];
    for (written, expected) in table {
        assert_eq!(holds(&written, &ada()), expected, "{written}");
    }
}

#[test]
fn holds_if_any_conversation_matches() {
    let talks = [a_conversation(1, None), a_conversation(2, Some(now().minus(Duration::from_secs(60))))];
    let (contact, bot_fields) = (ada(), Map::new());
    let held = |written: Value| {
        let facts = Facts {
            contact: &contact,
            conversations: &talks,
            bot_fields: &bot_fields,
            vars: None,
            event: None,
            now: now(),
            zone: chrono_tz::Tz::UTC,
        };
        parse(&written).holds(&facts)
    };
    assert!(held(leaf("conversation.channel_id", "eq", json!("chan_00000000000000000000000002"))));
    assert!(!held(leaf("conversation.channel_id", "ne", json!("chan_00000000000000000000000002"))));
    assert!(held(leaf("conversation.last_message_at", "within_last", json!("PT1M"))));
    assert!(held(json!({ "field": "conversation.last_message_at", "op": "exists" })));
    assert!(held(leaf("conversation.unread_count", "between", json!([2.5, 3]))));
    assert!(!held(leaf("conversation.unread_count", "gt", json!(3))));
    assert!(held(json!({ "field": "conversation.assignee_id", "op": "not_exists" })));
    assert!(held(leaf("conversation.handler", "eq", json!("bot"))));
}

#[test]
fn compares_variables_by_the_type_of_the_value() {
    let vars = json!({ "score": 7, "plan": "Gold", "ok": true, "none": null, "at": "2025-12-31T23:30:00Z",
        "day": "2025-12-31", "list": ["a", 1, { "b": 2 }], "order": { "total": 9.5, "items": [{ "sku": "X-1" }] } });
    let event = json!({ "tag": { "name": "VIP" } });
    let (contact, bot_fields) = (nobody(), Map::new());
    let held = |field: &str, op: &str, value: Value| {
        let facts = Facts {
            contact: &contact,
            conversations: &[],
            bot_fields: &bot_fields,
            vars: vars.as_object(),
            event: Some(&event),
            now: now(),
            zone: chrono_tz::Tz::UTC,
        };
        parse(&leaf(field, op, value)).holds(&facts)
    };
    let table = [
        ("vars.score", "eq", json!(7.0), true),
        ("vars.score", "eq", json!("7"), false),
        ("vars.score", "gt", json!(6), true),
        ("vars.score", "between", json!([1, 7]), true),
        ("vars.plan", "eq", json!("gold"), true),
        ("vars.plan", "ne", json!(1), true),
        ("vars.plan", "starts_with", json!("G"), true),
        ("vars.plan", "gt", json!(1), false),
        ("vars.ok", "eq", json!(true), true),
        ("vars.none", "exists", json!(null), false),
        ("vars.none", "not_exists", json!(null), true),
        ("vars.absent.deep", "not_exists", json!(null), true),
        ("vars.order", "exists", json!(null), true),
        ("vars.order.total", "lte", json!(9.5), true),
        ("vars.order.items.0.sku", "contains", json!("x-"), true),
        ("vars.list", "has", json!("A"), true),
        ("vars.list", "has", json!(1), true),
        ("vars.list", "has_not", json!("b"), true),
        ("vars.list", "in", json!(["z", "a"]), true),
        // The instant is on that day, and a day is not after itself.
        ("vars.at", "after", json!("2025-12-31"), false),
        ("vars.at", "before", json!("2026-01-01T00:00:00Z"), true),
        ("vars.at", "within_last", json!("PT30M"), true),
        ("vars.at", "within_last", json!("PT29M"), false),
        ("vars.day", "within_last", json!("P1D"), true),
        ("vars.day", "lt", json!("2025-12-31T00:00:01Z"), true),
        ("vars.day", "gte", json!("2025-12-31"), true),
        ("event.tag.name", "eq", json!("vip"), true),
        ("event.tag.color", "eq", json!("vip"), false),
    ];
    for (field, op, value, expected) in table {
        assert_eq!(held(field, op, value.clone()), expected, "{field} {op} {value}");
    }
}

#[test]
fn narrows_number_ranges_to_whole_numbers() {
    use crate::conditions::{Numeral, Operand, Range};
    let end = |value: &Value, included| value.as_number().map(|it| (Operand::Number(Numeral::from(it)), included));
    let wholes = |from: Value, from_included, to: Value, to_included| {
        Range { from: end(&from, from_included), to: end(&to, to_included) }.wholes()
    };
    assert_eq!(wholes(json!(1), true, json!(3), true), Some((1, 3)));
    assert_eq!(wholes(json!(1), false, json!(3.0), false), Some((2, 2)));
    assert_eq!(wholes(json!(1.5), true, json!(2.5), false), Some((2, 2)));
    assert_eq!(wholes(json!(2.1), true, json!(2.9), true), None);
    assert_eq!(wholes(json!(null), true, json!(-0.5), true), Some((i64::MIN, -1)));
    assert_eq!(wholes(json!(i64::MAX), false, json!(null), true), None);
    assert_eq!(wholes(json!(1e300), false, json!(null), true), None);
    assert_eq!(wholes(json!(-1e300), false, json!(1e300), false), Some((i64::MIN, i64::MAX)));
    assert_eq!((Numeral::from(7).whole(), end(&json!(7.5), true).and_then(|(it, _)| it.whole())), (Some(7), None));
}

#[test]
fn evaluates_bot_fields_before_selecting_contacts() {
    let condition = parse(&leaf("bot_fields.open", "eq", json!(true)));
    let chooses = |value: Value| {
        let values = [("open".to_owned(), value)].into_iter().collect();
        condition.selection(&values, now(), chrono_tz::Tz::UTC)
    };
    assert_eq!(chooses(json!(true)), crate::conditions::Selection::Constant(true));
    assert_eq!(chooses(json!(false)), crate::conditions::Selection::Constant(false));
}
