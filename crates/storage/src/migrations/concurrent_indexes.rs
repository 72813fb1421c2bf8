//! Migrations of a database in use. Indexes are created concurrently, outside of a transaction.

use std::collections::HashSet;
use std::time::Duration;

use diesel::sql_types::{BigInt, Bool, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tokio::time::{Instant, sleep};

use super::texts;

const CONCURRENTLY: &str = "CONCURRENTLY ";
/// A step that locks a table gives up after 1.5 seconds, because new transactions wait behind it. PostgreSQL waits one
/// second before it cancels a conflicting autovacuum. Creating an index concurrently blocks no writer, however long it
/// waits.
pub(super) const ALONE: &str = "SET lock_timeout = '1500ms'";
const BESIDE: &str = "SET lock_timeout = 0";
/// Pause before a blocked step is retried.
pub(super) const PAUSE: Duration = Duration::from_secs(1);
/// Maximum duration of all attempts of a step.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);
/// Records the completed steps of a migration. After an interruption, none of them is repeated.
const NOTES: &str =
    "CREATE TABLE IF NOT EXISTS __migration_steps (version text, step bigint, PRIMARY KEY (version, step))";

#[derive(diesel::QueryableByName)]
struct Index {
    #[diesel(sql_type = Bool)]
    is_whole: bool,
}

#[derive(diesel::QueryableByName)]
struct Step {
    #[diesel(sql_type = BigInt)]
    step: i64,
}

/// Returns true if a lock of another transaction was in the way. The step can be retried.
pub(super) fn is_in_the_way(why: &str) -> bool {
    why.contains("lock timeout") || why.contains("deadlock detected")
}

/// Applies a migration in steps. A new database has no other writers, and there it is one transaction.
///
/// # Errors
/// The error of PostgreSQL. Earlier steps stay applied.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    name: &str,
    text: &str,
    is_new: bool,
) -> Result<(), String> {
    let version = texts::version(name);
    let noted = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{version}')");
    if is_new {
        let all = format!("BEGIN; {} {noted}; COMMIT", text.replace(CONCURRENTLY, ""));
        return execute(connection, &all).await;
    }
    execute(connection, NOTES).await?;
    let query = "SELECT step FROM __migration_steps WHERE version = $1";
    let done = diesel::sql_query(query).bind::<Text, _>(&version).load::<Step>(connection).await;
    let done: HashSet<i64> = done.map_err(|error| error.to_string())?.into_iter().map(|it| it.step).collect();
    for (number, step) in (0_i64..).zip(texts::steps(text)) {
        if !done.contains(&number) {
            let note = format!("INSERT INTO __migration_steps (version, step) VALUES ('{version}', {number})");
            run(connection, step, &note).await?;
        }
    }
    let forget = format!("DELETE FROM __migration_steps WHERE version = '{version}'");
    execute(connection, &format!("{noted}; {forget}")).await
}

async fn execute(connection: &mut AsyncPgConnection, statements: &str) -> Result<(), String> {
    connection.batch_execute(statements).await.map_err(|error| error.to_string())
}

async fn run(connection: &mut AsyncPgConnection, step: &str, note: &str) -> Result<(), String> {
    let begun = Instant::now();
    let is_beside = step.contains(CONCURRENTLY);
    execute(connection, if is_beside { BESIDE } else { ALONE }).await?;
    loop {
        let outcome = match made_by(step) {
            Some(index) => match is_there(connection, index).await {
                Ok(false) => execute(connection, step).await,
                outcome => outcome.map(|_| ()),
            },
            None if is_beside => execute(connection, step).await,
            // Statements sent together are one transaction.
            None => execute(connection, &format!("{step}\n{note}")).await,
        };
        match outcome {
            Err(why) if is_in_the_way(&why) && begun.elapsed() < PATIENCE => sleep(PAUSE).await,
            Ok(()) if is_beside => return execute(connection, note).await,
            outcome => return outcome,
        }
    }
}

fn made_by(step: &str) -> Option<&str> {
    let (_, made) = step.split_once("INDEX CONCURRENTLY ").filter(|(before, _)| before.contains("CREATE "))?;
    made.split_whitespace().next()
}

/// Returns true if an index exists. An incomplete one is dropped.
async fn is_there(connection: &mut AsyncPgConnection, index: &str) -> Result<bool, String> {
    let query = "SELECT indisvalid AS is_whole FROM pg_index WHERE indexrelid = to_regclass($1)";
    let found = diesel::sql_query(query).bind::<Text, _>(index).load::<Index>(connection).await;
    match found.map_err(|error| error.to_string())?.as_slice().first() {
        None => Ok(false),
        Some(Index { is_whole: true }) => Ok(true),
        Some(Index { is_whole: false }) => {
            execute(connection, &format!("DROP INDEX CONCURRENTLY {index}")).await?;
            Ok(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_index_that_a_step_creates() {
        assert_eq!(made_by("-- one\nCREATE UNIQUE INDEX CONCURRENTLY a_key ON a (b)\n    WHERE c;"), Some("a_key"));
        assert_eq!(made_by("DROP INDEX CONCURRENTLY IF EXISTS a_idx;"), None);
        assert_eq!(made_by("DROP INDEX IF EXISTS a_key;\nALTER INDEX a_key_new RENAME TO a_key;"), None);
    }
}
