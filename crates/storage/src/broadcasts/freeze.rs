//! Freezing of an audience. On PostgreSQL, one statement writes all recipients from its snapshot.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use diesel::IntoSql;
use diesel::SqliteConnection;
use diesel::dsl::sql;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::AsyncPgConnection;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::UnreachedRecipients;
use tidings_domain::ids::BroadcastId;
use tidings_domain::ports::{Conflict, Object};
use tidings_domain::time::Timestamp;

use super::{ChooseUnreached, WAITING};
use crate::conditions::Compile;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, Id, Instant};
use crate::schema::{broadcast_recipients, broadcasts, contacts};

pub(crate) struct Frozen<'f> {
    pub(crate) selection: &'f Selection,
    pub(crate) unreached: Option<&'f UnreachedRecipients>,
    pub(crate) due_at: Timestamp,
    pub(crate) zones: &'f BTreeMap<String, Timestamp>,
}

/// Writes all selected contacts that are not deleted, numbered in due order, and stores their number. On SQLite,
/// [`super::staging`] has already written the recipients.
pub(crate) async fn freeze(
    c: &mut Connection<'_>,
    ws: DbId,
    broadcast: BroadcastId,
    Frozen { selection, unreached, due_at, zones }: Frozen<'_>,
) -> Result<(), Fault> {
    let id = DbId::from(broadcast);
    let due = due(c, due_at, zones);
    let targeted = match c {
        Connection::Postgres(connection) => {
            let chosen = contacts::table
                .filter(contacts::workspace_id.eq(ws))
                .filter(contacts::deleted_at.is_null())
                .filter(Pg::chosen(ws, selection))
                .filter(Pg::unreached(ws, unreached))
                .select((
                    ws.into_sql::<Id>(),
                    id.into_sql::<Id>(),
                    contacts::id,
                    sql::<BigInt>(&recipient_position(&due, zones)),
                    sql::<Instant>(&due),
                    WAITING.into_sql::<Text>(),
                ));
            let statement = diesel::insert_into(broadcast_recipients::table).values(chosen).into_columns((
                broadcast_recipients::workspace_id,
                broadcast_recipients::broadcast_id,
                broadcast_recipients::contact_id,
                broadcast_recipients::place,
                broadcast_recipients::due_at,
                broadcast_recipients::status,
            ));
            let mut connection: &AsyncPgConnection = connection;
            let rows = diesel_async::RunQueryDsl::execute(statement, &mut connection).await?;
            i64::try_from(rows).unwrap_or(i64::MAX)
        }
        Connection::Sqlite(connection) => count(connection, ws, id)?,
    };
    let target = broadcasts::table.find((ws, id));
    let rows = execute!(c, diesel::update(target).set(broadcasts::targeted.eq(targeted)))?;
    exactly_one(rows, Conflict::Stale(Object::Broadcast(broadcast)))
}

fn count(connection: &mut SqliteConnection, ws: DbId, broadcast: DbId) -> Result<i64, Fault> {
    let last = broadcast_recipients::table
        .filter(broadcast_recipients::workspace_id.eq_unindexed(ws))
        .filter(broadcast_recipients::broadcast_id.eq(broadcast))
        .order(broadcast_recipients::place.desc())
        .select(broadcast_recipients::place)
        .limit(1);
    let last: Option<i64> = diesel::RunQueryDsl::get_result(PreparedQuery(last), connection).optional()?;
    Ok(last.map_or(0, |place| place + 1))
}

/// Returns SQL for a recipient's place in due order.
pub(super) fn recipient_position(due: &str, zones: &BTreeMap<String, Timestamp>) -> String {
    let order = if zones.is_empty() { String::new() } else { format!("ORDER BY {due}") };
    format!("row_number() OVER ({order}) - 1")
}

/// Returns SQL for a contact's due time, by its time zone if `zones` contains it. The names are safe in SQL: they come
/// from the IANA database and not from a client.
pub(super) fn due(c: &Connection<'_>, due_at: Timestamp, zones: &BTreeMap<String, Timestamp>) -> String {
    let literal = |at: Timestamp| match c {
        Connection::Postgres(_) => format!("to_timestamp({}::double precision / 1000)", at.millis()),
        Connection::Sqlite(_) => (at.millis() * 1_000).to_string(),
    };
    if zones.is_empty() {
        return literal(due_at);
    }
    let mut text = "CASE contacts.time_zone".to_owned();
    for (name, at) in zones.iter().filter(|(name, at)| **at != due_at && !name.contains('\'')) {
        let _ = write!(text, " WHEN '{name}' THEN {}", literal(*at));
    }
    let _ = write!(text, " WHEN '' THEN {0} ELSE {0} END", literal(due_at));
    text
}
