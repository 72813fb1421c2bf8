//! Tests of flows that start each other.

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;

use super::workspace_tests::{acme, flow, found_with, say, triggered};
use super::*;
use crate::events::EventKind;
use crate::flows::{ActiveTrigger, FlowVersion, ImmediateEffect, ReachableFlow, Trigger};
use crate::ids::{FlowId, TypedId};
use crate::time::Timestamp;

/// Returns a workspace with other flows: each with its number, name, triggers and nodes.
fn beside(others: &[(u128, &str, Value, Vec<Value>)]) -> KnownObjects {
    let mut known = acme();
    for (number, name, triggers, nodes) in others {
        let flow_id = FlowId::from_uuid(Uuid::from_u128(*number));
        let definition = flow(nodes.clone());
        let version = FlowVersion {
            flow: flow_id,
            number: 1,
            definition,
            tags: BTreeMap::new(),
            bindings: None,
            created_at: Timestamp::EPOCH_2026,
        };
        let compiled = Arc::new(version.compile().expect("the definition is valid"));
        known.flows.insert(flow_id);
        known.neighbours.flows.insert(flow_id, ReachableFlow { name: (*name).to_owned(), flow: compiled });
        for trigger in triggers.as_array().into_iter().flatten().filter_map(Trigger::parse) {
            let Trigger::Event { kind, .. } = &trigger else { continue };
            let listening = known.neighbours.listeners.entry(*kind).or_default();
            listening.push(ActiveTrigger { flow: flow_id, trigger });
        }
    }
    known
}

fn go(id: &str, to: u128) -> Value {
    json!({"id": id, "type": "start_flow", "flow_id": FlowId::from_uuid(Uuid::from_u128(to)).to_string()})
}

#[test]
fn reports_flows_that_start_each_other_without_a_wait() {
    let wait = json!({"id": "w", "type": "delay", "for": "PT1H", "next": "back"});
    let known = beside(&[
        (10, "Ten", json!([]), vec![say("hi", "Hi", "on"), go("on", 11)]),
        (11, "Eleven", json!([]), vec![go("back", 2)]),
        (12, "Twelve", json!([]), vec![wait.clone(), go("back", 2)]),
    ]);
    let draft = flow(vec![say("a", "Hi", "b"), go("b", 10)]);
    let findings = analyse(&draft, &known).findings;
    let told: Vec<_> = findings.iter().filter(|it| it.code == "recursion").collect();
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].severity, told[0].pointer.as_str()), (Severity::Error, "/nodes/1/flow_id"));
    assert_eq!(told[0].node_path, ["a", "b"]);
    assert_eq!(
        told[0].message,
        "these flows start in a loop without a wait: this flow (b) → Ten (on) → Eleven (back) → this flow"
    );
    let is_told = |definition: &Value| found_with(&known, definition).iter().any(|(_, code)| *code == "recursion");
    assert!(!is_told(&flow(vec![go("b", 12)])), "a wait in the other flow prevents the finding");
    let mut later = wait;
    later["next"] = json!("b");
    assert!(!is_told(&flow(vec![later, go("b", 10)])), "a wait in the draft prevents the finding");
    let unsaved = KnownObjects { own: None, ..known.clone() };
    assert!(
        found_with(&unsaved, &draft).iter().all(|(_, code)| *code != "recursion"),
        "no flow can start an unsaved draft"
    );
}

#[test]
fn warns_about_flows_that_trigger_each_other_by_events() {
    let added = |name: &str| json!([{"type": "event", "event": "contact.tag_added", "filter": {"field": "event.tag.name", "op": "eq", "value": name}}]);
    let untag = json!({"id": "off", "type": "remove_tag", "tag": "vip", "next": "end"});
    let removed = json!({"type": "event", "event": "contact.tag_removed"});
    let draft = triggered(removed.clone(), vec![json!({"id": "on", "type": "add_tag", "tag": "vip", "next": "end"})]);
    let warned = |known: &KnownObjects, definition: &Value| -> Vec<(Severity, String)> {
        let findings = analyse(definition, known).findings.into_iter();
        findings.filter(|it| it.code == "recursion").map(|it| (it.severity, it.message)).collect()
    };
    let other = |name: &str| beside(&[(10, "Ten", added(name), vec![untag.clone()])]);
    let way = "these flows may start in a loop without a wait: this flow (on, contact.tag_added) → Ten (off, contact.tag_removed) → this flow";
    assert_eq!(warned(&other("VIP"), &draft), [(Severity::Warning, way.to_owned())]);
    assert_eq!(warned(&other("newsletter"), &draft), [], "the filter excludes it");
    // Adding an existing tag causes no event.
    let twice =
        triggered(added("vip")[0].clone(), vec![json!({"id": "on", "type": "add_tag", "tag": "vip", "next": "end"})]);
    assert_eq!(warned(&acme(), &twice), []);
    let count = |operation: &str| {
        let event = json!({"type": "event", "event": "contact.field_changed"});
        let node = json!({"id": "more", "type": "set_field", "field": "custom_fields.age", "operation": operation, "value": 1, "next": "end"});
        warned(&acme(), &triggered(event, vec![node])).len()
    };
    assert_eq!((count("increment"), count("set")), (1, 0));
    let completed = json!({"type": "event", "event": "flow.completed"});
    assert_eq!(warned(&acme(), &triggered(completed, vec![say("a", "Hi", "end")])).len(), 1);
}

#[test]
fn sets_off_only_what_comes_before_the_first_wait() {
    let definition = flow(vec![
        say("a", "Hi", "b"),
        json!({"id": "b", "type": "ask", "message": {"type": "text", "text": "?"}, "next": "c"}),
        json!({"id": "c", "type": "add_tag", "tag": "vip", "next": "end"}),
    ]);
    let draft = Definition::parse(&definition).expect("the definition is valid");
    let kinds: Vec<_> = draft.immediate_effects(None).into_iter().map(|(node, what)| (node.to_owned(), what)).collect();
    let sent = ImmediateEffect::Event(EventKind::MessageSent, Vec::new());
    assert_eq!(kinds, [("a".to_owned(), sent.clone()), ("b".to_owned(), sent)]);
}
