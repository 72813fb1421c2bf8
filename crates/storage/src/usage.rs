//! The log of requests, and the sums of its hours. It goes past the ledger.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::upsert::excluded;
use tidings_domain::access::Access;
use tidings_domain::access::usage::{KeyUse, UsageFilter, UsageHour, UsageRecord, hour_of};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{StoreError, UsageStore};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::bulk;
use crate::connection::{Connection, execute, keyset, load};
use crate::faults::Fault;
use crate::schema::{api_keys, api_usage, api_usage_hours};
use crate::types::{DbId, DbTime};

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = api_usage)]
pub(crate) struct UsageRow {
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
}

impl UsageRow {
    fn write(it: UsageRecord) -> Self {
        Self {
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
        }
    }

    fn read(self) -> Result<UsageRecord, Fault> {
        let status = u16::try_from(self.status).map_err(|_| StoreError::Corrupt("a status".to_owned()))?;
        Ok(UsageRecord {
            workspace: self.workspace_id.typed(),
            id: self.id.0,
            at: self.at.0,
            key: self.key_id.map(DbId::typed),
            user: self.user_id.map(DbId::typed),
            method: self.method,
            route: self.route,
            status,
            duration_ms: self.duration_ms,
            request_id: self.request_id,
            address: self.address,
        })
    }
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = api_usage_hours)]
struct HourRow {
    workspace_id: DbId,
    hour: DbTime,
    method: String,
    route: String,
    requests: i64,
    client_errors: i64,
    server_errors: i64,
    duration_ms: i64,
}

/// The sums of a batch, in the order of their keys: two batches never wait for each other in a circle.
fn sums(requests: &[UsageRecord]) -> Vec<HourRow> {
    let mut hours = BTreeMap::new();
    for it in requests {
        let key = (it.workspace, hour_of(it.at), it.method.clone(), it.route.clone());
        let row = hours.entry(key).or_insert_with(|| HourRow {
            workspace_id: it.workspace.into(),
            hour: hour_of(it.at).into(),
            method: it.method.clone(),
            route: it.route.clone(),
            requests: 0,
            client_errors: 0,
            server_errors: 0,
            duration_ms: 0,
        });
        row.requests += 1;
        row.client_errors += i64::from((400..500).contains(&it.status));
        row.server_errors += i64::from(it.status >= 500);
        row.duration_ms += it.duration_ms;
    }
    hours.into_values().collect()
}

/// In one statement on PostgreSQL, where each is a round trip.
async fn insert(c: &mut Connection<'_>, rows: Vec<UsageRow>) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => {
            bulk::insert_usage(connection, &rows).await?;
        }
        Connection::Sqlite(connection) => {
            for row in rows {
                diesel::RunQueryDsl::execute(diesel::insert_into(api_usage::table).values(row), *connection)?;
            }
        }
    }
    Ok(())
}

async fn record(c: &mut Connection<'_>, requests: Vec<UsageRecord>, mut uses: Vec<KeyUse>) -> Result<(), Fault> {
    let hours = sums(&requests);
    insert(c, requests.into_iter().map(UsageRow::write).collect()).await?;
    for row in hours {
        execute!(
            c,
            diesel::insert_into(api_usage_hours::table)
                .values(row.clone())
                .on_conflict((
                    api_usage_hours::workspace_id,
                    api_usage_hours::hour,
                    api_usage_hours::method,
                    api_usage_hours::route
                ))
                .do_update()
                .set((
                    api_usage_hours::requests.eq(api_usage_hours::requests + excluded(api_usage_hours::requests)),
                    api_usage_hours::client_errors
                        .eq(api_usage_hours::client_errors + excluded(api_usage_hours::client_errors)),
                    api_usage_hours::server_errors
                        .eq(api_usage_hours::server_errors + excluded(api_usage_hours::server_errors)),
                    api_usage_hours::duration_ms
                        .eq(api_usage_hours::duration_ms + excluded(api_usage_hours::duration_ms)),
                ))
        )?;
    }
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
        c,
        diesel::delete(api_usage::table.filter(api_usage::at.lt(before)).filter(api_usage::id.eq_any(old.clone())))
    )?;
    // A few rows for each hour: they go all at once.
    execute!(c, diesel::delete(api_usage_hours::table.filter(api_usage_hours::hour.lt(before))))?;
    Ok(requests as u64)
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
        filter: &UsageFilter,
        page: PageRequest,
    ) -> Result<Page<UsageRecord>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<UsageRow> = load!(&mut c, {
                    let mut query = api_usage::table
                        .filter(api_usage::workspace_id.eq(ws))
                        .select(UsageRow::as_select())
                        .into_boxed::<Db>();
                    if let Some(key) = filter.key {
                        query = query.filter(api_usage::key_id.eq(DbId::from(key)));
                    }
                    if let Some(method) = filter.method {
                        query = query.filter(api_usage::method.eq(method));
                    }
                    if let Some(route) = filter.route {
                        query = query.filter(api_usage::route.eq(route));
                    }
                    if let Some(status) = filter.status {
                        query = query.filter(api_usage::status.eq(i32::from(status)));
                    }
                    if let Some(from) = filter.from {
                        query = query.filter(api_usage::at.ge(DbTime(from)));
                    }
                    if let Some(to) = filter.to {
                        query = query.filter(api_usage::at.lt(DbTime(to)));
                    }
                    keyset!(query, page, api_usage::at, api_usage::id)
                })?;
                let found = rows.into_iter().map(UsageRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.at, id: it.id }))
            })
        })
        .await
    }

    async fn hours(&self, access: &Access, from: Timestamp, to: Timestamp) -> Result<Vec<UsageHour>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<HourRow> = load!(
                    &mut c,
                    api_usage_hours::table
                        .filter(api_usage_hours::workspace_id.eq(ws))
                        .filter(api_usage_hours::hour.ge(DbTime(from)))
                        .filter(api_usage_hours::hour.lt(DbTime(to)))
                        .select(HourRow::as_select())
                )?;
                let mut hours: Vec<UsageHour> = rows
                    .into_iter()
                    .map(|row| UsageHour {
                        hour: row.hour.0,
                        method: row.method,
                        route: row.route,
                        requests: row.requests,
                        client_errors: row.client_errors,
                        server_errors: row.server_errors,
                        duration_ms: row.duration_ms,
                    })
                    .collect();
                // Bytewise, as a database's collation may not.
                hours.sort_by(|a, b| (a.hour, &a.method, &a.route).cmp(&(b.hour, &b.method, &b.route)));
                Ok(hours)
            })
        })
        .await
    }

    async fn expire(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self.transact(move |mut c| Box::pin(async move { expire(&mut c, before, limit).await })).await;
        outcome.map_err(Fault::into_store_error)
    }
}
