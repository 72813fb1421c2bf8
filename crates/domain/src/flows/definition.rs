//! The graph of a flow, read from what the client wrote.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Template;
use crate::error::Violation;
use crate::text::nearest;
use crate::time::IsoDuration;

/// The most nodes of a flow.
pub(super) const MAX_NODES: usize = 500;
/// Names that every definition and node may use.
const DEFINITION_FIELDS: [&str; 3] = ["start", "nodes", "layout"];

/// A graph that may be published: every name in it leads somewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The first node.
    pub start: String,
    /// The nodes by id.
    pub nodes: BTreeMap<String, Node>,
}

/// One node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it does.
    pub action: Action,
    /// Where it stands in the definition, to point at.
    pub index: usize,
}

/// What a node does, and where it leads.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the node's own fields")]
pub enum Action {
    /// Sends a text.
    SendMessage { text: Template, next: String },
    /// Waits.
    Delay { duration: IsoDuration, next: String },
    /// Puts a tag on the contact.
    AddTag { tag: String, next: String },
    /// Takes a tag off the contact.
    RemoveTag { tag: String, next: String },
    /// Completes the run.
    End,
}

impl Action {
    /// The types that a node may have.
    pub const TYPES: [&str; 5] = ["send_message", "delay", "add_tag", "remove_tag", "end"];

    /// Its type.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SendMessage { .. } => "send_message",
            Self::Delay { .. } => "delay",
            Self::AddTag { .. } => "add_tag",
            Self::RemoveTag { .. } => "remove_tag",
            Self::End => "end",
        }
    }

    /// The node after it.
    pub fn next(&self) -> Option<&str> {
        match self {
            Self::SendMessage { next, .. }
            | Self::Delay { next, .. }
            | Self::AddTag { next, .. }
            | Self::RemoveTag { next, .. } => Some(next),
            Self::End => None,
        }
    }

    /// The word by which it names a tag.
    pub fn tag(&self) -> Option<&str> {
        match self {
            Self::AddTag { tag, .. } | Self::RemoveTag { tag, .. } => Some(tag),
            _ => None,
        }
    }
}

/// Gathers what is wrong while values are read.
struct Reader {
    violations: Vec<Violation>,
    /// Where each node leads, those included that are wrong otherwise.
    leads: Vec<(usize, String)>,
}

impl Reader {
    fn wrong(&mut self, pointer: &str, code: &'static str, message: impl Into<String>) {
        self.violations.push(Violation::new(pointer, code, message));
    }

    fn text<'a>(&mut self, object: &'a Map<String, Value>, name: &str, at: &str) -> Option<&'a str> {
        match object.get(name) {
            Some(Value::String(text)) if !text.is_empty() => return Some(text),
            Some(Value::String(_)) => self.wrong(&format!("{at}/{name}"), "too_short", "may not be empty"),
            Some(_) => self.wrong(&format!("{at}/{name}"), "wrong_type", "expected a string"),
            None => self.wrong(&format!("{at}/{name}"), "required", "is required"),
        }
        None
    }

    fn known_fields(&mut self, object: &Map<String, Value>, known: &[&str], at: &str) {
        for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
            let near = nearest(name, known.iter().copied());
            let hint = if near.is_empty() { known.join(", ") } else { near.join(", ") };
            let pointer = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            self.wrong(&pointer, "unknown_field", format!("is not known here; did you mean: {hint}"));
        }
    }
}

impl Definition {
    /// Reads a definition and finds everything that is wrong with its form and its names; pointers
    /// are relative to the definition.
    ///
    /// # Errors
    /// All violations: unknown types, names and fields, duplicate ids, templates that do not parse.
    pub fn parse(value: &Value) -> Result<Self, Vec<Violation>> {
        let mut reader = Reader { violations: Vec::new(), leads: Vec::new() };
        let Some(object) = value.as_object() else {
            return Err(vec![Violation::new("", "wrong_type", "expected an object with start and nodes")]);
        };
        reader.known_fields(object, &DEFINITION_FIELDS, "");
        let nodes = reader.nodes(object);
        let start = reader.text(object, "start", "");
        if let Some(start) = start {
            reader.leads_somewhere(start, "/start", &nodes);
        }
        for (index, next) in std::mem::take(&mut reader.leads) {
            reader.leads_somewhere(&next, &format!("/nodes/{index}/next"), &nodes);
        }
        match start {
            Some(start) if reader.violations.is_empty() => Ok(Self { start: start.to_owned(), nodes }),
            _ => Err(reader.violations),
        }
    }
}

