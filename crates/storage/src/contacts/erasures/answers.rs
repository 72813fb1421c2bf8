//! Stored responses that contain the ID of an erased contact. Responses are kept for a day. All responses of the
//! workspace are searched.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool};
use tidings_domain::ids::ContactId;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::DbId;
use crate::schema::idempotency_keys;

type Place = (DbId, String, String, String);

/// Returns the keys of at most `room` responses that contain the contact's ID in their bodies.
async fn naming(c: &mut Connection<'_>, ws: DbId, contact: ContactId, room: i64) -> Result<Vec<Place>, Fault> {
    let name = contact.to_string().into_bytes();
    let place =
        (idempotency_keys::workspace_id, idempotency_keys::method, idempotency_keys::route, idempotency_keys::key);
    let of_workspace = idempotency_keys::table.filter(idempotency_keys::workspace_id.eq(ws));
    match c {
        Connection::Postgres(connection) => {
            let has_name = sql::<Bool>("position(").bind::<Binary, _>(name).sql(" in body) > 0");
            let query = of_workspace.filter(has_name).limit(room).select(place);
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            Ok(diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?)
        }
        Connection::Sqlite(connection) => {
            let has_name = sql::<Bool>("instr(body, ").bind::<Binary, _>(name).sql(") > 0");
            let query = of_workspace.filter(has_name).limit(room).select(place);
            Ok(diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?)
        }
    }
}

pub(super) async fn are_left(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<bool, Fault> {
    Ok(!naming(c, ws, contact, 1).await?.is_empty())
}

pub(super) async fn remove(c: &mut Connection<'_>, ws: DbId, contact: ContactId, room: i64) -> Result<(), Fault> {
    for place in naming(c, ws, contact, room).await? {
        execute!(c, diesel::delete(idempotency_keys::table.find(place)))?;
    }
    Ok(())
}
