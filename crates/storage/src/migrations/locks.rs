//! Runs every migration on PostgreSQL, and compares its header with the locks that PostgreSQL reports.

use std::collections::BTreeSet;

use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tidings_storage_suite::databases::PostgresDatabase;

use super::header::{Effect, TableLock, Writers};
use super::{Value, plan, texts};
use crate::postgres::Target;

/// Locks of the transaction, except the locks of readers.
const LOCKS: &str = "SELECT l.mode || '/' || c.relname AS value FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    WHERE l.pid = pg_backend_pid() AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND l.mode NOT IN ('AccessShareLock', 'RowShareLock')";
const TABLES: &str = "SELECT relname::text AS value FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
/// Modes that keep writers waiting.
const EXCLUSIVE: [&str; 4] = ["SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"];

async fn values(connection: &mut AsyncPgConnection, query: &str) -> BTreeSet<String> {
    let rows: Vec<Value> = diesel::sql_query(query).load(connection).await.unwrap();
    rows.into_iter().filter_map(|row| row.value).collect()
}

/// `AccessExclusiveLock` is `ACCESS EXCLUSIVE`. Without CONCURRENTLY, an index takes a stronger lock.
fn mode(name: &str, is_concurrent: bool) -> &'static str {
    match (name, is_concurrent) {
        ("RowExclusiveLock", _) => "ROW EXCLUSIVE",
        ("ShareUpdateExclusiveLock", _) | ("ShareLock" | "AccessExclusiveLock", true) => "SHARE UPDATE EXCLUSIVE",
        ("ShareLock", false) => "SHARE",
        ("ShareRowExclusiveLock", _) => "SHARE ROW EXCLUSIVE",
        ("ExclusiveLock", _) => "EXCLUSIVE",
        ("AccessExclusiveLock", false) => "ACCESS EXCLUSIVE",
        (other, _) => panic!("{other}"),
    }
}

/// Runs a step, and returns the locks of tables that existed before its migration.
async fn run(connection: &mut AsyncPgConnection, step: &str, tables: &BTreeSet<String>) -> BTreeSet<TableLock> {
    let is_concurrent = step.contains("CONCURRENTLY ");
    let alone = step.replace("CONCURRENTLY ", "");
    connection.batch_execute(&format!("BEGIN; {alone}")).await.unwrap();
    let locks = values(connection, LOCKS).await;
    connection.batch_execute("COMMIT").await.unwrap();
    let locks = locks.iter().map(|lock| lock.split_once('/').unwrap());
    let locks = locks.filter(|(_, table)| tables.contains(*table));
    locks.map(|(name, table)| TableLock { mode: mode(name, is_concurrent).into(), table: table.into() }).collect()
}

#[tokio::test]
async fn headers_name_the_locks_that_postgresql_reports() {
    let database = PostgresDatabase::new().await;
    let mut connection = Target::parse(&database.url()).unwrap().connect().await.unwrap();
    connection.batch_execute(texts::POSTGRES.baseline).await.unwrap();
    let in_steps = plan::in_steps();
    for (name, text) in texts::POSTGRES.migrations {
        let tables = values(&mut connection, TABLES).await;
        let steps: Vec<&str> = if in_steps.contains(*name) { texts::steps(text).collect() } else { vec![text] };
        let mut locks = BTreeSet::new();
        for step in steps {
            let taken = run(&mut connection, step, &tables).await;
            let waits = taken.iter().filter(|lock| EXCLUSIVE.contains(&lock.mode.as_str())).map(|lock| &lock.table);
            // A lock is held until its transaction ends: a writer of two tables would wait for both.
            assert!(waits.collect::<BTreeSet<_>>().len() < 2, "{name}: {step}");
            locks.extend(taken);
        }
        let effect = Effect::read(text);
        assert_eq!(effect.locks.iter().cloned().collect::<BTreeSet<_>>(), locks, "{name}");
        let is_exclusive = locks.iter().any(|lock| EXCLUSIVE.contains(&lock.mode.as_str()));
        assert_eq!(matches!(effect.writers, Writers::WaitShortly | Writers::Wait), is_exclusive, "{name}");
        // An index that is created or a column that changes its type keeps writers waiting while the table is read.
        let reads = locks.iter().any(|lock| lock.mode == "SHARE");
        assert!(!reads || effect.writers == Writers::Wait, "{name}");
        let is_locked = |table: &String| locks.iter().any(|lock| lock.table == *table);
        assert!(effect.rewrites.iter().all(is_locked), "{name}");
    }
}
