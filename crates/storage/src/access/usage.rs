//! The log of requests and its sums. They are written directly and not through the ledger.

mod sums;

use std::time::Duration;

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::access::Access;
use tidings_domain::access::storage_usage::StorageUsage;
use tidings_domain::access::usage::{
    Caller, ErrorGroup, KeyUsage, KeyUse, RequestFilter, Span, UsageFilter, UsageHour, UsagePoint, UsageRecord,
};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{StoreError, UsageStore};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::access::storage_usage;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, keyset, load};
use crate::queries::rows::{json, to_json};
use crate::queries::types::{DbId, DbTime, Instant};
use crate::schema::{api_keys, api_usage};
use crate::write;

crate::write::write_texts! {
    UsageRow: crate::write::Shape::of("api_usage"),
    SumRow: crate::write::Shape { keys: 7, ..crate::write::Shape::of("api_usage_sums") },
}
pub(crate) use sums::SumRow;

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = api_usage)]
    pub(crate) struct UsageRow in api_usage {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) at: DbTime,
        pub(crate) key_id: Option<DbId>,
        pub(crate) user_id: Option<DbId>,
        pub(crate) method: String,
        pub(crate) route: String,
        pub(crate) status: i32,
        pub(crate) duration_ms: i64,
        pub(crate) request_id: String,
        pub(crate) address: String,
        pub(crate) error_code: Option<String>,
        pub(crate) errors: Option<String>,
    }
}

impl UsageRow {
    fn write(it: UsageRecord) -> Result<Self, Fault> {
        let errors = if it.errors.is_empty() { None } else { Some(to_json(&it.errors)?) };
        Ok(Self {
            workspace_id: it.workspace.into(),
            id: DbId(it.id),
            at: it.at.into(),
            key_id: it.key.map(Into::into),
            user_id: it.user.map(Into::into),
            method: it.method,
            route: it.route,
            status: i32::from(it.status),
            duration_ms: it.duration_ms,
            request_id: it.request_id,
            address: it.address,
            error_code: it.error_code,
            errors,
        })
    }

    fn read(self) -> Result<UsageRecord, Fault> {
        let errors = self.errors.map(|text| json(&text, "the errors of a request")).transpose()?;
        Ok(UsageRecord {
            workspace: self.workspace_id.to_typed_id(),
            id: self.id.0,
            at: self.at.0,
            key: self.key_id.map(DbId::to_typed_id),
            user: self.user_id.map(DbId::to_typed_id),
            method: self.method,
            route: self.route,
            status: status(self.status)?,
            duration_ms: self.duration_ms,
            request_id: self.request_id,
            address: self.address,
            error_code: self.error_code,
            errors: errors.unwrap_or_default(),
        })
    }
}

fn status(status: i32) -> Result<u16, Fault> {
    u16::try_from(status).map_err(|_| StoreError::Corrupt("a status".to_owned()).into())
}

/// SQL that rounds an instant down. PostgreSQL sessions use UTC; SQLite counts microseconds.
trait Truncate {
    const MINUTE_OF_REQUEST: &'static str;
    const HOUR_OF_QUARTER: &'static str;
}

impl Truncate for diesel::pg::Pg {
    const MINUTE_OF_REQUEST: &'static str = "date_trunc('minute', at)";
    const HOUR_OF_QUARTER: &'static str = "date_trunc('hour', quarter)";
}

impl Truncate for diesel::sqlite::Sqlite {
    const MINUTE_OF_REQUEST: &'static str = "at - at % 60000000";
    const HOUR_OF_QUARTER: &'static str = "quarter - quarter % 3600000000";
}

/// Narrows a boxed query to the requests that a [`RequestFilter`] accepts, or to the rows that a [`UsageFilter`]
/// accepts. Requests and sums have the same columns for the latter.
macro_rules! filtered_usage {
    ($query:expr, $table:ident, $filter:expr, by_key: $by_key:expr, by_person: $by_person:expr) => {{
        let (mut query, filter): (_, UsageFilter) = ($query, $filter);
        query = match filter.caller {
            None => query,
            Some(Caller::Key) => query.filter($by_key),
            Some(Caller::Person) => query.filter($by_person),
        };
        if let Some(key) = filter.key {
            query = query.filter($table::key_id.eq(DbId::from(key)));
        }
        if let Some(method) = filter.method {
            query = query.filter($table::method.eq(method));
        }
        if let Some(route) = filter.route {
            query = query.filter($table::route.eq(route));
        }
        if let Some(class) = filter.class {
            let (first, last) = class.statuses().into_inner();
            query = query.filter($table::status.between(i32::from(first), i32::from(last)));
        }
        if let Some(code) = filter.error_code {
            query = query.filter($table::error_code.eq(code));
        }
        query
    }};
    ($query:expr, $filter:expr) => {{
        let filter: RequestFilter = $filter;
        let (from, to) = filter.bounds();
        let key = api_usage::key_id;
        let mut query =
            filtered_usage!($query, api_usage, filter.usage, by_key: key.is_not_null(), by_person: key.is_null());
        if let Some(status) = filter.status {
            query = query.filter(api_usage::status.eq(i32::from(status)));
        }
        if let Some(user) = filter.user {
            query = query.filter(api_usage::user_id.eq(DbId::from(user)));
        }
        if let Some(request) = filter.request {
            query = query.filter(api_usage::request_id.eq(request.to_string()));
        }
        if let Some(from) = from {
            query = query.filter(api_usage::at.ge(DbTime(from)));
        }
        if let Some(to) = to {
            query = query.filter(api_usage::at.lt(DbTime(to)));
        }
        query
    }};
}

