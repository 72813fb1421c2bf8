//! Sums of the request log by quarter of an hour. They are written with each batch of requests, and queries read them
//! instead of the requests.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::LazyLock;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Text};
use tidings_domain::access::usage::{
    Caller, ErrorGroup, HOUR, KeyUsage, Span, UsageFilter, UsageHour, UsagePoint, UsageRecord, begin_of,
};
use tidings_domain::analytics::QUARTER;
use tidings_domain::ids::TypedId;
use uuid::Uuid;

use super::{Truncate, filtered_usage, point, status};
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::types::{DbId, DbTime, Instant};
use crate::schema::api_usage_sums;
use crate::write::{self, Columns, WriteTexts};

crate::write::row! {
    /// The requests of a quarter with the same key, method, route and response. The key is nil for requests of users,
    /// and the code is empty without a problem.
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = api_usage_sums)]
    pub(crate) struct SumRow in api_usage_sums {
        pub(crate) workspace_id: DbId,
        pub(crate) quarter: DbTime,
        pub(crate) key_id: DbId,
        pub(crate) method: String,
        pub(crate) route: String,
        pub(crate) status: i32,
        pub(crate) error_code: String,
        pub(crate) requests: i64,
        pub(crate) duration_ms: i64,
        pub(crate) last_at: DbTime,
    }
}

impl SumRow {
    fn of(it: &UsageRecord) -> Self {
        Self {
            workspace_id: it.workspace.into(),
            quarter: begin_of(it.at, QUARTER).into(),
            key_id: DbId(it.key.map_or(Uuid::nil(), TypedId::uuid)),
            method: it.method.clone(),
            route: it.route.clone(),
            status: i32::from(it.status),
            error_code: it.error_code.clone().unwrap_or_default(),
            requests: 1,
            duration_ms: it.duration_ms,
            last_at: it.at.into(),
        }
    }

    fn key(&self) -> (Uuid, DbTime, Uuid, String, String, i32, String) {
        let (method, route, error_code) = (self.method.clone(), self.route.clone(), self.error_code.clone());
        (self.workspace_id.0, self.quarter, self.key_id.0, method, route, self.status, error_code)
    }
}

/// Returns the sums of a batch in key order, to avoid deadlocks between batches.
pub(super) fn sums(requests: &[UsageRecord]) -> Vec<SumRow> {
    let mut sums = BTreeMap::new();
    for one in requests.iter().map(SumRow::of) {
        match sums.entry(one.key()) {
            Entry::Occupied(mut entry) => {
                let sum: &mut SumRow = entry.get_mut();
                sum.requests += 1;
                sum.duration_ms += one.duration_ms;
                sum.last_at = sum.last_at.max(one.last_at);
            }
            Entry::Vacant(entry) => {
                entry.insert(one);
            }
        }
    }
    sums.into_values().collect()
}

fn added(greatest: &str) -> String {
    format!(
        "ON CONFLICT (workspace_id, quarter, key_id, method, route, status, error_code) DO UPDATE SET \
         requests = api_usage_sums.requests + excluded.requests, \
         duration_ms = api_usage_sums.duration_ms + excluded.duration_ms, \
         last_at = {greatest}(api_usage_sums.last_at, excluded.last_at)"
    )
}

/// Adds the rows to existing sums, in order.
pub(super) async fn add(c: &mut Connection<'_>, rows: &[SumRow]) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> =
        LazyLock::new(|| write::insert_text("api_usage_sums", &SumRow::columns(), &added("greatest")));
    static ON_SQLITE: LazyLock<String> =
        LazyLock::new(|| format!("{} {}", SumRow::texts().insert_on_sqlite, added("max")));
    match c {
        _ if rows.is_empty() => Ok(()),
        Connection::Postgres(connection) => write::execute_all(connection, rows, &ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, &ON_SQLITE).map(|_| ()),
    }
}

pub(super) async fn expire(c: &mut Connection<'_>, before: DbTime, limit: i64) -> Result<usize, Fault> {
    let old: Vec<SumRow> = load!(
        c,
        api_usage_sums::table
            .filter(api_usage_sums::quarter.lt(before))
            .order(api_usage_sums::quarter.asc())
            .limit(limit)
            .select(SumRow::as_select())
    )?;
    let mut removed = 0;
    for row in old {
        let key = (row.workspace_id, row.quarter, row.key_id, row.method, row.route, row.status, row.error_code);
        removed += execute!(c, diesel::delete(api_usage_sums::table.find(key)))?;
    }
    Ok(removed)
}

const REQUESTS: &str = "CAST(SUM(requests) AS bigint)";
const CLIENT_ERRORS: &str = "CAST(SUM(CASE WHEN status BETWEEN 400 AND 499 THEN requests ELSE 0 END) AS bigint)";
const SERVER_ERRORS: &str = "CAST(SUM(CASE WHEN status >= 500 THEN requests ELSE 0 END) AS bigint)";
const DURATION: &str = "CAST(SUM(duration_ms) AS bigint)";
const LAST_AT: &str = "MAX(last_at)";

#[diesel::dsl::auto_type]
fn of_span(ws: DbId, from: DbTime, to: DbTime) -> _ {
    api_usage_sums::table
        .filter(api_usage_sums::workspace_id.eq(ws))
        .filter(api_usage_sums::quarter.ge(from))
        .filter(api_usage_sums::quarter.lt(to))
}

