//! Group commit: the change sets that may share a transaction.

use std::collections::HashSet;

use tidings_domain::ports::{ChangeSet, Counted, Guard, Object, RowEffect};
use uuid::Uuid;

use super::steps;
use crate::queries::types::DbId;

/// A workspace and an object in it.
pub(super) type Key = (Uuid, Object);

/// Returns the objects that a set writes or locks exclusively, including the owners of counts.
pub(super) fn written_keys(set: &ChangeSet) -> impl Iterator<Item = Key> + '_ {
    let workspace = DbId::from(set.workspace).0;
    let of_guards = set.guards.iter().filter_map(|guard| match guard {
        Guard::Room { what, .. } => Some(counted_of(set, *what)),
        Guard::OwnerBeside(_) | Guard::Standing { .. } => Some(Object::Workspace(set.workspace)),
        Guard::Unused(target) => Some(target.object()),
        Guard::Live(_) | Guard::Version(..) | Guard::Claim(_) => None,
        Guard::Listeners(_) | Guard::Catalog(_) | Guard::LaneFree(_) => None,
    });
    let of_changes = set.changes.iter().filter_map(|change| match change.row_effect() {
        RowEffect::Object(object) => Some(object),
        RowEffect::Job(_) | RowEffect::Claim | RowEffect::Unguarded | RowEffect::Many => None,
    });
    of_guards.chain(of_changes).map(move |object| (workspace, object))
}

/// Returns the owner of a count.
pub(super) fn counted_of(set: &ChangeSet, what: Counted) -> Object {
    what.contact().map_or(Object::Workspace(set.workspace), Object::Contact)
}

/// Returns true if a guard checks a single object or counts a contact's rows.
pub(super) fn is_of_one(guard: &Guard) -> bool {
    match guard {
        Guard::Live(_) | Guard::Version(..) | Guard::Claim(_) => true,
        Guard::Listeners(_) | Guard::Catalog(_) | Guard::LaneFree(_) => true,
        Guard::Room { what, .. } => what.contact().is_some(),
        Guard::OwnerBeside(_) | Guard::Standing { .. } | Guard::Unused(_) => false,
    }
}

/// Returns the objects that a set guards without changing them.
fn guarded(set: &ChangeSet) -> impl Iterator<Item = Key> + '_ {
    let workspace = DbId::from(set.workspace).0;
    set.guards.iter().filter_map(move |guard| match guard {
        Guard::Live(object) | Guard::Version(object, _) => Some((workspace, *object)),
        Guard::Claim(_)
        | Guard::OwnerBeside(_)
        | Guard::Standing { .. }
        | Guard::Room { .. }
        | Guard::Unused(_)
        | Guard::Listeners(_)
        | Guard::Catalog(_)
        | Guard::LaneFree(_) => None,
    })
}

/// Returns true if a set can be written with others. Its guards read single objects, and each of its changes is
/// grouped.
pub(crate) fn may_share(set: &ChangeSet) -> bool {
    set.guards.iter().all(is_of_one) && set.changes.iter().all(|change| steps::of(set, change).is_grouped())
}

/// Returns the positions of sets that write what an earlier set writes or guards, or guard what an earlier set writes.
/// Without them, the order of the other sets does not matter.
pub(crate) fn conflicting<'s>(sets: impl Iterator<Item = &'s ChangeSet>) -> Vec<usize> {
    let (mut writing, mut reading) = (HashSet::new(), HashSet::new());
    let mut apart = Vec::new();
    for (place, set) in sets.enumerate() {
        let meets = written_keys(set).any(|key| writing.contains(&key) || reading.contains(&key))
            || guarded(set).any(|key| writing.contains(&key));
        if meets {
            apart.push(place);
        } else {
            writing.extend(written_keys(set));
            reading.extend(guarded(set));
        }
    }
    apart
}
