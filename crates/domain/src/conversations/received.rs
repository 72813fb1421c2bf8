//! Messages and status reports from providers.

use super::content::Content;

/// A message of a contact, as received from the channel's provider.
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
    /// It was delivered.
    Delivered,
    /// The contact read it.
    Read,
    /// Delivery failed, for this reason.
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
