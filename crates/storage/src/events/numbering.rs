//! Assignment of positions to events: after the commit by one sequencer at a time, and on SQLite when they are written.
//!
//! Entries of numbered events stay in the outbox index until a vacuum, which an open snapshot delays. The search
//! therefore starts at a low-water mark. Everything before the mark is numbered, except events that were committed
//! late. A full search every few seconds finds these.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use tidings_domain::time::Timestamp;

use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Instant as AtInstant};
use crate::schema::event_outbox;

/// Maximum delay between the recording of an event and its commit, without being late.
const MARGIN: Duration = Duration::from_secs(2);
/// Interval between full searches.
const WHOLE: Duration = Duration::from_secs(5);

/// The progress of the numbering, by the database's clock.
#[derive(Debug, Default)]
pub(crate) struct NumberedTo(Mutex<Numbered>);

#[derive(Debug, Clone, Copy, Default)]
struct Numbered {
    /// Recording time of the last event that was numbered here.
    last: Option<Timestamp>,
    whole: Option<Instant>,
}

impl NumberedTo {
    /// Returns the start of the next search. The beginning of time means a full search.
    pub(crate) fn begin(&self, now: Instant) -> Timestamp {
        let mut numbered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = numbered.whole.is_none_or(|whole| now.saturating_duration_since(whole) >= WHOLE);
        match numbered.last {
            Some(last) if !is_due => last.minus(MARGIN),
            _ => {
                numbered.whole = Some(now);
                Timestamp::from_millis(0)
            }
        }
    }

    fn reached(&self, last: Timestamp) {
        let mut numbered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        numbered.last = numbered.last.max(Some(last));
    }
}

/// Returns true if events without a position exist. Writes nothing.
pub(crate) async fn has_unnumbered(c: &mut Connection<'_>, begin: Timestamp) -> Result<bool, Fault> {
    let first = event_outbox::table.filter(event_outbox::recorded_at.ge(DbTime(begin)));
    let first = first.order((event_outbox::recorded_at, event_outbox::event_id)).limit(1);
    let first: Option<DbId> = find!(c, first.select(event_outbox::event_id))?;
    Ok(first.is_some())
}

/// The statement starts after the lease is acquired and sees everything that was committed before.
const NUMBER: &str = "\
    WITH batch AS MATERIALIZED (DELETE FROM event_outbox WHERE ctid = ANY (ARRAY(SELECT ctid FROM event_outbox \
    WHERE recorded_at >= $2 ORDER BY recorded_at, event_id LIMIT $1)) RETURNING workspace_id, event_id, at, recorded_at), \
    ranked AS MATERIALIZED (SELECT workspace_id, event_id, at, \
    row_number() OVER (PARTITION BY workspace_id ORDER BY recorded_at, event_id) AS rank FROM batch), \
    sizes AS (SELECT workspace_id, count(*) AS size FROM ranked GROUP BY workspace_id), \
    heads AS (INSERT INTO feed_heads (workspace_id, position) SELECT workspace_id, size FROM sizes \
    ON CONFLICT (workspace_id) DO UPDATE SET position = feed_heads.position + excluded.position \
    RETURNING workspace_id, position), \
    numbered AS (INSERT INTO event_positions (workspace_id, position, event_id, at) \
    SELECT workspace_id, heads.position - sizes.size + ranked.rank, event_id, at \
    FROM ranked JOIN heads USING (workspace_id) JOIN sizes USING (workspace_id)) \
    SELECT count(*) AS count, max(recorded_at) AS last FROM batch";

#[derive(QueryableByName)]
struct Batch {
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = Nullable<AtInstant>)]
    last: Option<DbTime>,
}

/// Assigns positions to the events that were recorded first.
pub(crate) async fn number(
    c: &mut Connection<'_>,
    limit: u32,
    begin: Timestamp,
    to: &NumberedTo,
) -> Result<u64, Fault> {
    match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let query = diesel::sql_query(NUMBER).bind::<BigInt, _>(i64::from(limit));
            let query = query.bind::<AtInstant, _>(DbTime(begin));
            let batch: Batch = diesel_async::RunQueryDsl::get_result(PreparedQuery(query), &mut connection).await?;
            if let Some(last) = batch.last {
                to.reached(last.0);
            }
            Ok(u64::try_from(batch.count).unwrap_or_default())
        }
        // SQLite assigns positions when events are written.
        Connection::Sqlite(_) => Ok(0),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn searches_from_the_last_position_and_regularly_everything() {
        let (to, everything, start) = (NumberedTo::default(), Timestamp::from_millis(0), Instant::now());
        assert_eq!(to.begin(start), everything, "the first search starts at the beginning");
        to.reached(Timestamp::from_millis(10_000));
        to.reached(Timestamp::from_millis(9_000));
        assert_eq!(to.begin(start + Duration::from_secs(4)), Timestamp::from_millis(8_000));
        assert_eq!(to.begin(start + Duration::from_secs(5)), everything);
        assert_eq!(to.begin(start + Duration::from_secs(6)), Timestamp::from_millis(8_000));
    }
}
