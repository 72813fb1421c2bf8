//! Guards: each locks its row until the commit, so that what it saw stays true.

use diesel::prelude::*;
use tidings_domain::access::Role;
use tidings_domain::ids::ContactId;
use tidings_domain::ports::{ChangeSet, Claim, Conflict, Counted, Guard, Object};

use crate::checked::Checked;
use crate::connection::{Connection, find};
use crate::faults::Fault;
use crate::schema::{
    api_keys, bot_fields, channels, contact_tags, contacts, conversations, custom_fields, deliveries, enrollments,
    flow_runs, flows, invitations, jobs, members, messages, sequences, sessions, tags, users, webhooks, workspaces,
};
use crate::types::{DbId, DbTime};
use crate::{catalog, listeners, references};

/// How a guard holds its row. SQLite has one writer at a time and needs no row locks.
#[derive(Clone, Copy, PartialEq)]
enum Hold {
    /// Nobody may change it.
    Shared,
    /// It is going to be changed by this change set; readers of its key go on.
    Exclusive,
}

/// Reads the version of a row and locks it.
macro_rules! locked_version {
    ($connection:expr, $hold:expr, $version:expr, $query:expr) => {
        match &mut *$connection {
            Connection::Postgres(connection) => {
                let mut connection: &diesel_async::AsyncPgConnection = connection;
                let query = $query.select($version);
                match $hold {
                    Hold::Shared => diesel_async::RunQueryDsl::get_result(query.for_share(), &mut connection).await,
                    Hold::Exclusive => {
                        diesel_async::RunQueryDsl::get_result(query.for_no_key_update(), &mut connection).await
                    }
                }
            }
            Connection::Sqlite(connection) => {
                diesel::RunQueryDsl::get_result($query.select($version), &mut **connection)
            }
        }
        .map_err(Fault::from)
    };
}

/// Checks one guard of a set.
pub(crate) async fn check(c: &mut Connection<'_>, set: &ChangeSet, guard: &Guard) -> Result<(), Fault> {
    let ws = DbId::from(set.workspace);
    match guard {
        Guard::Live(object) => {
            let hold = if is_changed(set, *object) { Hold::Exclusive } else { Hold::Shared };
            version(c, ws, *object, hold).await.map(|_| ())
        }
        Guard::Version(object, expected) => {
            let hold = if is_changed(set, *object) { Hold::Exclusive } else { Hold::Shared };
            let found = version(c, ws, *object, hold).await?;
            if found == *expected { Ok(()) } else { Err(Conflict::Stale(*object).into()) }
        }
        Guard::Claim(claim) => held(c, ws, *claim).await,
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
            let others = members::table
                .filter(members::workspace_id.eq(ws))
                .filter(members::role.eq(Role::Owner.as_str()))
                .filter(members::user_id.ne(DbId::from(*user)));
            let others: Option<i64> = find!(c, others.count())?;
            if others.unwrap_or(0) > 0 { Ok(()) } else { Err(Conflict::LastOwner.into()) }
        }
        Guard::Room { what, adding, most } => {
            lock_owner(c, ws, *what).await?;
            let present = count(c, ws, *what).await?;
            if present + adding <= *most { Ok(()) } else { Err(Conflict::Full { what: *what, most: *most }.into()) }
        }
    }
}

/// Whether the set changes the row itself, or counts what is its own: taking the stronger lock at
/// once avoids the deadlock of two sets that both share it and then both want more.
fn is_changed(set: &ChangeSet, object: Object) -> bool {
    let counted = set.guards.iter().any(|guard| match guard {
        Guard::Room { what: Counted::TagsOf(contact) | Counted::Starts { contact, .. }, .. } => {
            object == Object::Contact(*contact)
        }
        Guard::Room { .. } | Guard::OwnerBeside(_) => object == Object::Workspace(set.workspace),
        // It takes the stronger lock of its object by itself; who guards that before it must not share it.
        Guard::Unused(target) => object == target.object(),
        Guard::Live(_) | Guard::Version(..) | Guard::Claim(_) | Guard::Listeners(_) | Guard::Catalog(_) => false,
        Guard::LaneFree(_) => false,
    });
    counted || set.changes.iter().any(|change| change.touches().writes(object))
}

