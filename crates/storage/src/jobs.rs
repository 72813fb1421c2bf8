//! Jobs: queued with their cause, claimed under a lease, given back or ended behind a fence.

use std::time::Duration;

use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text};
use tidings_domain::ports::{
    Claim, ClaimRequest, ClaimedJob, Conflict, HeldClaim, Job, JobColumns, JobKind, NewJob, Pool, StoreError,
};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::checked::Checked;
use crate::connection::{Connection, execute, find};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::rows::{exactly_one, word};
use crate::schema::jobs;
use crate::sqlite::steady;
use crate::types::{DbId, DbTime, Id, Instant};

crate::write::row! {
    /// A job as it is queued.
    #[derive(Debug, Clone)]
    pub(crate) struct JobRow in jobs {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) pool: &'static str,
        pub(crate) kind: &'static str,
        pub(crate) subject: DbId,
        pub(crate) mark: i64,
        pub(crate) lane: Option<DbId>,
        pub(crate) group_id: Option<DbId>,
        pub(crate) due_at: DbTime,
        pub(crate) claimed: bool,
        pub(crate) token: i64,
        pub(crate) claims: i32,
        pub(crate) attempts: i32,
    }
}

impl JobRow {
    pub(crate) fn write(workspace_id: DbId, it: &NewJob) -> Self {
        let (claimed, columns) = (it.lease.is_some(), it.job.columns());
        Self {
            workspace_id,
            id: it.id.into(),
            pool: it.job.pool().as_str(),
            kind: it.job.kind().as_str(),
            subject: DbId(columns.subject),
            mark: columns.mark,
            lane: columns.lane.map(DbId),
            group_id: columns.group.map(DbId),
            // Of a claimed job it is how long its lease is, after 1970: whoever inserts it adds the clock of leases.
            due_at: it.lease.map_or(it.due_at, |lease| Timestamp::from_millis(0).plus(lease)).into(),
            claimed,
            token: if claimed { NewJob::FIRST_TOKEN } else { 0 },
            claims: i32::from(claimed),
            attempts: 0,
        }
    }
}

/// When a job falls due, or its lease ends.
const LEASED: &str = "CASE WHEN claimed THEN now() + (due_at - 'epoch'::timestamptz) ELSE due_at END";

/// Gives a claimed job back until its group is called for.
pub(crate) async fn park(c: &mut Connection<'_>, ws: DbId, claim: Claim) -> Result<(), Fault> {
    let target = jobs::table.find((ws, DbId::from(claim.job)));
    let target = target.filter(jobs::token.eq(claim.token)).filter(jobs::claimed.eq(true));
    let due_at = jobs::due_at.eq(DbTime(Timestamp::END));
    let changes = (jobs::claimed.eq(false), jobs::claims.eq(0), jobs::parked.eq(true), due_at);
    let rows = execute!(c, diesel::update(target).set(changes))?;
    if rows == 0 && deliveries::park(c, ws, claim).await? {
        return Ok(());
    }
    exactly_one(rows, Conflict::ClaimLost)
}

/// Calls for the parked jobs of a group, and for the deliveries of that webhook.
pub(crate) async fn release(c: &mut Connection<'_>, ws: DbId, group: Uuid, due_at: Timestamp) -> Result<(), Fault> {
    let parked = jobs::table.filter(jobs::group_id.eq(DbId(group))).filter(jobs::parked);
    let target = parked.filter(jobs::workspace_id.checked(ws));
    let changes = (jobs::parked.eq(false), jobs::due_at.eq(DbTime(due_at)));
    execute!(c, diesel::update(target).set(changes))?;
    deliveries::release(c, ws, group, due_at).await
}

/// Puts a claimed job aside. A delivery does not lie aside: it is settled with the same set.
pub(crate) async fn bury(
    c: &mut Connection<'_>,
    ws: DbId,
    claim: Claim,
    error: String,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = jobs::table.find((ws, DbId::from(claim.job)));
    let target = target.filter(jobs::token.eq(claim.token)).filter(jobs::claimed.eq(true));
    let changes = (jobs::claimed.eq(false), jobs::error.eq(error), jobs::dead_at.eq(DbTime(at)));
    let rows = execute!(c, diesel::update(target).set(changes))?;
    if rows == 0 && deliveries::end(c, ws, claim.job.into(), claim.token).await? {
        return Ok(());
    }
    exactly_one(rows, Conflict::ClaimLost)?;
    let buried = jobs::table.find((ws, DbId::from(claim.job))).filter(jobs::followed).select(jobs::lane);
    let lane: Option<Option<DbId>> = find!(c, buried)?;
    lanes::release(c, lane.flatten().into_iter().collect()).await
}

