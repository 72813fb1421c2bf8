//! The statements: arrays of columns in, rows out. Their texts never change, so each is prepared once.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::contents::{Finished, Stamp};
use crate::analytics::FactRow;
use crate::connection::among;
use crate::contacts::{ContactRow, IdentityRow};
use crate::events::{AnswerRow, EventRow, KEPT};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::folding::Folded;
use crate::jobs::JobRow;
use crate::schema::{channels, webhooks};
use crate::types::{DbId, Id, Instant};
use crate::usage::{SumRow, UsageRow};
use crate::webhook_counts::CountRow;
use crate::webhooks::{AttemptRow, DeliveryRow};

/// Sends a statement whose parameters are columns of rows, an array each, if there are rows. `$1` and so on stand for
/// the columns in their order. Of rows that are pairs, `= 0` and `= 1` say in which part the column is.
macro_rules! send {
    ($connection:expr, $rows:expr, $text:expr, { $($column:ident: $type:ty $(= $part:tt)?),+ $(,)? }) => {{
        let rows = $rows;
        if rows.is_empty() {
            return Ok(0);
        }
        static TEXT: LazyLock<String> = LazyLock::new(|| ($text)(&[$((stringify!($column), <$type>::NAME)),+]));
        let query = diesel::sql_query(TEXT.as_str());
        $(let query = query.bind::<Array<$type>, _>(rows.iter().map(|row| &row$(.$part)?.$column).collect::<Vec<_>>());)+
        let mut connection: &AsyncPgConnection = $connection;
        Ok(Fixed(query).execute(&mut connection).await?)
    }};
}

/// A column's name, and that of its type in PostgreSQL.
type Column = (&'static str, &'static str);

/// What a type is called in PostgreSQL.
trait Named {
    const NAME: &'static str;
}

macro_rules! named {
    ($($type:ty = $name:literal),+ $(,)?) => { $(impl Named for $type { const NAME: &'static str = $name; })+ };
}

named! {
    Id = "uuid", Instant = "timestamptz", Text = "text", Integer = "integer", BigInt = "bigint", Bool = "boolean",
    Binary = "bytea",
}

impl<T: Named + diesel::sql_types::SqlType<IsNull = diesel::sql_types::is_nullable::NotNull>> Named for Nullable<T> {
    const NAME: &'static str = T::NAME;
}

/// `$1::uuid[], $2::text[]` and so on.
fn places(columns: &[Column]) -> String {
    let places = columns.iter().zip(1..).map(|((_, name), place)| format!("${place}::{name}[]"));
    places.collect::<Vec<_>>().join(", ")
}

/// The same for rows that are looked for: as subqueries, of which PostgreSQL knows the values no sooner than it runs
/// them. It would plan anew for each call otherwise, as it finds the plan for the few rows that it sees cheaper than that
/// for the ten that it expects of any array.
fn wanted(columns: &[Column]) -> String {
    let places = columns.iter().zip(1..).map(|((_, name), place)| format!("(SELECT ${place}::{name}[])"));
    places.collect::<Vec<_>>().join(", ")
}

/// The columns' names.
fn names(columns: &[Column]) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The text that inserts rows with these columns; `then` follows it.
fn insert(table: &str, columns: &[Column], then: &str) -> String {
    format!("INSERT INTO {table} ({}) SELECT * FROM unnest({}) {then}", names(columns), places(columns))
}

/// Holds rows, so that none is deleted meanwhile; returns how many there are. Rows that are deleted as such need no more
/// than their keys to be held, so that who stamps a webhook does not wait; those that are marked must stay as they are.
macro_rules! hold {
    ($connection:expr, $all:expr, $table:ident, $rows:expr, $columns:literal, $lock:ident) => {{
        if $all.is_empty() {
            return Ok(0);
        }
        let keys: Vec<_> = $all.iter().map(|(workspace, id)| (DbId(*workspace), DbId(*id))).collect();
        let held = $rows.filter(among!($columns, keys)).order(($table::workspace_id, $table::id));
        let mut connection: &AsyncPgConnection = $connection;
        let found: Vec<DbId> = Fixed(held.select($table::id).$lock()).load(&mut connection).await?;
        Ok(found.len())
    }};
}

pub(super) async fn hold_webhooks(
    connection: &AsyncPgConnection,
    all: &BTreeSet<(Uuid, Uuid)>,
) -> Result<usize, Fault> {
    hold!(connection, all, webhooks, webhooks::table, "webhooks.workspace_id, webhooks.id", for_key_share)
}

pub(super) async fn hold_channels(
    connection: &AsyncPgConnection,
    all: &BTreeSet<(Uuid, Uuid)>,
) -> Result<usize, Fault> {
    let living = channels::table.filter(channels::deleted_at.is_null());
    hold!(connection, all, channels, living, "channels.workspace_id, channels.id", for_share)
}

/// Ends claimed jobs, fenced by their tokens; returns how many.
pub(super) async fn finish_jobs(connection: &AsyncPgConnection, rows: &[Finished]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        format!(
            "DELETE FROM jobs USING unnest({}) AS ended (workspace_id, id, token) WHERE jobs.claimed \
             AND jobs.workspace_id = ended.workspace_id AND jobs.id = ended.id AND jobs.token = ended.token",
            wanted(columns)
        )
    }
    send!(connection, rows, text, { workspace_id: Id, id: Id, token: BigInt })
}

pub(super) async fn insert_contacts(
    connection: &AsyncPgConnection,
    rows: &[(ContactRow, Folded)],
) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("contacts", columns, ""), {
        workspace_id: Id = 0,
        id: Id = 0,
        external_id: Nullable<Text> = 0,
        first_name: Nullable<Text> = 0,
        last_name: Nullable<Text> = 0,
        email: Nullable<Text> = 0,
        phone: Nullable<Text> = 0,
        locale: Nullable<Text> = 0,
        time_zone: Nullable<Text> = 0,
        status: Text = 0,
        subscribed: Bool = 0,
        last_message_at: Nullable<Instant> = 0,
        created_at: Instant = 0,
        updated_at: Instant = 0,
        deleted_at: Nullable<Instant> = 0,
        version: BigInt = 0,
        external_id_folded: Nullable<Text> = 1,
        first_name_folded: Nullable<Text> = 1,
        last_name_folded: Nullable<Text> = 1,
        name_folded: Nullable<Text> = 1,
        email_folded: Nullable<Text> = 1,
        locale_folded: Nullable<Text> = 1,
        time_zone_folded: Nullable<Text> = 1,
        name_key: Nullable<Text> = 1,
        search_text: Text = 1,
        folding: Integer = 1,
    })
}

