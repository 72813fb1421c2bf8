use super::Erasure;
use crate::contacts::Contact;
use crate::ids::ContactId;
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// A step of an erasure.
#[derive(Debug, Clone, PartialEq)]
pub enum ErasureChange {
    /// Empties the row of an existing or deleted contact; [`crate::ports::Conflict::Stale`] unless the stored version
    /// is one less. Deletes its addresses, tags, values, last-seen stamp and dead-lettered jobs. Stores the erasure,
    /// replacing an earlier one.
    Begin {
        /// The emptied contact.
        contact: Box<Contact>,
        /// The erasure.
        erasure: Erasure,
    },
    /// Deletes at most about `limit` remaining rows: messages, conversations, custom events, the details of runs and
    /// enrollments, and stored responses that name the contact. Removes the data from envelopes, cancels their
    /// deliveries, and deletes the responses of their receivers.
    RemovePart {
        /// The contact.
        contact: ContactId,
        /// Maximum number of rows.
        limit: u32,
        /// The current time.
        at: Timestamp,
    },
    /// Marks the erasure as completed.
    End {
        /// The contact.
        contact: ContactId,
        /// The current time.
        at: Timestamp,
    },
}

impl ErasureChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Begin { contact, .. } => RowEffect::Object(Object::Contact(contact.id)),
            Self::RemovePart { .. } => RowEffect::Many,
            Self::End { .. } => RowEffect::Unguarded,
        }
    }
}