/// Holds an object, so that it is not deleted meanwhile.
pub(crate) async fn hold(c: &mut Connection<'_>, ws: DbId, object: Object) -> Result<(), Fault> {
    version(c, ws, object, Hold::Shared).await.map(|_| ())
}

/// Holds an object that this change set is going to change or delete.
pub(crate) async fn hold_to_change(c: &mut Connection<'_>, ws: DbId, object: Object) -> Result<(), Fault> {
    version(c, ws, object, Hold::Exclusive).await.map(|_| ())
}

async fn version(c: &mut Connection<'_>, ws: DbId, object: Object, hold: Hold) -> Result<i64, Fault> {
    let found: Result<i64, Fault> = match object {
        Object::Workspace(id) => {
            let own = workspaces::table.find(DbId::from(id)).filter(workspaces::id.eq(ws));
            locked_version!(c, hold, workspaces::version, own)
        }
        Object::Key(id) => {
            let usable = api_keys::table.find(DbId::from(id)).filter(api_keys::workspace_id.eq(ws));
            let usable = usable.filter(api_keys::revoked_at.is_null());
            locked_version!(c, hold, api_keys::version, usable)
        }
        Object::Channel(id) => {
            let living = channels::table.find((ws, DbId::from(id))).filter(channels::deleted_at.is_null());
            locked_version!(c, hold, channels::version, living)
        }
        Object::Contact(id) => locked_version!(
            c,
            hold,
            contacts::version,
            contacts::table.find((ws, DbId::from(id))).filter(contacts::deleted_at.is_null())
        ),
        Object::Tag(id) => locked_version!(c, hold, tags::version, tags::table.find((ws, DbId::from(id)))),
        Object::Field(id) => {
            locked_version!(c, hold, custom_fields::version, custom_fields::table.find((ws, DbId::from(id))))
        }
        Object::BotField(id) => {
            locked_version!(c, hold, bot_fields::version, bot_fields::table.find((ws, DbId::from(id))))
        }
        Object::Conversation(id) => {
            locked_version!(c, hold, conversations::version, conversations::table.find((ws, DbId::from(id))))
        }
        Object::Message(id) => locked_version!(c, hold, messages::version, messages::table.find((ws, DbId::from(id)))),
        Object::Flow(id) => locked_version!(
            c,
            hold,
            flows::version,
            flows::table.find((ws, DbId::from(id))).filter(flows::deleted_at.is_null())
        ),
        Object::Run(id) => locked_version!(c, hold, flow_runs::version, flow_runs::table.find((ws, DbId::from(id)))),
        Object::Sequence(id) => locked_version!(
            c,
            hold,
            sequences::version,
            sequences::table.find((ws, DbId::from(id))).filter(sequences::deleted_at.is_null())
        ),
        Object::Enrollment(id) => {
            locked_version!(c, hold, enrollments::version, enrollments::table.find((ws, DbId::from(id))))
        }
        Object::Webhook(id) => locked_version!(c, hold, webhooks::version, webhooks::table.find((ws, DbId::from(id)))),
        Object::Delivery(id) => {
            locked_version!(c, hold, deliveries::version, deliveries::table.find((ws, DbId::from(id))))
        }
        Object::User(id) => locked_version!(c, hold, users::version, users::table.find(DbId::from(id))),
        Object::Member(id) => locked_version!(c, hold, members::version, members::table.find((ws, DbId::from(id)))),
        Object::Invitation(id) => {
            let open = invitations::table.find((ws, DbId::from(id)));
            let found: Result<DbId, Fault> = locked_version!(c, hold, invitations::id, open);
            found.map(|_| 1)
        }
        Object::Session(id) => {
            let live = sessions::table.find(DbId::from(id)).filter(sessions::revoked_at.is_null());
            let found: Result<DbId, Fault> = locked_version!(c, hold, sessions::id, live);
            found.map(|_| 1)
        }
    };
    match found {
        Err(Fault::NoRow) => Err(Conflict::Stale(object).into()),
        other => other,
    }
}

