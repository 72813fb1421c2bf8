//! Counters of nodes by flow, hour and version. A step is a fact until it is counted: concurrent steps do not wait for
//! a counter.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::flows::{MOST_WAITING, NodeCount, NodeTally, Passage, StatisticsRequest, hour_of};
use tidings_domain::ids::FlowId;
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{flow_node_counts, flow_runs};
use crate::write::{self, Columns, WriteTexts};

crate::write::write_texts! {
    NodeCountRow: crate::write::Shape::of("flow_node_counts"),
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct NodeCountRow in flow_node_counts {
        workspace_id: DbId,
        flow_id: DbId,
        hour: DbTime,
        flow_version: i64,
        node: String,
        what: String,
        bucket: i32,
        amount: i64,
    }
}

pub(crate) const METRIC: &str = "flow_nodes";

/// The hour of the all-time counters.
fn ever() -> Timestamp {
    Timestamp::from_millis(0)
}

const ADD: &str = "ON CONFLICT (workspace_id, flow_id, hour, flow_version, node, what, bucket) \
                   DO UPDATE SET amount = flow_node_counts.amount + excluded.amount";

/// Adds facts to the counters. Each fact has a workspace, a value of [`Passage::encode`], a time and an amount. There
/// is one row for each counter, in key order to avoid deadlocks.
pub(crate) async fn add_counts(
    c: &mut Connection<'_>,
    facts: Vec<(Uuid, String, Timestamp, i64)>,
) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> =
        LazyLock::new(|| write::insert_text("flow_node_counts", &NodeCountRow::columns(), ADD));
    let mut sums: BTreeMap<_, i64> = BTreeMap::new();
    for (ws, written, at, amount) in facts {
        let corrupt = || StoreError::Corrupt(format!("a step counter with the value {written:?}"));
        let passage = Passage::read(&written).ok_or_else(corrupt)?;
        for (node, count) in passage.counts() {
            let (what, bucket) = count.parts();
            for hour in [ever(), hour_of(at)] {
                let flow = DbId::from(passage.flow).0;
                let key = (ws, flow, hour, passage.version, node.to_owned(), what.clone(), bucket);
                *sums.entry(key).or_default() += amount;
            }
        }
    }
    let rows = sums.into_iter().map(|((ws, flow, hour, flow_version, node, what, bucket), amount)| {
        let (workspace_id, flow_id, hour) = (DbId(ws), DbId(flow), hour.into());
        NodeCountRow { workspace_id, flow_id, hour, flow_version, node, what, bucket, amount }
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, &ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => {
            let text = format!("{} {ADD}", NodeCountRow::texts().insert_on_sqlite);
            write::each(connection, &rows, &text).map(|_| ())
        }
    }
}

pub(super) async fn read(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    request: StatisticsRequest,
) -> Result<Vec<NodeTally>, Fault> {
    let after_ever = Timestamp::from_millis(1);
    let (from, to) = request.span.map_or((ever(), after_ever), |(from, to)| (from.max(after_ever), to));
    let (first, last) = request.version.map_or((0, i64::MAX), |version| (version, version));
    let rows: Vec<(String, String, i32, i64)> = load!(
        c,
        flow_node_counts::table
            .filter(flow_node_counts::workspace_id.eq(ws))
            .filter(flow_node_counts::flow_id.eq(DbId::from(flow)))
            .filter(flow_node_counts::hour.ge(DbTime(from)))
            .filter(flow_node_counts::hour.lt(DbTime(to)))
            .filter(flow_node_counts::flow_version.between(first, last))
            .group_by((flow_node_counts::node, flow_node_counts::what, flow_node_counts::bucket))
            .select((
                flow_node_counts::node,
                flow_node_counts::what,
                flow_node_counts::bucket,
                sql::<BigInt>("CAST(SUM(amount) AS bigint)")
            ))
    )?;
    let read = |(node, what, bucket, amount): (String, String, i32, i64)| {
        let corrupt = || StoreError::Corrupt(format!("a node counter of the type {what:?}"));
        let count = NodeCount::of_parts(&what, bucket).ok_or_else(corrupt)?;
        Ok(NodeTally { node, count, amount })
    };
    rows.into_iter().map(read).collect()
}

/// Returns the number of live runs at each node of a flow.
pub(super) async fn waiting(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    version: Option<i64>,
) -> Result<Vec<(String, i64)>, Fault> {
    let (first, last) = version.map_or((0, i64::MAX), |version| (version, version));
    let nodes: Vec<Option<String>> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::flow_id.eq(DbId::from(flow)))
            .filter(flow_runs::ended_at.is_null())
            .filter(flow_runs::flow_version.between(first, last))
            .select(flow_runs::node)
            .limit(i64::from(MOST_WAITING))
    )?;
    let mut counts = BTreeMap::new();
    for node in nodes.into_iter().flatten() {
        *counts.entry(node).or_default() += 1;
    }
    Ok(counts.into_iter().collect())
}
