//! Whether a draft may be published: its form, its names, and the tags that it names.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Definition;
use super::definition::MAX_NODES;
use crate::error::Violation;
use crate::ids::TagId;
use crate::tags::Tag;
use crate::text::{fold, nearest};

/// How many violations are told at once.
const MOST_VIOLATIONS: usize = 100;

/// The words by which a definition names tags, with the places of their nodes.
fn named_tags(definition: &Value) -> impl Iterator<Item = (usize, &str)> {
    let nodes = definition.get("nodes").and_then(Value::as_array).filter(|nodes| nodes.len() <= MAX_NODES);
    nodes.into_iter().flatten().enumerate().filter_map(|(index, node)| {
        let names_a_tag = matches!(node.get("type")?.as_str()?, "add_tag" | "remove_tag");
        let word = node.get("tag")?.as_str().filter(|word| names_a_tag && !word.is_empty())?;
        Some((index, word))
    })
}

/// The words by which a definition names tags, each once.
pub(super) fn tag_words(definition: &Value) -> BTreeSet<String> {
    named_tags(definition).map(|(_, word)| word.to_owned()).collect()
}

/// Reads a draft and resolves its tags; pointers begin with `/definition`.
///
/// `known` are the tags of the workspace that the words may mean.
pub(super) fn analyse(
    definition: &Value,
    known: &[Tag],
) -> Result<(Definition, BTreeMap<String, TagId>), Vec<Violation>> {
    let parsed = Definition::parse(definition);
    let mut violations = parsed.as_ref().err().cloned().unwrap_or_default();
    let mut tags = BTreeMap::new();
    for (index, word) in named_tags(definition) {
        match known.iter().find(|tag| tag.id.to_string() == word || tag.name_key() == fold(word)) {
            Some(tag) => {
                tags.insert(word.to_owned(), tag.id);
            }
            None => {
                let near = nearest(word, known.iter().map(|tag| tag.name.as_str()));
                let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
                let pointer = format!("/nodes/{index}/tag");
                violations.push(Violation::new(pointer, "unknown_tag", format!("no tag is called {word}{hint}")));
            }
        }
    }
    violations.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    violations.truncate(MOST_VIOLATIONS);
    match parsed {
        Ok(graph) if violations.is_empty() => Ok((graph, tags)),
        _ => Err(violations.into_iter().map(|violation| violation.under("/definition")).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;
    use crate::time::Timestamp;
    use serde_json::json;
    use uuid::Uuid;

    fn wrong(definition: Value) -> Vec<(String, &'static str)> {
        let vip = Tag::new(TagId::from_uuid(Uuid::from_u128(7)), "VIP", Timestamp::from_millis(0));
        let found = analyse(&definition, &[vip]).map(|_| ()).err().unwrap_or_default();
        found.into_iter().map(|it| (it.pointer, it.code)).collect()
    }

    fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
        (pointer.to_owned(), code)
    }

    #[test]
    fn a_right_graph_is_read_and_its_tags_are_found_without_regard_to_case() {
        let definition = json!({"start": "a", "layout": {"a": {"x": 1, "y": 2}}, "nodes": [
            {"id": "a", "type": "send_message", "message": {"type": "text", "text": "Hi {{ contact.name }}"}, "next": "b"},
            {"id": "b", "type": "delay", "for": "P1D", "next": "c"},
            {"id": "c", "type": "add_tag", "tag": "vip", "next": "d"},
            {"id": "d", "type": "end"},
        ]});
        assert_eq!(wrong(definition), []);
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let definition = json!({"start": "nowhere", "triggers": [], "nodes": [
            {"id": "a", "type": "send_mesage", "next": "b"},
            {"id": "b", "type": "send_message", "message": {"type": "text", "text": "{{ x"}, "next": "bb"},
            {"id": "b", "type": "end"},
            {"id": "c", "type": "delay", "for": "1 day", "next": "a"},
            {"id": "d", "type": "delay", "for": "PT1S"},
            7,
            {"id": "b", "type": "add_tag", "tag": "nope", "next": "zz"},
        ]});
        assert_eq!(
            wrong(definition),
            [
                at("/definition/nodes/0/type", "unknown_node_type"),
                at("/definition/nodes/1/message/text", "template_error"),
                at("/definition/nodes/1/next", "unknown_node"),
                at("/definition/nodes/2/id", "duplicate_id"),
                at("/definition/nodes/3/for", "invalid_format"),
                at("/definition/nodes/4/next", "required"),
                at("/definition/nodes/5", "wrong_type"),
                at("/definition/nodes/6/id", "duplicate_id"),
                at("/definition/nodes/6/next", "unknown_node"),
                at("/definition/nodes/6/tag", "unknown_tag"),
                at("/definition/start", "unknown_node"),
                at("/definition/triggers", "unknown_field"),
            ]
        );
    }

    #[test]
    fn unknown_tags_and_nodes_are_named() {
        let definition = json!({"start": "a", "nodes": [
            {"id": "a", "type": "add_tag", "tag": "vup", "next": "end"},
            {"id": "end", "type": "end"},
        ]});
        assert_eq!(wrong(definition), [at("/definition/nodes/0/tag", "unknown_tag")]);
        let definition = json!({"start": "a", "nodes": [{"id": "a", "type": "add_tag", "tag": "vip", "next": "b"}]});
        assert_eq!(wrong(definition), [at("/definition/nodes/0/next", "unknown_node")]);
        assert_eq!(wrong(json!([])), [at("/definition", "wrong_type")]);
        assert_eq!(wrong(json!({})), [at("/definition/nodes", "required"), at("/definition/start", "required")]);
    }
}
