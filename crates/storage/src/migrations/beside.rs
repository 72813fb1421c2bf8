//! Migrations that are applied while others write: indexes are made beside the old ones, in no transaction.

use std::collections::HashSet;
use std::time::Duration;

use diesel::sql_types::{BigInt, Bool, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tokio::time::{Instant, sleep};

use super::texts;

/// How an index is made that holds up nobody.
const CONCURRENTLY: &str = "CONCURRENTLY ";
/// A step that needs a table for itself is given up after a second and a half, as whoever comes to the table meanwhile waits
/// behind it. A second is what PostgreSQL lets pass before it ends a vacuum of its own that stands in the way. Making an
/// index holds up nobody, however long it waits.
pub(super) const ALONE: &str = "SET lock_timeout = '1500ms'";
const BESIDE: &str = "SET lock_timeout = 0";
/// How long others have the table before it is tried again,
pub(super) const PAUSE: Duration = Duration::from_secs(1);
/// and for how long it is tried.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);
/// Which steps of a migration were done, so that none is done twice after an interruption.
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

/// Whether others were in the way: it may be tried again.
pub(super) fn is_in_the_way(why: &str) -> bool {
    why.contains("lock timeout") || why.contains("deadlock detected")
}

/// Applies a migration in steps. In a new database nobody writes, and it is one transaction.
///
/// # Errors
/// What PostgreSQL says. The steps before stay done.
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
            // Statements that are sent together are one transaction.
            None => execute(connection, &format!("{step}\n{note}")).await,
        };
        match outcome {
            Err(why) if is_in_the_way(&why) && begun.elapsed() < PATIENCE => sleep(PAUSE).await,
            Ok(()) if is_beside => return execute(connection, note).await,
            outcome => return outcome,
        }
    }
}

/// The index that a step makes.
fn made_by(step: &str) -> Option<&str> {
    let (_, made) = step.split_once("INDEX CONCURRENTLY ").filter(|(before, _)| before.contains("CREATE "))?;
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
            execute(connection, &format!("DROP INDEX CONCURRENTLY {index}")).await?;
            Ok(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_tell_what_they_make() {
        assert_eq!(made_by("-- one\nCREATE UNIQUE INDEX CONCURRENTLY a_key ON a (b)\n    WHERE c;"), Some("a_key"));
        assert_eq!(made_by("DROP INDEX CONCURRENTLY IF EXISTS a_idx;"), None);
        assert_eq!(made_by("DROP INDEX IF EXISTS a_key;\nALTER INDEX a_key_new RENAME TO a_key;"), None);
    }
}
