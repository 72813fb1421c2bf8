//! Jobs: queued with their cause, claimed with a lease, and finished or rescheduled with a token as a fence.
//!
//! | Column of `jobs` | Content |
//! |---|---|
//! | `claimed` | whether a worker runs the job |
//! | `token` | incremented by each claim; a result with an earlier token changes nothing |
//! | `due_at` | when the job is due; for a claimed job, when its lease ends |
//! | `claims` | claims without a result; after five, the job is dead-lettered |
//! | `dead_at` | when it became a dead letter |
//! | `lane` | jobs of one lane run one after another, in the order of their IDs |
//! | `parked` | whether it waits for an event instead of a time: the end of the job ahead in its lane, or of a pause |
//! | `group_id` | the paused object that a parked job waits for; the webhook of a delivery that an earlier release queued |
//! | `further` | further IDs: the channel of a message, for the limit of its concurrent jobs |
//!
//! [`claim`] selects the statements: [`claim_first`] claims by due time, [`workspaces`] in turns of the workspaces,
//! [`deliveries`] webhook deliveries, and [`calls`] HTTP calls of flows. The statements are in `sql/`.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Text};
use tidings_domain::ports::{ClaimRequest, ClaimedJob, JobKind, Pool, StoreError};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::jobs;
use crate::sqlite::monotonic_clock;

/// The `due_at` of an inserted job. A row that is inserted as claimed has the length of its lease, as an instant after
/// 1970: the lease ends that long after the insert.
const LEASED: &str = "CASE WHEN claimed THEN now() + (due_at - 'epoch'::timestamptz) ELSE due_at END";

pub(crate) mod backlog;
mod calls;
mod completion;
mod dead_letter;
pub(crate) mod dead_letters;
mod deliveries;
mod delivery_claims;
mod engine;
mod lanes;
mod leases;
mod marks;
mod paused;
mod queue_cache;
mod queue_changes;
mod rows;
mod webhooks;
mod workspaces;

pub(crate) use completion::{Finished, Rescheduled, finish, insert, reschedule};
pub(crate) use dead_letter::{bury, park, release};
pub(crate) use lanes::release as release_lanes;
pub(crate) use leases::{database_now, extend, free_leases, lease_now, poisoned};
pub(crate) use paused::{hold, release as release_held};
pub(crate) use queue_changes::{AffectedQueues, KnownQueues};
pub(crate) use rows::{ClaimedRow, JobRow, StoredJob};
pub(crate) use webhooks::lines;

/// The condition that a job is the claimed one of its lane or, if none is claimed, the first one that is not dead.
pub(crate) const IS_HEAD: &str = "(jobs.claimed OR jobs.id = (SELECT e.id FROM jobs e WHERE e.lane = jobs.lane \
    AND e.dead_at IS NULL ORDER BY e.id LIMIT 1) AND NOT EXISTS (SELECT 1 FROM jobs e WHERE e.lane = jobs.lane \
    AND e.claimed AND e.id <> jobs.id))";

/// The statement that claims jobs on PostgreSQL, by due time. Its parameters are the pool, the channels with enough
/// running jobs, the limit, the length of the lease in milliseconds, and the [`low_water_mark`].
///
/// Leases use the database's clock, and a claim skips rows that another one has locked. Rows are locked where they are
/// found and updated there, because a join by key could start at the wrong end.
const CLAIM_FIRST_POSTGRES: &str = include_str!("sql/claim_first.postgres.sql");

/// The statement that claims jobs on SQLite, by due time. Its parameters are the pool, the channels with enough running
/// jobs as one text of hexadecimal IDs, the limit, the time, the end of the new leases, and the time of the lease clock.
/// Only one writer claims at a time. Leases use the process's steady clock, due times the system clock.
const CLAIM_FIRST_SQLITE: &str = include_str!("sql/claim_first.sqlite.sql");

/// Claims due jobs. Deliveries are claimed webhook by webhook, other jobs by due time. If more jobs are due than
/// requested, workspaces take turns.
pub(crate) async fn claim(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    known: &KnownQueues,
) -> Result<Vec<ClaimedJob>, Fault> {
    match request.pool {
        Pool::Deliveries => claim_deliveries(c, request, known).await,
        Pool::Work | Pool::Sends | Pool::Polls => workspaces::claim(c, request, &known.workspaces).await,
    }
}

/// Claims due deliveries and HTTP calls. Calls get at least a quarter of the request if enough are due, and the room
/// that deliveries leave. A full look also claims deliveries that earlier releases queued as jobs.
async fn claim_deliveries(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    known: &KnownQueues,
) -> Result<Vec<ClaimedJob>, Fault> {
    let quarter = request.limit / 4;
    let mut claimed = calls::claim(c, request, quarter).await?;
    let more_calls = count(&claimed) >= quarter;
    let left = |claimed: &[ClaimedJob]| request.limit.saturating_sub(count(claimed));
    let rest = ClaimRequest { limit: left(&claimed), ..request.clone() };
    and_more(&mut claimed, deliveries::claim(c, &rest, &known.webhooks).await)?;
    if more_calls {
        let limit = left(&claimed);
        and_more(&mut claimed, calls::claim(c, request, limit).await)?;
    }
    if request.since.is_none() && left(&claimed) > 0 {
        let is_retry = |job: &&ClaimedJob| job.job.kind() == JobKind::RetryDelivery;
        let retries = u32::try_from(claimed.iter().filter(is_retry).count()).unwrap_or(u32::MAX);
        let limit = left(&claimed);
        let rest = ClaimRequest { limit, retries: request.retries.saturating_sub(retries), ..request.clone() };
        and_more(&mut claimed, delivery_claims::claim(c, &rest).await)?;
    }
    Ok(claimed)
}

