//! The amount of stored text of workspaces: the measured sums, and recent growth.

mod growth;
mod records;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use tidings_domain::access::Plan;
use tidings_domain::access::storage_usage::{StorageUsage, StoredBytes, StoredOf, StoredPlace, StoredPortion};
use tidings_domain::contacts::Attribute;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::stored_text;
use crate::write::declared::MEASURED;

pub(crate) use growth::Growth;

/// A walk over a table: its name, its measured columns, and the category of the sum.
#[derive(Clone, Copy)]
struct Walk {
    table: &'static str,
    columns: &'static [&'static str],
    /// Tables of dependent rows: table, column with the row's ID, and measured columns.
    beside: &'static [(&'static str, &'static str, &'static [&'static str])],
    counted: fn(i64) -> StoredBytes,
}

const WALKS: &[Walk] = &[
    Walk {
        table: "contacts",
        columns: Attribute::WORDS,
        beside: &[("contact_values", "contact_id", &["value"])],
        counted: |contacts| StoredBytes { contacts, ..NOTHING },
    },
    Walk {
        table: "messages",
        columns: &["text", "parts", "history", "error", "sent_parts"],
        beside: &[],
        counted: |messages| StoredBytes { messages, ..NOTHING },
    },
    Walk {
        table: "unparsed_requests",
        columns: &["reason", "body"],
        beside: &[],
        counted: |messages| StoredBytes { messages, ..NOTHING },
    },
    Walk {
        table: "events",
        columns: &["full_envelope", "thin_envelope"],
        beside: &[],
        counted: |events| StoredBytes { events, ..NOTHING },
    },
    Walk {
        table: "deliveries",
        columns: &["last_error", "first_headers", "first_body", "first_error"],
        beside: &[("delivery_attempts", "delivery_id", &["headers", "body", "error"])],
        counted: |deliveries| StoredBytes { deliveries, ..NOTHING },
    },
    Walk {
        table: "flows",
        columns: &["name", "definition"],
        beside: &[("flow_versions", "flow_id", &["definition"])],
        counted: |flows| StoredBytes { flows, ..NOTHING },
    },
    Walk {
        table: "flow_runs",
        columns: &["vars", "trace", "error"],
        beside: &[],
        counted: |flows| StoredBytes { flows, ..NOTHING },
    },
    Walk {
        table: "custom_events",
        columns: &["data"],
        beside: &[],
        counted: |contacts| StoredBytes { contacts, ..NOTHING },
    },
    Walk {
        table: "bulk_operations",
        columns: &["filter", "condition", "value"],
        beside: &[],
        counted: |contacts| StoredBytes { contacts, ..NOTHING },
    },
    Walk {
        table: "imports",
        columns: &["head"],
        beside: &[("import_tables", "import_id", &["content"]), ("import_rejects", "import_id", &["cells", "wrong"])],
        counted: |contacts| StoredBytes { contacts, ..NOTHING },
    },
    Walk {
        table: "broadcasts",
        columns: &["name", "audience", "message"],
        beside: &[],
        counted: |messages| StoredBytes { messages, ..NOTHING },
    },
    Walk {
        table: "sequences",
        columns: &["name", "steps", "exit_when"],
        beside: &[],
        counted: |flows| StoredBytes { flows, ..NOTHING },
    },
    Walk {
        table: "audit_log",
        columns: &["object_name", "changes"],
        beside: &[],
        counted: |events| StoredBytes { events, ..NOTHING },
    },
];

fn walks() -> impl Iterator<Item = Walk> {
    let stored =
        MEASURED.iter().map(|it| Walk { table: it.table, columns: it.columns, beside: &[], counted: it.counted });
    WALKS.iter().copied().chain(stored)
}

const NOTHING: StoredBytes =
    StoredBytes { contacts: 0, messages: 0, events: 0, deliveries: 0, flows: 0, idempotency: 0 };

