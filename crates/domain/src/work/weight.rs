//! How much of a commit a part of it takes.

use crate::ports::ChangeSet;

/// An event is a row itself, counts as another, and may have jobs follow.
const ROWS_OF_EVENT: usize = 4;
/// What else a commit of a portion writes beside the rows of its contacts.
pub(crate) const ROWS_BESIDE: usize = 20;

/// How many rows a set writes with what follows from it, and how much text it tells.
pub(crate) fn weight(set: &ChangeSet) -> (usize, usize) {
    let told = set.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
    (set.rows() + set.events.len() * (ROWS_OF_EVENT - 1), told)
}
