//! Tests of `event` in conditions and texts.

use serde_json::{Value, json};

use super::workspace_tests::{at, flow, found, say, triggered};

#[test]
fn checks_fields_operators_and_values_of_event_filters() {
    let filter = |event: &str, field: &str, op: &str, value: Value| {
        let mut filter = json!({"field": field, "op": op});
        if !value.is_null() {
            filter["value"] = value;
        }
        let trigger = json!({"type": "event", "event": event, "filter": {"all": [filter]}});
        found(triggered(trigger, vec![say("a", "Hi", "end")]))
    };
    for (field, op, value) in [
        ("event.object.version", "gte", json!(2)),
        ("event.object.subscribed", "eq", json!(true)),
        ("event.object.tags.0.name", "eq", json!("vip")),
        ("event.tag.applied_at", "within_last", json!("P1D")),
        ("event.tag.name", "in", json!(["vip", "newsletter"])),
        ("event.object.custom_fields.anything", "gt", json!(3)),
        ("event.object.deleted_at", "not_exists", Value::Null),
        ("event.timestamp", "after", json!("2026-01-01")),
    ] {
        assert_eq!(filter("contact.tag_added", field, op, value), [], "{field} {op}");
    }
    for (field, op, value, place, code) in [
        ("event.object.version", "gte", json!("2026-01-01"), "value", "wrong_type"),
        ("event.object.version", "starts_with", json!("2"), "op", "unknown_operator"),
        ("event.object.subscribed", "eq", json!("yes"), "value", "wrong_type"),
        ("event.object.subscribed", "gt", json!(0), "op", "unknown_operator"),
        ("event.tag.name", "eq", json!(7), "value", "wrong_type"),
        ("event.tag.name", "in", json!(["vip", 7]), "value", "wrong_type"),
        ("event.tag", "eq", json!("vip"), "op", "unknown_operator"),
        ("event.tag.title", "eq", json!("vip"), "field", "unknown_field"),
        ("event.field.key", "exists", Value::Null, "field", "unknown_field"),
    ] {
        let wrong = filter("contact.tag_added", field, op, value);
        assert_eq!(wrong, [at(&format!("/triggers/0/filter/all/0/{place}"), code)], "{field} {op}");
    }
    // Only some changes have `merged`.
    for (event, field, op, value) in [
        ("contact.updated", "event.merged.id", "exists", Value::Null),
        ("contact.updated", "event.merged.id", "not_exists", Value::Null),
        ("contact.updated", "event.merged.id", "eq", json!("contact_01h455vb4pex5vsknk084sn02r")),
    ] {
        assert_eq!(filter(event, field, op, value), [], "{field} {op}");
    }
    for (field, op, value, place, code) in [
        ("event.merged.id", "eq", json!(7), "value", "wrong_type"),
        ("event.merged.name", "exists", Value::Null, "field", "unknown_field"),
        ("event.merged_into.id", "exists", Value::Null, "field", "unknown_field"),
    ] {
        let wrong = filter("contact.updated", field, op, value);
        assert_eq!(wrong, [at(&format!("/triggers/0/filter/all/0/{place}"), code)], "{field} {op}");
    }
    let custom = |field: &str, value: Value| {
        let filter = json!({"field": field, "op": "eq", "value": value});
        found(triggered(
            json!({"type": "custom_event", "name": "order.paid", "filter": filter}),
            vec![say("a", "Hi", "end")],
        ))
    };
    assert_eq!(custom("event.data.total", json!(7)), []);
    assert_eq!(custom("event.nmae", json!("x")), [at("/triggers/0/filter/field", "unknown_field")]);
}

#[test]
fn nodes_may_use_fields_of_any_event_that_starts_the_flow() {
    let branch = |field: &str| {
        json!({"id": "a", "type": "branch", "otherwise": "end",
               "branches": [{"when": {"field": field, "op": "eq", "value": "x"}, "next": "b"}]})
    };
    let nodes = |field: &str| vec![branch(field), say("b", "{{ event.tag.name }}", "end")];
    let both = |field: &str| {
        let mut flow = flow(nodes(field));
        flow["triggers"] = json!([{"type": "event", "event": "contact.tag_added"}, {"type": "event", "event": "message.received"},
                                  {"type": "keyword", "keywords": ["hi"]}]);
        found(flow)
    };
    assert_eq!((both("event.tag.name"), both("event.object.text")), (vec![], vec![]));
    assert_eq!(both("event.field.key"), [at("/nodes/0/branches/0/when/field", "unknown_field")]);
    // Without a trigger, the events are unknown.
    assert_eq!(found(flow(nodes("event.field.key"))), []);
}