/// Returns the statements of all walks. `sign` is the prefix of a parameter's number.
fn statements(sign: char) -> Vec<String> {
    let lengths = |alias: &str, columns: &[&str]| {
        let lengths = columns.iter().map(|column| format!("coalesce(octet_length({alias}.\"{column}\"), 0)"));
        lengths.collect::<Vec<_>>().join(" + ")
    };
    let text = |walk: Walk| {
        let beside = walk.beside.iter().map(|(table, column, columns)| {
            format!(
                " + coalesce((SELECT sum({}) FROM {table} b WHERE b.workspace_id = t.workspace_id AND b.{column} = t.id), 0)",
                lengths("b", columns)
            )
        });
        let beside: String = beside.collect();
        format!(
            "SELECT t.workspace_id, t.id, CAST({}{beside} AS bigint) AS bytes FROM {} t \
             WHERE (t.workspace_id, t.id) > ({sign}1, {sign}2) ORDER BY t.workspace_id, t.id LIMIT {sign}3",
            lengths("t", walk.columns),
            walk.table
        )
    };
    walks().map(text).collect()
}

static ON_POSTGRES: LazyLock<Vec<String>> = LazyLock::new(|| statements('$'));
static ON_SQLITE: LazyLock<Vec<String>> = LazyLock::new(|| statements('?'));

#[derive(QueryableByName)]
struct Measured {
    #[diesel(sql_type = Id)]
    workspace_id: DbId,
    #[diesel(sql_type = Id)]
    id: DbId,
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = stored_text, primary_key(workspace_id), treat_none_as_default_value = false)]
struct StoredRow {
    workspace_id: DbId,
    contacts: i64,
    messages: i64,
    events: i64,
    deliveries: i64,
    flows: i64,
    measured_at: DbTime,
    idempotency: i64,
}

/// Measures the next portion of all stored text.
pub(crate) async fn measure(c: &mut Connection<'_>, from: StoredPlace, limit: u32) -> Result<StoredPortion, Fault> {
    let statements = match c {
        Connection::Postgres(_) => &*ON_POSTGRES,
        Connection::Sqlite(_) => &*ON_SQLITE,
    };
    let (Some(text), Some(walk)) = (statements.get(from.walk), walks().nth(from.walk)) else {
        return records::measure(c, from, limit).await;
    };
    let query = diesel::sql_query(text.as_str())
        .bind::<Id, _>(DbId(from.workspace))
        .bind::<Id, _>(DbId(from.id))
        .bind::<BigInt, _>(i64::from(limit));
    let rows: Vec<Measured> = match c {
        Connection::Postgres(connection) => {
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?
        }
        Connection::Sqlite(connection) => diesel::RunQueryDsl::load(PreparedQuery(query), &mut **connection)?,
    };
    let next = match rows.last() {
        Some(last) if rows.len() >= limit as usize => {
            Some(StoredPlace { walk: from.walk, workspace: last.workspace_id.0, id: last.id.0 })
        }
        // Idempotency records follow the last walk.
        Some(_) | None => Some(StoredPlace { walk: from.walk + 1, ..StoredPlace::default() }),
    };
    let mut sums = BTreeMap::<_, i64>::new();
    for row in &rows {
        *sums.entry(row.workspace_id.0).or_default() += row.bytes;
    }
    let bytes = sums.into_iter().map(|(workspace, sum)| (DbId(workspace).to_typed_id(), (walk.counted)(sum))).collect();
    Ok(StoredPortion { bytes, next })
}

pub(crate) async fn keep(
    c: &mut Connection<'_>,
    all: Vec<(WorkspaceId, StoredBytes)>,
    at: Timestamp,
) -> Result<(), Fault> {
    for (workspace, it) in all {
        let row = StoredRow {
            workspace_id: workspace.into(),
            contacts: it.contacts,
            messages: it.messages,
            events: it.events,
            deliveries: it.deliveries,
            flows: it.flows,
            measured_at: DbTime(at),
            idempotency: it.idempotency,
        };
        let insert = diesel::insert_into(stored_text::table).values(row.clone()).on_conflict(stored_text::workspace_id);
        execute!(c, insert.do_update().set(row))?;
    }
    Ok(())
}

