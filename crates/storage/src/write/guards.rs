//! Guards of change sets. Each locks its row until the commit, except the checks of revisions and of free lanes.

use diesel::dsl::not;
use diesel::prelude::*;
use tidings_domain::access::Role;
use tidings_domain::ports::{ChangeSet, Conflict, Counted, Guard, Object};
use tidings_domain::stored::StoredKind;

use crate::access::members;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::conversations::media;
use crate::events::listeners;
use crate::flows::{catalog, is_refused, references};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{
    api_keys, broadcasts, bulk_operations, channels, contact_tags, flow_runs, flows, imports, invitations,
    members as member_rows, refused_invitations, sequences, webhooks,
};
use crate::write::declared;
use crate::write::row_locks::{RowLock, lock_claim, lock_contact, lock_workspace, version};

pub(crate) async fn check(c: &mut Connection<'_>, set: &ChangeSet, guard: &Guard) -> Result<(), Fault> {
    let ws = DbId::from(set.workspace);
    match guard {
        Guard::Live(object) => {
            let hold = if is_changed(set, *object) { RowLock::Exclusive } else { RowLock::Shared };
            version(c, ws, *object, hold).await.map(|_| ())
        }
        Guard::Version(object, expected) => {
            let hold = if is_changed(set, *object) { RowLock::Exclusive } else { RowLock::Shared };
            let found = version(c, ws, *object, hold).await?;
            if found == *expected { Ok(()) } else { Err(Conflict::Stale(*object).into()) }
        }
        Guard::Claim(claim) => lock_claim(c, ws, *claim).await,
        Guard::Unused(target) => references::require_unused(c, ws, *target).await,
        Guard::Listeners(revision) => match listeners::revision(c, ws).await? == *revision {
            true => Ok(()),
            false => Err(Conflict::ListenersChanged.into()),
        },
        Guard::Catalog(revision) => match catalog::revision(c, ws).await? == *revision {
            true => Ok(()),
            false => Err(Conflict::CatalogChanged.into()),
        },
        Guard::LaneFree(lane) => match crate::jobs::lane_is_free(c, *lane).await? {
            true => Ok(()),
            false => Err(Conflict::LaneBusy.into()),
        },
        Guard::OwnerBeside(user) => {
            lock_workspace(c, ws).await?;
            let others = member_rows::table
                .filter(member_rows::workspace_id.eq(ws))
                .filter(member_rows::role.eq(Role::Owner.as_str()))
                .filter(member_rows::user_id.ne(DbId::from(*user)));
            let others: Option<i64> = find!(c, others.count())?;
            if others.unwrap_or(0) > 0 { Ok(()) } else { Err(Conflict::LastOwner.into()) }
        }
        Guard::Standing { user, role } => {
            // Locked before the membership: mutual changes of two members' roles run one after the other.
            lock_workspace(c, ws).await?;
            let hold = if is_changed(set, Object::Member(*user)) { RowLock::Exclusive } else { RowLock::Shared };
            let held = members::hold_role(c, ws, *user, hold).await?;
            if held.is_some_and(|it| it >= *role) { Ok(()) } else { Err(Conflict::Standing.into()) }
        }
        Guard::Room { what, adding, most } => {
            lock_owner(c, ws, *what).await?;
            let present = count(c, ws, *what).await?;
            if present + adding <= *most { Ok(()) } else { Err(Conflict::Full { what: *what, most: *most }.into()) }
        }
    }
}

/// Returns true if the set changes the row itself, or counts its children. Taking the stronger lock at once avoids a
/// deadlock of two sets that share the row and then both upgrade the lock.
fn is_changed(set: &ChangeSet, object: Object) -> bool {
    let counted = set.guards.iter().any(|guard| match guard {
        Guard::Room {
            what: Counted::TagsOf(contact) | Counted::Starts { contact, .. } | Counted::Refusals { contact, .. },
            ..
        } => object == Object::Contact(*contact),
        Guard::Room { .. } | Guard::OwnerBeside(_) | Guard::Standing { .. } => {
            object == Object::Workspace(set.workspace)
        }
        // This guard takes the stronger lock of its object. An earlier guard must not share that object.
        Guard::Unused(target) => object == target.object(),
        Guard::Live(_) | Guard::Version(..) | Guard::Claim(_) | Guard::Listeners(_) | Guard::Catalog(_) => false,
        Guard::LaneFree(_) => false,
    });
    counted || set.changes.iter().any(|change| change.row_effect().writes(object))
}

