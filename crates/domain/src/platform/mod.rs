//! Use cases of users who manage their workspaces: settings, members, keys and the sandbox.

mod deletion;
#[cfg(test)]
mod deletion_tests;
mod export;
mod invitations;
mod keys;
mod members;
mod people;
mod resets;
mod usage;
mod workspaces;

use std::sync::Arc;

pub use crate::access::may_change;
pub use deletion::DeleteWorkspace;
pub use export::{ExportedRows, WorkspaceReader};
pub use invitations::{Invite, Invited, MAX_INVITATIONS};
pub use keys::{MAX_OVERLAP, Rotation};
pub use members::{AssigneeView, MAX_MEMBERS, MemberStatus, MemberView};
pub use people::NewUser;
pub use resets::ResetBy;
pub use workspaces::WorkspacePatch;

use crate::pagination::{Order, Page, PageRequest, Position, Total};
use crate::ports::Ports;

/// Use cases of users who manage their workspaces.
#[derive(Clone)]
pub struct PlatformService {
    /// The ports.
    pub ports: Arc<Ports>,
}

/// Cuts a page from a list that is short enough to read completely.
fn page<T>(mut rows: Vec<T>, request: PageRequest, position: impl Fn(&T) -> Position) -> Page<T> {
    let key = |row: &T| (position(row).at, position(row).id);
    let total = request.counted.then(|| Total::of(rows.len() as u64));
    rows.sort_by_key(key);
    if request.order == Order::NewestFirst {
        rows.reverse();
    }
    if let Some(after) = request.after {
        rows.retain(|row| match request.order {
            Order::NewestFirst => key(row) < (after.at, after.id),
            Order::OldestFirst => key(row) > (after.at, after.id),
        });
    }
    rows.truncate(request.limit as usize + 1);
    Page::cut(rows, request.limit, position).of_total(total)
}

#[cfg(test)]
mod invitation_tests;
#[cfg(test)]
mod tests;
