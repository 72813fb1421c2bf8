//! Claims of the calls that runs of flows wait for: around the workspaces, among those of deliveries.
//!
//! They are found by skipping from one workspace to the next in the index on (pool, workspace, due_at), and of each no more than
//! its first jobs are read: nothing of a full one.

use diesel::sql_types::{Array, BigInt, Text};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{ClaimRequest, ClaimedJob};
use uuid::Uuid;

use super::{ClaimedRow, hexadecimal, is_head, lease_millis, mark, since_mark};
use crate::connection::Connection;
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::sqlite::steady;
use crate::types::{DbId, DbTime, Id, Instant};

/// Which jobs, as the index says it: those of a webhook have a group.
macro_rules! open {
    ($job:literal) => {
        concat!(
            $job,
            ".pool = 'deliveries' AND ",
            $job,
            ".group_id IS NULL AND ",
            $job,
            ".dead_at IS NULL AND NOT ",
            $job,
            ".parked"
        )
    };
}

/// From one workspace to the next; the last row is null.
macro_rules! lines {
    () => {
        concat!(
            "WITH RECURSIVE line (id) AS (SELECT (SELECT q.workspace_id FROM jobs q WHERE ",
            open!("q"),
            " ORDER BY q.workspace_id LIMIT 1) UNION ALL SELECT (SELECT q.workspace_id FROM jobs q WHERE ",
            open!("q"),
            " AND q.workspace_id > line.id ORDER BY q.workspace_id LIMIT 1) FROM line WHERE line.id IS NOT NULL)"
        )
    };
}

/// The first due jobs of one workspace.
macro_rules! heads {
    ($due:expr, $columns:literal, $limit:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM jobs h WHERE ",
            open!("h"),
            " AND h.workspace_id = line.id AND h.claims < 5 AND ",
            $due,
            " AND (h.lane IS NULL OR ",
            is_head!("h"),
            ") ORDER BY h.due_at LIMIT ",
            $limit
        )
    };
}

/// No workspace gets a second job while another waits for its first; within one the longest due first.
macro_rules! in_turn {
    () => {
        "SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn"
    };
}

/// Claimers that meet pass each other's rows by; that some are left, more are looked at than asked for. The heads are
/// locked one after another in their order, until there are enough, and changed where they lie.
const CLAIM_POSTGRES: &str = concat!(
    lines!(),
    ", head AS MATERIALIZED (",
    in_turn!(),
    ", place FROM (SELECT f.workspace_id, f.id, f.due_at, f.place FROM line CROSS JOIN LATERAL (",
    heads!(since_mark!("h", "$4"), "h.workspace_id, h.id, h.due_at, h.ctid AS place", "least(32, $1)"),
    ") f WHERE line.id IS NOT NULL AND NOT line.id = ANY($3)) g WHERE ",
    not_held!("g.workspace_id"),
    " ORDER BY turn, due_at, id LIMIT 4 * $1), due AS MATERIALIZED (\
     SELECT held.place FROM head CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j WHERE j.ctid = head.place \
     AND j.due_at <= now() FOR NO KEY UPDATE SKIP LOCKED) held LIMIT $1) \
     UPDATE jobs SET claimed = true, token = jobs.token + 1, claims = jobs.claims + 1, \
     due_at = now() + $2 * interval '1 millisecond' \
     FROM due WHERE jobs.ctid = due.place \
     RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.further, jobs.token, jobs.attempts"
);

/// SQLite knows no LATERAL: the rows of each workspace are found by their numbers.
const CLAIM_SQLITE: &str = concat!(
    "UPDATE jobs SET claimed = 1, token = token + 1, claims = claims + 1, due_at = ?4 WHERE (workspace_id, id) IN (",
    lines!(),
    ", head AS (",
    in_turn!(),
    " FROM (SELECT f.workspace_id, f.id, f.due_at FROM line JOIN jobs f ON f.rowid IN (",
    heads!("h.due_at <= ?3 AND (NOT h.claimed OR h.due_at <= ?5)", "h.rowid", "min(32, ?1)"),
    ") WHERE line.id IS NOT NULL AND instr(?2, hex(line.id)) = 0) g WHERE ",
    not_held!("g.workspace_id"),
    " ORDER BY turn, due_at, id LIMIT ?1) SELECT workspace_id, id FROM head) \
     RETURNING workspace_id, id, kind, subject, mark, lane, group_id, further, token, attempts"
);

/// Takes due calls.
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
                .bind::<Instant, _>(mark(request));
            diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_SQLITE)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<Text, _>(hexadecimal(full.iter()))
                .bind::<Instant, _>(DbTime(request.now))
                .bind::<Instant, _>(DbTime(steady::now().plus(request.lease)))
                .bind::<Instant, _>(DbTime(steady::now()));
            diesel::RunQueryDsl::load(Fixed(query), &mut **connection)?
        }
    };
    rows.into_iter().map(ClaimedRow::read).collect()
}
