//! The kinds of nodes, one file for each or for each pair of opposites. The file has all of its kind: its fields and how
//! they are read, what they name and where they lead, and what a visit does. All that is pure: what a visit wants done
//! is an [`Effect`](super::Effect), written by `execute/effects/`.
//!
//! To add a kind, write its file, a `Kind`, and name it in the table below.

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
use super::interpret::{Input, Interpreter, Turn};
use super::run::Wait;
use super::sets_off::SetsOff;
use kind::Kind;
use table::nodes;

pub use ask::Expect;
pub use branch::Way;
pub use delay::Moment;
pub use http_request::OpenSecrets;
pub(in crate::flows) use http_request::{SECRET_NOT_BARE, secrets_in};
pub use kind::{Holds, NodeField, NodeType};
pub use parts::{Operation, Source, Target};
pub(super) use parts::{fitting, read_as};

// In the order in which they are told to people.
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
    /// The type of its nodes.
    pub fn kind(&self) -> &'static str {
        self.node_type().word
    }

    /// What stands for a node that is wrong, so that others may lead to it.
    pub(super) fn end() -> Self {
        Self::End(Box::new(End))
    }
}