#[derive(Debug, QueryableByName, Queryable, Selectable)]
#[diesel(table_name = jobs)]
pub(crate) struct ClaimedRow {
    #[diesel(sql_type = Id)]
    workspace_id: DbId,
    #[diesel(sql_type = Id)]
    id: DbId,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Id)]
    subject: DbId,
    #[diesel(sql_type = BigInt)]
    mark: i64,
    #[diesel(sql_type = Nullable<Id>)]
    lane: Option<DbId>,
    #[diesel(sql_type = Nullable<Id>)]
    group_id: Option<DbId>,
    #[diesel(sql_type = BigInt)]
    token: i64,
    #[diesel(sql_type = Integer)]
    attempts: i32,
}

impl ClaimedRow {
    pub(crate) fn read(self) -> Result<ClaimedJob, Fault> {
        let columns = JobColumns {
            subject: self.subject.0,
            mark: self.mark,
            lane: self.lane.map(|lane| lane.0),
            group: self.group_id.map(|group| group.0),
        };
        let job = Job::read(word(&self.kind, "job kind", JobKind::parse)?, columns);
        Ok(ClaimedJob {
            id: self.id.typed(),
            workspace: self.workspace_id.typed(),
            job: job.ok_or_else(|| StoreError::Corrupt(format!("a job of the kind {}", self.kind)))?,
            token: self.token,
            attempts: self.attempts,
            delivery: None,
        })
    }
}

/// That nothing holds what a workspace sends, be it the mark on the store or the workspace itself. Neither subquery
/// depends on the row: each is asked once for a statement.
macro_rules! not_held {
    ($workspace:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold') AND ",
            $workspace,
            " NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')"
        )
    };
}
/// The contrary of [`not_held!`].
macro_rules! held {
    ($workspace:literal) => {
        concat!(
            "(EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold') OR ",
            $workspace,
            " IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold'))"
        )
    };
}
pub(crate) use {held, not_held};

mod calls;
mod deliveries;
mod ends;
mod known;
mod lanes;
mod looked;
mod paused;
mod turns;
mod webhooks;
mod workspaces;

pub(crate) use ends::{Finished, Rescheduled, finish, insert, reschedule};
pub(crate) use known::{Brought, KnownQueues};
pub(crate) use lanes::release as release_lanes;
pub(crate) use paused::{hold, release as release_held};
pub(crate) use webhooks::lines;

/// That a job is the one of its lane that was claimed before, or, where none is claimed, the first that is not dead.
macro_rules! is_head {
    ($job:literal) => {
        concat!(
            "(",
            $job,
            ".claimed OR ",
            $job,
            ".id = (SELECT e.id FROM jobs e WHERE e.lane = ",
            $job,
            ".lane AND e.dead_at IS NULL ORDER BY e.id LIMIT 1) AND NOT EXISTS (SELECT 1 FROM jobs e WHERE e.lane = ",
            $job,
            ".lane AND e.claimed AND e.id <> ",
            $job,
            ".id))"
        )
    };
}

/// Only the head of a lane may be claimed, and only where none of the lane is claimed. The databases differ in what
/// names a row, their clock, their lists and in how they number parameters (`$1` is a name on SQLite, `?1` a place).
/// `$open` says which jobs, and is a condition of an index.
macro_rules! due {
    ($row:literal, $open:expr, $pool:literal, $due:expr, $groups:literal, $limit:literal) => {
        concat!(
            "SELECT ",
            $row,
            " FROM jobs j WHERE ",
            $open,
            " AND j.pool <> 'deliveries' AND j.dead_at IS NULL AND NOT j.parked AND j.claims < 5 AND ",
            $due,
            " AND (",
            $pool,
            " <> 'sends' OR ",
            not_held!("j.workspace_id"),
            ") AND (j.group_id IS NULL OR ",
            $groups,
            ") AND (j.lane IS NULL OR ",
            is_head!("j"),
            ") ORDER BY j.due_at LIMIT ",
            $limit
        )
    };
}
pub(crate) use {due, is_head};

/// What fell due since the low-water mark. A mark that is ahead of the database's clock is none.
macro_rules! since_mark {
    ($row:literal, $mark:literal) => {
        concat!($row, ".due_at <= now() AND ", $row, ".due_at >= least(", $mark, ", now() - interval '2 seconds')")
    };
}
pub(crate) use since_mark;

