//! Claims of all jobs except deliveries, with turns for workspaces.
//!
//! Usually all due jobs are claimed at once, by due time. If this fills half of the request, the other half goes to
//! workspaces in turn, starting after the workspace of the last claim. Each claim serves a bounded number of workspaces
//! and reads only the first jobs of each. Any room left goes to the longest due jobs. If a workspace has enough running
//! sends, all sends are claimed in turn, without it. The list of workspaces with work is cached ([`QueueCache`]).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant as Moment;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{ClaimRequest, ClaimedJob, Pool};
use uuid::Uuid;

use super::queue_cache::QueueCache;
use super::{ClaimedRow, and_more, claim_first, count, hexadecimal, lease_millis, low_water_mark};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::sqlite::monotonic_clock;

/// The turns of the workspaces, and the known workspaces with work.
#[derive(Debug, Default)]
pub(super) struct WorkspaceTurns {
    pools: [Mutex<Turn>; 3],
    /// The workspaces with work in each pool.
    queue_caches: [Mutex<QueueCache>; 3],
}

/// The position of a pool in the turns.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    /// Whether the last claim left due jobs behind.
    is_behind: bool,
    last: Uuid,
}

impl WorkspaceTurns {
    fn of(&self, pool: Pool) -> &Mutex<Turn> {
        let [work, sends, polls] = &self.pools;
        match pool {
            Pool::Work | Pool::Deliveries => work,
            Pool::Sends => sends,
            Pool::Polls => polls,
        }
    }

    fn queue_cache(&self, pool: Pool) -> &Mutex<QueueCache> {
        let [work, sends, polls] = &self.queue_caches;
        match pool {
            Pool::Work | Pool::Deliveries => work,
            Pool::Sends => sends,
            Pool::Polls => polls,
        }
    }

    /// Records a new job of this workspace. If the workspace is unknown, a new look is required.
    pub(super) fn refresh_if_unknown(&self, workspace: Uuid) {
        for cache in &self.queue_caches {
            cache.lock().unwrap_or_else(PoisonError::into_inner).refresh_if_unknown(workspace);
        }
    }

    fn get(&self, pool: Pool) -> Turn {
        *self.of(pool).lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, pool: Pool, turn: Turn) {
        *self.of(pool).lock().unwrap_or_else(PoisonError::into_inner) = turn;
    }
}

/// Maximum number of workspaces in a claim.
const LOOKED_AT: usize = 64;
/// Maximum number of known workspaces.
const KNOWN: usize = 1_024;

/// Selects the workspaces after a given one that have jobs, due or not, by skipping through the index on (pool,
/// workspace, due_at). The last row is null. The condition must match the index.
const BEHIND_ON_POSTGRES: &str = include_str!("sql/workspaces_behind.postgres.sql");
const BEHIND_ON_SQLITE: &str = include_str!("sql/workspaces_behind.sqlite.sql");

#[derive(QueryableByName)]
struct Workspace {
    #[diesel(sql_type = Id)]
    id: DbId,
}

/// Claims the first due jobs of each workspace. No workspace gets a second job while another waits for its first.
const CLAIM_IN_TURN_POSTGRES: &str = include_str!("sql/claim_of_workspaces.postgres.sql");

/// SQLite has no LATERAL and no lists: it claims the first jobs of one workspace.
const CLAIM_IN_TURN_SQLITE: &str = include_str!("sql/claim_of_workspaces.sqlite.sql");

