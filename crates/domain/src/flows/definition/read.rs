//! Reads definitions and notes everything that is wrong, and every name that must mean something.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use serde_json::Value;

use super::{Action, Definition, Exit, MAX_NODES, NODE_TYPES, Node, NodeType, Settings, triggers};
use crate::error::Violation;
use crate::flows::Template;
use crate::read::{self, Input, MOST_VIOLATIONS, Report};
use crate::time::IsoDuration;

/// Names that a definition may use.
const DEFINITION_FIELDS: [&str; 5] = ["triggers", "start", "nodes", "settings", "layout"];

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
    /// What its parts name and hold.
    pub found: Found,
}

/// What the parts of a definition name and hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
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
    /// The exits of the node that is being read.
    exits: Vec<Exit>,
}

impl Reading {
    /// Reads a definition; pointers are relative to it.
    pub fn of<'a>(written: impl Into<Input<'a>>) -> Self {
        let Input::Object(members) = written.into() else {
            let violation = Violation::here("wrong_type", "expected an object with start and nodes");
            return Self { violations: violation.into(), ..Self::default() };
        };
        let (mut report, mut found) = (Report::default(), Found::default());
        let mut fields = Fields::over(members, &mut report, &mut found);
        fields.only(&DEFINITION_FIELDS);
        let triggers = triggers::read(&mut fields);
        let settings = Settings::read(&mut fields);
        let start = fields.text("start").map(ToOwned::to_owned);
        let nodes = fields.nodes();
        if let Some(start) = &start {
            fields.leads_somewhere(&nodes, start, "/start");
        }
        for exit in nodes.values().flat_map(|node| &node.exits) {
            if fields.is_full() {
                break;
            }
            fields.leads_somewhere(&nodes, &exit.to, &exit.pointer);
        }
        let violations = report.into_violations();
        let start = start.filter(|_| violations.is_empty());
        let definition = start.map(|start| Definition { triggers, start, nodes: nodes.clone(), settings });
        Self { definition, nodes, violations, found }
    }

    /// Whether as much is wrong as is told; the rest of the definition was not read then.
    pub fn is_full(&self) -> bool {
        self.violations.len() >= MOST_VIOLATIONS
    }
}

/// The fields of one object of a definition; what they name and hold is gathered.
pub(in crate::flows) type Fields<'a> = read::Fields<'a, Found>;

impl<'a> Fields<'a> {
    /// Reads the nodes of the definition.
    fn nodes(&mut self) -> BTreeMap<String, Node> {
        let mut nodes = BTreeMap::new();
        match self.get("nodes") {
            Some(Input::Array(list)) if list.len() > MAX_NODES => {
                self.wrong("nodes", "too_many", format!("at most {MAX_NODES} nodes"));
            }
            Some(Input::Array(list)) => {
                for (index, written) in list.iter().enumerate() {
                    if self.is_full() {
                        break;
                    }
                    self.node(written, index, &mut nodes);
                }
            }
            Some(_) => self.wrong("nodes", "wrong_type", "expected a list of nodes"),
            None => self.wrong("nodes", "required", "is required"),
        }
        nodes
    }

    fn node(&mut self, written: Input<'_>, index: usize, nodes: &mut BTreeMap<String, Node>) {
        let at = format!("/nodes/{index}");
        let Input::Object(members) = written else {
            return self.error(&at, "wrong_type", "expected an object with id and type");
        };
        let mut action = None;
        let id = self.within(&at, members, |fields| {
            let id = fields.text("id").map(ToOwned::to_owned);
            action = fields.text("type").and_then(|kind| fields.action(kind));
            id
        });
        let exits = std::mem::take(&mut self.context.exits);
        let Some(id) = id else { return };
        if id.chars().count() > 64 {
            self.error(&format!("{at}/id"), "too_long", "at most 64 characters");
        }
        if nodes.contains_key(&id) {
            return self.error(&format!("{at}/id"), "duplicate_id", format!("another node has the id {id}"));
        }
        // A node that is itself wrong still exists for those that lead to it.
        nodes.insert(id, Node { action: action.unwrap_or_else(Action::end), exits, index });
    }

    fn leads_somewhere(&mut self, nodes: &BTreeMap<String, Node>, name: &str, pointer: &str) {
        if !nodes.contains_key(name) {
            let near = self.near(name, nodes.keys().map(String::as_str));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.error(pointer, "unknown_node", format!("no node has the id {name}{hint}"));
        }
    }

    fn action(&mut self, kind: &str) -> Option<Action> {
        let Some(known) = NODE_TYPES.iter().find(|known| known.word == kind) else {
            let words: Vec<&str> = NODE_TYPES.iter().map(|known| known.word).collect();
            let near = self.near(kind, words.iter().copied());
            let hint = if near.is_empty() { words.join(", ") } else { near.join(", ") };
            self.wrong("type", "unknown_node_type", format!("{kind} is not a type of node; did you mean: {hint}"));
            return None;
        };
        self.only(&known.names());
        let action = Action::read(known, self);
        self.take_exits(known);
        action
    }

    /// Reads the exits that the table lists for the type.
    fn take_exits(&mut self, known: &NodeType) {
        for field in known.fields.iter().filter(|field| field.is_exit) {
            if self.get(field.name).is_some() {
                self.exit(field.name, field.name);
            } else if field.required {
                let message = format!("leads nowhere: {} is required, if only to a node of type end", field.name);
                self.wrong(field.name, "dead_end", message);
            }
        }
    }

    /// Reads an exit of the node.
    pub(in crate::flows) fn exit(&mut self, field: &str, name: &str) {
        if let Some(to) = self.text(field).map(ToOwned::to_owned) {
            let exit = Exit { name: name.to_owned(), pointer: self.pointer(field), to };
            self.context.exits.push(exit);
        }
    }

