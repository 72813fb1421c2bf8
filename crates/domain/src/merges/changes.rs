use super::Merge;
use crate::contacts::Contact;
use crate::ids::ContactId;
use crate::ports::{Object, RowEffect};
use crate::time::Timestamp;

/// A step of a merge of two contacts.
#[derive(Debug, Clone, PartialEq)]
pub enum MergeChange {
    /// Replaces an existing contact with its emptied row; [`crate::ports::Conflict::Stale`] unless the stored version
    /// is one less. Deletes its addresses, tags, values and last-seen stamp. Stores the merge, and redirects earlier
    /// merges into this contact. Precedes the changes to the survivor.
    Begin {
        /// The emptied contact.
        contact: Box<Contact>,
        /// The merge.
        merge: Merge,
    },
    /// Moves about `limit` rows of each type to the survivor: events, custom events, runs, enrollments, files, and
    /// messages that are neither queued nor being sent. Conversations move too, or merge into the survivor's one on the
    /// same channel. [`crate::ports::Conflict::Stale`] of the contact if its survivor is another one now.
    MovePart {
        /// The merged contact.
        contact: ContactId,
        /// The survivor.
        into: ContactId,
        /// Approximate number of rows per type.
        limit: u32,
        /// The current time. Moved runs, enrollments, messages and conversations are updated at it.
        at: Timestamp,
    },
    /// Marks the merge as completed: nothing is left to move.
    End {
        /// The merged contact.
        contact: ContactId,
        /// The current time.
        at: Timestamp,
    },
}

impl MergeChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Begin { contact, .. } => RowEffect::Object(Object::Contact(contact.id)),
            Self::MovePart { .. } => RowEffect::Many,
            Self::End { .. } => RowEffect::Unguarded,
        }
    }
}