/// Adds further claimed jobs. If this statement failed, jobs that earlier statements claimed are still returned: each
/// statement may be a separate transaction.
fn and_more<T>(claimed: &mut Vec<T>, more: Result<Vec<T>, Fault>) -> Result<(), Fault> {
    match more {
        Ok(more) => claimed.extend(more),
        Err(_) if !claimed.is_empty() => {}
        Err(fault) => return Err(fault),
    }
    Ok(())
}

fn count(jobs: &[ClaimedJob]) -> u32 {
    u32::try_from(jobs.len()).unwrap_or(u32::MAX)
}

/// Claims due jobs by due time, regardless of their workspaces.
async fn claim_first(c: &mut Connection<'_>, request: &ClaimRequest, limit: u32) -> Result<Vec<ClaimedJob>, Fault> {
    let pool = request.pool.as_str();
    let limit = i64::from(limit);
    let rows: Vec<ClaimedRow> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let groups: Vec<DbId> = request.full_groups.iter().copied().map(DbId).collect();
            let query = diesel::sql_query(CLAIM_FIRST_POSTGRES)
                .bind::<Text, _>(pool)
                .bind::<Array<Id>, _>(groups)
                .bind::<BigInt, _>(limit)
                .bind::<BigInt, _>(lease_millis(request))
                .bind::<Instant, _>(low_water_mark(request));
            diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_FIRST_SQLITE)
                .bind::<Text, _>(pool)
                .bind::<Text, _>(hexadecimal(request.full_groups.iter()))
                .bind::<BigInt, _>(limit)
                .bind::<Instant, _>(DbTime(request.now))
                .bind::<Instant, _>(DbTime(monotonic_clock::now().plus(request.lease)))
                .bind::<Instant, _>(DbTime(monotonic_clock::now()));
            diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?
        }
    };
    rows.into_iter().map(ClaimedRow::read).collect()
}

/// Returns the low-water mark of a request, or the beginning of time without one. A recent claim has searched for jobs
/// that are due before it, so an index scan can start there.
fn low_water_mark(request: &ClaimRequest) -> DbTime {
    DbTime(request.since.unwrap_or(Timestamp::from_millis(0)))
}

fn lease_millis(request: &ClaimRequest) -> i64 {
    millis(request.lease)
}

fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(30_000)
}

/// Returns IDs as one text for `instr`.
fn hexadecimal<'a>(ids: impl Iterator<Item = &'a Uuid>) -> String {
    ids.map(|id| format!("{:X} ", id.as_simple())).collect()
}

/// Returns true if no job of the lane is queued or claimed.
pub(crate) async fn lane_is_free(c: &mut Connection<'_>, lane: Uuid) -> Result<bool, Fault> {
    let of_lane = jobs::table.filter(jobs::lane.eq(DbId(lane))).filter(jobs::dead_at.is_null());
    let first: Option<DbId> = find!(c, of_lane.select(jobs::id).limit(1))?;
    Ok(first.is_none())
}

/// Returns when the next unclaimed job falls due. Jobs behind others in their lanes are ignored.
pub(crate) async fn next_due(c: &mut Connection<'_>, pool: Pool) -> Result<Option<Timestamp>, Fault> {
    // Must match the text of the indexes: deliveries have a separate one.
    let open = diesel::dsl::sql::<Bool>(match pool {
        Pool::Deliveries => {
            "jobs.pool = 'deliveries' AND jobs.dead_at IS NULL AND NOT jobs.claimed AND NOT jobs.parked"
        }
        _ => "jobs.pool <> 'deliveries' AND jobs.dead_at IS NULL AND NOT jobs.claimed AND NOT jobs.parked",
    });
    let next: Option<DbTime> = find!(
        c,
        jobs::table
            .filter(jobs::pool.eq(pool.as_str()))
            .filter(open)
            .filter(jobs::lane.is_null().or(diesel::dsl::sql::<Bool>(IS_HEAD)))
            .order(jobs::due_at.asc())
            .select(jobs::due_at)
            .limit(1)
    )?;
    let next = next.map(|time| time.0);
    match pool {
        Pool::Deliveries => Ok([next, deliveries::next_due(c).await?].into_iter().flatten().min()),
        Pool::Work | Pool::Sends | Pool::Polls => Ok(next),
    }
}

/// A change set that is too large is a bug of the caller.
pub(crate) fn too_large(rows: usize) -> StoreError {
    StoreError::Corrupt(format!("a change set has too many rows: {rows}. Larger work must be a job"))
}
