//! PostgreSQL queries of threads that have their own runtime, like threads that answer requests. `#[tokio::test]`
//! without a flavor creates such a thread.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures::future::join_all;
use tidings_domain::ports::{Change, Row};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, World, id};
use tidings_storage_suite::{Ports, atomicity, contacts, deadlocks, guards, idempotency, isolation};

async fn fresh() -> (Ports, PostgresDatabase) {
    fresh_with(StorageSettings::new("").pool_size).await
}

async fn fresh_with(pool_size: usize) -> (Ports, PostgresDatabase) {
    let database = PostgresDatabase::new().await;
    let settings = StorageSettings { pool_size, ..StorageSettings::new(database.url()) };
    let storage = Storage::open(&settings).await.expect("a store");
    storage.migrate().await.expect("a schema");
    (Ports::of(storage), database)
}

// Tests of the suite, which otherwise runs on threads with a shared runtime.

#[tokio::test]
async fn writes_nothing_of_a_set_with_a_conflict() {
    let (ports, _kept) = fresh().await;
    atomicity::writes_nothing_of_a_set_with_a_conflict(ports).await;
}

#[tokio::test]
async fn a_conflict_fails_only_its_own_set() {
    let (ports, _kept) = fresh().await;
    atomicity::a_conflict_fails_only_its_own_set(ports).await;
}

#[tokio::test]
async fn a_cancelled_commit_is_written_whole_or_not_at_all() {
    let (ports, _kept) = fresh().await;
    atomicity::a_cancelled_commit_is_written_whole_or_not_at_all(ports).await;
}

#[tokio::test]
async fn reads_a_contact_from_one_snapshot() {
    let (ports, _kept) = fresh().await;
    contacts::reads_a_contact_from_one_snapshot(ports).await;
}

#[tokio::test]
async fn concurrent_upserts_create_a_contact_once() {
    let (ports, _kept) = fresh().await;
    contacts::concurrent_upserts_create_a_contact_once(ports).await;
}

#[tokio::test]
async fn one_of_many_updates_of_a_version_succeeds() {
    let (ports, _kept) = fresh().await;
    guards::one_of_many_updates_of_a_version_succeeds(ports).await;
}

#[tokio::test]
async fn concurrent_links_to_one_contact_do_not_deadlock() {
    let (ports, _kept) = fresh().await;
    deadlocks::concurrent_links_to_one_contact_do_not_deadlock(ports).await;
}

#[tokio::test]
async fn commits_one_of_many_sets_with_the_same_key() {
    let (ports, _kept) = fresh().await;
    idempotency::commits_one_of_many_sets_with_the_same_key(ports).await;
}

#[tokio::test]
async fn nothing_of_another_workspace_can_be_read() {
    let (ports, _kept) = fresh().await;
    isolation::nothing_of_another_workspace_can_be_read(ports).await;
}

const SESSIONS: &str = "SELECT count(*)::text FROM pg_stat_activity \
                        WHERE datname = current_database() AND application_name LIKE 'tidings%'";

/// With more queries than connections, each gets its answer without additional connections.
#[tokio::test]
async fn many_queries_share_few_connections() {
    let (ports, database) = fresh_with(1).await;
    let world = World::new(&ports).await;
    let those = join_all((0..20).map(|_| world.contact())).await;
    let found = join_all((0..200).map(async |number: usize| {
        let contact = &those[number % those.len()];
        let found = ports.contacts.find_even_deleted(&world.access, contact.id).await.unwrap();
        (contact.id, found.map(|it| it.id))
    }));
    assert!(found.await.into_iter().all(|(asked, found)| found == Some(asked)));
    let sessions: usize = texts(&database.url(), SESSIONS).await[0].parse().unwrap();
    assert!((1..=3).contains(&sessions), "{sessions} sessions for a pool of one");
}

/// A transaction uses its connection alone: concurrent queries do not wait for it.
#[tokio::test]
async fn queries_do_not_wait_for_a_transaction() {
    let (ports, database) = fresh_with(1).await;
    let world = World::new(&ports).await;
    let contact = world.contact().await;
    let (mut other, connection) = tokio_postgres::connect(&database.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let lock = other.transaction().await.unwrap();
    lock.batch_execute("LOCK TABLE tags IN EXCLUSIVE MODE").await.unwrap();
    let writer = tokio::spawn({
        let world = world.clone();
        async move { world.change(Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(id(), "late", NOW))))).await }
    });
    let waiting = "SELECT pid::text FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let begun = Instant::now();
    while texts(&database.url(), waiting).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(4), "the transaction does not wait");
    }
    for _ in 0..3 {
        let found = ports.contacts.find_even_deleted(&world.access, contact.id).await.unwrap();
        assert_eq!(found.map(|it| it.id), Some(contact.id));
    }
    assert!(!writer.is_finished());
    lock.rollback().await.unwrap();
    writer.await.unwrap().unwrap();
}

/// If queries never leave a connection idle, it must still be replaced after it breaks.
#[tokio::test]
async fn replaces_a_broken_shared_connection() {
    let (ports, database) = fresh_with(1).await;
    let world = World::new(&ports).await;
    let contact = world.contact().await;
    let gone = Cell::new(false);
    let ask = async |task: usize| {
        let mut failed = 0;
        for question in 0.. {
            if task == 0 && question == 50 {
                let ended = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity \
                             WHERE datname = current_database() AND application_name LIKE 'tidings%'";
                assert!(!texts(&database.url(), ended).await.is_empty());
                gone.set(true);
            }
            let was_gone = gone.get();
            match ports.contacts.find_even_deleted(&world.access, contact.id).await {
                Ok(found) if was_gone => return assert_eq!(found.map(|it| it.id), Some(contact.id)),
                Ok(_) => {}
                Err(_) => failed += usize::from(was_gone),
            }
            assert!(failed < 20, "all queries fail after the connection broke");
        }
    };
    join_all((0..4).map(ask)).await;
}
