//! Tests with the worst definitions of one megabyte, the maximum of a request: the work and the findings stay limited.

use serde_json::{Map, Value, json};

use super::*;

/// Returns a node ID of maximum length.
fn id(n: usize) -> String {
    format!("{n:0>64}")
}

fn flow(nodes: impl IntoIterator<Item = Value>) -> Value {
    let nodes: Vec<Value> = nodes.into_iter().collect();
    json!({"start": nodes[0]["id"], "nodes": nodes})
}

fn say(n: usize, text: &str) -> Value {
    json!({"id": id(n), "type": "send_message", "message": {"type": "text", "text": text}, "next": id(n + 1)})
}

/// Returns a node with the maximum number of exits.
fn branch(n: usize, to: impl Fn(usize) -> String) -> Value {
    let branches: Vec<Value> = (0..50).map(|way| json!({"when": {"all": []}, "next": to(way)})).collect();
    json!({"id": id(n), "type": "branch", "branches": branches, "otherwise": to(50)})
}

/// Returns a flow where each node leads to 51 others, in loops.
fn dense() -> Value {
    flow((0..150).map(|n| branch(n, move |way| id((n + way * 2) % 150))))
}

fn worst() -> Vec<(&'static str, Value)> {
    let unknown: Map<String, Value> = (0..60_000).map(|n| (format!("k{n}"), json!(1))).collect();
    let names: String = (0..500).map(|n| format!("{{{{a{n}}}}}")).collect();
    let days = vec!["x"; 100_000];
    let typo = format!("x{}", id(7).split_off(1));
    let absent = json!({"any": vec![json!({"field": "custom_fields.nothing", "op": "exists"}); 50]});
    vec![
        ("unknown fields", flow([Value::Object(unknown.clone())])),
        ("a message of such fields", flow([json!({"id": "a", "type": "send_message", "message": unknown})])),
        ("windows of no days", flow([json!({"id": "a", "type": "delay", "window": {"days": days}, "next": "a"})])),
        ("names that do not exist", flow((0..200).map(|n| say(n, &names)))),
        ("a long path to errors", flow((0..500).map(|n| say(n, "{{ x }}{{ y }}")))),
        ("every node leads to many others", dense()),
        (
            "one long circle",
            flow((0..500).map(|n| json!({"id": id(n), "type": "resolve_conversation", "next": id((n + 1) % 500)}))),
        ),
        ("ways to nodes that are almost there", flow((0..150).map(|n| branch(n, |_| typo.clone())))),
        (
            "calls of secrets that do not exist",
            flow((0..4).map(|n| {
                let secrets: String = (0..200).map(|m| format!("{{{{secrets.S{n}{m}}}}}")).collect();
                json!({"id": id(n), "type": "http_request", "method": "POST", "url": "https://a.example/",
                    "body": vec![secrets; 50], "next": id(n + 1)})
            })),
        ),
        ("nodes that no way leads to", flow((0..500).map(|n| json!({"id": id(n), "type": "end"})))),
        ("an endless id", flow([json!({"id": "i".repeat(800_000), "type": "add_tag", "tag": "t", "next": "z"})])),
        (
            "conditions on missing fields",
            flow((0..200).map(|n| {
                let branches = [json!({"when": absent, "next": id(n)})];
                json!({"id": id(n), "type": "branch", "branches": branches, "otherwise": id(n)})
            })),
        ),
    ]
}

#[test]
fn keeps_the_report_small_for_the_worst_definitions() {
    for (what, definition) in worst() {
        let analysis = analyse(&definition, &KnownObjects::default());
        let findings = &analysis.findings;
        assert!((1..=100).contains(&findings.len()), "{what}: {} findings", findings.len());
        assert!(findings.iter().all(|it| it.node_path.len() <= 50), "{what}: the path is too long");
        let bytes = serde_json::to_string(findings).expect("findings serialize to JSON").len();
        assert!(bytes <= 500_000, "{what}: {bytes} bytes");
        assert!(analysis.definition.is_none(), "{what}");
    }
}

#[test]
fn visits_each_exit_once_in_the_search_for_cycles() {
    let nodes = Reading::of(&dense()).nodes;
    let exits: usize = nodes.values().map(|node| node.exits.len()).sum();
    let mut findings = Findings::default();
    assert!(graph::circles(&nodes, &BTreeSet::new(), &mut findings) <= exits && findings.is_full());
    // Without loops, each exit is followed.
    let layers = (0..100).map(|n| branch(n, move |way| id((n + way + 1).min(100))));
    let nodes = Reading::of(&flow(layers.chain([json!({"id": id(100), "type": "end"})]))).nodes;
    let mut findings = Findings::default();
    assert_eq!((graph::circles(&nodes, &BTreeSet::new(), &mut findings), findings.into_vec().len()), (100 * 51, 0));
}
