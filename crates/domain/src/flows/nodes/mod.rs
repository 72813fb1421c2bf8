//! The kinds of nodes, one file for each or for each pair of opposites. The file has all of its kind: its fields and how
//! they are read, what they name and where they lead, what a visit does, and how its effect is written.
//!
//! To add a kind, write its file, a `Kind`, and name it in the table below. Where it does something that no other kind
//! does, its effect gets a row in the second table.

mod ask;
mod branch;
mod conversation;
mod delay;
mod end;
mod kind;
mod note;
mod parts;
mod send_message;
mod sequence;
mod set_bot_field;
mod set_field;
mod split;
mod start_flow;
mod table;
mod tag;

use super::analyse::Findings;
use super::definition::Fields;
use super::execute::{Done, StepWriter};
use super::interpret::{Input, Interpreter, Turn};
use super::model::Wait;
use crate::contacts::{Attribute, ContactView};
use crate::conversations::Content;
use crate::fields::{BotField, FieldValue};
use crate::ids::{FieldId, TagId};
use crate::retry::AttemptError;
use kind::Kind;
use parts::{message, target};
use table::{effects, nodes};

pub use ask::Expect;
pub use branch::Way;
pub use delay::Moment;
pub use kind::{NodeField, NodeType};
pub use parts::{Source, Target};

// In the order in which they are told to people.
nodes! {
    send_message::SendMessage,
    ask::Ask,
    delay::Delay,
    branch::Branch,
    split::Split,
    set_field::SetField,
    set_bot_field::SetBotField,
    tag::AddTag,
    tag::RemoveTag,
    sequence::EnrollSequence,
    sequence::ExitSequence,
    conversation::ResolveConversation,
    conversation::AssignConversation,
    note::Note,
    start_flow::StartFlow,
    end::End,
}

// When each is written: `row`, it stands in the contact's row and in one event for all; `fact`, about the contact, after
// the row, with an event of its own; `act`, after all that, in the order of the visits, with an outcome for the trace.
effects! {
    /// Send this.
    Send(content: Box<Content>) => act message::send;
    /// Put a tag on the contact.
    AddTag(tag: TagId) => fact tag::write_added;
    /// Take a tag off the contact.
    RemoveTag(tag: TagId) => fact tag::write_removed;
    /// Write an attribute of the contact.
    SetAttribute(attribute: Attribute, value: Option<String>) => row;
    /// Write or clear a custom field of the contact.
    SetValue(field: FieldId, value: Option<FieldValue>) => fact target::write_value;
    /// Write a bot field; this is what it is then.
    SetBotField(field: BotField) => act set_bot_field::write;
    /// Enroll the contact in this sequence.
    EnrollSequence(sequence: String) => act sequence::enroll;
    /// End the contact's enrollment in this sequence.
    ExitSequence(sequence: String) => act sequence::exit;
    /// Resolve the conversation.
    ResolveConversation => act conversation::resolve;
    /// Hand the conversation to people.
    AssignConversation(user: Option<String>) => act conversation::assign;
    /// Leave this note.
    Note(content: Box<Content>) => act message::send;
    /// Start this flow.
    StartFlow(flow: String) => act start_flow::start;
}

impl Action {
    /// The type of its nodes.
    pub fn kind(&self) -> &'static str {
        self.node_type().word
    }

    /// What stands for a node that is wrong, so that others may lead to it.
    pub(super) fn end() -> Self {
        Self::End(Box::new(End))
    }
}
