//! The part of a commit's limits that a change set takes.

use crate::ports::ChangeSet;

/// The rows of an event: its own row, its fact, and jobs of its listeners.
const ROWS_OF_EVENT: usize = 4;
/// The rows that a commit of a portion writes in addition to its contacts.
pub(crate) const ROWS_BESIDE: usize = 20;

/// Returns the number of rows that a set and its events write, and the bytes of the events' text.
pub(crate) fn weight(set: &ChangeSet) -> (usize, usize) {
    let told = set.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
    (set.rows() + set.events.len() * (ROWS_OF_EVENT - 1), told)
}
