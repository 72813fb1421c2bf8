//! Deliveries in the queue: each is its own row there, under its own claim.
//!
//! They are claimed webhook by webhook, as [`super::turns`] claims what releases before this one queued among jobs. A claim
//! changes no column of an index, so that its row stays in the index until an attempt is recorded: of each webhook those
//! under way are passed by, which are bounded.

mod held;

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Text};
use diesel_async::AsyncPgConnection;
use tidings_domain::events::EventKind;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{ClaimRequest, ClaimedJob, Job};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::ClaimedDelivery;
use uuid::Uuid;

use super::webhooks::{Webhooks, lines};
use super::{and_more, hexadecimal, lease_millis, mark, marks, millis};
use crate::connection::Connection;
use crate::deliveries::{FIRST, LATER};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::rows::word;
use crate::schema::deliveries;
use crate::sqlite::steady;
use crate::types::{DbId, DbTime, Id, Instant};

pub(super) use held::{end, extend, free_leases, next_due, park, release, reschedule};

/// The first deliveries to one webhook of which this holds.
macro_rules! heads {
    ($queue:literal, $which:literal, $columns:literal, $limit:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM deliveries h WHERE h.queue = ",
            $queue,
            " AND h.queued_for = line.id AND ",
            $which,
            " ORDER BY h.next_attempt_at LIMIT ",
            $limit
        )
    };
}

/// No workspace gets a second delivery while another waits for its first; within one the longest due first.
macro_rules! in_turn {
    () => {
        "SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn"
    };
}

macro_rules! told {
    () => {
        " RETURNING workspace_id, id, webhook_id, event_id, event_kind, attempts, round_start, created_at, updated_at, \
         version, token, errors, next_attempt_at"
    };
}

/// Claimers that meet pass each other's rows by; that some are left, more are looked at than asked for. Heads are locked
/// one after another in their order, until there are enough, and changed where they lie. A mark that is ahead of the
/// database's clock is none.
const CLAIM_POSTGRES: &str = concat!(
    "WITH head AS MATERIALIZED (",
    in_turn!(),
    ", place FROM (SELECT f.workspace_id, f.id, f.due_at, f.place \
     FROM unnest((SELECT $2::uuid[]), (SELECT $7::timestamptz[])) AS line (id, since) CROSS JOIN LATERAL (",
    heads!(
        "$1",
        "h.next_attempt_at <= now() AND h.next_attempt_at >= least(greatest($6, line.since), now() - interval '2 seconds') \
         AND (h.leased_until IS NULL OR h.leased_until <= now()) AND h.claims < 5",
        "h.workspace_id, h.id, h.next_attempt_at AS due_at, h.ctid AS place",
        "least(32, $3)"
    ),
    ") f) g WHERE NOT workspace_id = ANY($5) AND ",
    super::not_held!("g.workspace_id"),
    " ORDER BY turn, due_at, id LIMIT 4 * $3), due AS MATERIALIZED (\
     SELECT held.place FROM head CROSS JOIN LATERAL (SELECT j.ctid AS place FROM deliveries j WHERE j.ctid = head.place \
     AND j.queue IS NOT DISTINCT FROM $1 AND j.next_attempt_at <= now() \
     AND (j.leased_until IS NULL OR j.leased_until <= now()) FOR NO KEY UPDATE SKIP LOCKED) held LIMIT $3) \
     UPDATE deliveries SET token = deliveries.token + 1, claims = deliveries.claims + 1, \
     leased_until = now() + $4 * interval '1 millisecond' FROM due WHERE deliveries.ctid = due.place",
    told!()
);

/// SQLite knows no LATERAL: the rows of each queue are found by their numbers.
const CLAIM_SQLITE: &str = concat!(
    "UPDATE deliveries SET token = token + 1, claims = claims + 1, leased_until = ?5 WHERE (workspace_id, id) IN (",
    lines!("?1"),
    ", head AS (",
    in_turn!(),
    " FROM (SELECT f.workspace_id, f.id, f.next_attempt_at AS due_at FROM line JOIN deliveries f ON f.rowid IN (",
    heads!(
        "?1",
        "h.next_attempt_at <= ?4 AND (h.leased_until IS NULL OR h.leased_until <= ?7) AND h.claims < 5",
        "h.rowid",
        "min(32, ?3)"
    ),
    ") WHERE line.id IS NOT NULL AND instr(?2, hex(line.id)) = 0) g \
     WHERE instr(?6, hex(workspace_id)) = 0 AND ",
    super::not_held!("g.workspace_id"),
    " ORDER BY turn, due_at, id LIMIT ?3) SELECT workspace_id, id FROM head)",
    told!()
);

