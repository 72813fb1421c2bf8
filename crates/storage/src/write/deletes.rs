//! Deletion of an object's row.

use diesel::prelude::*;
use tidings_domain::ports::{Conflict, Object};

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, Id};
use crate::schema::{api_keys, sessions, users, workspaces};

pub(crate) async fn delete(c: &mut Connection<'_>, ws: DbId, object: Object) -> Result<(), Fault> {
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
        Object::Member(id) => of_workspace(c, ws, "members", "user_id", id.into()).await,
        Object::Invitation(id) => of_workspace(c, ws, "invitations", "id", id.into()).await,
        Object::Channel(id) => of_workspace(c, ws, "channels", "id", id.into()).await,
        Object::Contact(id) => of_workspace(c, ws, "contacts", "id", id.into()).await,
        Object::Conversation(id) => of_workspace(c, ws, "conversations", "id", id.into()).await,
        Object::Message(id) => of_workspace(c, ws, "messages", "id", id.into()).await,
        Object::Flow(id) => of_workspace(c, ws, "flows", "id", id.into()).await,
        Object::Run(id) => of_workspace(c, ws, "flow_runs", "id", id.into()).await,
        Object::Broadcast(id) => of_workspace(c, ws, "broadcasts", "id", id.into()).await,
        Object::BulkOperation(id) => of_workspace(c, ws, "bulk_operations", "id", id.into()).await,
        Object::Import(id) => of_workspace(c, ws, "imports", "id", id.into()).await,
        Object::Stored(id) => of_workspace(c, ws, id.kind().table(), "id", DbId(id.uuid())).await,
        Object::Sequence(id) => of_workspace(c, ws, "sequences", "id", id.into()).await,
        Object::Enrollment(id) => of_workspace(c, ws, "enrollments", "id", id.into()).await,
        Object::Webhook(id) => of_workspace(c, ws, "webhooks", "id", id.into()).await,
        Object::Delivery(id) => of_workspace(c, ws, "deliveries", "id", id.into()).await,
    }?;
    exactly_one(rows, Conflict::Stale(object))
}

/// Deletes the row with a key of a workspace and an ID, which is in the column `key`. Returns the number of rows.
async fn of_workspace(c: &mut Connection<'_>, ws: DbId, table: &str, key: &str, id: DbId) -> Result<usize, Fault> {
    let text = match c {
        Connection::Postgres(_) => {
            format!(r#"DELETE FROM "{table}" WHERE (("{table}"."workspace_id" = $1) AND ("{table}"."{key}" = $2))"#)
        }
        Connection::Sqlite(_) => {
            format!("DELETE FROM `{table}` WHERE ((`{table}`.`workspace_id` = ?) AND (`{table}`.`{key}` = ?))")
        }
    };
    execute!(c, diesel::sql_query(text).bind::<Id, _>(ws).bind::<Id, _>(id))
}
