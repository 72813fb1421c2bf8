//! The feed: events get their positions after their commit, by one sequencer at a time.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use tidings_domain::access::Access;
use tidings_domain::events::{EventKind, FeedRead, NumberedEvent};
use tidings_domain::ports::{EventQueries, Lease, StoreError};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::DeliveryStatus;
use uuid::Uuid;

use crate::checked::Checked;
use crate::connection::{Connection, execute, find, load, load_any};
use crate::faults::Fault;
use crate::fixed::{self, Fixed};
use crate::jobs::lease_now;
use crate::schema::{deliveries, event_heads, events, leases};
use crate::types::{DbId, DbTime};
use crate::{Storage, webhooks};

/// Takes or keeps a lease. Its row stays locked until the commit, so that no two transactions give positions at once,
/// whatever their clocks say.
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

/// Frees all leases, whoever had them.
pub(crate) async fn free(c: &mut Connection<'_>) -> Result<(), Fault> {
    let over = leases::expires_at.eq(DbTime(Timestamp::from_millis(0)));
    execute!(c, diesel::update(leases::table).set(over)).map(|_| ())
}

/// Whether there are events without a position: a look that writes nothing.
pub(crate) async fn has_unnumbered(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let unnumbered = events::table.filter(events::position.is_null()).order((events::recorded_at, events::id));
    let first: Option<DbId> = find!(c, unnumbered.select(events::id).limit(1))?;
    Ok(first.is_some())
}

/// The statement begins after the lease is held, so it sees all that was committed before. Nobody else changes an event,
/// so each is where it was found.
const NUMBER_POSTGRES: &str = "\
    WITH batch AS MATERIALIZED (SELECT workspace_id, id, recorded_at, ctid AS place FROM events WHERE position IS NULL \
    ORDER BY recorded_at, id LIMIT $1), ranked AS MATERIALIZED (SELECT workspace_id, place, \
    row_number() OVER (PARTITION BY workspace_id ORDER BY recorded_at, id) AS rank FROM batch), \
    sizes AS (SELECT workspace_id, count(*) AS size FROM ranked GROUP BY workspace_id), \
    heads AS (INSERT INTO event_heads (workspace_id, position) SELECT workspace_id, size FROM sizes \
    ON CONFLICT (workspace_id) DO UPDATE SET position = event_heads.position + excluded.position \
    RETURNING workspace_id, position) \
    UPDATE events SET position = heads.position - sizes.size + ranked.rank \
    FROM ranked JOIN heads USING (workspace_id) JOIN sizes USING (workspace_id) WHERE events.ctid = ranked.place";

/// Gives positions to events that have none.
pub(crate) async fn number(c: &mut Connection<'_>, limit: u32) -> Result<u64, Fault> {
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = diesel::sql_query(NUMBER_POSTGRES).bind::<BigInt, _>(i64::from(limit));
            Ok(diesel_async::RunQueryDsl::execute(Fixed(query), &mut connection).await? as u64)
        }
        Connection::Sqlite(connection) => number_on_sqlite(connection, limit),
    }
}

/// Rows are numbered there in the order of their commits.
fn number_on_sqlite(connection: &mut SqliteConnection, limit: u32) -> Result<u64, Fault> {
    let batch: Vec<(DbId, DbId)> = diesel::RunQueryDsl::load(
        Fixed(
            events::table
                .filter(events::position.is_null())
                .order(diesel::dsl::sql::<BigInt>("rowid"))
                .limit(i64::from(limit))
                .select((events::workspace_id, events::id)),
        ),
        connection,
    )?;
    let mut heads = BTreeMap::<Uuid, i64>::new();
    for (ws, id) in &batch {
        let head = match heads.get(&ws.0) {
            Some(head) => *head,
            None => {
                let head = event_heads::table.find(ws).select(event_heads::position);
                diesel::RunQueryDsl::get_result(head, connection).optional()?.unwrap_or(0)
            }
        };
        let position = head + 1;
        heads.insert(ws.0, position);
        let target = events::table.find((ws, id));
        fixed::execute(diesel::update(target).set(events::position.eq(position)), connection)?;
    }
    for (ws, head) in heads {
        let row = (event_heads::workspace_id.eq(DbId(ws)), event_heads::position.eq(head));
        let insert = diesel::insert_into(event_heads::table).values(row).on_conflict(event_heads::workspace_id);
        fixed::execute(insert.do_update().set(event_heads::position.eq(head)), connection)?;
    }
    Ok(batch.len() as u64)
}

/// Removes old events with their deliveries, but for those of which an attempt is planned.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let planned = deliveries::table
        .filter(deliveries::workspace_id.checked(events::workspace_id))
        .filter(deliveries::event_id.eq(events::id))
        .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()))
        .filter(deliveries::next_attempt_at.is_not_null());
    let old: Vec<(DbId, DbId)> = load!(
        c,
        events::table
            .filter(events::at.lt(DbTime(before)))
            .filter(events::position.is_not_null())
            .filter(diesel::dsl::not(diesel::dsl::exists(planned)))
            .order(events::at.asc())
            .limit(i64::from(limit))
            .select((events::workspace_id, events::id))
    )?;
    for (ws, event) in &old {
        let (ws, event) = (*ws, *event);
        let of_event = deliveries::table.filter(deliveries::event_id.eq(event));
        let of_event = of_event.filter(deliveries::workspace_id.checked(ws));
        let ids: Vec<DbId> = load!(c, of_event.select(deliveries::id))?;
        for id in ids {
            webhooks::remove_delivery(c, ws, id).await?;
        }
        execute!(c, diesel::delete(events::table.find((ws, event))))?;
    }
    Ok(old.len() as u64)
}

#[async_trait]
impl EventQueries for Storage {
    async fn feed(
        &self,
        access: &Access,
        after: i64,
        kinds: Vec<EventKind>,
        limit: u32,
    ) -> Result<FeedRead, StoreError> {
        let ws = DbId::from(access.workspace());
        // Of one instant: else an event numbered between the two queries would lie before the head
        // and not among those that were found.
        self.read_as_one(move |mut c| {
            Box::pin(async move {
                let kinds: Vec<&str> = kinds.into_iter().map(EventKind::as_str).collect();
                let rows: Vec<(Option<i64>, String)> = load_any!(&mut c, {
                    let mut query = events::table
                        .filter(events::workspace_id.eq(ws))
                        .filter(events::position.gt(after))
                        .into_boxed::<Db>();
                    if !kinds.is_empty() {
                        query = query.filter(events::kind.eq_any(kinds.clone()));
                    }
                    query
                        .order(events::position.asc())
                        .limit(i64::from(limit))
                        .select((events::position, events::full_envelope))
                })?;
                let head: Option<i64> = find!(&mut c, event_heads::table.find(ws).select(event_heads::position))?;
                let numbered = |(position, envelope): (Option<i64>, String)| {
                    position.map(|position| NumberedEvent { position, envelope })
                };
                Ok(FeedRead { events: rows.into_iter().filter_map(numbered).collect(), head: head.unwrap_or(0) })
            })
        })
        .await
    }
}
