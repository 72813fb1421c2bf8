//! Read-only access to a database file.

use std::path::Path;

use diesel::sql_types::Text;
use diesel::{Connection as _, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::connection::error::StorageError;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Opens the file read-only. `more` is appended to its URI, see [`read_only`].
pub(super) fn open(path: &Path, more: &str) -> Result<SqliteConnection, StorageError> {
    SqliteConnection::establish(&read_only(path, more)).map_err(|error| failed(path, error))
}

/// Returns the results of a query with one column, `line`.
pub(super) fn lines(connection: &mut SqliteConnection, path: &Path, query: &str) -> Result<Vec<String>, StorageError> {
    let rows: Vec<Line> = diesel::sql_query(query).load(connection).map_err(|error| failed(path, error))?;
    Ok(rows.into_iter().map(|row| row.line).collect())
}

/// Returns the versions of the migrations applied to a file. Returns none if it does not exist. Others may be writing
/// the file; nothing is changed.
///
/// # Errors
/// [`StorageError::Open`] if it is not a database.
pub(crate) fn applied(path: &Path) -> Result<Vec<String>, StorageError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut connection = open(path, "")?;
    let mut lines = |query: &str| lines(&mut connection, path, query);
    match lines("SELECT name AS line FROM sqlite_master WHERE name = '__diesel_schema_migrations'")?.is_empty() {
        true => Ok(Vec::new()),
        false => lines("SELECT version AS line FROM __diesel_schema_migrations"),
    }
}

/// Returns the URI of a read-only file. With `&immutable=1`, SQLite neither locks it nor creates files next to it.
fn read_only(path: &Path, more: &str) -> String {
    let mut name = String::new();
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => name.push(char::from(byte)),
            byte => name.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("file:{name}?mode=ro{more}")
}

pub(super) fn failed(path: &Path, error: impl std::fmt::Display) -> StorageError {
    StorageError::Open(format!("{}: {error}", path.display()))
}
