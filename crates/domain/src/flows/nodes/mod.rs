//! The node types, one file for each type or pair of opposites. A file has the fields of its type and their reader,
//! its references and exits, and its behaviour in a visit. Nodes do no I/O: they request [`Effect`](super::Effect)s,
//! which `execute/effects/` carries out.
//!
//! To add a type, write a file that implements `Kind`, and add it to the table below.

mod ask;
mod branch;
mod conversation;
mod delay;
mod end;
mod http_request;
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
mod wait_for_event;

use super::definition::Fields;
use super::immediate_effect::ImmediateEffect;
use super::interpret::{Input, Interpreter, NodeOutcome};
use super::run::Wait;
use kind::Kind;
use table::nodes;

pub use ask::Expect;
pub use branch::Way;
pub use delay::Moment;
pub use http_request::OpenSecrets;
pub(in crate::flows) use http_request::{SECRET_NOT_BARE, secrets_in};
pub use kind::{FieldContent, NodeField, NodeType};
pub use parts::{Operation, Source, Target};
pub(super) use parts::{fitting, read_as};

// In the order of the documentation.
nodes! {
    send_message::SendMessage,
    ask::Ask,
    wait_for_event::WaitForEvent,
    delay::Delay,
    branch::Branch,
    split::Split,
    set_field::SetField,
    set_bot_field::SetBotField,
    tag::AddTag,
    tag::RemoveTag,
    sequence::EnrollSequence,
    sequence::ExitSequence,
    http_request::HttpRequest,
    conversation::ResolveConversation,
    conversation::AssignConversation,
    note::Note,
    start_flow::StartFlow,
    end::End,
}

impl Action {
    /// Returns the type of its nodes.
    pub fn kind(&self) -> &'static str {
        self.node_type().word
    }

    /// Returns the placeholder for a node with violations, so other nodes may lead to it.
    pub(super) fn end() -> Self {
        Self::End(Box::new(End))
    }
}
