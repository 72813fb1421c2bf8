//! The graph of a flow, parsed from the client's JSON. Each type of node is parsed by its file in `nodes/`.

mod exit;
mod fields;
mod read;
#[cfg(feature = "openapi")]
mod schema;
mod settings;
#[cfg(test)]
mod tests;
mod triggers;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{AwaitedKind, Cron};
use crate::error::Violation;
use crate::read::Input;
use crate::simulation::Script;

pub use super::nodes::{Action, FieldContent, Moment, NODE_TYPES, NodeField, NodeType};
pub use exit::Exit;
pub use fields::{DefinitionContents, Mention, Mentioned};
pub(super) use fields::{Fields, FlowFields};
pub use read::Reading;
pub use settings::{Reentry, Settings};
pub use triggers::{KeywordMatch, MAX_TRIGGERS, Trigger};

pub(super) const MAX_NODES: usize = 500;
/// Maximum length of a node's ID in characters.
const MAX_ID: usize = 64;

/// A graph. Every exit leads to an existing node.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The triggers that start it; the API can always start it.
    pub triggers: Vec<Trigger>,
    /// ID of the first node.
    pub start: String,
    /// The nodes by ID.
    pub nodes: BTreeMap<String, Node>,
    /// The settings of its runs.
    pub settings: Settings,
    /// The scripts that are simulated each time it is published.
    pub scripts: Vec<Script>,
}

/// One node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The action.
    pub action: Action,
    /// Its exits.
    pub exits: Vec<Exit>,
    /// Its index in the definition, for JSON pointers.
    pub index: usize,
}

impl Node {
    /// Returns the ID of the node that an exit leads to.
    pub fn exit(&self, name: &str) -> Option<&str> {
        self.exits.iter().find(|exit| exit.name == name).map(|exit| exit.to.as_str())
    }
}

impl Definition {
    /// Returns the events that its runs may wait for.
    pub fn awaited(&self) -> BTreeSet<AwaitedKind> {
        let of = |node: &Node| {
            if let Action::WaitForEvent(wait) = &node.action { Some(wait.awaited.clone()) } else { None }
        };
        self.nodes.values().filter_map(of).collect()
    }

    /// Returns its schedules with the conditions that select their contacts.
    pub fn schedules(&self) -> impl Iterator<Item = (&Cron, &Value)> {
        self.triggers.iter().filter_map(|trigger| match trigger {
            Trigger::Schedule { cron, audience } => Some((&**cron, audience)),
            Trigger::Keyword { .. }
            | Trigger::Referral { .. }
            | Trigger::Event { .. }
            | Trigger::CustomEvent { .. } => None,
        })
    }

    /// Returns its schedules.
    pub fn crons(&self) -> impl Iterator<Item = &Cron> {
        self.schedules().map(|(cron, _)| cron)
    }

    /// Parses a definition.
    ///
    /// # Errors
    /// All violations; pointers are relative to the definition.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let reading = Reading::of(written);
        reading.definition.ok_or(reading.violations)
    }
}
