//! Reads definitions and notes everything that is wrong, and every name that must mean something.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::table::{self, NodeType};
use super::{Action, Definition, Exit, MAX_NODES, NODE_TYPES, Node, Settings, triggers};
use crate::error::Violation;
use crate::flows::Template;
use crate::text::Hints;

/// Names that a definition may use.
const DEFINITION_FIELDS: [&str; 5] = ["triggers", "start", "nodes", "settings", "layout"];

/// How much that is wrong is told at once; whoever has found so much looks no further.
pub const MOST_VIOLATIONS: usize = 100;

/// What kind of thing a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mentioned {
    /// A tag, by name or id.
    Tag,
    /// A custom field, by key.
    Field,
    /// A bot field, by key.
    BotField,
    /// A flow, by id.
    Flow,
    /// A sequence, by id.
    Sequence,
    /// A channel, by id.
    Channel,
    /// A member of the workspace, by id.
    User,
}

/// A name in a definition that must mean something in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What kind of thing.
    pub what: Mentioned,
    /// The name.
    pub word: String,
    /// Where it stands.
    pub pointer: String,
}

/// What was found in a definition, right or wrong.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The graph, where nothing is wrong with its form.
    pub definition: Option<Definition>,
    /// The nodes that could be told apart, those included that are wrong otherwise.
    pub nodes: BTreeMap<String, Node>,
    /// What is wrong with its form.
    pub violations: Vec<Violation>,
    /// Names that must mean something in the workspace.
    pub mentions: Vec<Mention>,
    /// Templates, with their places.
    pub templates: Vec<(String, Template)>,
    /// Conditions, with their places and whether they may look at an event.
    pub conditions: Vec<(String, Value)>,
    /// Variables that nodes save, with their places.
    pub saved: Vec<(String, String)>,
    /// Windows that never open.
    pub empty_windows: Vec<String>,
    hints: Hints,
}

impl Reading {
    /// Reads a definition; pointers are relative to it.
    pub fn of(value: &Value) -> Self {
        let mut reading = Self::default();
        let Some(object) = value.as_object() else {
            reading.wrong("", "wrong_type", "expected an object with start and nodes");
            return reading;
        };
        let mut fields = Fields { object, at: String::new(), exits: Vec::new(), reading: &mut reading };
        fields.only(&DEFINITION_FIELDS);
        let triggers = triggers::read(&mut fields);
        let settings = Settings::read(&mut fields);
        let start = fields.text("start").map(ToOwned::to_owned);
        reading.read_nodes(object);
        if let Some(start) = &start {
            reading.leads_somewhere(start, "/start");
        }
        let exits: Vec<Exit> = reading.nodes.values().flat_map(|node| node.exits.clone()).collect();
        for exit in exits {
            if reading.is_full() {
                break;
            }
            reading.leads_somewhere(&exit.to, &exit.pointer);
        }
        if let Some(start) = start.filter(|_| reading.violations.is_empty()) {
            let nodes = reading.nodes.clone();
            reading.definition = Some(Definition { triggers, start, nodes, settings });
        }
        reading
    }

    fn read_nodes(&mut self, object: &Map<String, Value>) {
        let list = match object.get("nodes") {
            Some(Value::Array(list)) if list.len() > MAX_NODES => {
                return self.wrong("/nodes", "too_many", format!("at most {MAX_NODES} nodes"));
            }
            Some(Value::Array(list)) => list,
            Some(_) => return self.wrong("/nodes", "wrong_type", "expected a list of nodes"),
            None => return self.wrong("/nodes", "required", "is required"),
        };
        for (index, value) in list.iter().enumerate() {
            if self.is_full() {
                break;
            }
            self.read_node(value, index);
        }
    }

    fn read_node(&mut self, value: &Value, index: usize) {
        let at = format!("/nodes/{index}");
        let Some(object) = value.as_object() else {
            return self.wrong(&at, "wrong_type", "expected an object with id and type");
        };
        let mut fields = Fields { object, at: at.clone(), exits: Vec::new(), reading: self };
        let id = fields.text("id").map(ToOwned::to_owned);
        let action = fields.text("type").map(ToOwned::to_owned).and_then(|kind| fields.action(&kind));
        let exits = fields.exits;
        let Some(id) = id else { return };
        if id.chars().count() > 64 {
            self.wrong(&format!("{at}/id"), "too_long", "at most 64 characters");
        }
        if self.nodes.contains_key(&id) {
            return self.wrong(&format!("{at}/id"), "duplicate_id", format!("another node has the id {id}"));
        }
        // A node that is itself wrong still exists for those that lead to it.
        self.nodes.insert(id, Node { action: action.unwrap_or(Action::End), exits, index });
    }

