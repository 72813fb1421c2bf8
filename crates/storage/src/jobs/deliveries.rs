//! Queued deliveries. Each is a separate row with its own claim.
//!
//! They are claimed webhook by webhook, as [`super::delivery_claims`] claims deliveries that earlier releases queued as
//! jobs. A claim changes no indexed column, and the row stays in the index until an attempt is recorded. A later claim
//! skips the running deliveries of each webhook; their number is limited.

mod claims;

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

use super::webhooks::Webhooks;
use super::{and_more, hexadecimal, lease_millis, low_water_mark, marks, millis};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::deliveries;
use crate::sqlite::monotonic_clock;
use crate::webhooks::deliveries::{FIRST, LATER};

pub(super) use claims::{end, extend, free_leases, next_due, park, release, reschedule};

/// Concurrent claims skip locked rows, so the statement finds more heads than requested. It locks them in order until
/// it has enough, and updates them by their row positions. A mark ahead of the database's clock is ignored.
const CLAIM_POSTGRES: &str = include_str!("sql/claim_deliveries.postgres.sql");

/// SQLite has no LATERAL: the rows of each queue are numbered.
const CLAIM_SQLITE: &str = include_str!("sql/claim_deliveries.sqlite.sql");

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
        let (delivery, webhook, round) = (self.id.to_typed_id(), self.webhook_id.to_typed_id(), self.round_start);
        let job = match self.attempts > round {
            true => Job::RetryDelivery { delivery, webhook, round },
            false => Job::AttemptDelivery { delivery, webhook, round },
        };
        Ok(ClaimedJob {
            id: self.id.to_typed_id(),
            workspace: self.workspace_id.to_typed_id(),
            job,
            token: self.token,
            attempts: self.errors,
            delivery: Some(ClaimedDelivery {
                event: self.event_id.to_typed_id(),
                event_kind: word(&self.event_kind, "event kind", EventKind::parse)?,
                attempts: self.attempts,
                created_at: self.created_at.0,
                updated_at: self.updated_at.0,
                version: self.version,
            }),
        })
    }
}

/// The maximum number of deliveries of one webhook in a claim; the statements contain it.
const OF_A_WEBHOOK: u32 = 32;

/// Claims due deliveries: as many retries as allowed, then first attempts.
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
                webhooks.note_claim(queue, &firsts(&rows), request.since.is_none(), began);
            } else if is_marked {
                // Deliveries before the marks must be checked before the result counts as complete.
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
                .bind::<Instant, _>(DbTime(monotonic_clock::now().plus(request.lease)))
                .bind::<Text, _>(hexadecimal(workspaces.iter()))
                .bind::<Instant, _>(DbTime(monotonic_clock::now()));
            diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?
        }
    };
    rows.into_iter().map(ClaimedRow::read).collect()
}

/// The webhooks with deliveries to claim.
#[derive(Clone, Copy)]
struct Open<'a> {
    queue: i32,
    webhooks: &'a [Uuid],
    full_workspaces: &'a [Uuid],
}

/// Claims deliveries to webhooks, starting at each webhook's mark.
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
        .bind::<Instant, _>(low_water_mark(request))
        .bind::<Array<Instant>, _>(marks.into_iter().map(DbTime).collect::<Vec<_>>());
    Ok(diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?)
}

fn firsts(rows: &[ClaimedRow]) -> BTreeMap<Uuid, Timestamp> {
    let mut firsts = BTreeMap::<Uuid, Timestamp>::new();
    for (webhook, due_at) in rows.iter().filter_map(|row| Some((row.webhook_id.0, row.next_attempt_at?.0))) {
        firsts.entry(webhook).and_modify(|first| *first = due_at.min(*first)).or_insert(due_at);
    }
    firsts
}

/// A delivery that was claimed five times reaches the head of its queue, because all earlier ones are done.
const POISONED_POSTGRES: &str = include_str!("sql/poisoned_deliveries.postgres.sql");
const POISONED_SQLITE: &str = include_str!("sql/poisoned_deliveries.sqlite.sql");

/// Claims the deliveries that were claimed five times without a result.
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
                diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?
            }
            Connection::Sqlite(connection) => {
                let query = diesel::sql_query(POISONED_SQLITE)
                    .bind::<Integer, _>(queue)
                    .bind::<BigInt, _>(i64::from(limit))
                    .bind::<Instant, _>(DbTime(monotonic_clock::now().plus(lease)))
                    .bind::<Instant, _>(DbTime(now))
                    .bind::<Instant, _>(DbTime(monotonic_clock::now()));
                diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?
            }
        };
        poison.extend(rows.into_iter().map(ClaimedRow::read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(poison)
}
