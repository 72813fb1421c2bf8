//! Copies the patterns in a SQLite file.

use std::path::Path;

use anyhow::Result;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use tidings_domain::ids::TypedId;

use super::{EPOCH_MILLIS, FIRST, HISTORY, PATTERNS, Pattern, Seed, TABLES, contact_id};
use crate::postgres::MARKER;
use crate::service::Program;

/// A row by its columns.
#[derive(Debug, Clone)]
struct Row {
    columns: Vec<String>,
    values: Vec<Value>,
}

impl Seed {
    /// Creates a file with `contacts` contacts.
    ///
    /// # Errors
    /// The service or SQLite fails.
    pub(crate) async fn on_sqlite(folder: &Path, program: &Program, contacts: u64) -> Result<Self> {
        let path = folder.join(format!("contacts-{contacts}.db"));
        let storage = format!("sqlite://{}", path.display());
        let (seed, patterns) = Self::found(&path.to_string_lossy(), &storage, program, "all").await?;
        let mut connection = Connection::open(&path)?;
        let transaction = connection.transaction()?;
        for (table, column) in TABLES {
            let mut rows = Vec::new();
            for pattern in &patterns {
                rows.push(read(&transaction, table, column, pattern)?);
            }
            for number in FIRST..FIRST + contacts {
                let place = usize::try_from(number % PATTERNS)?;
                let (Some(pattern), Some(of_pattern)) = (patterns.get(place), rows.get(place)) else { continue };
                for row in of_pattern {
                    insert(&transaction, table, &copied(row, pattern, number)?)?;
                }
            }
        }
        for (table, column) in TABLES.iter().rev() {
            for pattern in &patterns {
                let delete = format!("DELETE FROM {table} WHERE {column} = ?1");
                transaction.execute(&delete, [pattern.id.uuid().as_bytes()])?;
            }
        }
        for table in HISTORY {
            transaction.execute(&format!("DELETE FROM {table}"), [])?;
        }
        transaction.commit()?;
        connection.execute_batch("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(Self { contacts, ..seed })
    }
}

fn read(connection: &Connection, table: &str, column: &str, pattern: &Pattern) -> Result<Vec<Row>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table} WHERE {column} = ?1"))?;
    let columns: Vec<String> = statement.column_names().into_iter().map(ToOwned::to_owned).collect();
    let rows = statement.query_map([pattern.id.uuid().as_bytes()], |row| {
        let values = (0..columns.len()).map(|place| row.get(place)).collect::<rusqlite::Result<_>>()?;
        Ok(Row { columns: columns.clone(), values })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn copied(row: &Row, pattern: &Pattern, number: u64) -> Result<Row> {
    let (id, shown) = (contact_id(number)?, pattern.id.to_string());
    let micros = i64::try_from((EPOCH_MILLIS + number - FIRST) * 1_000)?;
    let values = row.columns.iter().zip(&row.values).map(|(column, value)| match value {
        Value::Blob(bytes) if bytes == pattern.id.uuid().as_bytes() => Value::Blob(id.uuid().as_bytes().to_vec()),
        Value::Text(text) => {
            Value::Text(text.replace(&shown, &format!("contact_{number}")).replace(MARKER, &number.to_string()))
        }
        Value::Integer(_) if column == "created_at" || column == "updated_at" => Value::Integer(micros),
        other => other.clone(),
    });
    Ok(Row { columns: row.columns.clone(), values: values.collect() })
}

fn insert(connection: &Connection, table: &str, row: &Row) -> Result<()> {
    let places: Vec<String> = (1..=row.columns.len()).map(|place| format!("?{place}")).collect();
    let insert = format!("INSERT INTO {table} ({}) VALUES ({})", row.columns.join(", "), places.join(", "));
    connection.prepare_cached(&insert)?.execute(params_from_iter(&row.values))?;
    Ok(())
}