/// On PostgreSQL leases go by the database's clock, and claimers pass each other's rows by. What is found is locked, and
/// changed in its place: a join by a key could begin at the other end.
const CLAIM_POSTGRES: &str = concat!(
    "WITH due AS MATERIALIZED (",
    due!("j.ctid AS place", "j.pool = $1", "$1", since_mark!("j", "$5"), "NOT j.group_id = ANY($2)", "$3"),
    " FOR NO KEY UPDATE OF j SKIP LOCKED) \
     UPDATE jobs SET claimed = true, token = jobs.token + 1, claims = jobs.claims + 1, \
     due_at = now() + $4 * interval '1 millisecond' \
     FROM due WHERE jobs.ctid = due.place \
     RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.token, jobs.attempts"
);

/// On SQLite one writer claims at a time; the groups come as one text of hexadecimal ids. Leases go by the steady time of
/// the process, and jobs fall due by the machine's clock.
const CLAIM_SQLITE: &str = concat!(
    "UPDATE jobs SET claimed = 1, token = token + 1, claims = claims + 1, due_at = ?5 \
     WHERE (workspace_id, id) IN (",
    due!(
        "j.workspace_id, j.id",
        "j.pool = ?1",
        "?1",
        "j.due_at <= ?4 AND (NOT j.claimed OR j.due_at <= ?6)",
        "instr(?2, hex(j.group_id)) = 0",
        "?3"
    ),
    ") RETURNING workspace_id, id, kind, subject, mark, lane, group_id, token, attempts"
);

/// Takes due jobs: those of deliveries webhook by webhook, all others the longest due first, unless more is due than is
/// asked for: then workspaces take turns.
pub(crate) async fn claim(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    known: &KnownQueues,
) -> Result<Vec<ClaimedJob>, Fault> {
    match request.pool {
        Pool::Deliveries => claim_deliveries(c, request, known).await,
        Pool::Work | Pool::Sends => workspaces::claim(c, request, &known.workspaces).await,
    }
}

/// Takes due deliveries and calls. A quarter of what is asked for is for calls, if so many are due, and more where deliveries
/// leave room. What releases before this one queued among jobs is looked for with all that is due.
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
        and_more(&mut claimed, turns::claim(c, &rest).await)?;
    }
    Ok(claimed)
}

/// Adds what was claimed besides. What was claimed before stays so, where each statement is a transaction.
fn and_more(claimed: &mut Vec<ClaimedJob>, more: Result<Vec<ClaimedJob>, Fault>) -> Result<(), Fault> {
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

/// Takes due jobs, the longest due first, whosever they are.
async fn claim_first(c: &mut Connection<'_>, request: &ClaimRequest, limit: u32) -> Result<Vec<ClaimedJob>, Fault> {
    let pool = request.pool.as_str();
    let limit = i64::from(limit);
    let rows: Vec<ClaimedRow> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let groups: Vec<DbId> = request.full_groups.iter().copied().map(DbId).collect();
            let query = diesel::sql_query(CLAIM_POSTGRES)
                .bind::<Text, _>(pool)
                .bind::<Array<Id>, _>(groups)
                .bind::<BigInt, _>(limit)
                .bind::<BigInt, _>(lease_millis(request))
                .bind::<Instant, _>(mark(request));
            diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_SQLITE)
                .bind::<Text, _>(pool)
                .bind::<Text, _>(hexadecimal(request.full_groups.iter()))
                .bind::<BigInt, _>(limit)
                .bind::<Instant, _>(DbTime(request.now))
                .bind::<Instant, _>(DbTime(steady::now().plus(request.lease)))
                .bind::<Instant, _>(DbTime(steady::now()));
            diesel::RunQueryDsl::load(Fixed(query), &mut **connection)?
        }
    };
    rows.into_iter().map(ClaimedRow::read).collect()
}

/// The low-water mark of a request: without one, the beginning of time.
fn mark(request: &ClaimRequest) -> DbTime {
    DbTime(request.since.unwrap_or(Timestamp::from_millis(0)))
}

fn lease_millis(request: &ClaimRequest) -> i64 {
    millis(request.lease)
}

fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(30_000)
}

/// Ids as one text, in which `instr` finds them.
fn hexadecimal<'a>(ids: impl Iterator<Item = &'a Uuid>) -> String {
    ids.map(|id| format!("{:X} ", id.as_simple())).collect()
}