#[derive(Debug, QueryableByName)]
#[diesel(table_name = deliveries)]
struct ClaimedRow {
    workspace_id: DbId,
    id: DbId,
    webhook_id: DbId,
    event_id: DbId,
    event_kind: String,
    attempts: i32,
    round_start: i32,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
    token: i64,
    errors: i32,
    next_attempt_at: Option<DbTime>,
}

impl ClaimedRow {
    fn read(self) -> Result<ClaimedJob, Fault> {
        let (delivery, webhook, round) = (self.id.typed(), self.webhook_id.typed(), self.round_start);
        let job = match self.attempts > round {
            true => Job::RetryDelivery { delivery, webhook, round },
            false => Job::AttemptDelivery { delivery, webhook, round },
        };
        Ok(ClaimedJob {
            id: self.id.typed(),
            workspace: self.workspace_id.typed(),
            job,
            token: self.token,
            attempts: self.errors,
            delivery: Some(ClaimedDelivery {
                event: self.event_id.typed(),
                event_kind: word(&self.event_kind, "event kind", EventKind::parse)?,
                attempts: self.attempts,
                created_at: self.created_at.0,
                updated_at: self.updated_at.0,
                version: self.version,
            }),
        })
    }
}

/// A claim looks at so many of one webhook at the most, as the statements say.
const OF_A_WEBHOOK: u32 = 32;

/// Takes due deliveries: later attempts as many as may be, then first ones.
pub(super) async fn claim(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    webhooks: &Webhooks,
) -> Result<Vec<ClaimedJob>, Fault> {
    let mut claimed = claim_queue(c, request, webhooks, LATER, request.limit.min(request.retries)).await?;
    let left = request.limit.saturating_sub(u32::try_from(claimed.len()).unwrap_or(u32::MAX));
    and_more(&mut claimed, claim_queue(c, request, webhooks, FIRST, left).await)?;
    Ok(claimed)
}

async fn claim_queue(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    webhooks: &Webhooks,
    queue: i32,
    limit: u32,
) -> Result<Vec<ClaimedJob>, Fault> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let workspaces: Vec<Uuid> = request.full_workspaces.iter().map(|workspace| workspace.uuid()).collect();
    let rows: Vec<ClaimedRow> = match c {
        Connection::Postgres(connection) => {
            let mut open = webhooks.look(connection, queue).await?;
            open.retain(|it| !request.full_groups.contains(it));
            if open.is_empty() {
                return Ok(Vec::new());
            }
            let began = std::time::Instant::now();
            let marks = webhooks.marks(queue, &open, began);
            let is_marked = marks.iter().any(|since| *since > marks::beginning());
            let from = Open { queue, webhooks: &open, full_workspaces: &workspaces };
            let mut rows = claim_of(connection, request, from, (limit, marks)).await?;
            if rows.len() >= limit.min(OF_A_WEBHOOK) as usize {
                webhooks.took(queue, &firsts(&rows), request.since.is_none(), began);
            } else if is_marked {
                // That this is all is said of what lies before the marks, too.
                webhooks.forget_marks(queue);
                let left = limit.saturating_sub(u32::try_from(rows.len()).unwrap_or(u32::MAX));
                let beginnings = vec![marks::beginning(); open.len()];
                and_more(&mut rows, claim_of(connection, request, from, (left, beginnings)).await)?;
            }
            rows
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_SQLITE)
                .bind::<Integer, _>(queue)
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

/// Whose deliveries may be claimed.
#[derive(Clone, Copy)]
struct Open<'a> {
    queue: i32,
    webhooks: &'a [Uuid],
    full_workspaces: &'a [Uuid],
}

