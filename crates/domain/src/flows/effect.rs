//! What the nodes of a flow want done.

use crate::contacts::Attribute;
use crate::conversations::Content;
use crate::fields::{BotField, FieldValue};
use crate::ids::{FieldId, TagId};

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Send this.
    Send(Box<Content>),
    /// Put a tag on the contact.
    AddTag(TagId),
    /// Take a tag off the contact.
    RemoveTag(TagId),
    /// Write an attribute of the contact.
    SetAttribute(Attribute, Option<String>),
    /// Write or clear a custom field of the contact.
    SetValue(FieldId, Option<FieldValue>),
    /// Write a bot field; this is what it is then.
    SetBotField(BotField),
    /// Enroll the contact in this sequence.
    EnrollSequence(String),
    /// End the contact's enrollment in this sequence.
    ExitSequence(String),
    /// Resolve the conversation.
    ResolveConversation,
    /// Hand the conversation to people.
    AssignConversation(Option<String>),
    /// Leave this note.
    Note(Box<Content>),
    /// Start this flow, to which the run goes over.
    StartFlow(String),
    /// Call this flow, and wait for the end of the run.
    CallFlow(String),
}
