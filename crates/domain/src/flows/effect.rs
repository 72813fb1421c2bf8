//! The effects that nodes request.

use crate::contacts::Attribute;
use crate::conversations::Content;
use crate::fields::{BotField, FieldValue};
use crate::ids::{FieldId, TagId};

/// An effect that a node requests.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Send this content to the contact.
    Send(Box<Content>),
    /// Add a tag to the contact.
    AddTag(TagId),
    /// Remove a tag from the contact.
    RemoveTag(TagId),
    /// Set or clear an attribute of the contact.
    SetAttribute(Attribute, Option<String>),
    /// Set or clear a custom field of the contact.
    SetValue(FieldId, Option<FieldValue>),
    /// Store this bot field, with its new value.
    SetBotField(BotField),
    /// Enroll the contact in this sequence.
    EnrollSequence(String),
    /// End the contact's enrollment in this sequence.
    ExitSequence(String),
    /// Resolve the conversation.
    ResolveConversation,
    /// Hand the conversation over to members.
    AssignConversation(Option<String>),
    /// Add this internal note.
    Note(Box<Content>),
    /// Start this flow, which replaces the run.
    StartFlow(String),
    /// Call this flow and wait for the end of its run.
    CallFlow(String),
}