    /// Whether as much is wrong as is told; the rest of the definition is not read then.
    pub fn is_full(&self) -> bool {
        self.violations.len() >= MOST_VIOLATIONS
    }

    /// Notes something that is wrong.
    pub(super) fn wrong(&mut self, pointer: &str, code: &'static str, message: impl Into<String>) {
        if !self.is_full() {
            self.violations.push(Violation::new(pointer, code, message));
        }
    }

    fn leads_somewhere(&mut self, name: &str, pointer: &str) {
        if !self.nodes.contains_key(name) {
            let near = self.hints.nearest(name, self.nodes.keys().map(String::as_str));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(pointer, "unknown_node", format!("no node has the id {name}{hint}"));
        }
    }
}

/// The fields of one object, as its reader asks for them.
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
    at: String,
    exits: Vec<Exit>,
    reading: &'a mut Reading,
}

impl<'a> Fields<'a> {
    /// The fields of an object that stands by itself.
    pub(super) fn over(object: &'a Map<String, Value>, reading: &'a mut Reading) -> Self {
        Self { object, at: String::new(), exits: Vec::new(), reading }
    }
}

impl Fields<'_> {
    fn action(&mut self, kind: &str) -> Option<Action> {
        let Some(known) = NODE_TYPES.iter().find(|known| known.word == kind) else {
            let words: Vec<&str> = NODE_TYPES.iter().map(|known| known.word).collect();
            let near = self.reading.hints.nearest(kind, words.iter().copied());
            let hint = if near.is_empty() { words.join(", ") } else { near.join(", ") };
            self.wrong("type", "unknown_node_type", format!("{kind} is not a type of node; did you mean: {hint}"));
            return None;
        };
        self.only(&table::fields_of(known));
        let action = (known.read)(self);
        self.take_exits(known);
        action
    }

    /// Reads the exits that the table lists for the type.
    fn take_exits(&mut self, known: &NodeType) {
        for field in known.fields.iter().filter(|field| field.is_exit) {
            if self.value(field.name).is_some() {
                self.exit(field.name, field.name);
            } else if field.required {
                let message = format!("leads nowhere: {} is required, if only to a node of type end", field.name);
                self.wrong(field.name, "dead_end", message);
            }
        }
    }

    /// Reads an exit of the node.
    pub(super) fn exit(&mut self, field: &str, name: &str) {
        if let Some(to) = self.text(field).map(ToOwned::to_owned) {
            self.exits.push(Exit { name: name.to_owned(), pointer: self.pointer(field), to });
        }
    }

    /// Refuses fields of other names.
    pub(super) fn only(&mut self, known: &[&str]) {
        for name in self.object.keys().filter(|name| !known.contains(&name.as_str())) {
            if self.reading.is_full() {
                break;
            }
            let near = self.reading.hints.nearest(name, known.iter().copied());
            let hint = if near.is_empty() { known.join(", ") } else { near.join(", ") };
            let pointer = self.pointer(&name.replace('~', "~0").replace('/', "~1"));
            self.reading.wrong(&pointer, "unknown_field", format!("is not known here; did you mean: {hint}"));
        }
    }

    /// Where a field of the object stands.
    pub(super) fn pointer(&self, name: &str) -> String {
        format!("{}/{name}", self.at)
    }

    /// A field's value, whatever it is.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.object.get(name)
    }

    /// Notes something that is wrong with a field.
    pub(super) fn wrong(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        let pointer = self.pointer(name);
        self.reading.wrong(&pointer, code, message);
    }

    /// A text that must be there and not be empty.
    pub(super) fn text(&mut self, name: &str) -> Option<&str> {
        let (code, message) = match self.object.get(name) {
            Some(Value::String(text)) if !text.is_empty() => return Some(text),
            Some(Value::String(_)) => ("too_short", "may not be empty"),
            Some(_) => ("wrong_type", "expected a string"),
            None => ("required", "is required"),
        };
        self.wrong(name, code, message);
        None
    }

    /// One of these words.
    pub(super) fn word(&mut self, name: &str, words: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?.to_owned();
        let found = words.iter().copied().find(|word| *word == text);
        if found.is_none() {
            let near = self.reading.hints.nearest(&text, words.iter().copied());
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(name, "invalid_value", format!("expected one of: {}{hint}", words.join(", ")));
        }
        found
    }

    /// A whole number within bounds; `default` where it is absent.
    pub(super) fn count(&mut self, name: &str, bounds: std::ops::RangeInclusive<u64>, default: u64) -> Option<u64> {
        let Some(value) = self.object.get(name) else { return Some(default) };
        let Some(number) = value.as_u64() else {
            self.wrong(name, "wrong_type", "expected a whole number");
            return None;
        };
        if !bounds.contains(&number) {
            self.wrong(name, "out_of_range", format!("expected {} to {}", bounds.start(), bounds.end()));
            return None;
        }
        Some(number)
    }

    /// A list of texts within bounds; `None` where it is absent or wrong.
    pub(super) fn texts(&mut self, name: &str, most: usize) -> Option<Vec<String>> {
        let list = match self.object.get(name)? {
            Value::Array(list) => list,
            _ => {
                self.wrong(name, "wrong_type", "expected a list of strings");
                return None;
            }
        };
        if list.len() > most {
            self.wrong(name, "too_many", format!("at most {most}"));
            return None;
        }
        let mut texts = Vec::new();
        for (index, value) in list.iter().enumerate() {
            match value.as_str() {
                Some(text) if !text.trim().is_empty() => texts.push(text.to_owned()),
                Some(_) => self.wrong(&format!("{name}/{index}"), "too_short", "may not be empty"),
                None => self.wrong(&format!("{name}/{index}"), "wrong_type", "expected a string"),
            }
        }
        (texts.len() == list.len()).then_some(texts)
    }

    /// A template of at most 4 096 characters.
    pub(super) fn template(&mut self, name: &str) -> Option<Template> {
        let text = self.text(name)?.to_owned();
        self.parse_template(name, &text)
    }

    /// A text of this field, taken as a template.
    pub(super) fn parse_template(&mut self, name: &str, text: &str) -> Option<Template> {
        if text.chars().count() > 4_096 {
            self.wrong(name, "too_long", "at most 4096 characters");
            return None;
        }
        let template = Template::read(text);
        self.looks_up(name, template.clone());
        Some(template)
    }

    /// Notes a template that stands in the field; the analyser checks it and what it looks up. One that is
    /// refused is nothing wrong with the form: what was published with it can still be read, and fails there.
    pub(super) fn looks_up(&mut self, name: &str, template: Template) {
        self.reading.templates.push((self.pointer(name), template));
    }

    /// Notes that the field names something.
    pub(super) fn mention(&mut self, what: Mentioned, name: &str, word: &str) {
        let mention = Mention { what, word: word.to_owned(), pointer: self.pointer(name) };
        self.reading.mentions.push(mention);
    }

    /// Notes that the field holds a condition; the analyser reads it.
    pub(super) fn condition(&mut self, name: &str) -> Option<Value> {
        let value = self.object.get(name)?.clone();
        self.reading.conditions.push((self.pointer(name), value.clone()));
        Some(value)
    }

    /// Notes that the field names a variable that is saved.
    pub(super) fn saves(&mut self, name: &str, variable: &str) {
        self.reading.saved.push((self.pointer(name), variable.to_owned()));
    }

    /// Notes that the window in this field never opens.
    pub(super) fn never_opens(&mut self, name: &str) {
        self.reading.empty_windows.push(self.pointer(name));
    }

    /// Takes over what is wrong with the value of a field.
    pub(super) fn adopt(&mut self, name: &str, violations: Vec<Violation>) {
        let parent = self.pointer(name);
        let room = MOST_VIOLATIONS.saturating_sub(self.reading.violations.len());
        self.reading.violations.extend(violations.into_iter().take(room).map(|violation| violation.under(&parent)));
    }

    /// Reads an object inside this one; `None` where it is absent or none.
    pub(super) fn inside<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Option<T> {
        let object = match self.object.get(name)? {
            Value::Object(object) => object,
            _ => {
                self.wrong(name, "wrong_type", "expected an object");
                return None;
            }
        };
        self.within(name, object, read)
    }

    /// Reads the objects of a list.
    pub(super) fn each<T>(
        &mut self,
        name: &str,
        most: usize,
        mut read: impl FnMut(&mut Fields<'_>, usize) -> Option<T>,
    ) -> Vec<T> {
        let list = match self.object.get(name) {
            Some(Value::Array(list)) if list.len() > most => {
                self.wrong(name, "too_many", format!("at most {most}"));
                return Vec::new();
            }
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.wrong(name, "wrong_type", "expected a list of objects");
                return Vec::new();
            }
            None => return Vec::new(),
        };
        let mut found = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let place = format!("{name}/{index}");
            match value.as_object() {
                Some(object) => found.extend(self.within(&place, object, |fields| read(fields, index))),
                None => self.wrong(&place, "wrong_type", "expected an object"),
            }
        }
        found
    }

    fn within<T>(
        &mut self,
        name: &str,
        object: &Map<String, Value>,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Option<T> {
        let at = self.pointer(name);
        let mut fields = Fields { object, at, exits: Vec::new(), reading: &mut *self.reading };
        let value = read(&mut fields);
        let exits = fields.exits;
        self.exits.extend(exits);
        value
    }
}
