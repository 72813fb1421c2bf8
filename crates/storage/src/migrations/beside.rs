//! Migrations that are applied while others write: indexes are made beside the old ones, in no transaction.

use std::time::Duration;

use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tokio::time::{Instant, sleep};

/// Their texts, by version. The pieces stand apart by empty lines, and each may be run once more.
const TEXTS: [(&str, &str); 2] = [
    ("20261123001000", include_str!("../../../../migrations/postgres/2026-11-23-001000_access_paths/up.sql")),
    ("20261123004000", include_str!("../../../../migrations/postgres/2026-11-23-004000_event_positions/up.sql")),
];

/// How an index is made that holds up nobody.
const CONCURRENTLY: &str = "CONCURRENTLY ";
/// A piece that needs a table for itself is given up after two seconds, as whoever comes to the table meanwhile waits
/// behind it; making an index holds up nobody, however long it waits.
const ALONE: &str = "SET lock_timeout = '2s'";
const BESIDE: &str = "SET lock_timeout = 0";
/// How long others have the table before it is tried again,
const PAUSE: Duration = Duration::from_secs(1);
/// and for how long it is tried.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(diesel::QueryableByName)]
struct Index {
    #[diesel(sql_type = Bool)]
    is_whole: bool,
}

/// Applies a migration that is in no transaction. In a new database nobody writes, and it is one nevertheless.
///
/// # Errors
/// What PostgreSQL says. The pieces before stay done.
pub(super) async fn apply(connection: &mut AsyncPgConnection, version: &str, is_new: bool) -> Result<(), String> {
    let text = TEXTS.iter().find(|(of, _)| *of == version).map(|(_, text)| *text);
    let text = text.ok_or_else(|| format!("migration {version} has no text"))?;
    let noted = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{version}')");
    if is_new {
        let all = format!("BEGIN; {} {noted}; COMMIT", text.replace(CONCURRENTLY, ""));
        return connection.batch_execute(&all).await.map_err(|error| error.to_string());
    }
    for piece in text.split("\n\n") {
        run(connection, piece).await?;
    }
    connection.batch_execute(&noted).await.map_err(|error| error.to_string())
}

async fn run(connection: &mut AsyncPgConnection, piece: &str) -> Result<(), String> {
    let begun = Instant::now();
    let is_beside = piece.contains(CONCURRENTLY);
    connection.batch_execute(if is_beside { BESIDE } else { ALONE }).await.map_err(|error| error.to_string())?;
    loop {
        if let Some(index) = made_by(piece)
            && is_there(connection, index).await?
        {
            return Ok(());
        }
        match connection.batch_execute(piece).await.map_err(|error| error.to_string()) {
            Err(why) if why.contains("lock timeout") && begun.elapsed() < PATIENCE => sleep(PAUSE).await,
            outcome => return outcome,
        }
    }
}

/// The index that a piece makes.
fn made_by(piece: &str) -> Option<&str> {
    let (_, made) = piece.split_once("INDEX CONCURRENTLY ").filter(|(before, _)| before.contains("CREATE "))?;
    made.split_whitespace().next()
}

/// Whether an index is there. One that was left half made is not: it goes.
async fn is_there(connection: &mut AsyncPgConnection, index: &str) -> Result<bool, String> {
    let query = "SELECT indisvalid AS is_whole FROM pg_index WHERE indexrelid = to_regclass($1)";
    let found = diesel::sql_query(query).bind::<Text, _>(index).load::<Index>(connection).await;
    match found.map_err(|error| error.to_string())?.as_slice().first() {
        None => Ok(false),
        Some(Index { is_whole: true }) => Ok(true),
        Some(Index { is_whole: false }) => {
            let drop = format!("DROP INDEX CONCURRENTLY {index}");
            connection.batch_execute(&drop).await.map_err(|error| error.to_string())?;
            Ok(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_tell_what_they_make() {
        assert_eq!(made_by("-- one\nCREATE UNIQUE INDEX CONCURRENTLY a_key ON a (b)\n    WHERE c;"), Some("a_key"));
        assert_eq!(made_by("DROP INDEX CONCURRENTLY IF EXISTS a_idx;"), None);
        assert_eq!(made_by("DROP INDEX IF EXISTS a_key;\nALTER INDEX a_key_new RENAME TO a_key;"), None);
    }
}