use filtered_usage;

async fn record(c: &mut Connection<'_>, requests: Vec<UsageRecord>, mut uses: Vec<KeyUse>) -> Result<(), Fault> {
    let sums = sums::sums(&requests);
    write::insert(c, &requests.into_iter().map(UsageRow::write).collect::<Result<Vec<_>, _>>()?).await?;
    sums::add(c, &sums).await?;
    uses.sort_by_key(|used| used.key);
    for used in uses {
        let at = DbTime(used.at);
        let target = api_keys::table
            .find(DbId::from(used.key))
            .filter(api_keys::last_used_at.is_null().or(api_keys::last_used_at.lt(at)));
        let stamp = (api_keys::last_used_at.eq(at), api_keys::last_used_address.eq(used.address));
        execute!(c, diesel::update(target).set(stamp.clone()))?;
    }
    Ok(())
}

async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let (before, limit) = (DbTime(before), i64::from(limit));
    let old: Vec<DbId> = load!(
        c,
        api_usage::table.filter(api_usage::at.lt(before)).order(api_usage::at.asc()).limit(limit).select(api_usage::id)
    )?;
    let requests = execute!(
        cached_on_postgres,
        c,
        diesel::delete(api_usage::table.filter(api_usage::at.lt(before)).filter(api_usage::id.eq_any(old.clone())))
    )?;
    let sums = sums::expire(c, before, limit).await?;
    Ok(requests.max(sums) as u64)
}

/// Counts requests by minute in the database, with the index on workspace and time.
async fn minutes(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: RequestFilter,
    span: Span,
) -> Result<Vec<UsagePoint>, Fault> {
    let rows: Vec<(DbTime, i64, i64, i64)> = load!(c, {
        let query = api_usage::table
            .filter(api_usage::workspace_id.eq(ws))
            .filter(api_usage::at.ge(DbTime(span.from)))
            .filter(api_usage::at.lt(DbTime(span.to)))
            .group_by(sql::<Instant>(Db::MINUTE_OF_REQUEST))
            .order(sql::<Instant>(Db::MINUTE_OF_REQUEST))
            .select((
                sql::<Instant>(Db::MINUTE_OF_REQUEST),
                sql::<BigInt>("COUNT(*)"),
                sql::<BigInt>("COUNT(CASE WHEN status BETWEEN 400 AND 499 THEN 1 END)"),
                sql::<BigInt>("COUNT(CASE WHEN status >= 500 THEN 1 END)"),
            ))
            .into_boxed::<Db>();
        filtered_usage!(query, filter)
    })?;
    Ok(rows.into_iter().map(point).collect())
}

fn point((at, requests, client_errors, server_errors): (DbTime, i64, i64, i64)) -> UsagePoint {
    UsagePoint { at: at.0, requests, client_errors, server_errors }
}

#[async_trait]
impl UsageStore for Storage {
    async fn record(&self, requests: Vec<UsageRecord>, uses: Vec<KeyUse>) -> Result<(), StoreError> {
        let outcome = self.transact(move |mut c| Box::pin(async move { record(&mut c, requests, uses).await })).await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn list(
        &self,
        access: &Access,
        filter: &RequestFilter,
        page: PageRequest,
    ) -> Result<Page<UsageRecord>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<UsageRow> = load!(&mut c, {
                    let query = api_usage::table
                        .filter(api_usage::workspace_id.eq(ws))
                        .select(UsageRow::as_select())
                        .into_boxed::<Db>();
                    let query = filtered_usage!(query, filter);
                    keyset!(query, page, api_usage::at, api_usage::id)
                })?;
                let found = rows.into_iter().map(UsageRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.at, id: it.id }))
            })
        })
        .await
    }

    async fn minutes(
        &self,
        access: &Access,
        filter: &RequestFilter,
        span: Span,
    ) -> Result<Vec<UsagePoint>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| Box::pin(async move { minutes(&mut c, ws, filter, span).await })).await
    }

    async fn quarters(&self, access: &Access, filter: &UsageFilter, span: Span) -> Result<Vec<UsagePoint>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| Box::pin(async move { sums::quarters(&mut c, ws, filter, span).await })).await
    }

    async fn hours(&self, access: &Access, span: Span) -> Result<Vec<UsageHour>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { sums::hours(&mut c, ws, span).await })).await
    }

    async fn errors(
        &self,
        access: &Access,
        filter: &UsageFilter,
        span: Span,
        limit: u32,
    ) -> Result<Vec<ErrorGroup>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| Box::pin(async move { sums::errors(&mut c, ws, filter, span, limit).await })).await
    }

    async fn keys(&self, access: &Access, span: Span, limit: u32) -> Result<Vec<KeyUsage>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { sums::keys(&mut c, ws, span, limit).await })).await
    }

    async fn storage_usage(&self, access: &Access, now: Timestamp) -> Result<StorageUsage, StoreError> {
        let ws = DbId::from(access.workspace());
        let mut found =
            self.read(ws, move |mut c| Box::pin(async move { storage_usage::read(&mut c, ws).await })).await?;
        let since = found.measured_at.map_or(Duration::MAX, |at| now.since(at));
        found.bytes.add(&self.growth.within(ws, since, std::time::Instant::now()));
        Ok(found)
    }

    async fn expire(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self.transact(move |mut c| Box::pin(async move { expire(&mut c, before, limit).await })).await;
        outcome.map_err(Fault::into_store_error)
    }
}
