//! Claims of deliveries: webhook by webhook, around the workspaces.
//!
//! The queues are found by skipping from one webhook to the next in the index on (kind, group,
//! due_at), and of each no more than its first jobs are read. So a claim costs a few looks for each
//! webhook that has anything to do, however long its queue is, and nothing for full or parked ones.

use diesel::sql_types::{Array, BigInt, Text};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{ClaimRequest, ClaimedJob, JobKind};
use uuid::Uuid;

use super::{ClaimedRow, and_more, hexadecimal, lease_millis, mark, since_mark};
use crate::connection::Connection;
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::sqlite::steady;
use crate::types::{DbId, DbTime, Id, Instant};

/// From one group to the next; the last row is null. The condition is that of the index.
macro_rules! queues {
    ($kind:literal) => {
        concat!(
            "WITH RECURSIVE queue (group_id) AS (SELECT (SELECT q.group_id FROM jobs q WHERE q.kind = ",
            $kind,
            " AND q.pool = 'deliveries' AND q.dead_at IS NULL AND NOT q.parked AND q.group_id IS NOT NULL \
             ORDER BY q.group_id LIMIT 1) UNION ALL SELECT (SELECT q.group_id FROM jobs q WHERE q.kind = ",
            $kind,
            " AND q.pool = 'deliveries' AND q.dead_at IS NULL AND NOT q.parked AND q.group_id > queue.group_id \
             ORDER BY q.group_id LIMIT 1) FROM queue WHERE queue.group_id IS NOT NULL)"
        )
    };
}

/// The first due jobs of one queue.
macro_rules! heads {
    ($kind:literal, $due:expr, $columns:literal, $limit:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM jobs h WHERE h.kind = ",
            $kind,
            " AND h.pool = 'deliveries' AND h.dead_at IS NULL AND NOT h.parked AND h.group_id = queue.group_id \
             AND h.claims < 5 AND ",
            $due,
            " ORDER BY h.due_at LIMIT ",
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
    queues!("$1"),
    ", head AS MATERIALIZED (",
    in_turn!(),
    ", place FROM (SELECT f.workspace_id, f.id, f.due_at, f.place FROM queue CROSS JOIN LATERAL (",
    heads!("$1", since_mark!("h", "$6"), "h.workspace_id, h.id, h.due_at, h.ctid AS place", "least(32, $3)"),
    ") f WHERE queue.group_id IS NOT NULL AND NOT queue.group_id = ANY($2)) g \
     WHERE NOT workspace_id = ANY($5) AND ",
    not_held!("g.workspace_id"),
    " ORDER BY turn, due_at, id LIMIT 4 * $3), due AS MATERIALIZED (\
     SELECT held.place FROM head CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j WHERE j.ctid = head.place \
     AND j.due_at <= now() FOR NO KEY UPDATE SKIP LOCKED) held LIMIT $3) \
     UPDATE jobs SET claimed = true, token = jobs.token + 1, claims = jobs.claims + 1, \
     due_at = now() + $4 * interval '1 millisecond' \
     FROM due WHERE jobs.ctid = due.place \
     RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.further, jobs.token, jobs.attempts"
);

/// SQLite knows no LATERAL: the rows of each queue are found by their numbers.
const CLAIM_SQLITE: &str = concat!(
    "UPDATE jobs SET claimed = 1, token = token + 1, claims = claims + 1, due_at = ?5 \
     WHERE (workspace_id, id) IN (",
    queues!("?1"),
    ", head AS (",
    in_turn!(),
    " FROM (SELECT f.workspace_id, f.id, f.due_at FROM queue JOIN jobs f ON f.rowid IN (",
    heads!("?1", "h.due_at <= ?4 AND (NOT h.claimed OR h.due_at <= ?7)", "h.rowid", "min(32, ?3)"),
    ") WHERE queue.group_id IS NOT NULL AND instr(?2, hex(queue.group_id)) = 0) g \
     WHERE instr(?6, hex(workspace_id)) = 0 AND ",
    not_held!("g.workspace_id"),
    " ORDER BY turn, due_at, id LIMIT ?3) \
     SELECT workspace_id, id FROM head) \
     RETURNING workspace_id, id, kind, subject, mark, lane, group_id, further, token, attempts"
);

/// Takes due deliveries: later attempts as many as may be, then first ones.
pub(super) async fn claim(c: &mut Connection<'_>, request: &ClaimRequest) -> Result<Vec<ClaimedJob>, Fault> {
    let mut claimed = claim_kind(c, request, JobKind::RetryDelivery, request.limit.min(request.retries)).await?;
    let left = request.limit.saturating_sub(u32::try_from(claimed.len()).unwrap_or(u32::MAX));
    and_more(&mut claimed, claim_kind(c, request, JobKind::AttemptDelivery, left).await)?;
    Ok(claimed)
}

async fn claim_kind(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    kind: JobKind,
    limit: u32,
) -> Result<Vec<ClaimedJob>, Fault> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let workspaces: Vec<Uuid> = request.full_workspaces.iter().map(|workspace| workspace.uuid()).collect();
    let rows: Vec<ClaimedRow> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let ids = |ids: &[Uuid]| ids.iter().copied().map(DbId).collect::<Vec<_>>();
            let query = diesel::sql_query(CLAIM_POSTGRES)
                .bind::<Text, _>(kind.as_str())
                .bind::<Array<Id>, _>(ids(&request.full_groups))
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<BigInt, _>(lease_millis(request))
                .bind::<Array<Id>, _>(ids(&workspaces))
                .bind::<Instant, _>(mark(request));
            diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_SQLITE)
                .bind::<Text, _>(kind.as_str())
                .bind::<Text, _>(hexadecimal(request.full_groups.iter()))
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<Instant, _>(DbTime(request.now))
                .bind::<Instant, _>(DbTime(steady::now().plus(request.lease)))
                .bind::<Text, _>(hexadecimal(workspaces.iter()))
                .bind::<Instant, _>(DbTime(steady::now()));
            diesel::RunQueryDsl::load(Fixed(query), &mut **connection)?
        }
    };
    rows.into_iter().map(ClaimedRow::read).collect()
}
