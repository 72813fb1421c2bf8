use crate::ids::ContactId;
use crate::time::Timestamp;

/// Maximum number of contacts that were merged into one. A merge of that one redirects all of them at once.
pub const MAX_MERGED: usize = 500;

/// A merge of a contact into another one. The survivor was never merged itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merge {
    /// The merged contact.
    pub contact: ContactId,
    /// The survivor.
    pub into: ContactId,
    /// When they were merged.
    pub merged_at: Timestamp,
    /// When all data of the contact had moved.
    pub moved_at: Option<Timestamp>,
}