pub(super) async fn quarters(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: UsageFilter,
    span: Span,
) -> Result<Vec<UsagePoint>, Fault> {
    let rows: Vec<(DbTime, i64, i64, i64)> = load!(c, {
        let query = of_span(ws, DbTime(span.from), DbTime(span.to))
            .group_by(api_usage_sums::quarter)
            .order(api_usage_sums::quarter)
            .select((
                api_usage_sums::quarter,
                sql::<BigInt>(REQUESTS),
                sql::<BigInt>(CLIENT_ERRORS),
                sql::<BigInt>(SERVER_ERRORS),
            ))
            .into_boxed::<Db>();
        let (key, nobody) = (api_usage_sums::key_id, DbId(Uuid::nil()));
        filtered_usage!(query, api_usage_sums, filter, by_key: key.ne(nobody), by_person: key.eq(nobody))
    })?;
    Ok(rows.into_iter().map(point).collect())
}

pub(super) async fn hours(c: &mut Connection<'_>, ws: DbId, span: Span) -> Result<Vec<UsageHour>, Fault> {
    let span = span.beginning_in(HOUR);
    let rows: Vec<(DbTime, String, String, i64, i64, i64, i64)> = load!(
        c,
        of_span(ws, DbTime(span.from), DbTime(span.to))
            .group_by((sql::<Instant>(Db::HOUR_OF_QUARTER), sql::<Text>("method"), sql::<Text>("route")))
            .select((
                sql::<Instant>(Db::HOUR_OF_QUARTER),
                sql::<Text>("method"),
                sql::<Text>("route"),
                sql::<BigInt>(REQUESTS),
                sql::<BigInt>(CLIENT_ERRORS),
                sql::<BigInt>(SERVER_ERRORS),
                sql::<BigInt>(DURATION),
            ))
    )?;
    let hour =
        |(hour, method, route, requests, client_errors, server_errors, duration_ms): (DbTime, _, _, _, _, _, _)| {
            UsageHour { hour: hour.0, method, route, requests, client_errors, server_errors, duration_ms }
        };
    let mut hours: Vec<UsageHour> = rows.into_iter().map(hour).collect();
    // Sorted bytewise, because a database's collation may differ.
    hours.sort_by(|a, b| (a.hour, &a.method, &a.route).cmp(&(b.hour, &b.method, &b.route)));
    Ok(hours)
}

pub(super) async fn errors(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: UsageFilter,
    span: Span,
    limit: u32,
) -> Result<Vec<ErrorGroup>, Fault> {
    let rows: Vec<(String, i32, String, String, i64, DbTime)> = load!(c, {
        let query = of_span(ws, DbTime(span.from), DbTime(span.to))
            .filter(api_usage_sums::status.ge(400))
            .group_by((
                sql::<Text>("error_code"),
                sql::<Integer>("status"),
                sql::<Text>("method"),
                sql::<Text>("route"),
            ))
            .order((sql::<BigInt>(REQUESTS).desc(), sql::<Instant>(LAST_AT).desc(), sql::<Integer>("status")))
            .select((
                sql::<Text>("error_code"),
                sql::<Integer>("status"),
                sql::<Text>("method"),
                sql::<Text>("route"),
                sql::<BigInt>(REQUESTS),
                sql::<Instant>(LAST_AT),
            ))
            .into_boxed::<Db>();
        let (key, nobody) = (api_usage_sums::key_id, DbId(Uuid::nil()));
        let query = filtered_usage!(query, api_usage_sums, filter, by_key: key.ne(nobody), by_person: key.eq(nobody));
        query.limit(i64::from(limit))
    })?;
    let mut groups = Vec::new();
    for (code, answered, method, route, requests, last_at) in rows {
        let error_code = Some(code).filter(|code| !code.is_empty());
        groups.push(ErrorGroup { error_code, status: status(answered)?, method, route, requests, last_at: last_at.0 });
    }
    ErrorGroup::sort(&mut groups);
    Ok(groups)
}

pub(super) async fn keys(c: &mut Connection<'_>, ws: DbId, span: Span, limit: u32) -> Result<Vec<KeyUsage>, Fault> {
    let rows: Vec<(DbId, i64, i64, i64, DbTime)> = load!(
        c,
        of_span(ws, DbTime(span.from), DbTime(span.to))
            .filter(api_usage_sums::key_id.ne(DbId(Uuid::nil())))
            .group_by(api_usage_sums::key_id)
            .order((sql::<BigInt>(REQUESTS).desc(), api_usage_sums::key_id))
            .limit(i64::from(limit))
            .select((
                api_usage_sums::key_id,
                sql::<BigInt>(REQUESTS),
                sql::<BigInt>(CLIENT_ERRORS),
                sql::<BigInt>(SERVER_ERRORS),
                sql::<Instant>(LAST_AT),
            ))
    )?;
    let usage = |(key, requests, client_errors, server_errors, last_at): (DbId, _, _, _, DbTime)| KeyUsage {
        key_id: key.to_typed_id(),
        requests,
        client_errors,
        server_errors,
        last_at: last_at.0,
    };
    Ok(rows.into_iter().map(usage).collect())
}
