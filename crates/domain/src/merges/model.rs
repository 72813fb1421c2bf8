//! That a contact was merged into another.

use crate::ids::ContactId;
use crate::time::Timestamp;

/// So many contacts may have been merged into one: all of them are led on at once when that one is merged, too.
pub const MAX_MERGED: usize = 500;

/// That a contact was merged into another. It always leads to one that was not merged itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merge {
    /// Who is no more.
    pub contact: ContactId,
    /// Who stays.
    pub into: ContactId,
    /// When they were merged.
    pub merged_at: Timestamp,
    /// When all that was kept of the contact had moved.
    pub moved_at: Option<Timestamp>,
}
