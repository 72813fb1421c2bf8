//! Analytics: uncounted facts and counters.

mod reply_times;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable};
use diesel::upsert::excluded;
use tidings_domain::access::Access;
use tidings_domain::analytics::{Count, Fact, Metric, Part, QUARTER, ReplyTallies, ReplyTime};
use tidings_domain::broadcasts::Count as BroadcastCount;
use tidings_domain::flows::Passage;
use tidings_domain::ids::BroadcastId;
use tidings_domain::ports::{AnalyticsQueries, StoreError};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::AttemptCount;
use uuid::Uuid;

use crate::broadcasts;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::flows;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::{analytics_counters, analytics_facts};
use crate::webhooks::webhook_counts::{self, CountRow};
use crate::{ReadMode, Storage};

crate::write::write_texts! {
    FactRow: crate::write::Shape::of("analytics_facts"),
}

crate::write::row! {
    /// An uncounted fact.
    #[derive(Debug, Clone)]
    pub(crate) struct FactRow in analytics_facts {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) metric: &'static str,
        pub(crate) dimension: String,
        pub(crate) amount: i64,
        pub(crate) at: DbTime,
    }
}

impl FactRow {
    pub(crate) fn write(workspace_id: DbId, it: &Fact) -> Self {
        let (metric, dimension) = (it.metric.as_str(), it.dimension.clone());
        Self { workspace_id, id: DbId(it.id), metric, dimension, amount: it.amount, at: it.at.into() }
    }

    /// Creates the fact for outcomes of a broadcast's messages. The counters of this and the following kinds are in
    /// separate tables.
    pub(crate) fn broadcast(
        workspace_id: DbId,
        id: Uuid,
        (broadcast, count): (BroadcastId, BroadcastCount),
        amount: i64,
        at: Timestamp,
    ) -> Self {
        let (metric, dimension) = (broadcasts::METRIC, broadcasts::dimension(broadcast, count));
        Self { workspace_id, id: DbId(id), metric, dimension, amount, at: at.into() }
    }

    /// Creates the fact for a step at a node of its flow.
    pub(crate) fn passage(workspace_id: DbId, id: Uuid, it: &Passage, at: Timestamp) -> Self {
        let (metric, dimension) = (flows::NODES, it.encode());
        Self { workspace_id, id: DbId(id), metric, dimension, amount: 1, at: at.into() }
    }

    pub(crate) fn reply(workspace_id: DbId, it: &ReplyTime) -> Self {
        let (metric, dimension) = (reply_times::METRIC, it.encode());
        Self { workspace_id, id: DbId(it.id), metric, dimension, amount: 1, at: it.at.into() }
    }

    pub(crate) fn attempt(workspace_id: DbId, id: Uuid, it: &AttemptCount) -> Self {
        let (metric, dimension) = (webhook_counts::METRIC, webhook_counts::dimension(it));
        Self { workspace_id, id: DbId(id), metric, dimension, amount: it.count, at: it.hour.into() }
    }
}

/// Merges facts of the same metric and dimension in the same quarter of an hour into one row.
pub(crate) fn summed(rows: impl Iterator<Item = FactRow>) -> Vec<FactRow> {
    let mut sums = BTreeMap::new();
    for row in rows {
        let key = (row.workspace_id.0, row.metric, row.dimension.clone(), quarter(row.at.0));
        match sums.entry(key) {
            Entry::Vacant(place) => drop(place.insert(row)),
            Entry::Occupied(mut sum) => sum.get_mut().amount += row.amount,
        }
    }
    sums.into_values().collect()
}

/// Returns the start of the quarter of an hour that contains `at`.
fn quarter(at: Timestamp) -> Timestamp {
    let quarter = i64::try_from(QUARTER.as_millis()).unwrap_or(1);
    Timestamp::from_millis(at.millis().div_euclid(quarter) * quarter)
}

type WaitingFact = (DbId, DbId, String, String, i64, DbTime);
type CounterKey = (Uuid, Timestamp, String, String);

/// Takes the lock for moving facts, until the end of the transaction.
const MOVES: &str = "SELECT pg_try_advisory_xact_lock(7406293488) AS taken";

#[derive(QueryableByName)]
struct Moves {
    #[diesel(sql_type = Bool)]
    taken: bool,
}