pub(super) async fn insert_identities(connection: &AsyncPgConnection, rows: &[IdentityRow]) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("contact_identities", columns, ""), {
        workspace_id: Id,
        contact_id: Id,
        channel_id: Id,
        address: Text,
        opted_in: Bool,
        live: Bool,
    })
}

pub(super) async fn insert_deliveries(connection: &AsyncPgConnection, rows: &[DeliveryRow]) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("deliveries", columns, ""), {
        workspace_id: Id,
        id: Id,
        webhook_id: Id,
        event_id: Id,
        event_kind: Text,
        status: Text,
        attempts: Integer,
        next_attempt_at: Nullable<Instant>,
        last_status: Nullable<Integer>,
        last_error: Nullable<Text>,
        created_at: Instant,
        updated_at: Instant,
        version: BigInt,
        round_start: Integer,
    })
}

/// Writes what attempts change, over the version before; returns how many were there so.
pub(super) async fn update_deliveries(connection: &AsyncPgConnection, rows: &[DeliveryRow]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        let written = columns.iter().skip(2).map(|(column, _)| format!("{column} = made.{column}"));
        format!(
            "UPDATE deliveries SET {} FROM unnest({}) AS made ({}) WHERE deliveries.workspace_id = made.workspace_id \
             AND deliveries.id = made.id AND deliveries.version = made.version - 1",
            written.collect::<Vec<_>>().join(", "),
            wanted(columns),
            names(columns)
        )
    }
    send!(connection, rows, text, {
        workspace_id: Id,
        id: Id,
        status: Text,
        attempts: Integer,
        next_attempt_at: Nullable<Instant>,
        last_status: Nullable<Integer>,
        last_error: Nullable<Text>,
        updated_at: Instant,
        version: BigInt,
        round_start: Integer,
    })
}

pub(super) async fn insert_attempts(connection: &AsyncPgConnection, rows: &[AttemptRow]) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("delivery_attempts", columns, ""), {
        workspace_id: Id,
        delivery_id: Id,
        number: Integer,
        at: Instant,
        duration_ms: BigInt,
        status: Nullable<Integer>,
        headers: Text,
        body: Text,
        error: Nullable<Text>,
    })
}

/// Stamps webhooks whose last stamp is old enough.
pub(super) async fn stamp_webhooks(connection: &AsyncPgConnection, rows: &[Stamp]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        format!(
            "UPDATE webhooks SET last_delivery_at = made.at FROM unnest({}) AS made (workspace_id, id, at, enough) \
             WHERE webhooks.workspace_id = made.workspace_id AND webhooks.id = made.id \
             AND (webhooks.last_delivery_at IS NULL OR webhooks.last_delivery_at <= made.enough)",
            wanted(columns)
        )
    }
    send!(connection, rows, text, { workspace_id: Id, webhook_id: Id, at: Instant, enough: Instant })
}

