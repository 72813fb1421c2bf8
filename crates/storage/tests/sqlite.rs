//! The suite on SQLite, and tests of features that only SQLite has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "sqlite/statements.rs"]
mod statements;

use std::sync::Arc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, RunQueryDsl, SqliteConnection};
use tidings_domain::access::storage_usage::{StorageUsage, StoredBytes};
use tidings_domain::contacts::Contact;
use tidings_domain::events::EventKind;
use tidings_domain::memory::FixedClock;
use tidings_domain::ports::{Change, ChangeSet, ClaimRequest, Clock, Job, JobChange, NewJob, Pool, Row};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::Delivery;
use tidings_domain::work::MOST_CLAIMS;
use tidings_storage::{Storage, StorageError, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::SqliteFile;
use tidings_storage_suite::fixtures::{NOW, World, a_delivery, an_event, id, nothing};
use tidings_storage_suite::jobs::request;

async fn open(file: &SqliteFile) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(file.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    storage
}

/// Opens a second connection to the file of a store. It waits, as the store may be closing.
fn connect(file: &SqliteFile) -> SqliteConnection {
    let mut connection = SqliteConnection::establish(&file.path().to_string_lossy()).unwrap();
    connection.batch_execute("PRAGMA busy_timeout = 10000").unwrap();
    connection
}

async fn fresh() -> (Ports, SqliteFile) {
    let file = SqliteFile::new();
    (Ports::of(open(&file).await), file)
}

tidings_storage_suite::suite!(fresh);

/// Only one thread at a time uses a connection. SQLite is therefore built without mutexes for shared connections
/// (`.cargo/config.toml`). Two threads that share one would corrupt it. The value 0 would be a build for a single
/// thread.
#[test]
fn sqlite_is_built_with_threadsafe_2() {
    let mut connection = SqliteConnection::establish(":memory:").unwrap();
    let is_so =
        diesel::select(diesel::dsl::sql::<diesel::sql_types::Bool>("sqlite_compileoption_used('THREADSAFE=2')"));
    assert!(
        is_so.get_result::<bool>(&mut connection).unwrap(),
        "SQLite must be built with the settings of `.cargo/config.toml`"
    );
}

/// Rule 9: a starting process takes over the claimed jobs of the previous one.
#[tokio::test]
async fn frees_the_leases_of_the_previous_process() {
    let file = SqliteFile::new();
    let world = World::new(&Ports::of(open(&file).await)).await;
    world.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, NOW))).await.unwrap();
    let before = world.ports.engine.claim(request(Pool::Work, 1)).await.unwrap().pop().unwrap();
    drop(world.ports);

    let storage = open(&file).await;
    assert_eq!(storage.free_own_leases(NOW).await, Ok(1));
    let world = World { ports: Ports::of(storage), ..world };
    let after = world.ports.engine.claim(request(Pool::Work, 1)).await.unwrap().pop().unwrap();
    assert_eq!(after.id, before.id);
    assert!(after.token > before.token);
    assert!(world.change(Change::Job(JobChange::Finish { job: before.id, token: before.token })).await.is_err());
}

/// A server that is restarted often must not use up the claims of a harmless job or delivery.
#[tokio::test]
async fn jobs_wait_after_many_interruptions() {
    for pool in [Pool::Work, Pool::Deliveries] {
        let file = SqliteFile::new();
        let world = World::new(&Ports::of(open(&file).await)).await;
        if pool == Pool::Deliveries {
            let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::MessageSent).await);
            let due_now = Delivery { next_attempt_at: Some(NOW), ..a_delivery(&webhook, &event) };
            world.add(Change::Insert(Row::Delivery(due_now))).await;
        } else {
            let job = NewJob::new(id(), Job::SweepTag { tag: id() }, NOW);
            world.commit(|set| set.jobs.push(job)).await.unwrap();
        }
        let (mut ports, mut now, mut waits) = (world.ports, NOW, Vec::new());
        for _ in 0..MOST_CLAIMS {
            let claimed = ports.engine.claim(ClaimRequest { now, ..request(pool, 1) }).await.unwrap();
            assert_eq!(claimed.len(), 1);
            drop(ports);
            let storage = open(&file).await;
            assert_eq!(storage.free_own_leases(now).await, Ok(1));
            ports = Ports::of(storage);
            let due = ports.engine.next_due(pool).await.unwrap().expect("a due time");
            waits.push(due.since(now).as_secs());
            now = due;
        }
        assert_eq!(waits, [0, 0, 10, 60, 0]);
        let lease = Duration::from_secs(30);
        assert_eq!(ports.engine.poisoned(1, lease, now).await.unwrap().len(), 1);
    }
}

