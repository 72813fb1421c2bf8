//! Counters of attempts by webhook, hour, outcome and duration. An attempt is a fact until it is counted: deliveries
//! that end at the same time do not wait for a counter.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::ids::WebhookId;
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::AttemptCount;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{analytics_facts, webhook_counts};
use crate::write::{self, Columns, WriteTexts};

crate::write::write_texts! {
    CountRow: crate::write::Shape::of("webhook_counts"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = webhook_counts)]
    pub(crate) struct CountRow in webhook_counts {
        pub(crate) workspace_id: DbId,
        pub(crate) webhook_id: DbId,
        pub(crate) hour: DbTime,
        pub(crate) succeeded: bool,
        pub(crate) bucket: i32,
        pub(crate) count: i64,
    }
}

pub(crate) const METRIC: &str = "webhook_attempts";

/// Must match the text of the index.
const IS_ATTEMPT: &str = "analytics_facts.metric = 'webhook_attempts'";

pub(crate) fn dimension(it: &AttemptCount) -> String {
    format!("{} {} {}", DbId::from(it.webhook).0, u8::from(it.succeeded), it.bucket)
}

impl CountRow {
    /// Parses the result of [`dimension`].
    pub(crate) fn of_fact(workspace_id: DbId, dimension: &str, hour: Timestamp, count: i64) -> Result<Self, Fault> {
        let mut words = dimension.split(' ');
        let mut next = || words.next().unwrap_or_default();
        let read = (next().parse().ok(), next() == "1", next().parse().ok());
        let (Some(webhook), succeeded, Some(bucket)) = read else {
            return Err(StoreError::Corrupt(format!("an attempt counter with the dimension {dimension:?}")).into());
        };
        Ok(Self { workspace_id, webhook_id: DbId(webhook), hour: hour.into(), succeeded, bucket, count })
    }
}

pub(crate) async fn read(
    c: &mut Connection<'_>,
    ws: DbId,
    webhooks: Vec<WebhookId>,
    since: Timestamp,
) -> Result<Vec<AttemptCount>, Fault> {
    let webhooks: Vec<DbId> = webhooks.into_iter().map(DbId::from).collect();
    let facts: Vec<(String, DbTime, i64)> = load!(
        c,
        analytics_facts::table
            .filter(analytics_facts::workspace_id.eq(ws))
            .filter(diesel::dsl::sql::<Bool>(IS_ATTEMPT))
            .filter(analytics_facts::at.ge(DbTime(since)))
            .select((analytics_facts::dimension, analytics_facts::at, analytics_facts::amount))
    )?;
    let mut rows: Vec<CountRow> = load!(
        cached_on_postgres,
        c,
        webhook_counts::table
            .filter(webhook_counts::workspace_id.eq(ws))
            .filter(webhook_counts::webhook_id.eq_any(webhooks.clone()))
            .filter(webhook_counts::hour.ge(DbTime(since)))
            .select(CountRow::as_select())
    )?;
    for (dimension, hour, count) in facts {
        let row = CountRow::of_fact(ws, &dimension, hour.0, count)?;
        if webhooks.contains(&row.webhook_id) {
            rows.push(row);
        }
    }
    let counts = summed(rows).into_iter().map(|row| AttemptCount {
        webhook: row.webhook_id.to_typed_id(),
        hour: row.hour.0,
        succeeded: row.succeeded,
        bucket: row.bucket,
        count: row.count,
    });
    Ok(counts.collect())
}

fn summed(rows: Vec<CountRow>) -> Vec<CountRow> {
    let mut sums = BTreeMap::<_, CountRow>::new();
    for row in rows {
        let key = (row.workspace_id.0, row.webhook_id.0, row.hour, row.succeeded, row.bucket);
        match sums.get_mut(&key) {
            Some(sum) => sum.count += row.count,
            None => drop(sums.insert(key, row)),
        }
    }
    sums.into_values().collect()
}

pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<CountRow> = load!(
        c,
        webhook_counts::table
            .filter(webhook_counts::hour.lt(DbTime(before)))
            .order(webhook_counts::hour.asc())
            .limit(i64::from(limit))
            .select(CountRow::as_select())
    )?;
    let mut removed = 0;
    for row in old {
        let key = (row.workspace_id, row.webhook_id, row.hour, row.succeeded, row.bucket);
        removed += execute!(c, diesel::delete(webhook_counts::table.find(key)))? as u64;
    }
    Ok(removed)
}

const ADD: &str = "ON CONFLICT (workspace_id, webhook_id, hour, succeeded, bucket) \
                   DO UPDATE SET count = webhook_counts.count + excluded.count";

/// Adds to counters. There is one row for each counter, in key order to avoid deadlocks.
pub(crate) async fn add(c: &mut Connection<'_>, rows: Vec<CountRow>) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> =
        LazyLock::new(|| write::insert_text("webhook_counts", &CountRow::columns(), ADD));
    let rows = summed(rows);
    if rows.is_empty() {
        return Ok(());
    }
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, &ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => {
            let text = format!("{} {ADD}", CountRow::texts().insert_on_sqlite);
            write::each(connection, &rows, &text).map(|_| ())
        }
    }
}