impl Reader {
    fn nodes(&mut self, object: &Map<String, Value>) -> BTreeMap<String, Node> {
        let mut nodes = BTreeMap::new();
        let list = match object.get("nodes") {
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.wrong("/nodes", "wrong_type", "expected a list of nodes");
                return nodes;
            }
            None => {
                self.wrong("/nodes", "required", "is required");
                return nodes;
            }
        };
        if list.len() > MAX_NODES {
            self.wrong("/nodes", "too_many", format!("at most {MAX_NODES} nodes"));
            return nodes;
        }
        for (index, value) in list.iter().enumerate() {
            let at = format!("/nodes/{index}");
            let Some(object) = value.as_object() else {
                self.wrong(&at, "wrong_type", "expected an object with id and type");
                continue;
            };
            let id = self.text(object, "id", &at);
            let action = self.action(object, &at, index);
            let Some(id) = id else { continue };
            if id.chars().count() > 64 {
                self.wrong(&format!("{at}/id"), "too_long", "at most 64 characters");
            }
            if nodes.contains_key(id) {
                self.wrong(&format!("{at}/id"), "duplicate_id", format!("another node has the id {id}"));
                continue;
            }
            // A node that is itself wrong still exists for those that lead to it.
            nodes.insert(id.to_owned(), Node { action: action.unwrap_or(Action::End), index });
        }
        nodes
    }

    fn action(&mut self, node: &Map<String, Value>, at: &str, index: usize) -> Option<Action> {
        let kind = self.text(node, "type", at)?;
        let fields: &[&str] = match kind {
            "send_message" => &["id", "type", "message", "next"],
            "delay" => &["id", "type", "for", "next"],
            "add_tag" | "remove_tag" => &["id", "type", "tag", "next"],
            "end" => &["id", "type"],
            _ => {
                let near = nearest(kind, Action::TYPES);
                let known = if near.is_empty() { Action::TYPES.join(", ") } else { near.join(", ") };
                let message = format!("{kind} is not a type of node; did you mean: {known}");
                self.wrong(&format!("{at}/type"), "unknown_node_type", message);
                return None;
            }
        };
        self.known_fields(node, fields, at);
        if kind == "end" {
            return Some(Action::End);
        }
        let next = self.text(node, "next", at).map(ToOwned::to_owned);
        self.leads.extend(next.clone().map(|next| (index, next)));
        match kind {
            "send_message" => {
                let text = self.message(node, at)?;
                Some(Action::SendMessage { text, next: next? })
            }
            "delay" => {
                let text = self.text(node, "for", at)?;
                match text.parse() {
                    Ok(duration) => Some(Action::Delay { duration, next: next? }),
                    Err(error) => {
                        self.wrong(&format!("{at}/for"), "invalid_format", error.to_string());
                        None
                    }
                }
            }
            _ => {
                let tag = self.text(node, "tag", at)?.to_owned();
                let next = next?;
                Some(if kind == "add_tag" { Action::AddTag { tag, next } } else { Action::RemoveTag { tag, next } })
            }
        }
    }

    fn message(&mut self, node: &Map<String, Value>, at: &str) -> Option<Template> {
        let at = format!("{at}/message");
        let object = match node.get("message") {
            Some(Value::Object(object)) => object,
            Some(_) => {
                self.wrong(&at, "wrong_type", "expected an object with type and text");
                return None;
            }
            None => {
                self.wrong(&at, "required", "is required");
                return None;
            }
        };
        self.known_fields(object, &["type", "text"], &at);
        if self.text(object, "type", &at).is_some_and(|kind| kind != "text") {
            self.wrong(&format!("{at}/type"), "invalid_value", "expected text");
        }
        let text = self.text(object, "text", &at)?;
        if text.chars().count() > 4_096 {
            self.wrong(&format!("{at}/text"), "too_long", "at most 4096 characters");
            return None;
        }
        match Template::parse(text) {
            Ok(template) => Some(template),
            Err(error) => {
                self.wrong(&format!("{at}/text"), "template_error", format!("does not parse: {error}"));
                None
            }
        }
    }

    fn leads_somewhere(&mut self, name: &str, pointer: &str, nodes: &BTreeMap<String, Node>) {
        if !nodes.contains_key(name) {
            let near = nearest(name, nodes.keys().map(String::as_str));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(pointer, "unknown_node", format!("no node has the id {name}{hint}"));
        }
    }
}