/// Returns false if another process is moving facts. Two of them would wait for the same counters.
async fn moves_alone(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let Connection::Postgres(connection) = c else { return Ok(true) };
    let mut connection: &diesel_async::AsyncPgConnection = connection;
    let query = PreparedQuery(diesel::sql_query(MOVES));
    Ok(diesel_async::RunQueryDsl::get_result::<Moves>(query, &mut connection).await?.taken)
}

/// Returns at most `limit` facts. It skips facts locked by a process of the previous release, which does not check
/// [`moves_alone`].
async fn waiting(c: &mut Connection<'_>, limit: i64) -> Result<Vec<WaitingFact>, Fault> {
    let facts = analytics_facts::table.select(analytics_facts::all_columns).limit(limit);
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            Ok(diesel_async::RunQueryDsl::load(facts.for_update().skip_locked(), &mut connection).await?)
        }
        Connection::Sqlite(connection) => Ok(diesel::RunQueryDsl::load(facts, &mut **connection)?),
    }
}

/// Moves at most `limit` facts into the counters, or none while another process does. Counters are updated in key order
/// to avoid deadlocks.
pub(crate) async fn count(c: &mut Connection<'_>, limit: u32) -> Result<u64, Fault> {
    if !moves_alone(c).await? {
        return Ok(0);
    }
    let rows = waiting(c, i64::from(limit)).await?;
    let mut sums: BTreeMap<CounterKey, i64> = BTreeMap::new();
    for (ws, _, metric, dimension, amount, at) in &rows {
        *sums.entry((ws.0, quarter(at.0), metric.clone(), dimension.clone())).or_default() += amount;
    }
    let (mut attempts, mut of_broadcasts) = (Vec::new(), Vec::new());
    let (mut of_nodes, mut of_replies) = (Vec::new(), Vec::new());
    let mut counters: BTreeMap<CounterKey, i64> = BTreeMap::new();
    for ((ws, quarter, metric, dimension), amount) in sums {
        if metric == webhook_counts::METRIC {
            attempts.push(CountRow::of_fact(DbId(ws), &dimension, quarter, amount)?);
            continue;
        }
        if metric == flows::NODES {
            of_nodes.push((ws, dimension, quarter, amount));
            continue;
        }
        if metric == reply_times::METRIC {
            of_replies.push((ws, dimension, quarter, amount));
            continue;
        }
        if metric == broadcasts::METRIC {
            if let Some((metric, broadcast)) = broadcasts::over_time(&dimension)? {
                *counters.entry((ws, quarter, metric.as_str().to_owned(), broadcast)).or_default() += amount;
            }
            of_broadcasts.push((DbId(ws), dimension, amount));
            continue;
        }
        *counters.entry((ws, quarter, metric, dimension)).or_default() += amount;
    }
    for ((ws, quarter, metric, dimension), amount) in counters {
        let row = (
            analytics_counters::workspace_id.eq(DbId(ws)),
            analytics_counters::quarter.eq(DbTime(quarter)),
            analytics_counters::metric.eq(metric),
            analytics_counters::dimension.eq(dimension),
            analytics_counters::amount.eq(amount),
        );
        let key = (
            analytics_counters::workspace_id,
            analytics_counters::quarter,
            analytics_counters::metric,
            analytics_counters::dimension,
        );
        let more = analytics_counters::amount.eq(analytics_counters::amount + excluded(analytics_counters::amount));
        execute!(c, diesel::insert_into(analytics_counters::table).values(row).on_conflict(key).do_update().set(more))?;
    }
    webhook_counts::add(c, attempts).await?;
    broadcasts::add_counts(c, of_broadcasts).await?;
    let of_broadcasts = rows.iter().filter(|(_, _, metric, ..)| metric == broadcasts::METRIC);
    broadcasts::close_settled(
        c,
        of_broadcasts.map(|(ws, id, _, dimension, _, at)| (*ws, *id, dimension.as_str(), *at)),
    )
    .await?;
    flows::add_node_counts(c, of_nodes).await?;
    reply_times::add(c, of_replies).await?;
    remove(c, rows.iter().map(|(ws, id, ..)| (*ws, *id)).unzip()).await?;
    Ok(rows.len() as u64)
}

/// Deletes facts by key, each through a lookup of its row. It reads no other facts: many of them are moved already but
/// not vacuumed yet.
const MOVED: &str = "DELETE FROM analytics_facts AS t USING unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) AS k (workspace_id, id) \
                     CROSS JOIN LATERAL (SELECT f.ctid AS place FROM analytics_facts f \
                     WHERE f.workspace_id = k.workspace_id AND f.id = k.id LIMIT 1) AS it WHERE t.ctid = it.place";

