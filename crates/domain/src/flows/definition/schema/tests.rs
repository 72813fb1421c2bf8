//! The bounds in the OpenAPI schema are those that the parser enforces.

use serde_json::Value;

use super::*;
use crate::flows::definition::Reading;

/// Returns a component of the document.
fn component(name: &str) -> Value {
    let mut components = Vec::new();
    Definition::schemas(&mut components);
    let found = components.into_iter().find(|(known, _)| known == name);
    let (_, schema) = found.unwrap_or_else(|| panic!("the document has no component {name}"));
    serde_json::to_value(schema).expect("a schema is JSON")
}

/// Returns a bound of a schema.
fn bound(schema: &Value, word: &str) -> Option<usize> {
    schema[word].as_u64().and_then(|bound| usize::try_from(bound).ok())
}

/// Returns a definition with this node, which leads to `b`.
fn of_node(node: &Value) -> Value {
    json!({"start": "a", "nodes": [node, {"id": "b", "type": "end"}]})
}

/// Returns a definition with this trigger.
fn of_trigger(trigger: &Value) -> Value {
    json!({"triggers": [trigger], "start": "b", "nodes": [{"id": "b", "type": "end"}]})
}

/// Returns the violation code at this pointer.
fn told(definition: &Value, place: &str) -> Option<&'static str> {
    let violations = Reading::of(definition).violations;
    violations.into_iter().find(|violation| violation.pointer == place).map(|violation| violation.code)
}

/// Checks the length bounds of a list against its schema; `definition` puts the list at `place`.
fn holds_to_its_length(schema: &Value, item: &Value, place: &str, definition: impl Fn(Value) -> Value) {
    let told = |length: usize| told(&definition(Value::from(vec![item.clone(); length])), place);
    let most = bound(schema, "maxItems").expect("every list has a maximum length");
    assert_eq!((told(most), told(most + 1)), (None, Some("too_many")), "{place}: {most}");
    if let Some(least) = bound(schema, "minItems") {
        assert_eq!((told(least), told(least - 1)), (None, Some("too_few")), "{place}: {least}");
    }
}

#[test]
fn lists_of_nodes_have_the_documented_lengths() {
    let message = json!({"type": "text", "text": "?"});
    let ask = json!({"id": "a", "type": "ask", "message": message, "expect": "select", "next": "b"});
    let branch = json!({"id": "a", "type": "branch", "otherwise": "b"});
    let split = json!({"id": "a", "type": "split"});
    let lists = [
        ("AskNode", "options", ask, json!("yes")),
        ("BranchNode", "branches", branch, json!({"when": {"all": []}, "next": "b"})),
        ("SplitNode", "arms", split, json!({"weight": 1, "next": "b"})),
    ];
    let all: Vec<(String, String)> = NODE_TYPES
        .iter()
        .map(NodeType::schema_name)
        .flat_map(|name| {
            let fields = component(&name)["properties"].as_object().cloned().expect("a node has fields");
            let lists = fields.into_iter().filter(|(_, schema)| schema["type"] == "array");
            lists.map(|(field, _)| (name.clone(), field)).collect::<Vec<_>>()
        })
        .collect();
    let looked_at = lists.each_ref().map(|(name, field, ..)| ((*name).to_owned(), (*field).to_owned()));
    assert_eq!(all, looked_at, "this test covers every list of a node");
    for (name, field, node, item) in lists {
        let schema = &component(name)["properties"][field];
        holds_to_its_length(schema, &item, &format!("/nodes/0/{field}"), |list| {
            let mut node = node.clone();
            node[field] = list;
            of_node(&node)
        });
    }
}

#[test]
fn lists_of_triggers_have_the_documented_lengths() {
    let fields = &component("FlowTrigger")["oneOf"][0]["properties"];
    for (field, item) in [("keywords", "hello"), ("channel_ids", "chan_01h455vb4pex5vsknk084sn02q")] {
        holds_to_its_length(&fields[field], &json!(item), &format!("/triggers/0/{field}"), |list| {
            let mut trigger = json!({"type": "keyword", "keywords": ["hello"]});
            trigger[field] = list;
            of_trigger(&trigger)
        });
    }
}

/// Checks the bounds of a number against its schema; `node` puts the number at `place`.
fn holds_to_its_size(schema: &Value, place: &str, node: impl Fn(usize) -> Value) {
    let told = |number: usize| told(&of_node(&node(number)), place);
    let (least, most) = (bound(schema, "minimum").expect("a bound"), bound(schema, "maximum").expect("a bound"));
    assert_eq!((told(least), told(most)), (None, None), "{place}: {least} to {most}");
    assert_eq!((told(least - 1), told(most + 1)), (Some("out_of_range"), Some("out_of_range")), "{place}");
}

#[test]
fn numbers_have_the_documented_bounds() {
    let attempts = &component("AskNode")["properties"]["attempts"];
    holds_to_its_size(attempts, "/nodes/0/attempts", |number| {
        let message = json!({"type": "text", "text": "?"});
        json!({"id": "a", "type": "ask", "message": message, "attempts": number, "next": "b"})
    });
    let weight = &component("SplitNode")["properties"]["arms"]["items"]["properties"]["weight"];
    holds_to_its_size(weight, "/nodes/0/arms/0/weight", |number| {
        let arms = json!([{"weight": number, "next": "b"}, {"weight": 1, "next": "b"}]);
        json!({"id": "a", "type": "split", "arms": arms})
    });
}

#[test]
fn node_ids_have_the_documented_length() {
    let most = bound(&component("EndNode")["properties"]["id"], "maxLength").expect("a bound");
    let told = |length: usize| told(&of_node(&json!({"id": "x".repeat(length), "type": "end"})), "/nodes/0/id");
    assert_eq!((told(most), told(most + 1)), (None, Some("too_long")));
}
