//! Counters of attempts, by webhook, hour, outcome and duration.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diesel::prelude::*;
use tidings_domain::ids::WebhookId;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::AttemptCount;

use crate::connection::{Connection, execute, load, load_any};
use crate::faults::Fault;
use crate::schema::webhook_counts;
use crate::types::{DbId, DbTime};
use crate::write::{self, Columns, Written};

crate::write::written! {
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

impl CountRow {
    pub(crate) fn write(workspace_id: DbId, it: &AttemptCount) -> Self {
        Self {
            workspace_id,
            webhook_id: it.webhook.into(),
            hour: it.hour.into(),
            succeeded: it.succeeded,
            bucket: it.bucket,
            count: it.count,
        }
    }
}

pub(crate) async fn read(
    c: &mut Connection<'_>,
    ws: DbId,
    webhooks: Vec<WebhookId>,
    since: Timestamp,
) -> Result<Vec<AttemptCount>, Fault> {
    let webhooks: Vec<DbId> = webhooks.into_iter().map(DbId::from).collect();
    let rows: Vec<CountRow> = load_any!(
        c,
        webhook_counts::table
            .filter(webhook_counts::workspace_id.eq(ws))
            .filter(webhook_counts::webhook_id.eq_any(webhooks))
            .filter(webhook_counts::hour.ge(DbTime(since)))
            .select(CountRow::as_select())
    )?;
    let counts = rows.into_iter().map(|row| AttemptCount {
        webhook: row.webhook_id.typed(),
        hour: row.hour.0,
        succeeded: row.succeeded,
        bucket: row.bucket,
        count: row.count,
    });
    Ok(counts.collect())
}

/// Removes at most `limit` counters of hours before `before`.
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

/// Adds to counters: one row for each, in the order of their keys, so that two processes never wait for one another in a
/// circle.
pub(crate) async fn add(c: &mut Connection<'_>, rows: Vec<CountRow>) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> =
        LazyLock::new(|| write::insert_text("webhook_counts", &CountRow::columns(), ADD));
    let mut sums = BTreeMap::<_, CountRow>::new();
    for row in rows {
        let key = (row.workspace_id.0, row.webhook_id.0, row.hour, row.succeeded, row.bucket);
        match sums.get_mut(&key) {
            Some(sum) => sum.count += row.count,
            None => drop(sums.insert(key, row)),
        }
    }
    let rows: Vec<_> = sums.into_values().collect();
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, &ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => {
            let text = format!("{} {ADD}", CountRow::texts().insert_on_sqlite);
            write::each(connection, &rows, &text).map(|_| ())
        }
    }
}
