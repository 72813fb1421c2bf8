//! Changes to data of contacts outside their own row.

use super::{Contact, Identity};
use crate::custom_events::CustomEvent;
use crate::ids::{ChannelId, ContactId};
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// A change to a contact's data outside its row.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactChange {
    /// Adds an address on a channel.
    InsertIdentity {
        /// The contact.
        contact: ContactId,
        /// The address.
        identity: Identity,
    },
    /// Sets whether the contact accepts messages on the channel.
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
    /// Releases the addresses of a deleted contact.
    ReleaseIdentities {
        /// The contact.
        contact: ContactId,
    },
    /// Writes all columns of a deleted contact.
    Restore(Box<Contact>),
    /// Replaces all addresses of the contact.
    ReplaceIdentities {
        /// The contact.
        contact: ContactId,
        /// All its addresses.
        identities: Vec<Identity>,
    },
    /// Stores a client's custom event. The relaying ledger adds the reactions to it.
    RecordEvent {
        /// The event.
        event: Box<CustomEvent>,
        /// Number of flow runs in the event's causal chain.
        depth: i64,
    },
}

impl ContactChange {
    /// Classifies the rows that it writes; see [`RowEffect`].
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Restore(it) => RowEffect::Object(Object::Contact(it.id)),
            // An address has no row that could be locked.
            Self::Touch { contact, .. } | Self::SetOptIn { contact, .. } => {
                RowEffect::Object(Object::Contact(*contact))
            }
            Self::InsertIdentity { .. } | Self::RecordEvent { .. } => RowEffect::Unguarded,
            Self::ReleaseIdentities { .. } | Self::ReplaceIdentities { .. } => RowEffect::Many,
        }
    }

    /// Number of rows that it writes.
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