    /// Where a field of the object stands.
    pub(in crate::flows) fn pointer(&self, name: &str) -> String {
        format!("{}/{name}", self.at())
    }

    /// A text that must be there and not be empty.
    pub(in crate::flows) fn text(&mut self, name: &str) -> Option<&'a str> {
        let (code, message) = match self.get(name) {
            Some(Input::String(text)) if !text.is_empty() => return Some(text),
            Some(Input::String(_)) => ("too_short", "may not be empty"),
            Some(_) => ("wrong_type", "expected a string"),
            None => ("required", "is required"),
        };
        self.wrong(name, code, message);
        None
    }

    /// One of these words.
    pub(in crate::flows) fn word(&mut self, name: &str, words: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?;
        let found = words.iter().copied().find(|word| *word == text);
        if found.is_none() {
            let near = self.near(text, words.iter().copied());
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            self.wrong(name, "invalid_value", format!("expected one of: {}{hint}", words.join(", ")));
        }
        found
    }

    /// A whole number within bounds; `default` where it is absent.
    pub(in crate::flows) fn count(
        &mut self,
        name: &str,
        bounds: std::ops::RangeInclusive<u64>,
        default: u64,
    ) -> Option<u64> {
        let number = match self.get(name) {
            None => return Some(default),
            Some(Input::Number(number)) => number.as_u64(),
            Some(_) => None,
        };
        let Some(number) = number else {
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
    pub(in crate::flows) fn texts(&mut self, name: &str, most: usize) -> Option<Vec<String>> {
        let Input::Array(list) = self.get(name)? else {
            self.wrong(name, "wrong_type", "expected a list of strings");
            return None;
        };
        if list.len() > most {
            self.wrong(name, "too_many", format!("at most {most}"));
            return None;
        }
        let mut texts = Vec::new();
        for (index, value) in list.iter().enumerate() {
            match value.as_str() {
                Some(text) if !text.trim().is_empty() => texts.push(text.to_owned()),
                Some(_) => self.error(&format!("/{name}/{index}"), "too_short", "may not be empty"),
                None => self.error(&format!("/{name}/{index}"), "wrong_type", "expected a string"),
            }
        }
        (texts.len() == list.len()).then_some(texts)
    }

    /// An ISO 8601 duration.
    pub(in crate::flows) fn duration(&mut self, name: &str) -> Option<Duration> {
        match self.text(name)?.parse::<IsoDuration>() {
            Ok(duration) => Some(duration.get()),
            Err(error) => {
                self.wrong(name, "invalid_format", error.to_string());
                None
            }
        }
    }

    /// The id of a thing that must be there in the workspace; `example` is one.
    pub(in crate::flows) fn id_of<T: FromStr>(&mut self, what: Mentioned, name: &str, example: &str) -> Option<String> {
        let id = self.text(name)?;
        if id.parse::<T>().is_err() {
            self.wrong(name, "invalid_id", format!("expected an id such as {example}"));
            return None;
        }
        self.mention(what, name, id);
        Some(id.to_owned())
    }

    /// A template of at most 4 096 characters.
    pub(in crate::flows) fn template(&mut self, name: &str) -> Option<Template> {
        let text = self.text(name)?;
        self.parse_template(name, text)
    }

    /// A text of this field, taken as a template.
    pub(in crate::flows) fn parse_template(&mut self, name: &str, text: &str) -> Option<Template> {
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
    pub(in crate::flows) fn looks_up(&mut self, name: &str, template: Template) {
        let at = self.pointer(name);
        self.context.templates.push((at, template));
    }

    /// Notes that the field names something.
    pub(in crate::flows) fn mention(&mut self, what: Mentioned, name: &str, word: &str) {
        let mention = Mention { what, word: word.to_owned(), pointer: self.pointer(name) };
        self.context.mentions.push(mention);
    }

    /// Notes that the field holds a condition; the analyser reads it.
    pub(in crate::flows) fn condition(&mut self, name: &str) -> Option<Value> {
        let value = self.get(name)?.to_value();
        let at = self.pointer(name);
        self.context.conditions.push((at, value.clone()));
        Some(value)
    }

    /// Notes that the field names a variable that is saved.
    pub(in crate::flows) fn saves(&mut self, name: &str, variable: &str) {
        let at = self.pointer(name);
        self.context.saved.push((at, variable.to_owned()));
    }

    /// Notes that the window in this field never opens.
    pub(in crate::flows) fn never_opens(&mut self, name: &str) {
        let at = self.pointer(name);
        self.context.empty_windows.push(at);
    }

    /// Reads an object inside this one; `None` where it is absent or none.
    pub(in crate::flows) fn inside<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Option<T> {
        let Input::Object(members) = self.get(name)? else {
            self.wrong(name, "wrong_type", "expected an object");
            return None;
        };
        self.within(&format!("/{name}"), members, read)
    }

    /// Reads the objects of a list.
    pub(in crate::flows) fn each<T>(
        &mut self,
        name: &str,
        most: usize,
        mut read: impl FnMut(&mut Fields<'_>, usize) -> Option<T>,
    ) -> Vec<T> {
        let list = match self.get(name) {
            Some(Input::Array(list)) if list.len() > most => {
                self.wrong(name, "too_many", format!("at most {most}"));
                return Vec::new();
            }
            Some(Input::Array(list)) => list,
            Some(_) => {
                self.wrong(name, "wrong_type", "expected a list of objects");
                return Vec::new();
            }
            None => return Vec::new(),
        };
        let mut found = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let place = format!("/{name}/{index}");
            match value {
                Input::Object(members) => found.extend(self.within(&place, members, |fields| read(fields, index))),
                _ => self.error(&place, "wrong_type", "expected an object"),
            }
        }
        found
    }
}
