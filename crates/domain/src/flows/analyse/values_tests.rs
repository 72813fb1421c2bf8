//! Tests of values that their targets reject.

use serde_json::{Value, json};

use super::workspace_tests::{acme, at, flow, found};
use super::*;

fn set(field: &str, value: Value) -> Value {
    flow(vec![json!({"id": "a", "type": "set_field", "field": field, "value": value, "next": "end"})])
}

#[test]
fn accepts_the_same_literal_values_as_a_run() {
    for (field, right) in [
        ("custom_fields.plan", json!("Gold")),
        ("custom_fields.plan", json!(null)),
        ("custom_fields.plan", json!("{{ contact.first_name }}")),
        ("custom_fields.age", json!("18")),
        ("custom_fields.interests", json!("news, offers")),
        ("contact.email", json!(" Ada@Example.com ")),
        ("contact.email", json!("")),
    ] {
        assert_eq!(found(set(field, right.clone())), [], "{field} = {right}");
    }
    for (field, wrong) in [
        ("custom_fields.plan", json!("brass")),
        ("custom_fields.plan", json!(7)),
        ("custom_fields.age", json!(151)),
        ("custom_fields.age", json!("old")),
        ("custom_fields.interests", json!(["news", "weather"])),
        ("contact.email", json!("ada")),
        ("contact.first_name", json!(7)),
    ] {
        assert_eq!(found(set(field, wrong.clone())), [at("/nodes/0/value", "value_refused")], "{field} = {wrong}");
    }
    let findings = analyse(&set("custom_fields.plan", json!("glod")), &acme()).findings;
    assert_eq!(findings[0].message, "custom_fields.plan rejects this value: expected one of: gold, silver");
    assert_eq!(findings[0].did_you_mean, ["gold"]);
    let bot = flow(vec![json!({"id": "a", "type": "set_bot_field", "field": "season", "value": 7, "next": "end"})]);
    assert_eq!(found(bot), [at("/nodes/0/value", "value_refused")]);
    let mut more = set("custom_fields.interests", json!("weather"));
    more["nodes"][0]["operation"] = json!("append");
    assert_eq!(found(more.clone()), [at("/nodes/0/value", "value_refused")]);
    more["nodes"][0]["value"] = json!("News");
    assert_eq!(found(more), []);
}

#[test]
fn reports_answers_that_do_not_fit_their_target() {
    let ask = |expect: &str, save_to: &str| {
        let message = json!({"type": "text", "text": "?"});
        let mut node =
            json!({"id": "a", "type": "ask", "message": message, "expect": expect, "save_to": save_to, "next": "end"});
        if expect == "select" {
            node["options"] = json!(["Gold", "Brass"]);
        }
        found(flow(vec![node]))
    };
    for (expect, save_to) in [
        ("text", "custom_fields.age"),
        ("number", "custom_fields.age"),
        ("date", "custom_fields.remark"),
        ("phone", "custom_fields.age"),
        ("url", "contact.avatar_url"),
        ("date", "custom_fields.plan"),
        ("select", "custom_fields.remark"),
    ] {
        assert_eq!(ask(expect, save_to), [], "{expect} to {save_to}");
    }
    for (expect, save_to) in [
        ("number", "custom_fields.remark"),
        ("number", "contact.external_id"),
        ("boolean", "custom_fields.plan"),
        ("date", "custom_fields.age"),
        ("email", "contact.phone"),
    ] {
        assert_eq!(ask(expect, save_to), [at("/nodes/0/save_to", "value_refused")], "{expect} to {save_to}");
    }
    assert_eq!(ask("select", "custom_fields.plan"), [at("/nodes/0/options/1", "value_refused")]);
}
