//! The limit for new contacts on SQLite: one durable transaction for each.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use hdrhistogram::Histogram;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use tidings_domain::ids::{ContactId, TypedId};
use uuid::Uuid;

use crate::postgres::MARKER;
use crate::rounds::Done;

/// The service's settings.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;";

/// The rows that one new contact creates, as a pattern for others.
pub(crate) struct Inserts {
    connection: Connection,
    rows: Vec<(String, Vec<Value>)>,
    /// The values that change: the IDs of contact, event and job.
    ids: Vec<Vec<u8>>,
    /// The contact's ID as the API shows it.
    shown: String,
    number: u64,
}

impl Inserts {
    /// Reads the rows of the contact that was created with the marker in its names.
    ///
    /// # Errors
    /// The rows are missing.
    pub(crate) fn like(path: &Path) -> Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(PRAGMAS)?;
        let value = |query: &str, by: &Value| -> Result<Value> {
            connection.query_row(query, [by], |row| row.get(0)).with_context(|| query.to_owned())
        };
        let one = |query: &str, by: &Value| match value(query, by)? {
            Value::Blob(id) => Ok(id),
            other => bail!("an ID is {other:?}: {query}"),
        };
        let name = Value::Text(format!("new-{MARKER}"));
        let contact = one("SELECT id FROM contacts WHERE external_id = ?1", &name)?;
        let event = one("SELECT id FROM events WHERE contact_id = ?1", &Value::Blob(contact.clone()))?;
        let workspace = one("SELECT workspace_id FROM contacts WHERE external_id = ?1", &name)?;
        // A record's name ends in the client's key.
        let record = value("SELECT key FROM idempotency_keys WHERE key LIKE '% ' || ?1", &name)?;
        let mut rows = Vec::new();
        for (table, by, key) in [
            ("contacts", "id", Value::Blob(contact.clone())),
            ("contact_identities", "contact_id", Value::Blob(contact.clone())),
            ("events", "id", Value::Blob(event.clone())),
            ("idempotency_keys", "key", record),
        ] {
            rows.extend(rows_of(&connection, table, by, &key)?);
        }
        // The job is already complete.
        let job = vec![0xEE; 16];
        let values = [
            Value::Blob(workspace),
            Value::Blob(job.clone()),
            "work".to_owned().into(),
            "relay".to_owned().into(),
            Value::Blob(event.clone()),
            0.into(),
            4_000_000_000_000_000_i64.into(),
            0.into(),
            0.into(),
            0.into(),
            0.into(),
        ];
        let into = "INSERT INTO jobs (workspace_id, id, pool, kind, subject, mark, due_at, claimed, token, claims, \
                    attempts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        rows.push((into.to_owned(), values.to_vec()));
        let shown = ContactId::from_uuid(Uuid::from_slice(&contact)?).to_string();
        Ok(Self { connection, rows, ids: vec![contact, event, job], shown, number: 0 })
    }

    /// Inserts for this time, one transaction after the other.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub(crate) fn run(&mut self, time: Duration) -> Result<Done> {
        let (began, mut latencies) = (Instant::now(), Histogram::<u64>::new(3)?);
        while began.elapsed() < time {
            let one = Instant::now();
            self.one()?;
            latencies.record(u64::try_from(one.elapsed().as_micros())?)?;
        }
        let at = |quantile: f64| Some(latencies.value_at_quantile(quantile) as f64 / 1_000.0);
        let seconds = began.elapsed().as_secs_f64();
        Ok(Done { operations: latencies.len(), seconds, p50_ms: at(0.5), p99_ms: at(0.99) })
    }

    fn one(&mut self) -> Result<()> {
        self.number += 1;
        let number = (600_000_000_000 + self.number).to_string();
        let ids: Vec<Vec<u8>> = (0_u128..).take(self.ids.len()).map(|place| self.id(place)).collect();
        let transaction = self.connection.transaction()?;
        for (insert, values) in &self.rows {
            let values = values.iter().map(|value| match value {
                Value::Blob(bytes) => match self.ids.iter().position(|id| id == bytes).and_then(|it| ids.get(it)) {
                    Some(id) => Value::Blob(id.clone()),
                    None => value.clone(),
                },
                Value::Text(text) => {
                    Value::Text(text.replace(MARKER, &number).replace(&self.shown, &format!("contact_{number}")))
                }
                other => other.clone(),
            });
            if transaction.prepare_cached(insert)?.execute(params_from_iter(values))? != 1 {
                bail!("a row was not inserted: {insert}");
            }
        }
        Ok(transaction.commit()?)
    }

    /// Returns ascending IDs, distinct for each type.
    fn id(&self, place: u128) -> Vec<u8> {
        Uuid::from_u128((0xF0 + place) << 120 | u128::from(self.number)).as_bytes().to_vec()
    }
}

fn rows_of(connection: &Connection, table: &str, by: &str, key: &Value) -> Result<Vec<(String, Vec<Value>)>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table} WHERE {by} = ?1"))?;
    let columns = statement.column_names().join(", ");
    let count = statement.column_count();
    let places: Vec<String> = (1..=count).map(|place| format!("?{place}")).collect();
    let insert = format!("INSERT INTO {table} ({columns}) VALUES ({})", places.join(", "));
    let rows = statement.query_map([key], |row| {
        let values = (0..count).map(|place| row.get(place)).collect::<rusqlite::Result<Vec<Value>>>()?;
        Ok((insert.clone(), values))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
