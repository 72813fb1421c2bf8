//! The suite on PostgreSQL, and tests of features that only PostgreSQL has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "postgres/clock_jump.rs"]
mod clock_jump;
#[path = "postgres/lost_sessions.rs"]
mod lost_sessions;
#[path = "postgres/media_uses.rs"]
mod media_uses;
#[path = "postgres/watched.rs"]
mod watched;

use std::sync::Arc;

use tidings_domain::analytics::{Fact, Metric};
use tidings_domain::ports::{AnalyticsChange, Change, Job, NewJob, Pool, StoreHold};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, World, id, uuid};
use tidings_storage_suite::jobs::request;
use tidings_storage_suite::lanes;
use watched::Watched;

async fn migrated(database: &PostgresDatabase) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    storage
}

async fn fresh() -> (Ports, Watched) {
    let database = Watched::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    (Ports::of(storage), database)
}

tidings_storage_suite::suite!(fresh);

/// Other processes may hold the leases: they expire and are not released by a new process.
#[tokio::test]
async fn does_not_free_leases_at_the_start_of_a_process() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    storage.migrate().await.unwrap();
    let world = World::new(&Ports::of(storage.clone())).await;
    world.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, NOW))).await.unwrap();
    assert_eq!(world.ports.engine.claim(request(Pool::Work, 1)).await.unwrap().len(), 1);
    assert_eq!(storage.free_own_leases(NOW).await, Ok(0));
    assert_eq!(world.ports.engine.claim(request(Pool::Work, 1)).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_job_waits_for_one_that_another_process_ended() {
    let (one, database) = fresh().await;
    let other = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    lanes::nothing_waits_for_what_another_has_ended(one, Ports::of(other)).await;
}

/// While another process moves facts, this one moves none and waits for no counters.
#[tokio::test]
async fn one_process_at_a_time_moves_facts() {
    let database = PostgresDatabase::new().await;
    let world = World::new(&Ports::of(migrated(&database).await)).await;
    let metric = Metric::FlowsStarted;
    let fact = Fact { id: uuid(), metric, dimension: String::new(), amount: 1, at: NOW };
    world.add(Change::Analytics(AnalyticsChange::Record(fact))).await;
    let (mut other, connection) = tokio_postgres::connect(&database.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let moving = other.transaction().await.unwrap();
    moving.batch_execute("SELECT pg_advisory_xact_lock(7406293488)").await.unwrap();
    assert_eq!(world.ports.engine.count_facts(10).await.unwrap(), 0);
    moving.rollback().await.unwrap();
    assert_eq!(world.ports.engine.count_facts(10).await.unwrap(), 1);
}

#[tokio::test]
async fn concurrent_instances_migrate_once() {
    let database = PostgresDatabase::new().await;
    let migrate = || async {
        let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
        storage.migrate().await
    };
    let outcomes = futures::future::join_all((0..4).map(|_| migrate())).await;
    let applied: Vec<usize> = outcomes.into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(applied.iter().filter(|applied| **applied > 0).count(), 1, "{applied:?}");
}

#[tokio::test]
async fn adds_missing_sort_keys_of_names() {
    let database = PostgresDatabase::new().await;
    let world = World::new(&Ports::of(migrated(&database).await)).await;
    tidings_storage_suite::sorts::names_of_an_upgrade_get_their_sort_keys(world, async |statement| {
        texts(&database.url(), statement).await;
    })
    .await;
}

#[tokio::test]
async fn published_definitions_are_read_page_by_page() {
    let database = PostgresDatabase::new().await;
    let storage = migrated(&database).await;
    tidings_storage_suite::published::published_definitions_are_read(
        Ports::of(storage.clone()),
        async |after, most| storage.published_definitions(after, most).await.unwrap(),
    )
    .await;
}

/// Releases before 0.5.0 knew only the mark of a pause.
#[tokio::test]
async fn a_pause_after_a_resume_by_an_earlier_release_is_not_of_a_restored_store() {
    let database = PostgresDatabase::new().await;
    let ports = Ports::of(migrated(&database).await);
    let hold = |is_restored| StoreHold { reason: "a test".to_owned(), since: NOW, is_restored };
    ports.outbound.hold(hold(true)).await.unwrap();
    assert_eq!(ports.outbound.pauses().await.unwrap().store, Some(hold(true)));
    database.execute("DELETE FROM store_marks WHERE name = 'outbound_hold'").await;
    ports.outbound.hold(hold(false)).await.unwrap();
    assert_eq!(ports.outbound.pauses().await.unwrap().store, Some(hold(false)));
}
