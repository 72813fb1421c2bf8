//! Migrations of a PostgreSQL database in use: they are resumed, and writers do not wait long.

use std::sync::Arc;

use diesel_async::SimpleAsyncConnection;
use tidings_storage_suite::databases::{PostgresDatabase, texts};

use super::texts::{POSTGRES, Tree};
use super::{MigrationPlan, Reach, apply_pending};
use crate::postgres::Target;
use crate::{Storage, StorageSettings};

/// Creates a database with the baseline, without the migrations after it.
async fn with_baseline(database: &PostgresDatabase) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    let tree = Tree { migrations: &[], ..POSTGRES };
    let applied = storage.with_connection(move |c| async move { apply_pending(c, Reach::All, &tree).await });
    assert_eq!(applied.await, Ok(1));
    storage
}

#[tokio::test]
async fn resumes_an_interrupted_migration() {
    let database = PostgresDatabase::new().await;
    let storage = with_baseline(&database).await;
    // The first index is complete. The process was killed while it created the second index.
    database
        .execute(
            "CREATE INDEX messages_created_list ON messages (created_at, id) WHERE sender_kind IS NOT NULL;
             CREATE INDEX conversations_resolved_idx ON conversations (resolved_at);
             UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'conversations_resolved_idx'::regclass;
             CREATE TABLE __migration_steps (version text, step bigint, PRIMARY KEY (version, step));
             INSERT INTO __migration_steps VALUES ('20270101001000', 0);",
        )
        .await;
    let first = "SELECT 'messages_created_list'::regclass::oid::text";
    let made = texts(&database.url(), first).await;
    let MigrationPlan { migrations, .. } = storage.postgres_plan().await.unwrap();
    let interrupted = migrations.iter().find(|it| it.name == "2027-01-01-001000_content_retention").unwrap();
    assert!(interrupted.steps.first().unwrap().sql.contains("conversations_resolved_idx"));

    assert!(storage.migrate().await.unwrap() > 0);
    assert_eq!(texts(&database.url(), first).await, made, "a completed step is not repeated");
    let invalid = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid";
    assert_eq!(texts(&database.url(), invalid).await, Vec::<String>::new());
    let second = "SELECT pg_get_indexdef('conversations_resolved_idx'::regclass)";
    assert!(
        texts(&database.url(), second).await.concat().contains("resolved_at IS NOT NULL"),
        "the index of the interrupted step is complete"
    );
    assert_eq!(texts(&database.url(), "SELECT version FROM __migration_steps").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_writer_waits_at_most_two_seconds_for_a_migration() {
    let database = PostgresDatabase::new().await;
    let storage = with_baseline(&database).await;
    let mut writer = Target::parse(&database.url()).unwrap().connect().await.unwrap();
    writer.batch_execute("BEGIN; LOCK TABLE channels IN ROW EXCLUSIVE MODE").await.unwrap();
    let migrating = tokio::spawn(async move { storage.migrate().await });
    let waits = "SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = 'channels'::regclass";
    while texts(&database.url(), waits).await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let asked = std::time::Instant::now();
    database.execute("BEGIN; LOCK TABLE channels IN ROW EXCLUSIVE MODE; COMMIT").await;
    assert!(asked.elapsed().as_secs() < 2, "{:?}", asked.elapsed());
    writer.batch_execute("COMMIT").await.unwrap();
    assert!(migrating.await.unwrap().unwrap() > 0, "the migration is retried");
}
