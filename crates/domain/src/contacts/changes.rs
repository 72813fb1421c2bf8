//! What changes beside the rows of contacts.

use super::{Contact, Identity};
use crate::custom_events::CustomEvent;
use crate::ids::{ChannelId, ContactId};
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A change to what a contact has beside its row.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactChange {
    /// Gives it an address on a channel.
    InsertIdentity {
        /// Whose.
        contact: ContactId,
        /// The address.
        identity: Identity,
    },
    /// Notes whether the contact takes messages at its addresses on the channel.
    SetOptIn {
        /// Who.
        contact: ContactId,
        /// Where.
        channel: ChannelId,
        /// Whether it does.
        opted_in: bool,
    },
    /// Moves the last-seen stamp of the contact forward, never back.
    Touch {
        /// Whose.
        contact: ContactId,
        /// When something was said.
        at: Timestamp,
    },
    /// Frees the addresses of a deleted contact for others.
    ReleaseIdentities {
        /// Whose.
        contact: ContactId,
    },
    /// Writes all of a contact that is deleted, as an update does of a living one.
    Restore(Box<Contact>),
    /// The contact's addresses become these, whatever they were.
    ReplaceIdentities {
        /// Whose.
        contact: ContactId,
        /// All that it has.
        identities: Vec<Identity>,
    },
    /// Keeps what a client told that happened to it. What follows from it is added by the ledger that relays.
    RecordEvent {
        /// The event.
        event: Box<CustomEvent>,
        /// How many runs of flows stand behind it.
        depth: i64,
    },
}

impl ContactChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Restore(it) => Touches::Object(Object::Contact(it.id)),
            // Addresses have no row of their own that could be held.
            Self::Touch { contact, .. } | Self::SetOptIn { contact, .. } => Touches::Object(Object::Contact(*contact)),
            Self::InsertIdentity { .. } | Self::RecordEvent { .. } => Touches::Beside,
            Self::ReleaseIdentities { .. } | Self::ReplaceIdentities { .. } => Touches::Many,
        }
    }

    /// How many rows it writes, of those that the set itself brings.
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
