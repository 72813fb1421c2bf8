//! The parser of definitions: it collects all violations and all names that refer to workspace objects.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Action, Definition, DefinitionContents, Fields, FlowFields, MAX_ID, MAX_NODES, NODE_TYPES, Node, NodeType,
    Settings, triggers,
};
use crate::error::Violation;
use crate::read::{Input, MOST_VIOLATIONS, Report, list, nested, pointer_to, texts};
use crate::simulation::MAX_SCRIPTS;

const DEFINITION_FIELDS: [&str; 6] = ["triggers", "start", "nodes", "settings", "scripts", "layout"];

/// The parsed content of a definition, valid or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The graph; `None` if the definition has violations.
    pub definition: Option<Definition>,
    /// All nodes with a unique ID, including nodes with violations.
    pub nodes: BTreeMap<String, Node>,
    /// IDs of the nodes without a parsed action: their actions and other exits are unknown.
    pub unread: BTreeSet<String>,
    /// The violations.
    pub violations: Vec<Violation>,
    /// The names, templates and conditions in it.
    pub found: DefinitionContents,
}

impl Reading {
    /// Parses a definition; pointers are relative to it.
    pub fn of<'a>(written: impl Into<Input<'a>>) -> Self {
        let Input::Object(members) = written.into() else {
            let violation = Violation::at_root("wrong_type", "expected an object with start and nodes");
            return Self { violations: violation.into(), ..Self::default() };
        };
        let (mut report, mut found) = (Report::default(), DefinitionContents::default());
        let mut fields = Fields::over(members, &mut report, &mut found);
        fields.only(&DEFINITION_FIELDS);
        let triggers = triggers::read(&mut fields);
        let settings = Settings::read(&mut fields);
        let start = fields.text("start").map(ToOwned::to_owned);
        let (nodes, unread) = fields.nodes();
        let written = fields.get("scripts");
        let scripts = written.and_then(|it| fields.take("scripts", it, list(0..=MAX_SCRIPTS, nested())));
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
        let definition = start.map(|start| {
            let scripts = scripts.unwrap_or_default();
            Definition { triggers, start, nodes: nodes.clone(), settings, scripts }
        });
        Self { definition, nodes, unread, violations, found }
    }

    /// Whether the maximum number of violations is reached; the rest of the definition was not read.
    pub fn is_full(&self) -> bool {
        self.violations.len() >= MOST_VIOLATIONS
    }
}

/// Readers of a whole definition and its nodes.
trait DefinitionFields {
    /// Reads the nodes of the definition, and returns the IDs of those without a parsed action.
    fn nodes(&mut self) -> (BTreeMap<String, Node>, BTreeSet<String>);

    fn node(
        &mut self,
        written: Input<'_>,
        index: usize,
        nodes: &mut BTreeMap<String, Node>,
        unread: &mut BTreeSet<String>,
    );

    fn leads_somewhere(&mut self, nodes: &BTreeMap<String, Node>, name: &str, pointer: &str);

    fn action(&mut self, kind: &str) -> Option<Action>;

    /// Reads the exits that the table lists for the type.
    fn take_exits(&mut self, known: &NodeType);
}

impl DefinitionFields for Fields<'_> {
    fn nodes(&mut self) -> (BTreeMap<String, Node>, BTreeSet<String>) {
        let (mut nodes, mut unread) = (BTreeMap::new(), BTreeSet::new());
        match self.get("nodes") {
            Some(Input::Array(list)) if list.len() > MAX_NODES => {
                self.wrong("nodes", "too_many", format!("at most {MAX_NODES} nodes"));
            }
            Some(Input::Array(list)) => {
                for (index, written) in list.iter().enumerate() {
                    if self.is_full() {
                        break;
                    }
                    self.node(written, index, &mut nodes, &mut unread);
                }
            }
            Some(_) => self.wrong("nodes", "wrong_type", "expected a list of nodes"),
            None => self.wrong("nodes", "required", "is required"),
        }
        (nodes, unread)
    }

    fn node(
        &mut self,
        written: Input<'_>,
        index: usize,
        nodes: &mut BTreeMap<String, Node>,
        unread: &mut BTreeSet<String>,
    ) {
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
        if id.chars().count() > MAX_ID {
            self.error(&format!("{at}/id"), "too_long", format!("at most {MAX_ID} characters"));
        }
        if nodes.contains_key(&id) {
            let taken = Violation::new(format!("{at}/id"), "duplicate_id", format!("another node has the ID {id}"));
            return self.adopt([taken.with("name", id)]);
        }
        // A node with violations still exists for the nodes that lead to it.
        if action.is_none() {
            unread.insert(id.clone());
        }
        nodes.insert(id, Node { action: action.unwrap_or_else(Action::end), exits, index });
    }

    fn leads_somewhere(&mut self, nodes: &BTreeMap<String, Node>, name: &str, pointer: &str) {
        if !nodes.contains_key(name) {
            let near = self.near(name, nodes.keys().map(String::as_str));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
            let unknown = Violation::new(pointer, "unknown_node", format!("no node has the ID {name}{hint}"));
            self.adopt([unknown.with("name", name)]);
        }
    }

    fn action(&mut self, kind: &str) -> Option<Action> {
        let Some(known) = NODE_TYPES.iter().find(|known| known.word == kind) else {
            let words: Vec<&str> = NODE_TYPES.iter().map(|known| known.word).collect();
            let near = self.near(kind, words.iter().copied());
            let offered = texts::offered(&near, &words);
            let message = format!("{kind} is not a node type; {offered}");
            self.adopt([Violation::new("/type", "unknown_node_type", message).with("name", kind)]);
            return None;
        };
        self.only(&known.names());
        let action = Action::read(known, self);
        self.take_exits(known);
        action
    }

    fn take_exits(&mut self, known: &NodeType) {
        for field in known.fields.iter().filter(|field| field.is_exit()) {
            if self.get(field.name).is_some() {
                self.exit(field.name, field.name);
            } else if field.required {
                let message = format!("the flow has no next step here: {} is required", field.name);
                self.adopt([Violation::new(pointer_to(field.name), "dead_end", message).with("name", field.name)]);
            }
        }
    }
}