/// Claims so many deliveries to webhooks, of each from its mark on.
async fn claim_of(
    mut connection: &AsyncPgConnection,
    request: &ClaimRequest,
    Open { queue, webhooks, full_workspaces }: Open<'_>,
    (limit, marks): (u32, Vec<Timestamp>),
) -> Result<Vec<ClaimedRow>, Fault> {
    let ids = |ids: &[Uuid]| ids.iter().copied().map(DbId).collect::<Vec<_>>();
    let query = diesel::sql_query(CLAIM_POSTGRES)
        .bind::<Integer, _>(queue)
        .bind::<Array<Id>, _>(ids(webhooks))
        .bind::<BigInt, _>(i64::from(limit))
        .bind::<BigInt, _>(lease_millis(request))
        .bind::<Array<Id>, _>(ids(full_workspaces))
        .bind::<Instant, _>(mark(request))
        .bind::<Array<Instant>, _>(marks.into_iter().map(DbTime).collect::<Vec<_>>());
    Ok(diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?)
}

/// Of each webhook, when the first of these fell due.
fn firsts(rows: &[ClaimedRow]) -> BTreeMap<Uuid, Timestamp> {
    let mut firsts = BTreeMap::<Uuid, Timestamp>::new();
    for (webhook, due_at) in rows.iter().filter_map(|row| Some((row.webhook_id.0, row.next_attempt_at?.0))) {
        firsts.entry(webhook).and_modify(|first| *first = due_at.min(*first)).or_insert(due_at);
    }
    firsts
}

/// What was claimed five times comes to the head of its queue, as all before it is taken.
const POISONED_POSTGRES: &str = concat!(
    lines!("$1"),
    ", poison AS MATERIALIZED (SELECT held.place FROM line CROSS JOIN LATERAL (",
    heads!("$1", "h.next_attempt_at <= now()", "h.ctid AS place, h.claims, h.leased_until", "256"),
    ") f CROSS JOIN LATERAL (SELECT j.ctid AS place FROM deliveries j WHERE j.ctid = f.place AND j.claims >= 5 \
     AND (j.leased_until IS NULL OR j.leased_until <= now()) FOR NO KEY UPDATE SKIP LOCKED) held \
     WHERE line.id IS NOT NULL AND f.claims >= 5 AND (f.leased_until IS NULL OR f.leased_until <= now()) LIMIT $2) \
     UPDATE deliveries SET token = deliveries.token + 1, leased_until = now() + $3 * interval '1 millisecond' \
     FROM poison WHERE deliveries.ctid = poison.place",
    told!()
);
const POISONED_SQLITE: &str = concat!(
    "UPDATE deliveries SET token = token + 1, leased_until = ?3 WHERE (workspace_id, id) IN (",
    lines!("?1"),
    " SELECT f.workspace_id, f.id FROM line JOIN deliveries f ON f.rowid IN (",
    heads!("?1", "h.next_attempt_at <= ?4", "h.rowid", "256"),
    ") WHERE line.id IS NOT NULL AND f.claims >= 5 AND (f.leased_until IS NULL OR f.leased_until <= ?5) LIMIT ?2)",
    told!()
);

/// Takes what was claimed five times without a result, to be settled.
pub(super) async fn poisoned(
    c: &mut Connection<'_>,
    limit: u32,
    lease: std::time::Duration,
    now: Timestamp,
) -> Result<Vec<ClaimedJob>, Fault> {
    let mut poison = Vec::new();
    for queue in [FIRST, LATER] {
        let rows: Vec<ClaimedRow> = match c {
            Connection::Postgres(connection) => {
                let mut connection: &diesel_async::AsyncPgConnection = connection;
                let query = diesel::sql_query(POISONED_POSTGRES)
                    .bind::<Integer, _>(queue)
                    .bind::<BigInt, _>(i64::from(limit))
                    .bind::<BigInt, _>(millis(lease));
                diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?
            }
            Connection::Sqlite(connection) => {
                let query = diesel::sql_query(POISONED_SQLITE)
                    .bind::<Integer, _>(queue)
                    .bind::<BigInt, _>(i64::from(limit))
                    .bind::<Instant, _>(DbTime(steady::now().plus(lease)))
                    .bind::<Instant, _>(DbTime(now))
                    .bind::<Instant, _>(DbTime(steady::now()));
                diesel::RunQueryDsl::load(Fixed(query), &mut **connection)?
            }
        };
        poison.extend(rows.into_iter().map(ClaimedRow::read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(poison)
}