async fn held(c: &mut Connection<'_>, ws: DbId, claim: Claim) -> Result<(), Fault> {
    let job = jobs::table.find((ws, DbId::from(claim.job)));
    let token: Result<i64, Fault> =
        locked_version!(c, Hold::Exclusive, jobs::token, job.filter(jobs::claimed.eq(true)));
    match token {
        Ok(token) if token == claim.token => Ok(()),
        Ok(_) | Err(Fault::NoRow) => Err(Conflict::ClaimLost.into()),
        Err(fault) => Err(fault),
    }
}

/// Locks the owner of what is counted: two sets that add to it go one after the other.
async fn lock_owner(c: &mut Connection<'_>, ws: DbId, what: Counted) -> Result<(), Fault> {
    match what {
        Counted::TagsOf(contact) | Counted::Starts { contact, .. } => lock_contact(c, ws, contact).await,
        Counted::Tags
        | Counted::CustomFields
        | Counted::BotFields
        | Counted::Flows
        | Counted::Sequences
        | Counted::Webhooks
        | Counted::Channels
        | Counted::Keys
        | Counted::Members => lock_workspace(c, ws).await,
    }
}

/// Counts, once the owner is locked.
pub(crate) async fn count(c: &mut Connection<'_>, ws: DbId, what: Counted) -> Result<i64, Fault> {
    let none = |count: Option<i64>| count.unwrap_or(0);
    match what {
        Counted::Tags => find!(c, tags::table.filter(tags::workspace_id.eq(ws)).count()).map(none),
        Counted::CustomFields => {
            find!(c, custom_fields::table.filter(custom_fields::workspace_id.eq(ws)).count()).map(none)
        }
        Counted::BotFields => find!(c, bot_fields::table.filter(bot_fields::workspace_id.eq(ws)).count()).map(none),
        Counted::Flows => {
            let there = flows::table.filter(flows::workspace_id.eq(ws)).filter(flows::deleted_at.is_null());
            find!(c, there.count()).map(none)
        }
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
            let present: Option<i64> = find!(c, members::table.filter(members::workspace_id.eq(ws)).count())?;
            let asked: Option<i64> = find!(c, invitations::table.filter(invitations::workspace_id.eq(ws)).count())?;
            Ok(none(present) + none(asked))
        }
        Counted::TagsOf(contact) => {
            let links = contact_tags::table
                .filter(contact_tags::workspace_id.eq(ws))
                .filter(contact_tags::contact_id.eq(DbId::from(contact)));
            find!(c, links.count()).map(none)
        }
        Counted::Starts { flow, contact, since } => {
            let starts = flow_runs::table
                .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                .filter(flow_runs::flow_id.checked(DbId::from(flow)))
                .filter(flow_runs::workspace_id.checked(ws))
                .filter(flow_runs::started_at.ge(DbTime(since)));
            find!(c, starts.count()).map(none)
        }
    }
}

async fn lock_workspace(c: &mut Connection<'_>, ws: DbId) -> Result<(), Fault> {
    let found: Result<i64, Fault> =
        locked_version!(c, Hold::Exclusive, workspaces::version, workspaces::table.find(ws));
    match found {
        Err(Fault::NoRow) => Err(Conflict::Stale(Object::Workspace(ws.typed())).into()),
        other => other.map(|_| ()),
    }
}

async fn lock_contact(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<(), Fault> {
    let place = contacts::table.find((ws, DbId::from(contact)));
    let found: Result<i64, Fault> = locked_version!(c, Hold::Exclusive, contacts::version, place);
    match found {
        Err(Fault::NoRow) => Err(Conflict::Stale(Object::Contact(contact)).into()),
        other => other.map(|_| ()),
    }
}
