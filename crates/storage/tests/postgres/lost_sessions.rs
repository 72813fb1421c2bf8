//! Ended sessions and an unreachable database: nothing hangs, and the store recovers.

use std::time::{Duration, Instant};

use tidings_domain::access::Access;
use tidings_domain::ports::{Change, CommitError, Row, StoreError};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_storage::{Storage, StorageError, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, World, id};

use super::migrated;

/// All sessions are terminated during writes. Acknowledged rows exist, nothing hangs, and writes continue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_sessions_are_replaced() {
    let database = PostgresDatabase::new().await;
    let ports = Ports::of(migrated(&database).await);
    let world = World::new(&ports).await;
    let begun = Instant::now();
    let writers = (0..4).map(|writer| {
        let world = world.clone();
        tokio::spawn(async move {
            let mut acknowledged = Vec::new();
            for number in 0..100 {
                let tag = Tag::new(id(), &format!("tag {writer} {number}"), NOW);
                match world.change(Change::Insert(Row::Stored(StoredRow::Tag(tag.clone())))).await {
                    Ok(()) => acknowledged.push(tag),
                    Err(CommitError::Store(StoreError::Unavailable(_) | StoreError::OutcomeUnknown)) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
            acknowledged
        })
    });
    let writers: Vec<_> = writers.collect();
    for _ in 0..5 {
        let end = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        texts(&database.url(), end).await;
    }
    for writer in writers {
        for tag in writer.await.unwrap() {
            assert!(has_tag(&world, &tag).await, "an acknowledged set is missing");
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
}

/// Repeats a lookup while the store is unavailable, like a client.
async fn has_tag(world: &World, tag: &Tag) -> bool {
    for _ in 0..20 {
        match world.ports.tags.get(&world.access, tag.id).await {
            Ok(found) => return found.is_some(),
            Err(error) => assert!(matches!(error, StoreError::Unavailable(_)), "{error}"),
        }
    }
    panic!("the store does not recover")
}

/// If no server answers, a request fails within seconds.
#[tokio::test]
async fn fails_within_seconds_if_the_database_is_unreachable() {
    // No server listens on port 1 of this machine.
    let url = "postgres://tidings@127.0.0.1:1/tidings";
    let storage = Storage::open(&StorageSettings::new(url)).await.unwrap();
    let begun = Instant::now();
    assert!(matches!(storage.pending_migrations().await, Err(StorageError::Open(_))));
    let ports = Ports::of(storage);
    let read = ports.channels.default_channel(&Access::system(id())).await;
    assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn readers_recover_after_their_connections_are_closed() {
    let database = PostgresDatabase::new().await;
    let ports = Ports::of(migrated(&database).await);
    let world = World::new(&ports).await;
    let contact = world.contact().await;
    let find = async || ports.contacts.find_even_deleted(&world.access, contact.id).await;
    assert!(find().await.unwrap().is_some());
    let close = "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity \
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    assert_ne!(texts(&database.url(), close).await, ["0"]);
    let begun = Instant::now();
    while find().await.is_err() {
        assert!(begun.elapsed() < Duration::from_secs(5), "no reader recovered");
    }
    assert_eq!(find().await.unwrap().map(|it| it.id), Some(contact.id));
}
