//! A workspace that keeps the writers busy, and its effect on other workspaces.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures::future::join_all;
use tidings_domain::broadcasts::BroadcastChange;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::Contact;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, Claim, CommitError, Conflict, Guard, Job, NewJob, Object, Pool, Row, StoreError};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile, texts};
use tidings_storage_suite::fixtures::{NOW, World, a_broadcast, at, conflict, id};
use tidings_storage_suite::jobs::request;

const WAITING: &str = "SELECT pid::text FROM pg_stat_activity \
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// Commits a new version of a contact, guarded like in a request.
async fn rename(world: World, mut contact: Contact) -> Result<(), CommitError> {
    let guard = Guard::Version(Object::Contact(contact.id), contact.version);
    contact.first_name = Some("Zoe".to_owned());
    contact.touch(at(1));
    let commit = world.commit(|set| {
        set.guard(guard).change(Change::Update(Row::Contact(Box::new(contact))));
    });
    commit.await
}

/// 64 writers wait for a locked row. They only use the connections that their workspace may use: commits of another
/// workspace continue, and engines claim and keep jobs. All of this happens before the row is unlocked.
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
        assert!(begun.elapsed() < Duration::from_secs(3), "no writer waits for the lock");
    }

    for _ in 0..10 {
        rename(neighbour.clone(), theirs.clone()).await.expect("the other workspace commits");
        theirs = ports.contacts.find_even_deleted(&neighbour.access, theirs.id).await.unwrap().unwrap();
        neighbour.contact().await;
    }
    let job = ports.engine.claim(request(Pool::Work, 1)).await.unwrap().pop().expect("a job");
    let claim = Claim { job: job.id, token: job.token };
    let kept = ports.engine.extend(vec![job.held_claim()], Duration::from_secs(30), NOW).await.unwrap();
    assert_eq!(kept, [claim]);
    assert!(writers.iter().all(|it| !it.is_finished()), "the writers wait for the locked row");
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
async fn others_commit_while_a_row_is_locked_on_a_request_thread() {
    neighbours_go_on().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_commit_while_a_row_is_locked_on_engine_threads() {
    neighbours_go_on().await;
}

/// SQLite's only writer serves others between the batches of a large audience. A second attempt, as after a crash,
/// produces the same audience. An attempt with another version of the broadcast changes nothing.
#[tokio::test]
async fn freezes_an_audience_between_the_commits_of_others() {
    let file = SqliteFile::new();
    let storage = Storage::open(&StorageSettings::new(file.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    let ports = Ports::of(storage);
    let (world, neighbour) = (World::new(&ports).await, World::new(&ports).await);
    for _ in 0..6 {
        world
            .commit(|set| {
                (0..500).for_each(|_| {
                    set.change(contact());
                })
            })
            .await
            .unwrap();
    }
    let broadcast = a_broadcast();
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    let freeze = BroadcastChange::Freeze {
        broadcast: broadcast.id,
        selection: Box::new(Selection::Constant(true)),
        unreached: None,
        due_at: at(5),
        zones: BTreeMap::new(),
    };
    let targeted = async || ports.broadcasts.get(&world.access, broadcast.id).await.unwrap().unwrap().targeted;

    let mut freezing = std::pin::pin!(world.change(Change::Broadcast(freeze.clone())));
    let mut between = 0;
    loop {
        tokio::select! {
            biased;
            outcome = &mut freezing => break outcome.unwrap(),
            _ = neighbour.contact() => between += 1,
        }
    }
    assert!(between >= 4, "{between} commits of another workspace while an audience was frozen");
    assert_eq!(targeted().await, 3_000);

    world.add(contact()).await;
    let mut newer = broadcast.clone();
    newer.version += 2;
    let stale = world.commit(|set| {
        set.change(Change::Update(Row::Broadcast(Box::new(newer)))).change(Change::Broadcast(freeze.clone()));
    });
    assert_eq!(conflict(stale.await), Conflict::Stale(Object::Broadcast(broadcast.id)));
    assert_eq!(targeted().await, 3_000);
    world.change(Change::Broadcast(freeze)).await.unwrap();
    assert_eq!(targeted().await, 3_001);
    let waiting = ports.broadcasts.waiting(&world.access, broadcast.id, 0..4_000, 4_000).await.unwrap();
    let places: Vec<_> = waiting.iter().map(|it| it.place).collect();
    assert_eq!(places, (0..3_001).collect::<Vec<_>>());
}

fn contact() -> Change {
    Change::Insert(Row::Contact(Box::new(Contact::new(id(), NOW))))
}
