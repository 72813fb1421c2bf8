//! Claims of deliveries that earlier releases queued as jobs. Webhooks and workspaces take turns.
//!
//! Queues are found by skipping from one webhook to the next in the index on (kind, group, due_at). For each, only its
//! first jobs are read. A claim costs a few index searches for each webhook with due work, regardless of the length of
//! its queue, and nothing for full or parked ones.

use diesel::sql_types::{Array, BigInt, Text};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{ClaimRequest, ClaimedJob, JobKind};
use uuid::Uuid;

use super::{ClaimedRow, and_more, hexadecimal, lease_millis, low_water_mark};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::sqlite::monotonic_clock;

/// Concurrent claims skip locked rows, so the statement finds more heads than requested. It locks them in order until
/// it has enough, and updates them by their row positions.
const CLAIM_POSTGRES: &str = include_str!("sql/claim_queued_deliveries.postgres.sql");

/// SQLite has no LATERAL: the rows of each queue are numbered.
const CLAIM_SQLITE: &str = include_str!("sql/claim_queued_deliveries.sqlite.sql");

/// Claims due deliveries: as many retries as allowed, then first attempts.
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
                .bind::<Instant, _>(low_water_mark(request));
            diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(CLAIM_SQLITE)
                .bind::<Text, _>(kind.as_str())
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
