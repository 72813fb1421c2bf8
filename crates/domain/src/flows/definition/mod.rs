//! The graph of a flow, read from what the client wrote.

mod data;
mod messages;
mod people;
mod read;
mod routes;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod triggers;
mod waits;

use std::collections::BTreeMap;

use super::{Template, Words};
use crate::error::Violation;
use crate::read::Input;

pub use data::{Attribute, Source, Target};
pub use messages::{Ask, Expect};
pub use read::{Found, Mention, Mentioned, Reading};
pub use routes::Branch;
pub use settings::{Reentry, Settings};
pub use table::{NODE_TYPES, NodeField, NodeType};
pub use triggers::{KeywordMatch, MAX_TRIGGERS, Trigger};
pub use waits::{Delay, Moment};

/// The most nodes of a flow.
pub(super) const MAX_NODES: usize = 500;

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

/// A way out of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// `next`, `on_timeout`, `on_invalid`, `otherwise`, or `branches/0`.
    pub name: String,
    /// Where the definition says so: a pointer.
    pub pointer: String,
    /// The id of the node that it leads to.
    pub to: String,
}

impl Node {
    /// The node behind this exit.
    pub fn exit(&self, name: &str) -> Option<&str> {
        self.exits.iter().find(|exit| exit.name == name).map(|exit| exit.to.as_str())
    }
}

/// What a node does.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sends a message.
    SendMessage(Words),
    /// Asks and waits for the reply.
    Ask(Box<Ask>),
    /// Waits for a time.
    Delay(Delay),
    /// Goes the first way whose condition holds.
    Branch(Vec<Branch>),
    /// Writes a variable, an attribute or a custom field of the contact.
    SetField(Target, Source),
    /// Writes a bot field, by its key.
    SetBotField(String, Source),
    /// Puts a tag on the contact.
    AddTag(String),
    /// Takes a tag off the contact.
    RemoveTag(String),
    /// Enrolls the contact in a sequence, by its id.
    EnrollSequence(String),
    /// Ends the contact's enrollment in a sequence, by its id.
    ExitSequence(String),
    /// Resolves the conversation.
    ResolveConversation,
    /// Hands the conversation to people: to a member, or to nobody in particular.
    AssignConversation(Option<String>),
    /// Leaves a note that the contact does not see.
    Note(Template),
    /// Ends this run and goes over to another flow, by its id.
    StartFlow(String),
    /// Completes the run.
    End,
}

impl Action {
    /// The type of its nodes.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SendMessage(_) => "send_message",
            Self::Ask(_) => "ask",
            Self::Delay(_) => "delay",
            Self::Branch(_) => "branch",
            Self::SetField(..) => "set_field",
            Self::SetBotField(..) => "set_bot_field",
            Self::AddTag(_) => "add_tag",
            Self::RemoveTag(_) => "remove_tag",
            Self::EnrollSequence(_) => "enroll_sequence",
            Self::ExitSequence(_) => "exit_sequence",
            Self::ResolveConversation => "resolve_conversation",
            Self::AssignConversation(_) => "assign_conversation",
            Self::Note(_) => "note",
            Self::StartFlow(_) => "start_flow",
            Self::End => "end",
        }
    }

    /// The row of the table of node types.
    pub fn node_type(&self) -> Option<&'static NodeType> {
        NODE_TYPES.iter().find(|known| known.word == self.kind())
    }
}

impl Definition {
    /// Reads a definition that was found right before.
    ///
    /// # Errors
    /// All violations; pointers are relative to the definition.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let reading = Reading::of(written);
        reading.definition.ok_or(reading.violations)
    }
}