pub(super) async fn count_attempts(connection: &AsyncPgConnection, rows: &[CountRow]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        let then = "ON CONFLICT (workspace_id, webhook_id, hour, succeeded, bucket) \
                    DO UPDATE SET count = webhook_counts.count + excluded.count";
        insert("webhook_counts", columns, then)
    }
    send!(connection, rows, text, {
        workspace_id: Id,
        webhook_id: Id,
        hour: Instant,
        succeeded: Bool,
        bucket: Integer,
        count: BigInt,
    })
}

pub(super) async fn record_facts(connection: &AsyncPgConnection, rows: &[FactRow]) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("analytics_facts", columns, ""), {
        workspace_id: Id,
        id: Id,
        metric: Text,
        dimension: Text,
        amount: BigInt,
        at: Instant,
    })
}

pub(super) async fn insert_events(connection: &AsyncPgConnection, rows: &[EventRow]) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("events", columns, ""), {
        workspace_id: Id,
        id: Id,
        kind: Text,
        at: Instant,
        contact_id: Nullable<Id>,
        full_envelope: Text,
        thin_envelope: Text,
    })
}

/// Of a claimed one the lease begins now, by the database's clock: those of servers may be set.
pub(crate) async fn insert_jobs(connection: &AsyncPgConnection, rows: &[JobRow]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        let names = names(columns);
        let leased = "CASE WHEN claimed THEN now() + (due_at - 'epoch'::timestamptz) ELSE due_at END";
        let values = names.replace("due_at", leased);
        format!("INSERT INTO jobs ({names}) SELECT {values} FROM unnest({}) AS job ({names})", places(columns))
    }
    send!(connection, rows, text, {
        workspace_id: Id,
        id: Id,
        pool: Text,
        kind: Text,
        subject: Id,
        mark: BigInt,
        lane: Nullable<Id>,
        group_id: Nullable<Id>,
        due_at: Instant,
        claimed: Bool,
        token: BigInt,
        claims: Integer,
        attempts: Integer,
    })
}

/// Keeps answers; returns how many could be kept.
pub(super) async fn keep_answers(connection: &AsyncPgConnection, rows: &[AnswerRow]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        let written = columns.iter().skip(4).map(|(column, _)| format!("{column} = excluded.{column}"));
        let then = format!(
            "ON CONFLICT (workspace_id, method, route, key) DO UPDATE SET {} \
             WHERE idempotency_keys.created_at <= excluded.created_at - interval '{} seconds'",
            written.collect::<Vec<_>>().join(", "),
            KEPT.as_secs()
        );
        insert("idempotency_keys", columns, &then)
    }
    send!(connection, rows, text, {
        workspace_id: Id,
        method: Text,
        route: Text,
        key: Text,
        fingerprint: Binary,
        status: Integer,
        location: Nullable<Text>,
        etag: Nullable<Text>,
        body: Binary,
        sealed: Bool,
        created_at: Instant,
    })
}

/// Lines of the log of requests.
pub(crate) async fn insert_usage(connection: &AsyncPgConnection, rows: &[UsageRow]) -> Result<usize, Fault> {
    send!(connection, rows, |columns: &[Column]| insert("api_usage", columns, ""), {
        workspace_id: Id,
        id: Id,
        at: Instant,
        key_id: Nullable<Id>,
        user_id: Nullable<Id>,
        method: Text,
        route: Text,
        status: Integer,
        duration_ms: BigInt,
        request_id: Text,
        address: Text,
        error_code: Nullable<Text>,
        errors: Nullable<Text>,
    })
}

/// Adds to the sums of the log, in the order of the rows.
pub(crate) async fn add_usage(connection: &AsyncPgConnection, rows: &[SumRow]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        let then = "ON CONFLICT (workspace_id, quarter, key_id, method, route, status, error_code) DO UPDATE SET \
                    requests = api_usage_sums.requests + excluded.requests, \
                    duration_ms = api_usage_sums.duration_ms + excluded.duration_ms, \
                    last_at = greatest(api_usage_sums.last_at, excluded.last_at)";
        insert("api_usage_sums", columns, then)
    }
    send!(connection, rows, text, {
        workspace_id: Id,
        quarter: Instant,
        key_id: Id,
        method: Text,
        route: Text,
        status: Integer,
        error_code: Text,
        requests: BigInt,
        duration_ms: BigInt,
        last_at: Instant,
    })
}

/// Removes sums of the log.
pub(crate) async fn remove_usage(connection: &AsyncPgConnection, rows: &[SumRow]) -> Result<usize, Fault> {
    fn text(columns: &[Column]) -> String {
        let same = columns.iter().map(|(column, _)| format!("api_usage_sums.{column} = old.{column}"));
        format!(
            "DELETE FROM api_usage_sums USING unnest({}) AS old ({}) WHERE {}",
            wanted(columns),
            names(columns),
            same.collect::<Vec<_>>().join(" AND ")
        )
    }
    send!(connection, rows, text, {
        workspace_id: Id,
        quarter: Instant,
        key_id: Id,
        method: Text,
        route: Text,
        status: Integer,
        error_code: Text,
    })
}
