//! Rows of a workspace, and pages of them.

use super::Rows;
use crate::ids::{TypedId, WorkspaceId};
use crate::pagination::Position;
pub(super) use crate::pagination::{page_of as page, sorted_page_of as sorted_page};
use crate::ports::StoreError;
use crate::time::Timestamp;

pub(super) type Answer<T> = Result<T, StoreError>;

/// Returns the rows of one workspace that satisfy a condition.
pub(super) fn of<I: Copy, T: Clone>(rows: &Rows<I, T>, ws: WorkspaceId, keep: impl Fn(&T) -> bool) -> Vec<T> {
    rows.iter().filter(|((owner, _), row)| *owner == ws && keep(row)).map(|(_, row)| row.clone()).collect()
}

pub(super) fn at(created_at: Timestamp, id: impl TypedId) -> Position {
    Position { at: created_at, id: id.uuid() }
}
