//! One workspace that has all its writers wait for one row, and the others beside it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::time::{Duration, Instant};

use futures::future::join_all;
use tidings_domain::contacts::Contact;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, Claim, CommitError, Guard, Job, NewJob, Object, Pool, Row, StoreError};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, World, at, id};
use tidings_storage_suite::jobs::request;

const WAITING: &str = "SELECT pid::text FROM pg_stat_activity \
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// A new version of a contact, guarded as requests do it.
async fn rename(world: World, mut contact: Contact) -> Result<(), CommitError> {
    let guard = Guard::Version(Object::Contact(contact.id), contact.version);
    contact.first_name = Some("Zoe".to_owned());
    contact.touch(at(1));
    let commit = world.commit(|set| {
        set.guard(guard).change(Change::Update(Row::Contact(Box::new(contact))));
    });
    commit.await
}

/// 64 writers wait for a row that somebody holds: they take no more connections than their workspace may have, so the
/// neighbour's commits go on, and engines get and keep their work. None of that ends before the row is free.
async fn neighbours_go_on() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    let ports = Ports::of(storage);
    let (busy, neighbour) = (World::new(&ports).await, World::new(&ports).await);
    let (contested, mut theirs) = (busy.contact().await, neighbour.contact().await);
    neighbour.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, NOW))).await.unwrap();

    let (mut other, connection) = tokio_postgres::connect(&database.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let lock = other.transaction().await.unwrap();
    let row = format!("SELECT 1 FROM contacts WHERE id = '{}' FOR UPDATE", contested.id.uuid());
    lock.batch_execute(&row).await.unwrap();
    let writers: Vec<_> = (0..64).map(|_| tokio::spawn(rename(busy.clone(), contested.clone()))).collect();
    let begun = Instant::now();
    while texts(&database.url(), WAITING).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(3), "nobody waits");
    }

    for _ in 0..10 {
        rename(neighbour.clone(), theirs.clone()).await.expect("a commit that goes alone");
        theirs = ports.contacts.find_even_deleted(&neighbour.access, theirs.id).await.unwrap().unwrap();
        neighbour.contact().await;
    }
    let job = ports.engine.claim(request(Pool::Work, 1)).await.unwrap().pop().expect("a job");
    let claim = Claim { job: job.id, token: job.token };
    let kept = ports.engine.extend(vec![job.held()], Duration::from_secs(30), NOW).await.unwrap();
    assert_eq!(kept, [claim]);
    assert!(writers.iter().all(|it| !it.is_finished()), "the row was free");
    let waiting = texts(&database.url(), WAITING).await.len();
    assert!((1..=12).contains(&waiting), "{waiting} connections wait for one row");

    lock.rollback().await.unwrap();
    let outcomes: Vec<_> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1);
    let may_be = |it: &Result<(), CommitError>| {
        matches!(it, Ok(()) | Err(CommitError::Conflict(_) | CommitError::Store(StoreError::Unavailable(_))))
    };
    assert!(outcomes.iter().all(may_be), "{outcomes:?}");
}

#[tokio::test]
async fn on_a_thread_that_answers_requests() {
    neighbours_go_on().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_the_threads_of_the_engine() {
    neighbours_go_on().await;
}