/// Text that this process wrote since the last measurement is included at once, with the size that a measurement will
/// find.
#[tokio::test]
async fn stored_bytes_include_writes_since_the_measurement() {
    let file = SqliteFile::new();
    let world = World::new(&Ports::of(open(&file).await)).await;
    let measured = StoredBytes { contacts: 1_000, events: 500, ..StoredBytes::default() };
    world.ports.engine.keep_stored(vec![(world.workspace, measured)], NOW).await.unwrap();
    let mut set = ChangeSet::new(world.workspace);
    set.changes.push(Change::Insert(Row::Contact(Box::new(Contact {
        first_name: Some("Zoë".to_owned()),
        ..Contact::new(id(), NOW)
    }))));
    set.events.push(an_event(EventKind::MessageSent));
    let mut expected = measured;
    expected.add(&StoredBytes::added_by(&set));
    assert_eq!(expected.contacts, 1_004);
    world.ports.ledger.commit(set).await.unwrap();
    let told = world.ports.usage.storage_usage(&world.access, NOW.plus(Duration::from_secs(60))).await.unwrap();
    assert_eq!(told, StorageUsage { bytes: expected, measured_at: Some(NOW) });
    let there = Ports::of(open(&file).await);
    let elsewhere = there.usage.storage_usage(&world.access, NOW.plus(Duration::from_secs(60))).await.unwrap();
    assert_eq!(elsewhere.bytes, measured, "another process counts only its own writes");
}

/// Two processes use one file, such as the service and a command. Neither gets an error about a locked file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_share_a_file() {
    let file = SqliteFile::new();
    let (one, other) = (Ports::of(open(&file).await), Ports::of(open(&file).await));
    let world = World::new(&one).await;
    let there = World { ports: other, ..world.clone() };
    let write = |world: World| async move {
        for _ in 0..50 {
            world.contact().await;
        }
    };
    let (here, there) = (tokio::spawn(write(world)), tokio::spawn(write(there)));
    here.await.unwrap();
    there.await.unwrap();
}

#[tokio::test]
async fn rejects_an_invalid_address() {
    for url in ["", "sqlite://", "mysql://localhost/x", "tidings.db"] {
        assert_eq!(Storage::open(&StorageSettings::new(url)).await.err(), Some(StorageError::Address), "{url}");
    }
    let folder = StorageSettings::new(format!("sqlite://{}", std::env::temp_dir().display()));
    assert!(matches!(Storage::open(&folder).await.err(), Some(StorageError::Open(_))));
}

#[tokio::test]
async fn adds_missing_sort_keys_of_names() {
    let file = SqliteFile::new();
    let world = World::new(&Ports::of(open(&file).await)).await;
    tidings_storage_suite::sorts::names_of_an_upgrade_get_their_sort_keys(world, async |statement| {
        let mut connection = connect(&file);
        diesel::sql_query(statement).execute(&mut connection).unwrap();
    })
    .await;
}

/// The system clock may jump, for example after sleep or when it is set. Claimed jobs stay claimed, and expired leases
/// have ended.
#[tokio::test]
async fn a_clock_jump_loses_no_lease() {
    const HOUR: Duration = Duration::from_secs(3_600);
    const DAY: Duration = Duration::from_secs(86_400);
    let jumps: [fn(Timestamp) -> Timestamp; 4] =
        [|now| now.plus(HOUR), |now| now.minus(HOUR), |now| now.plus(DAY), |now| now.minus(DAY)];
    for jump in jumps {
        let file = SqliteFile::new();
        let world = World::new(&Ports::of(open(&file).await)).await;
        let clock = FixedClock::at(NOW);
        let (engine, lease) = (world.ports.engine.clone(), Duration::from_secs(30));
        let claim =
            async |pool| engine.claim(ClaimRequest { lease, ..ClaimRequest::new(pool, 9, lease, clock.now()) }).await;
        let early = NOW.minus(DAY * 2);
        world.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, early))).await.unwrap();
        world
            .commit(|set| {
                set.jobs.push(NewJob::new(
                    id(),
                    Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 },
                    early,
                ))
            })
            .await
            .unwrap();
        let work = claim(Pool::Work).await.unwrap().pop().unwrap();
        let delivery = claim(Pool::Deliveries).await.unwrap().pop().unwrap();

        clock.set(jump(NOW));
        let handed_off = NewJob { lease: Some(lease), ..NewJob::new(id(), Job::SweepTag { tag: id() }, clock.now()) };
        world.commit(|set| set.jobs.push(handed_off)).await.unwrap();
        assert_eq!((claim(Pool::Work).await, claim(Pool::Deliveries).await), (Ok(vec![]), Ok(vec![])));
        assert_eq!(engine.poisoned(100, lease, clock.now()).await, Ok(vec![]));
        let held = [&work, &delivery].map(|job| job.held_claim());
        let kept = held.map(|it| it.claim).to_vec();
        assert_eq!(engine.extend(held.to_vec(), lease, clock.now()).await, Ok(kept.clone()));
        clock.set(NOW);
        assert_eq!((claim(Pool::Work).await, claim(Pool::Deliveries).await), (Ok(vec![]), Ok(vec![])));
        clock.set(jump(NOW));
        // Released jobs can be claimed at once, regardless of the clock.
        assert_eq!(engine.extend(held.to_vec(), Duration::ZERO, clock.now()).await, Ok(kept));
        assert_eq!(claim(Pool::Work).await.unwrap().pop().map(|job| job.id), Some(work.id));
        assert_eq!(claim(Pool::Deliveries).await.unwrap().pop().map(|job| job.id), Some(delivery.id));
        world.add(Change::Job(JobChange::Finish { job: handed_off.id, token: NewJob::FIRST_TOKEN })).await;
    }
}

#[tokio::test]
async fn published_definitions_are_read_page_by_page() {
    let file = SqliteFile::new();
    let storage = open(&file).await;
    tidings_storage_suite::published::published_definitions_are_read(
        Ports::of(storage.clone()),
        async |after, most| storage.published_definitions(after, most).await.unwrap(),
    )
    .await;
}
