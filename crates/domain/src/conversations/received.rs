//! Messages and status reports as a provider sends them.

use super::content::Content;

/// A contact's message, as the channel's provider sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboundMessage {
    /// The provider's ID of the message. A repeated ID is stored once.
    pub id: String,
    /// The sender's address; on a sandbox, the contact's ID or external ID.
    pub address: String,
    /// Name for a new contact.
    pub name: Option<String>,
    /// The content, valid by [`Content::check`].
    pub content: Content,
}

/// A provider's status report on an outbound message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusReport {
    /// The provider's ID of the message, or the message's own ID if the provider never returned one.
    pub provider_message_id: String,
    /// The reported status.
    pub report: Report,
}

/// Reported status of an outbound message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// It arrived.
    Delivered,
    /// The contact read it.
    Read,
    /// It will not arrive, for this reason.
    Failed(String),
}

/// An event of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InboundEvent {
    /// A contact's message.
    Message(InboundMessage),
    /// A report on an outbound message.
    Status(StatusReport),
}
