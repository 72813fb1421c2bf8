//! Tests of conditions that never match.

use serde_json::{Value, json};

use super::analyse;
use super::workspace_tests::{acme, flow};

#[test]
fn explains_branches_that_never_match() {
    let when = |when: Vec<Value>| {
        let branches: Vec<Value> = when.into_iter().map(|when| json!({"when": when, "next": "end"})).collect();
        let node = json!({"id": "a", "type": "branch", "branches": branches, "otherwise": "end"});
        let findings = analyse(&flow(vec![node]), &acme()).findings;
        findings.into_iter().map(|it| (it.pointer, it.message)).collect::<Vec<_>>()
    };
    let plan = |op: &str, value: Value| json!({"field": "custom_fields.plan", "op": op, "value": value});
    let place = |index: usize| format!("/nodes/0/branches/{index}/when");
    let both = json!({"all": [plan("eq", json!("gold")), plan("eq", json!("silver"))]});
    let told = when(vec![both]);
    assert_eq!(told[0].0, place(0));
    assert!(told[0].1.starts_with("this condition never matches: no value of custom_fields.plan is "), "{}", told[0].1);
    let taken = "earlier branches already match everything that this branch matches".to_owned();
    let there = json!({"field": "custom_fields.plan", "op": "exists"});
    let each = vec![plan("eq", json!("gold")), plan("eq", json!("silver")), there.clone()];
    assert_eq!(when(each), [(place(2), taken.clone())]);
    assert_eq!(when(vec![json!({"all": []}), there]), [(place(1), taken)]);
}
