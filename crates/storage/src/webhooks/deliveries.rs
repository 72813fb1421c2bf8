//! Rows of deliveries, with their place in the queue and the outcome of the first attempt.

use std::sync::LazyLock;
use std::time::Duration;

use diesel::prelude::*;
use tidings_domain::ports::{Conflict, NewJob, Object};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{Attempt, AttemptRecord, Delivery, DeliveryStatus};

use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::rows::{json, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::deliveries;
use crate::sqlite::monotonic_clock;
use crate::write::{self, Columns, MissedRows, WriteTexts};

/// The queue of first attempts, including those after a replay.
pub(crate) const FIRST: i32 = 1;
/// The queue of retries.
pub(crate) const LATER: i32 = 2;
/// The queue of deliveries that wait for their webhook to be enabled.
pub(crate) const PARKED: i32 = 3;

/// Returns the queue of a delivery and the webhook it is queued for, or `None` if it is settled.
pub(crate) fn queue_position(it: &Delivery) -> (Option<i32>, Option<DbId>) {
    let queue = match (it.status, it.next_attempt_at) {
        (DeliveryStatus::Pending, Some(_)) if it.attempts > it.round_start => LATER,
        (DeliveryStatus::Pending, Some(_)) => FIRST,
        (DeliveryStatus::Pending, None) => PARKED,
        (DeliveryStatus::Succeeded | DeliveryStatus::Failed, _) => return (None, None),
    };
    (Some(queue), Some(it.webhook.into()))
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct NewDeliveryRow in deliveries {
        workspace_id: DbId,
        id: DbId,
        webhook_id: DbId,
        event_id: DbId,
        event_kind: String,
        status: String,
        attempts: i32,
        next_attempt_at: Option<DbTime>,
        last_status: Option<i32>,
        last_error: Option<String>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        round_start: i32,
        queue: Option<i32>,
        queued_for: Option<DbId>,
        leased_until: Option<DbTime>,
        token: i64,
        claims: i32,
    }
}

crate::write::write_texts! {
    NewDeliveryRow: crate::write::Shape::of("deliveries"),
}

impl NewDeliveryRow {
    /// Converts a delivery to its row. With a lease, the delivery is written as claimed.
    pub(crate) fn write(workspace_id: DbId, it: &Delivery, lease: Option<Duration>) -> Self {
        let (queue, queued_for) = queue_position(it);
        Self {
            workspace_id,
            id: it.id.into(),
            webhook_id: it.webhook.into(),
            event_id: it.event.into(),
            event_kind: it.event_kind.as_str().to_owned(),
            status: it.status.as_str().to_owned(),
            attempts: it.attempts,
            next_attempt_at: it.next_attempt_at.map(Into::into),
            last_status: it.last_status,
            last_error: it.last_error.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            round_start: it.round_start,
            queue,
            queued_for,
            // The duration of the lease, as an instant relative to 1970. [`insert`] adds the current time of the lease
            // clock.
            leased_until: lease.map(|lease| Timestamp::from_millis(0).plus(lease).into()),
            token: lease.map_or(0, |_| NewJob::FIRST_TOKEN),
            claims: i32::from(lease.is_some()),
        }
    }
}

/// Inserts new deliveries. The lease of a claimed one starts now, by the lease clock: the clocks of servers can be
/// changed.
pub(crate) async fn insert(c: &mut Connection<'_>, mut rows: Vec<NewDeliveryRow>) -> Result<(), Fault> {
    static ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
        let columns = NewDeliveryRow::columns();
        let (names, arrays) = (write::names(&columns), write::arrays(&columns));
        let values = names.replace("\"leased_until\"", "now() + (leased_until - 'epoch'::timestamptz)");
        format!("INSERT INTO deliveries ({names}) SELECT {values} FROM unnest({arrays}) AS made ({names})")
    });
    match c {
        Connection::Postgres(connection) => {
            write::execute_all(connection, &rows, ON_POSTGRES.as_str()).await.map(|_| ())
        }
        Connection::Sqlite(connection) => {
            for row in &mut rows {
                let lease = row.leased_until.map(|it| it.0.since(Timestamp::from_millis(0)));
                row.leased_until = lease.map(|lease| monotonic_clock::now().plus(lease).into());
            }
            write::each(connection, &rows, &NewDeliveryRow::texts().insert_on_sqlite).map(|_| ())
        }
    }
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct RecordRow in deliveries {
        workspace_id: DbId,
        id: DbId,
        token: i64,
        version: i64,
        status: &'static str,
        attempts: i32,
        round_start: i32,
        next_attempt_at: Option<DbTime>,
        last_status: Option<i32>,
        last_error: Option<String>,
        updated_at: DbTime,
        queue: Option<i32>,
        queued_for: Option<DbId>,
        first_at: Option<DbTime>,
        first_duration_ms: Option<i64>,
        first_status: Option<i32>,
        first_headers: Option<String>,
        first_body: Option<String>,
        first_error: Option<String>,
    }
}

