//! Row locks that last until the commit, to keep checked data unchanged.

use diesel::prelude::*;
use tidings_domain::ids::ContactId;
use tidings_domain::ports::{Claim, Conflict, Object};

use super::declared::stored_version;
pub(crate) use super::locked_version::RowLock;
use super::locked_version::locked_version;
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::types::DbId;
use crate::schema::{
    api_keys, broadcasts, bulk_operations, channels, contacts, conversations, deliveries, enrollments, flow_runs,
    flows, imports, invitations, jobs, members, messages, sequences, sessions, users, webhooks, workspaces,
};

/// Locks an object against deletion.
pub(crate) async fn hold(c: &mut Connection<'_>, ws: DbId, object: Object) -> Result<(), Fault> {
    version(c, ws, object, RowLock::Shared).await.map(|_| ())
}

/// Locks an object that this change set is going to change or delete.
pub(crate) async fn hold_to_change(c: &mut Connection<'_>, ws: DbId, object: Object) -> Result<(), Fault> {
    version(c, ws, object, RowLock::Exclusive).await.map(|_| ())
}

pub(crate) async fn version(c: &mut Connection<'_>, ws: DbId, object: Object, hold: RowLock) -> Result<i64, Fault> {
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
        Object::Broadcast(id) => {
            locked_version!(c, hold, broadcasts::version, broadcasts::table.find((ws, DbId::from(id))))
        }
        Object::BulkOperation(id) => {
            locked_version!(c, hold, bulk_operations::version, bulk_operations::table.find((ws, DbId::from(id))))
        }
        Object::Import(id) => locked_version!(c, hold, imports::version, imports::table.find((ws, DbId::from(id)))),
        Object::Stored(id) => stored_version(c, ws, id, hold).await,
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

/// Locks the job or delivery of a claim and checks its token.
pub(crate) async fn lock_claim(c: &mut Connection<'_>, ws: DbId, claim: Claim) -> Result<(), Fault> {
    let job = jobs::table.find((ws, DbId::from(claim.job)));
    let token: Result<i64, Fault> =
        locked_version!(c, RowLock::Exclusive, jobs::token, job.filter(jobs::claimed.eq(true)));
    let token = match token {
        Err(Fault::NoRow) => {
            let delivery = deliveries::table.find((ws, DbId::from(claim.job)));
            let claimed = delivery.filter(deliveries::leased_until.is_not_null());
            locked_version!(c, RowLock::Exclusive, deliveries::token, claimed)
        }
        token => token,
    };
    match token {
        Ok(token) if token == claim.token => Ok(()),
        Ok(_) | Err(Fault::NoRow) => Err(Conflict::ClaimLost.into()),
        Err(fault) => Err(fault),
    }
}

/// Locks a user's membership of one of these workspaces and returns its role.
pub(crate) async fn role(c: &mut Connection<'_>, of: [DbId; 2], user: DbId, hold: RowLock) -> Result<String, Fault> {
    let place = members::table.filter(members::workspace_id.eq_any(of)).filter(members::user_id.eq(user));
    locked_version!(c, hold, members::role, place)
}

/// Locks the workspace. Sets that add to it run one after the other.
pub(crate) async fn lock_workspace(c: &mut Connection<'_>, ws: DbId) -> Result<(), Fault> {
    let found: Result<i64, Fault> =
        locked_version!(c, RowLock::Exclusive, workspaces::version, workspaces::table.find(ws));
    match found {
        Err(Fault::NoRow) => Err(Conflict::Stale(Object::Workspace(ws.to_typed_id())).into()),
        other => other.map(|_| ()),
    }
}

/// Locks a contact, like [`lock_workspace`].
pub(crate) async fn lock_contact(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<(), Fault> {
    let place = contacts::table.find((ws, DbId::from(contact)));
    let found: Result<i64, Fault> = locked_version!(c, RowLock::Exclusive, contacts::version, place);
    match found {
        Err(Fault::NoRow) => Err(Conflict::Stale(Object::Contact(contact)).into()),
        other => other.map(|_| ()),
    }
}