async fn remove(c: &mut Connection<'_>, (workspaces, ids): (Vec<DbId>, Vec<DbId>)) -> Result<(), Fault> {
    if ids.is_empty() {
        return Ok(());
    }
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = diesel::sql_query(MOVED).bind::<Array<Id>, _>(workspaces).bind::<Array<Id>, _>(ids);
            diesel_async::RunQueryDsl::execute(PreparedQuery(query), &mut connection).await?;
        }
        Connection::Sqlite(connection) => {
            for (ws, id) in workspaces.into_iter().zip(ids) {
                diesel::RunQueryDsl::execute(diesel::delete(analytics_facts::table.find((ws, id))), &mut **connection)?;
            }
        }
    }
    Ok(())
}

const SUM: &str = "CAST(SUM(amount) AS bigint)";

/// A longer span counts as an expensive query.
const LONG: Duration = Duration::from_secs(31 * 86_400);

#[diesel::dsl::auto_type]
fn within(ws: DbId, from: DbTime, to: DbTime) -> _ {
    analytics_counters::table
        .filter(analytics_counters::workspace_id.eq(ws))
        .filter(analytics_counters::quarter.ge(from))
        .filter(analytics_counters::quarter.lt(to))
}

#[async_trait]
impl AnalyticsQueries for Storage {
    async fn counts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<Vec<Count>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read_at_cost(access, to.since(from) > LONG, ReadMode::Statement, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbTime, String, i64)> = load!(
                    &mut c,
                    within(ws, DbTime(from), DbTime(to))
                        .group_by((analytics_counters::quarter, analytics_counters::metric))
                        .select((analytics_counters::quarter, analytics_counters::metric, sql::<BigInt>(SUM)))
                )?;
                let read = |(quarter, metric, amount): (DbTime, String, i64)| {
                    Ok(Count { metric: word(&metric, "metric", Metric::parse)?, quarter: quarter.0, amount })
                };
                rows.into_iter().map(read).collect()
            })
        })
        .await
    }

    async fn parts(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<Vec<Part>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read_at_cost(access, to.since(from) > LONG, ReadMode::Statement, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(String, String, i64)> = load!(
                    &mut c,
                    within(ws, DbTime(from), DbTime(to))
                        .filter(analytics_counters::dimension.ne(""))
                        .group_by((analytics_counters::metric, analytics_counters::dimension))
                        .select((analytics_counters::metric, analytics_counters::dimension, sql::<BigInt>(SUM)))
                )?;
                let read = |(metric, dimension, amount): (String, String, i64)| {
                    Ok(Part { metric: word(&metric, "metric", Metric::parse)?, dimension, amount })
                };
                rows.into_iter().map(read).collect()
            })
        })
        .await
    }

    async fn sums(
        &self,
        access: &Access,
        metrics: Vec<Metric>,
        before: Timestamp,
    ) -> Result<Vec<(Metric, i64)>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let mut sums = Vec::new();
                for metric in metrics {
                    let sum: Option<Option<i64>> = find!(
                        &mut c,
                        analytics_counters::table
                            .filter(analytics_counters::workspace_id.eq(ws))
                            .filter(analytics_counters::metric.eq(metric.as_str()))
                            .filter(analytics_counters::quarter.lt(DbTime(before)))
                            .select(sql::<Nullable<BigInt>>(SUM))
                    )?;
                    sums.extend(sum.flatten().map(|sum| (metric, sum)));
                }
                Ok(sums)
            })
        })
        .await
    }

    async fn reply_times(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<ReplyTallies, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read_at_cost(access, to.since(from) > LONG, ReadMode::Snapshot, move |mut c| {
            Box::pin(async move { reply_times::read(&mut c, ws, from, to).await })
        })
        .await
    }

    async fn oldest_fact(&self, access: &Access) -> Result<Option<Timestamp>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let oldest: Option<DbTime> = find!(
                    &mut c,
                    analytics_facts::table
                        .filter(analytics_facts::workspace_id.eq(ws))
                        .order(analytics_facts::at)
                        .select(analytics_facts::at)
                        .limit(1)
                )?;
                Ok(oldest.map(|at| at.0))
            })
        })
        .await
    }
}
