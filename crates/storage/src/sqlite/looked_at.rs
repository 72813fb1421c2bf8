//! A database file that is looked at and not changed.

use std::path::Path;

use diesel::sql_types::Text;
use diesel::{Connection as _, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::error::StorageError;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Opens the file, to be read only; `more` stands behind its address, as [`read_only`] says.
pub(super) fn open(path: &Path, more: &str) -> Result<SqliteConnection, StorageError> {
    SqliteConnection::establish(&read_only(path, more)).map_err(|error| failed(path, error))
}

/// What a query finds that has one column, `line`.
pub(super) fn lines(connection: &mut SqliteConnection, path: &Path, query: &str) -> Result<Vec<String>, StorageError> {
    let rows: Vec<Line> = diesel::sql_query(query).load(connection).map_err(|error| failed(path, error))?;
    Ok(rows.into_iter().map(|row| row.line).collect())
}

/// The versions of the migrations that were applied to a file, which others may be writing; none where it is not there.
/// Nothing is changed.
///
/// # Errors
/// [`StorageError::Open`] where it is no database.
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

/// The address of a file that is not written; with `&immutable=1` it is not locked either, nor given files beside it.
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
