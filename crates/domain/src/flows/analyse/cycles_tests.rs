//! Tests of cycles without a wait, and of nodes that no run reaches.

use serde_json::{Value, json};
use uuid::Uuid;

use super::tests::{at, flow, found, known};
use super::{KnownObjects, analyse};
use crate::ids::{FlowId, TypedId};

#[test]
fn reports_unreachable_nodes_and_cycles_without_a_wait() {
    let definition = flow(vec![
        json!({"id": "a", "type": "add_tag", "tag": "vip", "next": "b"}),
        json!({"id": "b", "type": "remove_tag", "tag": "vip", "next": "a"}),
        json!({"id": "c", "type": "end"}),
    ]);
    let findings = analyse(&definition, &known()).findings;
    assert_eq!(findings.iter().map(|it| it.code).collect::<Vec<_>>(), ["cycle_without_wait", "unreachable_node"]);
    assert_eq!(
        (findings[0].pointer.as_str(), &findings[0].node_path[..]),
        ("/nodes/1/next", &["a", "b", "a"].map(str::to_owned)[..])
    );
    let resting = flow(vec![
        json!({"id": "a", "type": "delay", "for": "P1D", "next": "b"}),
        json!({"id": "b", "type": "add_tag", "tag": "vip", "next": "a"}),
    ]);
    assert_eq!(found(resting), []);
}

#[test]
fn a_delay_of_zero_seconds_is_not_a_wait() {
    let round = |delay: Value| {
        let definition = flow(vec![delay, json!({"id": "b", "type": "add_tag", "tag": "vip", "next": "a"})]);
        analyse(&definition, &known()).findings.iter().map(|it| it.code).collect::<Vec<_>>()
    };
    assert_eq!(round(json!({"id": "a", "type": "delay", "for": "PT0S", "next": "b"})), ["cycle_without_wait"]);
    assert_eq!(round(json!({"id": "a", "type": "delay", "for": "PT1S", "next": "b"})), Vec::<&str>::new());
}

#[test]
fn a_cycle_of_flow_calls_is_not_a_wait() {
    let other = FlowId::from_uuid(Uuid::from_u128(9));
    let calling =
        |next: &str| json!({"id": "a", "type": "start_flow", "flow_id": other, "next": next, "on_error": "b"});
    let known = KnownObjects { flows: [other].into(), own: Some(FlowId::from_uuid(Uuid::from_u128(8))), ..known() };
    let codes = |next: &str| {
        let definition = flow(vec![calling(next), json!({"id": "b", "type": "end"})]);
        analyse(&definition, &known).findings.iter().map(|it| it.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("b"), Vec::<&str>::new());
    assert_eq!(codes("a"), ["cycle_without_wait"], "the called run may complete at once");
    let own = KnownObjects { own: Some(other), ..known.clone() };
    let definition = flow(vec![calling("b"), json!({"id": "b", "type": "end"})]);
    assert_eq!(analyse(&definition, &own).findings.iter().map(|it| it.code).collect::<Vec<_>>(), ["recursion"]);
}

#[test]
fn a_cycle_of_http_calls_is_not_a_wait() {
    let definition = flow(vec![
        json!({"id": "a", "type": "http_request", "method": "POST", "url": "https://a.example/", "next": "a", "on_error": "b"}),
        json!({"id": "b", "type": "end"}),
    ]);
    assert_eq!(found(definition), [at("/nodes/0/next", "cycle_without_wait")]);
}