/// Locks the owner of the counted objects. Sets that add to the same count run one after the other.
async fn lock_owner(c: &mut Connection<'_>, ws: DbId, what: Counted) -> Result<(), Fault> {
    match what.contact() {
        Some(contact) => lock_contact(c, ws, contact).await,
        None => lock_workspace(c, ws).await,
    }
}

/// Counts the objects. Their owner must be locked.
pub(crate) async fn count(c: &mut Connection<'_>, ws: DbId, what: Counted) -> Result<i64, Fault> {
    let none = |count: Option<i64>| count.unwrap_or(0);
    match what {
        Counted::Flows => {
            let there = flows::table.filter(flows::workspace_id.eq(ws)).filter(flows::deleted_at.is_null());
            find!(c, there.count()).map(none)
        }
        Counted::Broadcasts => {
            let present = broadcasts::table.filter(broadcasts::workspace_id.eq(ws));
            find!(c, present.filter(broadcasts::ended_at.is_null()).count()).map(none)
        }
        Counted::BulkOperations => {
            let present = bulk_operations::table.filter(bulk_operations::workspace_id.eq(ws));
            find!(c, present.filter(bulk_operations::ended_at.is_null()).count()).map(none)
        }
        Counted::Imports => {
            let present = imports::table.filter(imports::workspace_id.eq(ws));
            find!(c, present.filter(imports::ended_at.is_null()).count()).map(none)
        }
        Counted::Stored(StoredKind::Media) => media::count_own(c, ws).await,
        Counted::Stored(kind) => declared::count(c, ws, kind).await,
        Counted::Sequences => {
            let present =
                sequences::table.filter(sequences::workspace_id.eq(ws)).filter(sequences::deleted_at.is_null());
            find!(c, present.count()).map(none)
        }
        Counted::Webhooks => find!(c, webhooks::table.filter(webhooks::workspace_id.eq(ws)).count()).map(none),
        Counted::Channels => {
            let living = channels::table.filter(channels::workspace_id.eq(ws)).filter(channels::deleted_at.is_null());
            find!(c, living.count()).map(none)
        }
        Counted::Keys => {
            let usable = api_keys::table.filter(api_keys::workspace_id.eq(ws)).filter(api_keys::revoked_at.is_null());
            find!(c, usable.count()).map(none)
        }
        Counted::Members => {
            let present: Option<i64> = find!(c, member_rows::table.filter(member_rows::workspace_id.eq(ws)).count())?;
            let asked: Option<i64> = find!(c, invitations::table.filter(invitations::workspace_id.eq(ws)).count())?;
            Ok(none(present) + none(asked))
        }
        Counted::Invitations { since } => {
            let refused = || {
                let own = refused_invitations::table.filter(refused_invitations::workspace_id.eq(ws));
                own.filter(refused_invitations::at.ge(DbTime(since)))
            };
            let tried = refused().select(refused_invitations::invitation_id);
            let open = invitations::table
                .filter(invitations::workspace_id.eq(ws))
                .filter(invitations::created_at.ge(DbTime(since)))
                .filter(not(invitations::id.eq_any(tried)));
            let open: Option<i64> = find!(c, open.count())?;
            let refused: Option<i64> = find!(c, refused().count())?;
            Ok(none(open) + none(refused))
        }
        Counted::TagsOf(contact) => {
            let links = contact_tags::table
                .filter(contact_tags::workspace_id.eq(ws))
                .filter(contact_tags::contact_id.eq(DbId::from(contact)));
            find!(c, links.count()).map(none)
        }
        Counted::Starts { flow, contact, since } | Counted::Refusals { flow, contact, since } => {
            let runs = flow_runs::table
                .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                .filter(flow_runs::flow_id.eq_unindexed(DbId::from(flow)))
                .filter(flow_runs::workspace_id.eq_unindexed(ws))
                .filter(flow_runs::started_at.ge(DbTime(since)));
            if matches!(what, Counted::Refusals { .. }) {
                find!(c, runs.filter(is_refused()).count()).map(none)
            } else {
                find!(c, runs.filter(not(is_refused())).count()).map(none)
            }
        }
    }
}
