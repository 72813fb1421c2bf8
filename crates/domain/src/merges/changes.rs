//! What merging changes, beside the contact that stays.

use super::Merge;
use crate::contacts::Contact;
use crate::ids::ContactId;
use crate::ports::{Object, Touches};
use crate::time::Timestamp;

/// A step of merging two contacts.
#[derive(Debug, Clone, PartialEq)]
pub enum MergeChange {
    /// Writes an emptied contact over one that lives, whose stored version is one less
    /// ([`crate::ports::Conflict::Stale`] otherwise); takes its addresses, tags, values and last-seen stamp. Notes where it
    /// went, and leads those on that were merged into it earlier. It stands before what its survivor gets.
    Begin {
        /// What is left of it.
        contact: Box<Contact>,
        /// Where it went.
        merge: Merge,
    },
    /// Moves about `limit` rows of each kind to the survivor: events, custom events, runs, enrollments, and messages that
    /// are neither queued nor on their way. Conversations on channels on which the survivor has one go up in that one.
    /// [`crate::ports::Conflict::Stale`] of the contact where it leads elsewhere by now.
    MovePart {
        /// Of whom.
        contact: ContactId,
        /// To whom.
        into: ContactId,
        /// How many.
        limit: u32,
    },
    /// Notes that nothing is left to be moved.
    End {
        /// Of whom.
        contact: ContactId,
        /// The present instant.
        at: Timestamp,
    },
}

impl MergeChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Begin { contact, .. } => Touches::Object(Object::Contact(contact.id)),
            Self::MovePart { .. } => Touches::Many,
            Self::End { .. } => Touches::Beside,
        }
    }
}