/// Whether no job of the lane is queued or claimed.
pub(crate) async fn lane_is_free(c: &mut Connection<'_>, lane: Uuid) -> Result<bool, Fault> {
    let of_lane = jobs::table.filter(jobs::lane.eq(DbId(lane))).filter(jobs::dead_at.is_null());
    let first: Option<DbId> = find!(c, of_lane.select(jobs::id).limit(1))?;
    Ok(first.is_none())
}

/// PostgreSQL's own time, as of the beginning of the transaction.
fn database_clock() -> SqlLiteral<Instant> {
    diesel::dsl::sql("now()")
}

const POISONED_POSTGRES: &str = "\
    WITH poison AS MATERIALIZED (SELECT j.ctid AS place FROM jobs j WHERE claims >= 5 AND j.dead_at IS NULL \
    AND j.due_at <= now() LIMIT $1 FOR NO KEY UPDATE OF j SKIP LOCKED) \
    UPDATE jobs SET claimed = true, token = jobs.token + 1, due_at = now() + $2 * interval '1 millisecond' \
    FROM poison WHERE jobs.ctid = poison.place \
    RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.token, \
    jobs.attempts";
/// What the process before had claimed is not claimed there, and due.
const POISONED_SQLITE: &str = "UPDATE jobs SET claimed = 1, token = token + 1, due_at = ?2 \
    WHERE (workspace_id, id) IN (SELECT j.workspace_id, j.id FROM jobs j WHERE claims >= 5 AND j.dead_at IS NULL \
    AND j.due_at <= ?3 AND (NOT j.claimed OR j.due_at <= ?4) LIMIT ?1) \
    RETURNING workspace_id, id, kind, subject, mark, lane, group_id, token, attempts";

/// Takes what was claimed five times without a result, to be put aside. A lease ends by the clock that it began by.
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
            diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(POISONED_SQLITE)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<Instant, _>(DbTime(steady::now().plus(lease)))
                .bind::<Instant, _>(DbTime(now))
                .bind::<Instant, _>(DbTime(steady::now()));
            diesel::RunQueryDsl::load(Fixed(query), &mut **connection)?
        }
    };
    let mut poison = rows.into_iter().map(ClaimedRow::read).collect::<Result<Vec<_>, _>>()?;
    poison.extend(deliveries::poisoned(c, limit, lease, now).await?);
    Ok(poison)
}

/// Extends the leases that are still held.
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

/// When the next job that is not claimed falls due; what stands behind another in its lane is not
/// the next, whenever it is due.
pub(crate) async fn next_due(c: &mut Connection<'_>, pool: Pool) -> Result<Option<Timestamp>, Fault> {
    // As the indexes say it: deliveries have one of their own.
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
            .filter(jobs::lane.is_null().or(diesel::dsl::sql::<Bool>(is_head!("jobs"))))
            .order(jobs::due_at.asc())
            .select(jobs::due_at)
            .limit(1)
    )?;
    let next = next.map(|time| time.0);
    match pool {
        Pool::Deliveries => Ok([next, deliveries::next_due(c).await?].into_iter().flatten().min()),
        Pool::Work | Pool::Sends => Ok(next),
    }
}

/// Frees every lease: what a process that is no more had claimed.
pub(crate) async fn free_leases(c: &mut Connection<'_>, now: Timestamp) -> Result<usize, Fault> {
    let target = jobs::table.filter(jobs::claimed.eq(true));
    let freed = execute!(c, diesel::update(target).set((jobs::claimed.eq(false), jobs::due_at.eq(DbTime(now)))))?;
    Ok(freed + deliveries::free_leases(c).await?)
}

/// The time by which leases end: the database's own, or the steady one of the process that has it for itself.
pub(crate) async fn lease_now(c: &mut Connection<'_>) -> Result<Timestamp, Fault> {
    match c {
        Connection::Postgres(_) => database_now(c, Timestamp::from_millis(0)).await,
        Connection::Sqlite(_) => Ok(steady::now()),
    }
}

/// The database's own time.
pub(crate) async fn database_now(c: &mut Connection<'_>, or: Timestamp) -> Result<Timestamp, Fault> {
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let now: DbTime =
                diesel_async::RunQueryDsl::get_result(Fixed(diesel::select(database_clock())), &mut connection).await?;
            Ok(now.0)
        }
        Connection::Sqlite(_) => Ok(or),
    }
}

/// A change set that is too large is a mistake of its maker.
pub(crate) fn too_large(rows: usize) -> StoreError {
    StoreError::Corrupt(format!("a change set of {rows} rows: larger work is a job"))
}
