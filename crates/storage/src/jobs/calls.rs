//! Claims of the HTTP calls of flow runs. Workspaces take turns.
//!
//! Workspaces are found by skipping from one to the next in the index on (pool, workspace, due_at). For each, only its
//! first jobs are read, and none of a full workspace.

use diesel::sql_types::{Array, BigInt, Text};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{ClaimRequest, ClaimedJob};
use uuid::Uuid;

use super::{ClaimedRow, hexadecimal, lease_millis, low_water_mark};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::sqlite::monotonic_clock;

/// Concurrent claims skip locked rows, so the statement finds more heads than requested. It locks them in order until
/// it has enough, and updates them by their row positions.
const CLAIM_POSTGRES: &str = include_str!("sql/claim_calls.postgres.sql");

/// SQLite has no LATERAL: the rows of each workspace are numbered.
const CLAIM_SQLITE: &str = include_str!("sql/claim_calls.sqlite.sql");

pub(super) async fn claim(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    limit: u32,
) -> Result<Vec<ClaimedJob>, Fault> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let full: Vec<Uuid> = request.full_workspaces.iter().map(|workspace| workspace.uuid()).collect();
    let rows: Vec<ClaimedRow> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = diesel::sql_query(CLAIM_POSTGRES)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<BigInt, _>(lease_millis(request))
                .bind::<Array<Id>, _>(full.into_iter().map(DbId).collect::<Vec<_>>())
                .bind::<Instant, _>(low_water_mark(request));
            diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_SQLITE)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<Text, _>(hexadecimal(full.iter()))
                .bind::<Instant, _>(DbTime(request.now))
                .bind::<Instant, _>(DbTime(monotonic_clock::now().plus(request.lease)))
                .bind::<Instant, _>(DbTime(monotonic_clock::now()));
            diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?
        }
    };
    rows.into_iter().map(ClaimedRow::read).collect()
}
