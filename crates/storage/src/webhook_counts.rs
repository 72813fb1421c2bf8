//! Counters of attempts, by webhook, hour, outcome and duration.

use diesel::prelude::*;
use tidings_domain::ids::WebhookId;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::AttemptCount;

use crate::connection::{Connection, execute, load, load_any};
use crate::faults::Fault;
use crate::schema::webhook_counts;
use crate::types::{DbId, DbTime};

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_counts, treat_none_as_default_value = false)]
pub(crate) struct CountRow {
    pub(crate) workspace_id: DbId,
    pub(crate) webhook_id: DbId,
    pub(crate) hour: DbTime,
    pub(crate) succeeded: bool,
    pub(crate) bucket: i32,
    pub(crate) count: i64,
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

pub(crate) async fn add(c: &mut Connection<'_>, workspace_id: DbId, it: &AttemptCount) -> Result<(), Fault> {
    let key = (
        webhook_counts::workspace_id,
        webhook_counts::webhook_id,
        webhook_counts::hour,
        webhook_counts::succeeded,
        webhook_counts::bucket,
    );
    let insert = diesel::insert_into(webhook_counts::table).values(CountRow::write(workspace_id, it)).on_conflict(key);
    let count = webhook_counts::count.eq(webhook_counts::count + it.count);
    execute!(c, insert.do_update().set(count)).map(|_| ())
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
