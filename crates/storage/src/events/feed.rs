//! The feed of events: the sequencer's lease and the deletion of old events.

use std::time::Duration;

use async_trait::async_trait;
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::sql_types::Text;
use tidings_domain::access::Access;
use tidings_domain::events::{EventKind, FeedRead, NumberedEvent, count_fitting};
use tidings_domain::ports::{EventQueries, Lease, StoreError};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::DeliveryStatus;
use uuid::Uuid;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::jobs::lease_now;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{deliveries, event_positions, events, feed_heads, leases};
use crate::{Storage, webhooks};

diesel::define_sql_function! {
    fn octet_length(text: Text) -> Integer;
}

/// The number of envelopes that are read without asking for their sizes first: about 4 MiB, if they are as large as
/// envelopes can be.
const UNMEASURED: i64 = 16;

/// Acquires or renews a lease. Its row stays locked until the commit: even if clocks differ, two transactions cannot
/// assign positions at the same time.
pub(crate) async fn hold(c: &mut Connection<'_>, lease: Lease, holder: Uuid, length: Duration) -> Result<bool, Fault> {
    let now = lease_now(c).await?;
    let row = leases::table.find(lease.as_str()).select((leases::holder, leases::expires_at));
    let (other, until): (DbId, DbTime) = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            diesel_async::RunQueryDsl::get_result(row.for_update(), &mut connection).await?
        }
        Connection::Sqlite(connection) => diesel::RunQueryDsl::get_result(row, &mut **connection)?,
    };
    if other.0 != holder && until.0 > now {
        return Ok(false);
    }
    let changes = (leases::holder.eq(DbId(holder)), leases::expires_at.eq(DbTime(now.plus(length))));
    execute!(c, diesel::update(leases::table.find(lease.as_str())).set(changes))?;
    Ok(true)
}

pub(crate) async fn free(c: &mut Connection<'_>) -> Result<(), Fault> {
    let over = leases::expires_at.eq(DbTime(Timestamp::from_millis(0)));
    execute!(c, diesel::update(leases::table).set(over)).map(|_| ())
}

/// Deletes old events with their deliveries, except events with a planned attempt.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let (before, limit) = (DbTime(before), i64::from(limit));
    let planned = deliveries::table
        .filter(deliveries::workspace_id.eq_unindexed(event_positions::workspace_id))
        .filter(deliveries::event_id.eq(event_positions::event_id))
        .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()))
        .filter(deliveries::next_attempt_at.is_not_null());
    let old: Vec<(DbId, DbId, i64)> = load!(
        c,
        event_positions::table
            .filter(event_positions::at.lt(before))
            .filter(not(exists(planned)))
            .order(event_positions::at.asc())
            .limit(limit)
            .select((event_positions::workspace_id, event_positions::event_id, event_positions::position))
    )?;
    for (ws, event, position) in &old {
        remove(c, *ws, *event).await?;
        execute!(c, diesel::delete(event_positions::table.find((*ws, *position))))?;
    }
    // Events numbered by a release that stored positions in the events table.
    let planned = deliveries::table
        .filter(deliveries::workspace_id.eq_unindexed(events::workspace_id))
        .filter(deliveries::event_id.eq(events::id))
        .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()))
        .filter(deliveries::next_attempt_at.is_not_null());
    let older: Vec<(DbId, DbId)> = load!(
        c,
        events::table
            .filter(events::at.lt(before))
            .filter(events::position.is_not_null())
            .filter(not(exists(planned)))
            .order(events::at.asc())
            .limit(limit - old.len() as i64)
            .select((events::workspace_id, events::id))
    )?;
    for (ws, event) in &older {
        remove(c, *ws, *event).await?;
    }
    Ok((old.len() + older.len()) as u64)
}

async fn remove(c: &mut Connection<'_>, ws: DbId, event: DbId) -> Result<(), Fault> {
    let of_event = deliveries::table.filter(deliveries::event_id.eq(event));
    let of_event = of_event.filter(deliveries::workspace_id.eq_unindexed(ws));
    let ids: Vec<DbId> = load!(c, of_event.select(deliveries::id))?;
    for id in ids {
        webhooks::remove_delivery(c, ws, id).await?;
    }
    execute!(c, diesel::delete(events::table.find((ws, event)))).map(|_| ())
}

