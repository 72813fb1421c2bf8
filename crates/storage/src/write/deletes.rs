//! Deletion of an object's row.

use diesel::prelude::*;
use tidings_domain::ports::{Conflict, Object};

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::rows::exactly_one;
use crate::queries::types::DbId;
use crate::schema::{
    api_keys, broadcasts, bulk_operations, channels, contacts, conversations, deliveries, enrollments, flow_runs,
    flows, imports, invitations, members, messages, sequences, sessions, users, webhooks, workspaces,
};
use crate::write::declared;

pub(crate) async fn delete(c: &mut Connection<'_>, ws: DbId, object: Object) -> Result<(), Fault> {
    macro_rules! of_workspace {
        ($table:ident, $id:expr) => {
            execute!(c, diesel::delete($table::table.find((ws, DbId::from($id)))))
        };
    }
    let rows = match object {
        Object::Workspace(id) => {
            execute!(c, diesel::delete(workspaces::table.find(DbId::from(id)).filter(workspaces::id.eq(ws))))
        }
        Object::Key(id) => {
            let own = api_keys::table.find(DbId::from(id)).filter(api_keys::workspace_id.eq(ws));
            execute!(c, diesel::delete(own))
        }
        Object::User(id) => execute!(c, diesel::delete(users::table.find(DbId::from(id)))),
        Object::Session(id) => execute!(c, diesel::delete(sessions::table.find(DbId::from(id)))),
        Object::Member(id) => of_workspace!(members, id),
        Object::Invitation(id) => of_workspace!(invitations, id),
        Object::Channel(id) => of_workspace!(channels, id),
        Object::Contact(id) => of_workspace!(contacts, id),
        Object::Conversation(id) => of_workspace!(conversations, id),
        Object::Message(id) => of_workspace!(messages, id),
        Object::Flow(id) => of_workspace!(flows, id),
        Object::Run(id) => of_workspace!(flow_runs, id),
        Object::Broadcast(id) => of_workspace!(broadcasts, id),
        Object::BulkOperation(id) => of_workspace!(bulk_operations, id),
        Object::Import(id) => of_workspace!(imports, id),
        Object::Stored(id) => declared::delete(c, ws, id).await,
        Object::Sequence(id) => of_workspace!(sequences, id),
        Object::Enrollment(id) => of_workspace!(enrollments, id),
        Object::Webhook(id) => of_workspace!(webhooks, id),
        Object::Delivery(id) => of_workspace!(deliveries, id),
    }?;
    exactly_one(rows, Conflict::Stale(object))
}
