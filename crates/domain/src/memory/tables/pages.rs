//! Rows of a workspace, and pages of them.

use crate::ids::{TypedId, WorkspaceId};
use crate::memory::Rows;
use crate::pagination::Position;
pub(in crate::memory) use crate::pagination::{page_of as page, sorted_page_of as sorted_page};
use crate::ports::StoreError;
use crate::time::Timestamp;

pub(in crate::memory) type Answer<T> = Result<T, StoreError>;

/// Returns the rows of one workspace that satisfy a condition.
pub(in crate::memory) fn of<I: Copy, T: Clone>(
    rows: &Rows<I, T>,
    ws: WorkspaceId,
    keep: impl Fn(&T) -> bool,
) -> Vec<T> {
    rows.iter().filter(|((owner, _), row)| *owner == ws && keep(row)).map(|(_, row)| row.clone()).collect()
}

pub(in crate::memory) fn at(created_at: Timestamp, id: impl TypedId) -> Position {
    Position { at: created_at, id: id.uuid() }
}
