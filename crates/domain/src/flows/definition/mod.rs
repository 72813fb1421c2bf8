//! The graph of a flow, read from what the client wrote. What a node says is read by its file in `nodes/`.

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

use super::{Awaited, Cron};
use crate::error::Violation;
use crate::read::Input;
use crate::simulation::Script;

pub use super::nodes::{Action, Holds, Moment, NODE_TYPES, NodeField, NodeType};
pub use exit::Exit;
pub(super) use fields::Fields;
pub use fields::{Found, Mention, Mentioned};
pub use read::Reading;
pub use settings::{Reentry, Settings};
pub use triggers::{KeywordMatch, MAX_TRIGGERS, Trigger};

/// The most nodes of a flow.
pub(super) const MAX_NODES: usize = 500;
/// The most characters of a node's id.
const MAX_ID: usize = 64;

/// A graph whose every name leads somewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What starts it, beside the API.
    pub triggers: Vec<Trigger>,
    /// The first node.
    pub start: String,
    /// The nodes by id.
    pub nodes: BTreeMap<String, Node>,
    /// How its runs are started and ended.
    pub settings: Settings,
    /// What it is tried with whenever it is published.
    pub scripts: Vec<Script>,
}

/// One node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it does.
    pub action: Action,
    /// Where it leads.
    pub exits: Vec<Exit>,
    /// Where it stands in the definition, to point at.
    pub index: usize,
}

impl Node {
    /// The node behind this exit.
    pub fn exit(&self, name: &str) -> Option<&str> {
        self.exits.iter().find(|exit| exit.name == name).map(|exit| exit.to.as_str())
    }
}

impl Definition {
    /// The events that its runs may wait for.
    pub fn awaited(&self) -> BTreeSet<Awaited> {
        let of = |node: &Node| {
            if let Action::WaitForEvent(wait) = &node.action { Some(wait.awaited.clone()) } else { None }
        };
        self.nodes.values().filter_map(of).collect()
    }

    /// When its triggers fire by the clock, and whom each of them takes.
    pub fn schedules(&self) -> impl Iterator<Item = (&Cron, &Value)> {
        self.triggers.iter().filter_map(|trigger| match trigger {
            Trigger::Schedule { cron, audience } => Some((&**cron, audience)),
            Trigger::Keyword { .. } | Trigger::Event { .. } | Trigger::CustomEvent { .. } => None,
        })
    }

    /// When its triggers fire by the clock.
    pub fn crons(&self) -> impl Iterator<Item = &Cron> {
        self.schedules().map(|(cron, _)| cron)
    }

    /// Reads a definition that was found right before.
    ///
    /// # Errors
    /// All violations; pointers are relative to the definition.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let reading = Reading::of(written);
        reading.definition.ok_or(reading.violations)
    }
}