impl RecordRow {
    pub(crate) fn write(
        workspace_id: DbId,
        AttemptRecord { delivery: it, token, first }: &AttemptRecord,
    ) -> Result<Self, Fault> {
        let (queue, queued_for) = queue_position(it);
        let first = first.as_ref();
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            token: *token,
            version: it.version,
            status: it.status.as_str(),
            attempts: it.attempts,
            round_start: it.round_start,
            next_attempt_at: it.next_attempt_at.map(Into::into),
            last_status: it.last_status,
            last_error: it.last_error.clone(),
            updated_at: it.updated_at.into(),
            queue,
            queued_for,
            first_at: first.map(|it| it.at.into()),
            first_duration_ms: first.map(|it| it.duration_ms),
            first_status: first.and_then(|it| it.status),
            first_headers: first.map(|it| to_json(&it.headers)).transpose()?,
            first_body: first.map(|it| it.body.clone()),
            first_error: first.and_then(|it| it.error.clone()),
        })
    }
}

/// Writes the first attempt only once. The row is found by its key and updated in place.
static RECORD_ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
    let columns = RecordRow::columns();
    let set = |it: &write::Column| match it.name.starts_with("first_") {
        true => format!("{0} = coalesce(t.{0}, made.{0})", it.name),
        false => format!("{0} = made.{0}", it.name),
    };
    let set: Vec<_> = columns.iter().skip(3).map(set).collect();
    format!(
        "UPDATE deliveries AS t SET {}, leased_until = NULL, claims = 0, errors = 0 FROM unnest({}) WITH ORDINALITY AS made \
         ({}, n) CROSS JOIN LATERAL (SELECT f.ctid, f.token, f.version, f.leased_until FROM deliveries f \
         WHERE f.workspace_id = made.workspace_id AND f.id = made.id LIMIT 1 FOR NO KEY UPDATE) AS found \
         WHERE t.ctid = found.ctid AND found.leased_until IS NOT NULL AND found.token = made.token \
         AND found.version = made.version - 1 RETURNING made.n",
        set.join(", "),
        write::arrays(&columns),
        write::names(&columns),
    )
});
static RECORD_ON_SQLITE: LazyLock<String> = LazyLock::new(|| {
    let set = |(it, number): (&write::Column, usize)| match it.name.starts_with("first_") {
        true => format!("{0} = coalesce({0}, ?{number})", it.name),
        false => format!("{0} = ?{number}", it.name),
    };
    let set: Vec<_> = RecordRow::columns().iter().zip(1..).skip(3).map(set).collect();
    format!(
        "UPDATE deliveries SET {}, leased_until = NULL, claims = 0, errors = 0 WHERE workspace_id = ?1 AND id = ?2 \
         AND token = ?3 AND leased_until IS NOT NULL AND version = ?4 - 1",
        set.join(", ")
    )
});

/// Stores the outcomes of attempts and ends their claims. Rows are locked in key order.
pub(crate) async fn record(c: &mut Connection<'_>, mut rows: Vec<RecordRow>) -> Result<(), Fault> {
    rows.sort_by_key(|it| (it.workspace_id.0, it.id.0));
    let missed: MissedRows = match c {
        Connection::Postgres(connection) => write::missed(connection, &rows, &RECORD_ON_POSTGRES).await?,
        Connection::Sqlite(connection) => write::each(connection, &rows, &RECORD_ON_SQLITE)?,
    };
    let Some(missed) = missed.first().and_then(|place| rows.get(*place)) else { return Ok(()) };
    let found = deliveries::table.find((missed.workspace_id, missed.id)).filter(deliveries::token.eq(missed.token));
    let found = found.filter(deliveries::leased_until.is_not_null()).select(deliveries::version);
    let held: Option<i64> = find!(c, found)?;
    Err(match held {
        Some(_) => Conflict::Stale(Object::Delivery(missed.id.to_typed_id())),
        None => Conflict::ClaimLost,
    }
    .into())
}

/// The first attempt, from its delivery's row.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = deliveries)]
pub(crate) struct FirstAttemptRow {
    id: DbId,
    first_at: Option<DbTime>,
    first_duration_ms: Option<i64>,
    first_status: Option<i32>,
    first_headers: Option<String>,
    first_body: Option<String>,
    first_error: Option<String>,
}

impl FirstAttemptRow {
    /// Returns `None` without an attempt, and also if the attempt has its own row, as earlier releases wrote it.
    pub(crate) fn read(self) -> Result<Option<Attempt>, Fault> {
        let Some(at) = self.first_at else { return Ok(None) };
        let headers = self.first_headers.map(|headers| json(&headers, "an answer's headers")).transpose()?;
        Ok(Some(Attempt {
            delivery: self.id.to_typed_id(),
            number: 1,
            at: at.0,
            duration_ms: self.first_duration_ms.unwrap_or_default(),
            status: self.first_status,
            headers: headers.unwrap_or_default(),
            body: self.first_body.unwrap_or_default(),
            error: self.first_error,
        }))
    }
}