pub(crate) async fn last_measured(c: &mut Connection<'_>) -> Result<Option<Timestamp>, Fault> {
    let newest = stored_text::table.order(stored_text::measured_at.desc()).select(stored_text::measured_at).limit(1);
    let newest: Option<DbTime> = find!(c, newest)?;
    Ok(newest.map(|at| at.0))
}

/// Deletes sums of workspaces that were last measured before `before`.
pub(crate) async fn forget(c: &mut Connection<'_>, before: Timestamp) -> Result<(), Fault> {
    let old = stored_text::table.filter(stored_text::measured_at.lt(DbTime(before)));
    execute!(c, diesel::delete(old)).map(|_| ())
}

pub(crate) async fn read(c: &mut Connection<'_>, ws: DbId) -> Result<StorageUsage, Fault> {
    let row: Option<StoredRow> = find!(c, stored_text::table.find(ws).select(StoredRow::as_select()))?;
    Ok(row.map_or_else(
        StorageUsage::default,
        |StoredRow { contacts, messages, events, deliveries, flows, measured_at, idempotency, .. }| {
            let bytes = StoredBytes { contacts, messages, events, deliveries, flows, idempotency };
            StorageUsage { bytes, measured_at: Some(measured_at.0) }
        },
    ))
}

#[derive(QueryableByName)]
struct Sums {
    #[diesel(sql_type = BigInt)]
    contacts: i64,
    #[diesel(sql_type = BigInt)]
    messages: i64,
    #[diesel(sql_type = BigInt)]
    events: i64,
    #[diesel(sql_type = BigInt)]
    deliveries: i64,
    #[diesel(sql_type = BigInt)]
    flows: i64,
    #[diesel(sql_type = BigInt)]
    idempotency: i64,
}

const SUMS: &str = "SELECT CAST(coalesce(sum(contacts), 0) AS bigint) AS contacts, \
                    CAST(coalesce(sum(messages), 0) AS bigint) AS messages, \
                    CAST(coalesce(sum(events), 0) AS bigint) AS events, \
                    CAST(coalesce(sum(deliveries), 0) AS bigint) AS deliveries, \
                    CAST(coalesce(sum(flows), 0) AS bigint) AS flows, \
                    CAST(coalesce(sum(idempotency), 0) AS bigint) AS idempotency FROM stored_text";

impl Storage {
    /// Returns the last measured sums of all workspaces.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn stored_bytes(&self) -> Result<StoredBytes, StoreError> {
        let found = self.read(SYSTEM, |mut c| {
            Box::pin(async move {
                let query = diesel::sql_query(SUMS);
                let all: Vec<Sums> = load!(&mut c, query)?;
                Ok(all.into_iter().next())
            })
        });
        let sums = found.await?;
        Ok(sums.map_or(NOTHING, |Sums { contacts, messages, events, deliveries, flows, idempotency }| StoredBytes {
            contacts,
            messages,
            events,
            deliveries,
            flows,
            idempotency,
        }))
    }
}

#[derive(QueryableByName)]
struct Total {
    #[diesel(sql_type = Id)]
    id: DbId,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    plan: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

const TOTALS: &str = "SELECT w.id, w.name, w.plan, \
                      CAST(s.contacts + s.messages + s.events + s.deliveries + s.flows + s.idempotency AS bigint) AS total \
                      FROM stored_text s JOIN workspaces w ON w.id = s.workspace_id ORDER BY total DESC LIMIT 1000";

impl Storage {
    /// Returns the workspaces with the most text at the last measurement, at most 1,000, largest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn largest_workspaces(&self) -> Result<Vec<StoredOf>, StoreError> {
        let found = self.read(SYSTEM, |mut c| {
            Box::pin(async move {
                let all: Vec<Total> = load!(&mut c, diesel::sql_query(TOTALS))?;
                let read = |it: Total| {
                    let plan = word(&it.plan, "plan", Plan::parse)?;
                    Ok(StoredOf { workspace: it.id.to_typed_id(), name: it.name, plan, total: it.total })
                };
                all.into_iter().map(read).collect::<Result<Vec<_>, Fault>>()
            })
        });
        found.await
    }
}
