//! Changes to data of contacts outside their own row.

use super::{Contact, Identity};
use crate::custom_events::CustomEvent;
use crate::ids::{ChannelId, ContactId};
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A change to a contact's data outside its row, such as addresses and consent.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactChange {
    /// Adds an address on a channel.
    InsertIdentity {
        /// The contact.
        contact: ContactId,
        /// The address.
        identity: Identity,
    },
    /// Sets whether the contact accepts messages at its addresses on the channel.
    SetOptIn {
        /// The contact.
        contact: ContactId,
        /// The channel.
        channel: ChannelId,
        /// Whether it accepts messages.
        opted_in: bool,
    },
    /// Moves `last_message_at` forward, never back.
    Touch {
        /// The contact.
        contact: ContactId,
        /// The time of the message.
        at: Timestamp,
    },
    /// Releases the addresses of a deleted contact for other contacts.
    ReleaseIdentities {
        /// The contact.
        contact: ContactId,
    },
    /// Writes all columns of a deleted contact, as an update does for one that is not deleted.
    Restore(Box<Contact>),
    /// Replaces all addresses of the contact.
    ReplaceIdentities {
        /// The contact.
        contact: ContactId,
        /// All its addresses.
        identities: Vec<Identity>,
    },
    /// Stores a custom event that a client reported. The relaying ledger adds the reactions to it.
    RecordEvent {
        /// The event.
        event: Box<CustomEvent>,
        /// The number of flow runs in the chain that led to the event.
        depth: i64,
    },
}

impl ContactChange {
    /// The rows that it writes, with regard to locks of other changes.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Restore(it) => Touches::Object(Object::Contact(it.id)),
            // Addresses have no row of their own that could be locked.
            Self::Touch { contact, .. } | Self::SetOptIn { contact, .. } => Touches::Object(Object::Contact(*contact)),
            Self::InsertIdentity { .. } | Self::RecordEvent { .. } => Touches::Beside,
            Self::ReleaseIdentities { .. } | Self::ReplaceIdentities { .. } => Touches::Many,
        }
    }

    /// The number of rows that it writes from the data of the change set.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::ReplaceIdentities { identities, .. } => identities.len().max(1),
            Self::InsertIdentity { .. }
            | Self::SetOptIn { .. }
            | Self::Touch { .. }
            | Self::ReleaseIdentities { .. }
            | Self::Restore(_)
            | Self::RecordEvent { .. } => 1,
        }
    }
}