/// Claims due jobs of a pool: by due time with [`claim_first`] if that is enough, otherwise also by turns.
pub(super) async fn claim(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    turns: &WorkspaceTurns,
) -> Result<Vec<ClaimedJob>, Fault> {
    let limit = request.limit;
    let mut turn = turns.get(request.pool);
    let mut claimed = Vec::new();
    if !turn.is_behind && !skips_workspaces(request) {
        let half = limit.div_ceil(2);
        claimed = claim_first(c, request, half).await?;
        if count(&claimed) < half {
            return Ok(claimed);
        }
    }
    let rest = match count(&claimed) < limit {
        true => claim_rest(c, request, turns, &mut turn, &claimed).await,
        false => Ok(Vec::new()),
    };
    and_more(&mut claimed, rest)?;
    turn.is_behind = count(&claimed) >= limit;
    turns.set(request.pool, turn);
    Ok(claimed)
}

/// Claims by turns first, then by due time.
async fn claim_rest(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    turns: &WorkspaceTurns,
    turn: &mut Turn,
    claimed: &[ClaimedJob],
) -> Result<Vec<ClaimedJob>, Fault> {
    let left = request.limit - count(claimed);
    let mut of_each = HashMap::<WorkspaceId, u32>::new();
    claimed.iter().for_each(|job| *of_each.entry(job.workspace).or_default() += 1);
    let has_enough = |workspace: &DbId| {
        let id = workspace.to_typed_id();
        request.full_workspaces.contains(&id) || of_each.get(&id).is_some_and(|jobs| jobs * 2 >= request.limit)
    };
    let mut workspaces = in_order(c, request.pool, turns, turn.last).await?;
    turn.last = workspaces.last().map_or(Uuid::nil(), |it| it.0);
    workspaces.retain(|it| !has_enough(it));
    let mut rest = in_turn(c, request, left, workspaces).await?;
    let left = left - count(&rest).min(left);
    if left > 0 && !skips_workspaces(request) {
        and_more(&mut rest, claim_first(c, request, left).await)?;
    }
    Ok(rest)
}

/// Whether the jobs of some workspaces are not claimed at all: each of them can wait long for another system.
fn skips_workspaces(request: &ClaimRequest) -> bool {
    request.pool.waits_for_others() && !request.full_workspaces.is_empty()
}

/// Returns the workspaces in order of their turns, starting after `last`, each once.
async fn in_order(c: &mut Connection<'_>, pool: Pool, turns: &WorkspaceTurns, last: Uuid) -> Result<Vec<DbId>, Fault> {
    let lock = || turns.queue_cache(pool).lock().unwrap_or_else(PoisonError::into_inner);
    let began = Moment::now();
    {
        let mut cache = lock();
        if let Some(known) = cache.at(began).and_then(|known| around(known, last)) {
            return Ok(known);
        }
        cache.begins(began);
    }
    let mut known = next_workspaces(c, pool, last).await?;
    if known.len() < KNOWN && !last.is_nil() {
        known = once_around(next_workspaces(c, pool, Uuid::nil()).await?, known, last);
    }
    let order = around(&known, last).unwrap_or_default();
    lock().keep(known, began, Moment::now());
    Ok(order)
}

/// Merges the workspaces after `last` with those up to it, sorted and limited to the known maximum.
fn once_around(mut first: Vec<Uuid>, following: Vec<Uuid>, last: Uuid) -> Vec<Uuid> {
    first.retain(|it| *it <= last);
    first.truncate((KNOWN - 1).saturating_sub(following.len()));
    first.extend(following);
    first
}

/// Returns the next known workspaces after `last`, wrapping around. Returns `None` if a new look is required.
fn around(known: &[Uuid], last: Uuid) -> Option<Vec<DbId>> {
    let (before, following) = known.split_at(known.partition_point(|it| *it <= last));
    if following.is_empty() && known.len() >= KNOWN {
        return None;
    }
    let before = if known.len() < KNOWN { before } else { &[] };
    Some(following.iter().chain(before).take(LOOKED_AT).copied().map(DbId).collect())
}