/// Loads the position and the value of a column of events of a workspace after a position, in order. No kinds: all.
macro_rules! load_numbered {
    ($row:ty, $connection:expr, $ws:expr, $after:expr, $kinds:expr, $limit:expr, $column:expr) => {{
        // Events numbered by a release that stored positions in the events table. They come before all others.
        let mut rows: Vec<$row> = load!(cached_on_postgres, $connection, {
            let mut query = events::table
                .filter(events::workspace_id.eq($ws))
                .filter(events::position.gt($after))
                .into_boxed::<Db>();
            if !$kinds.is_empty() {
                query = query.filter(events::kind.eq_any($kinds.to_vec()));
            }
            query.order(events::position.asc()).limit($limit).select((events::position.assume_not_null(), $column))
        })?;
        let room = $limit - rows.len() as i64;
        let newer: Vec<$row> = load!(cached_on_postgres, $connection, {
            let event =
                events::workspace_id.eq(event_positions::workspace_id).and(events::id.eq(event_positions::event_id));
            let mut query = event_positions::table
                .inner_join(events::table.on(event))
                .filter(event_positions::workspace_id.eq($ws))
                .filter(event_positions::position.gt($after))
                .into_boxed::<Db>();
            if !$kinds.is_empty() {
                query = query.filter(events::kind.eq_any($kinds.to_vec()));
            }
            query.order(event_positions::position.asc()).limit(room).select((event_positions::position, $column))
        })?;
        rows.extend(newer);
        rows
    }};
}

/// Loads events with their envelopes, at most `limit`, up to the event with which these exceed `max_bytes`. The sizes
/// of all but the first events are read before their envelopes, so a long list of large events is never in memory.
async fn envelopes(
    c: &mut Connection<'_>,
    ws: DbId,
    after: i64,
    kinds: &[&'static str],
    limit: i64,
    max_bytes: usize,
) -> Result<Vec<(i64, String)>, Fault> {
    let first = limit.min(UNMEASURED);
    let mut rows = load_numbered!((i64, String), c, ws, after, kinds, first, events::full_envelope);
    let is_full = rows.len() as i64 == first && first < limit;
    let bytes: usize = rows.iter().map(|(_, envelope)| envelope.len()).sum();
    let last = rows.last().map(|(position, _)| *position).filter(|_| is_full);
    if let (Some(after), Some(left)) = (last, max_bytes.checked_sub(bytes)) {
        let sizes = load_numbered!((i64, i32), c, ws, after, kinds, limit - first, octet_length(events::full_envelope));
        let sizes = sizes.into_iter().map(|(_, size)| usize::try_from(size).unwrap_or(usize::MAX));
        let fitting = count_fitting(sizes, left) as i64;
        let rest = load_numbered!((i64, String), c, ws, after, kinds, fitting, events::full_envelope);
        rows.extend(rest);
    }
    rows.truncate(count_fitting(rows.iter().map(|(_, envelope)| envelope.len()), max_bytes));
    Ok(rows)
}

async fn head(c: &mut Connection<'_>, ws: DbId) -> Result<i64, Fault> {
    let head: Option<i64> = find!(c, feed_heads::table.find(ws).select(feed_heads::position))?;
    Ok(head.unwrap_or(0))
}

#[async_trait]
impl EventQueries for Storage {
    async fn head(&self, access: &Access) -> Result<i64, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read_row(ws, move |mut c| Box::pin(async move { head(&mut c, ws).await })).await
    }

    async fn feed(
        &self,
        access: &Access,
        after: i64,
        kinds: Vec<EventKind>,
        limit: u32,
        max_bytes: usize,
    ) -> Result<FeedRead, StoreError> {
        let ws = DbId::from(access.workspace());
        // All queries read as of one instant. Otherwise, an event numbered between them would lie before the head but
        // be missing from the result.
        self.read_as_one(ws, move |mut c| {
            Box::pin(async move {
                let kinds: Vec<&str> = kinds.into_iter().map(EventKind::as_str).collect();
                let rows = envelopes(&mut c, ws, after, &kinds, i64::from(limit), max_bytes).await?;
                let head = head(&mut c, ws).await?;
                let numbered = |(position, envelope): (i64, String)| NumberedEvent { position, envelope };
                Ok(FeedRead { events: rows.into_iter().map(numbered).collect(), head })
            })
        })
        .await
    }
}
