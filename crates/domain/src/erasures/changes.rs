//! What erasing changes.

use super::Erasure;
use crate::contacts::Contact;
use crate::ids::ContactId;
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A step of erasing a person.
#[derive(Debug, Clone, PartialEq)]
pub enum ErasureChange {
    /// Writes an emptied contact over one that lives or is deleted, whose stored version is one less
    /// ([`crate::ports::Conflict::Stale`] otherwise); takes its addresses, tags, values and last-seen stamp, and the jobs
    /// about it that were put aside; notes the erasure, in place of an earlier one.
    Begin {
        /// What is left of it.
        contact: Box<Contact>,
        /// How it stands.
        erasure: Erasure,
    },
    /// Removes at most about `limit` rows of what is left: messages and conversations, custom events, what runs and
    /// enrollments tell, stored answers that name the contact. Envelopes lose what they told, and their deliveries are
    /// cancelled, with what was answered to them.
    RemovePart {
        /// Of whom.
        contact: ContactId,
        /// How many.
        limit: u32,
        /// The present instant.
        at: Timestamp,
    },
    /// Notes that nothing is left.
    End {
        /// Of whom.
        contact: ContactId,
        /// The present instant.
        at: Timestamp,
    },
}

impl ErasureChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Begin { contact, .. } => Touches::Object(Object::Contact(contact.id)),
            Self::RemovePart { .. } => Touches::Many,
            Self::End { .. } => Touches::Beside,
        }
    }
}