async fn next_workspaces(c: &mut Connection<'_>, pool: Pool, last: Uuid) -> Result<Vec<Uuid>, Fault> {
    let most = i64::try_from(KNOWN).unwrap_or(1_024);
    let found: Vec<Workspace> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = diesel::sql_query(BEHIND_ON_POSTGRES).bind::<Text, _>(pool.as_str()).bind::<Id, _>(DbId(last));
            diesel_async::RunQueryDsl::load(PreparedQuery(query.bind::<BigInt, _>(most)), &mut connection).await?
        }
        Connection::Sqlite(connection) => {
            let query = diesel::sql_query(BEHIND_ON_SQLITE).bind::<Text, _>(pool.as_str()).bind::<Id, _>(DbId(last));
            diesel::RunQueryDsl::load(PreparedQuery(query.bind::<BigInt, _>(most)), &mut **connection)?
        }
    };
    Ok(found.into_iter().map(|it| it.id.0).collect())
}

async fn in_turn(
    c: &mut Connection<'_>,
    request: &ClaimRequest,
    limit: u32,
    workspaces: Vec<DbId>,
) -> Result<Vec<ClaimedJob>, Fault> {
    if workspaces.is_empty() {
        return Ok(Vec::new());
    }
    let pool = request.pool.as_str();
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let groups: Vec<DbId> = request.full_groups.iter().copied().map(DbId).collect();
            let query = diesel::sql_query(CLAIM_IN_TURN_POSTGRES)
                .bind::<Text, _>(pool)
                .bind::<Array<Id>, _>(groups)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<BigInt, _>(lease_millis(request))
                .bind::<Instant, _>(low_water_mark(request))
                .bind::<Array<Id>, _>(workspaces);
            let rows: Vec<ClaimedRow> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
            rows.into_iter().map(ClaimedRow::read).collect()
        }
        Connection::Sqlite(connection) => {
            let mut claimed = Vec::new();
            // Claims one job of each workspace, until there are enough or none is left.
            let mut turns = workspaces;
            while !turns.is_empty() && count(&claimed) < limit {
                let mut with_more = Vec::new();
                for workspace in turns.drain(..) {
                    if count(&claimed) >= limit {
                        break;
                    }
                    let query = diesel::sql_query(CLAIM_IN_TURN_SQLITE)
                        .bind::<Text, _>(pool)
                        .bind::<Text, _>(hexadecimal(request.full_groups.iter()))
                        .bind::<BigInt, _>(1)
                        .bind::<Instant, _>(DbTime(request.now))
                        .bind::<Instant, _>(DbTime(monotonic_clock::now().plus(request.lease)))
                        .bind::<Instant, _>(DbTime(monotonic_clock::now()))
                        .bind::<Id, _>(workspace);
                    let rows: Vec<ClaimedRow> = diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?;
                    for row in rows {
                        claimed.push(row.read()?);
                        with_more.push(workspace);
                    }
                }
                turns = with_more;
            }
            Ok(claimed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspaces(numbers: std::ops::Range<usize>) -> Vec<Uuid> {
        numbers.map(|number| Uuid::from_u128(number as u128 + 1)).collect()
    }

    #[test]
    fn each_of_more_workspaces_than_the_cache_holds_gets_a_turn() {
        let all = workspaces(0..3 * KNOWN);
        let next_workspaces = |last: Uuid| all.iter().filter(|it| **it > last).take(KNOWN).copied().collect::<Vec<_>>();
        let (mut last, mut had) = (Uuid::nil(), std::collections::HashSet::new());
        // Each claim looks again: known workspaces are forgotten between claims.
        for _ in 0..all.len().div_ceil(LOOKED_AT) + 1 {
            let mut known = next_workspaces(last);
            if known.len() < KNOWN && !last.is_nil() {
                known = once_around(next_workspaces(Uuid::nil()), known, last);
            }
            assert!(known.is_sorted());
            let turns = around(&known, last).unwrap_or_default();
            last = turns.last().map_or(Uuid::nil(), |it| it.0);
            had.extend(turns.into_iter().map(|it| it.0));
        }
        assert_eq!(had.len(), all.len());
    }
}
