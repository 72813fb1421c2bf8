//! Messages and status reports from providers.

use super::content::Content;
use super::{MarketingChange, MessageError, PressedButton, Referral, Revision};
use crate::contacts::{Contact, Email, Locale, Phone};
use crate::text::characters::{is_blank, trim};
use crate::time::Timestamp;

/// A message of a contact, as received from the channel's provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboundMessage {
    /// The provider's ID of the message. A repeated ID is stored once.
    pub id: String,
    /// The sender's address; on a sandbox, the contact's ID or external ID.
    pub address: String,
    /// Name for a new contact.
    pub name: Option<String>,
    /// Whether the provider vouches for the address. A message of a sender who can be forged never opts a contact in.
    pub is_verified: bool,
    /// Attributes of the sender that the provider vouches for.
    pub profile: Profile,
    /// The content, valid by [`Content::check_inbound`]. With `files`, it can be an empty content of type `file`.
    pub content: Content,
    /// The link or advertisement through which the contact wrote.
    pub referral: Option<Referral>,
    /// The message that it answers, if the provider names one.
    pub reply_to: Option<AnsweredMessage>,
    /// When the contact sent it, if the provider states it.
    pub sent_at: Option<Timestamp>,
    /// The files that the provider sent with the message, at most [`MAX_ATTACHMENTS`](super::MAX_ATTACHMENTS). They
    /// become attachments after the attachments of the content.
    pub files: Vec<InboundFile>,
}

/// The message that a contact's message answers. Some providers have different IDs for messages of contacts and for
/// messages to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredMessage {
    /// The provider's ID of a message to the contact.
    pub sent: String,
    /// The provider's ID of a message of the contact.
    pub received: String,
}

impl AnsweredMessage {
    /// Creates an answered message whose provider has the same IDs for both directions.
    pub fn named(id: &str) -> Self {
        Self { sent: id.to_owned(), received: id.to_owned() }
    }
}

/// A file that a provider sent with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboundFile {
    /// The name that the sender states. It can contain a path.
    pub name: Option<String>,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// Attributes of a contact that its provider vouches for. They are set for a new contact, and fill empty attributes of
/// an existing one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// The language of the contact's app.
    pub locale: Option<Locale>,
    /// The phone number that the sender writes from.
    pub phone: Option<Phone>,
    /// The email address that the sender writes from, if it cannot be forged.
    pub email: Option<Email>,
    /// Other addresses of the sender on the channel. The contact gets those that no other contact has, as aliases.
    pub aliases: Vec<String>,
}

impl Profile {
    /// Fills the empty attributes of a contact. Returns whether it changed.
    pub(crate) fn fill(&self, contact: &mut Contact) -> bool {
        let names = [(&self.first_name, &mut contact.first_name), (&self.last_name, &mut contact.last_name)];
        let mut is_changed = false;
        for (reported, stored) in names {
            if stored.is_none() {
                *stored = reported.as_deref().and_then(shown_name);
                is_changed |= stored.is_some();
            }
        }
        if contact.locale.is_none() && self.locale.is_some() {
            contact.locale.clone_from(&self.locale);
            is_changed = true;
        }
        if contact.phone.is_none() && self.phone.is_some() {
            contact.phone.clone_from(&self.phone);
            is_changed = true;
        }
        if contact.email.is_none() && self.email.is_some() {
            contact.email.clone_from(&self.email);
            is_changed = true;
        }
        is_changed
    }
}

/// Returns a provider's name of a person as a contact's name: without control characters; `None` without visible ones.
pub(super) fn shown_name(name: &str) -> Option<String> {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(trim(&name)).filter(|name| !is_blank(name)).map(str::to_owned)
}

/// A provider's status report on an outbound message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusReport {
    /// The provider's ID of the message, or the message's own ID if the provider never returned one.
    pub provider_message_id: String,
    /// Index of the part of the message, if the provider names the part by it.
    pub part: Option<usize>,
    /// The reported status.
    pub report: Report,
}

/// Reported status of an outbound message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// The provider accepted it. It changes only a message with an unknown outcome.
    Sent {
        /// The provider's ID of the message. It is stored if the message has none.
        provider_message_id: String,
    },
    /// It was delivered.
    Delivered,
    /// The contact read it.
    Read,
    /// Delivery failed, for this reason.
    Failed(MessageError),
    /// Delivery failed for this reason, because the contact has opted out at the provider. The contact is opted out of
    /// the channel.
    OptedOut(MessageError),
}

impl Report {
    /// Returns the report of a failure without a code of its own.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(MessageError::new("provider_failed", message))
    }
}

/// SHA-256 of the provider's ID of an event, which can contain an address.
pub type EventDigest = [u8; 32];

/// A contact that blocked the sender at the provider, or unblocked it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The event. A repeated one has no effect.
    pub event: EventDigest,
    /// The contact's address.
    pub address: String,
}

/// A complaint at the provider about an outbound message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The event. A repeated one has no effect.
    pub event: EventDigest,
    /// The provider's ID of the message, or its own ID.
    pub message: String,
}

/// A contact's change of addresses at the provider, such as a new phone number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressChange {
    /// The event. A repeated one has no effect.
    pub event: EventDigest,
    /// The addresses before the change. One of them finds the contact.
    pub earlier: Vec<String>,
    /// The addresses after it: the first one replaces the address of the contact, the others are its aliases.
    pub current: Vec<String>,
    /// The time of the change, if the provider states it.
    pub at: Option<Timestamp>,
}

/// An event of a provider. Each is applied once: messages by their ID, changes of messages by the events that the
/// message remembers, reports by the order of statuses, and the others by their [`EventDigest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InboundEvent {
    /// A contact's message.
    Message(Box<InboundMessage>),
    /// The message of a contact that pressed a button. Its text is the title of the button, as far as the
    /// provider states it.
    Press(Box<InboundMessage>, PressedButton),
    /// A message that a program sent for the contact, such as an out-of-office reply. It is stored; no flow starts or
    /// continues, and it opts nobody out or in.
    Automatic(Box<InboundMessage>),
    /// A contact's message that the provider took as an opt-out. The contact is opted out of the channel, whatever the
    /// text is.
    OptOut(Box<InboundMessage>),
    /// A contact's change to an earlier message: an edit, a deletion or a reaction.
    Revision(Box<Revision>),
    /// A contact's new addresses.
    AddressChange(Box<AddressChange>),
    /// A contact stopped or resumed marketing messages at the provider.
    Marketing(Box<MarketingChange>),
    /// A report on an outbound message.
    Status(StatusReport),
    /// A contact blocked the sender at the provider.
    Blocked(Block),
    /// A contact unblocked the sender at the provider.
    Unblocked(Block),
    /// The recipient of an outbound message complained about it at the provider.
    Complaint(Complaint),
}

impl InboundEvent {
    /// Whether it shows that a contact wrote, or changed a message.
    pub fn is_from_contact(&self) -> bool {
        match self {
            Self::Message(_) | Self::Press(..) | Self::OptOut(_) | Self::Automatic(_) | Self::Revision(_) => true,
            Self::AddressChange(_)
            | Self::Marketing(_)
            | Self::Status(_)
            | Self::Blocked(_)
            | Self::Unblocked(_)
            | Self::Complaint(_) => false,
        }
    }
}
