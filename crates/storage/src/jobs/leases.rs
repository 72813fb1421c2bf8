//! Leases: their clocks, their extension, and poison jobs with too many expired leases.

use std::time::Duration;

use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::ports::{Claim, ClaimedJob, HeldClaim};
use tidings_domain::time::Timestamp;
use tidings_domain::work::WAITS_AFTER_INTERRUPTIONS;

use super::rows::ClaimedRow;
use super::{deliveries, millis};
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Instant};
use crate::schema::jobs;
use crate::sqlite::monotonic_clock;

/// Returns PostgreSQL's time at the start of the transaction.
fn database_clock() -> SqlLiteral<Instant> {
    diesel::dsl::sql("now()")
}

const POISONED_POSTGRES: &str = include_str!("sql/poisoned_jobs.postgres.sql");
/// On SQLite, the jobs of a previous process are unclaimed and due.
const POISONED_SQLITE: &str = include_str!("sql/poisoned_jobs.sqlite.sql");

/// Claims the jobs that were claimed five times without a result, to dead-letter them. A lease ends by the clock that
/// started it.
pub(crate) async fn poisoned(
    c: &mut Connection<'_>,
    limit: u32,
    lease: Duration,
    now: Timestamp,
) -> Result<Vec<ClaimedJob>, Fault> {
    let rows: Vec<ClaimedRow> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = diesel::sql_query(POISONED_POSTGRES)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<BigInt, _>(millis(lease));
            diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(POISONED_SQLITE)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<Instant, _>(DbTime(monotonic_clock::now().plus(lease)))
                .bind::<Instant, _>(DbTime(now))
                .bind::<Instant, _>(DbTime(monotonic_clock::now()));
            diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?
        }
    };
    let mut poison = rows.into_iter().map(ClaimedRow::read).collect::<Result<Vec<_>, _>>()?;
    poison.extend(deliveries::poisoned(c, limit, lease, now).await?);
    Ok(poison)
}

/// Extends the leases of claims that are not lost.
pub(crate) async fn extend(
    c: &mut Connection<'_>,
    held: &[HeldClaim],
    (now, until): (Timestamp, Timestamp),
) -> Result<Vec<Claim>, Fault> {
    let mut extended = Vec::new();
    for HeldClaim { workspace, claim } in held.iter().copied() {
        let target = jobs::table.find((DbId::from(workspace), DbId::from(claim.job)));
        let target = target.filter(jobs::token.eq(claim.token)).filter(jobs::claimed.eq(true));
        let rows = execute!(c, diesel::update(target).set(jobs::due_at.eq(DbTime(until))))?;
        let held = HeldClaim { workspace, claim };
        if rows == 1 || deliveries::extend(c, held, (now, until)).await? {
            extended.push(claim);
        }
    }
    Ok(extended)
}

/// Releases all leases, for jobs of a process that has ended. Jobs with many claims wait, so fast restarts do not use up
/// their claims.
pub(crate) async fn free_leases(c: &mut Connection<'_>, now: Timestamp) -> Result<usize, Fault> {
    let mut freed = 0;
    for (claims, wait) in WAITS_AFTER_INTERRUPTIONS {
        let target = jobs::table.filter(jobs::claimed.eq(true)).filter(jobs::claims.eq(claims));
        let waiting = (jobs::claimed.eq(false), jobs::due_at.eq(DbTime(now.plus(wait))));
        freed += execute!(c, diesel::update(target).set(waiting))?;
    }
    let target = jobs::table.filter(jobs::claimed.eq(true));
    freed += execute!(c, diesel::update(target).set((jobs::claimed.eq(false), jobs::due_at.eq(DbTime(now)))))?;
    Ok(freed + deliveries::free_leases(c, now).await?)
}

/// Returns the time of the lease clock: the database's own, or the steady clock of the single process on SQLite.
pub(crate) async fn lease_now(c: &mut Connection<'_>) -> Result<Timestamp, Fault> {
    match c {
        Connection::Postgres(_) => database_now(c, Timestamp::from_millis(0)).await,
        Connection::Sqlite(_) => Ok(monotonic_clock::now()),
    }
}

/// Returns the database's own time, or `or` on SQLite.
pub(crate) async fn database_now(c: &mut Connection<'_>, or: Timestamp) -> Result<Timestamp, Fault> {
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let now: DbTime =
                diesel_async::RunQueryDsl::get_result(PreparedQuery(diesel::select(database_clock())), &mut connection)
                    .await?;
            Ok(now.0)
        }
        Connection::Sqlite(_) => Ok(or),
    }
}
