//! The suite on PostgreSQL, and tests of features that only PostgreSQL has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tidings_domain::access::Access;
use tidings_domain::analytics::{Fact, Metric};
use tidings_domain::ids::TypedId;
use tidings_domain::media::MediaUse;
use tidings_domain::ports::{
    AnalyticsChange, Change, Claim, ClaimRequest, CommitError, Conflict, ConversationChange, HeldClaim, Job, JobChange,
    NewJob, Pool, Row, StoreError, StoreHold, SweepPlace,
};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;
use tidings_storage::{Storage, StorageError, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, Session, texts};
use tidings_storage_suite::expiry;
use tidings_storage_suite::fixtures::{NOW, World, at, id, uuid};
use tidings_storage_suite::jobs::request;
use tidings_storage_suite::lanes;

async fn migrated(database: &PostgresDatabase) -> Arc<Storage> {
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    storage
}

async fn a_schema(url: String) {
    let storage = Storage::open(&StorageSettings::new(url)).await.expect("a store");
    storage.migrate().await.expect("a schema");
}

async fn fresh() -> (Ports, Watched) {
    let database = Watched::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    (Ports::of(storage), database)
}

/// A database with a schema. At its end, the test fails if a query has read a whole table. PostgreSQL does so only
/// without a suitable index, because the session settings forbid it (decision 9). The store must be closed by then.
struct Watched {
    database: PostgresDatabase,
    /// The number of full reads of each table before the test. Migrations cause some when they build indexes.
    before: Vec<String>,
}

/// Tables that are read as a whole on purpose: uncounted facts in any order, the few signing keys, and the list of all
/// workspaces.
const ASKED_FOR_WHOLE: &str = "'analytics_facts', 'signing_keys', 'workspaces'";

impl Watched {
    async fn new() -> Self {
        let database = PostgresDatabase::migrated(a_schema).await;
        let before = reads_of_whole_tables(&database.url()).await;
        Self { database, before }
    }

    fn url(&self) -> String {
        self.database.url()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let url = self.url();
        let after = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(reads_of_whole_tables(&url))
        });
        assert_eq!(after.join().expect("an answer"), self.before, "tables, and how often they were read as a whole");
    }
}

async fn reads_of_whole_tables(url: &str) -> Vec<String> {
    let session = Session::open(url).await;
    sessions_have_ended(&session).await;
    let reads = format!(
        "SELECT relname || ': ' || seq_scan FROM pg_stat_user_tables \
         WHERE relname NOT IN ({ASKED_FOR_WHOLE}) ORDER BY relname"
    );
    let reads = session.texts(&reads).await;
    session.close().await;
    reads
}

/// Waits for the end of the store's sessions. PostgreSQL has then counted their reads.
async fn sessions_have_ended(session: &Session) {
    let sessions = "SELECT pid::text FROM pg_stat_activity \
                    WHERE datname = current_database() AND application_name LIKE 'tidings%'";
    let begun = Instant::now();
    while !session.texts(sessions).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "a session does not end");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
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
async fn folds_rows_from_before_folded_texts() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    storage.migrate().await.unwrap();
    let world = World::new(&Ports::of(storage.clone())).await;
    tidings_storage_suite::conditions::rows_that_are_behind_are_found(world, async |statement| {
        texts(&database.url(), statement).await;
        storage.migrate().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn adds_missing_keys_of_emails() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    storage.migrate().await.unwrap();
    let world = World::new(&Ports::of(storage.clone())).await;
    tidings_storage_suite::conditions::addresses_that_are_behind_get_their_keys(world, async |statement| {
        texts(&database.url(), statement).await;
        storage.migrate().await.unwrap();
    })
    .await;
    assert_eq!(storage.shared_emails().await.unwrap().len(), 2);
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

/// One server's clock may be wrong by any amount, because leases use the database's clock. Claimed jobs stay claimed,
/// no other process claims them, and released jobs are free at once.
#[tokio::test]
async fn a_clock_jump_neither_loses_nor_steals_leases() {
    const HOUR: Duration = Duration::from_secs(3_600);
    const DAY: Duration = Duration::from_secs(86_400);
    let database = PostgresDatabase::new().await;
    let storage = migrated(&database).await;
    let now = storage.clock(NOW).await.unwrap();
    let jumping = World::new(&Ports::of(storage)).await;
    let other = Ports::of(Storage::open(&StorageSettings::new(database.url())).await.unwrap());
    let lease = Duration::from_secs(30);
    let claim = async |ports: &Ports, pool, now| {
        let mut claimed = ports.engine.claim(ClaimRequest::new(pool, 9, lease, now)).await.unwrap();
        claimed.sort_by_key(|job| job.id.uuid());
        claimed
    };
    let jumps: [fn(Timestamp) -> Timestamp; 4] =
        [|now| now.plus(HOUR), |now| now.minus(HOUR), |now| now.plus(DAY), |now| now.minus(DAY)];
    for (turn, jump) in jumps.into_iter().enumerate() {
        let its = jump(now);
        let early = now.minus(DAY * 2);
        jumping.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, early))).await.unwrap();
        jumping
            .commit(|set| {
                set.jobs.push(NewJob::new(
                    id(),
                    Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 },
                    early,
                ))
            })
            .await
            .unwrap();
        let work = claim(&jumping.ports, Pool::Work, its).await.pop().unwrap();
        let delivery = claim(&jumping.ports, Pool::Deliveries, its).await.pop().unwrap();
        // Two jobs that are written as claimed: one in a set that can be combined with others, and one in a set that
        // commits alone.
        let handed_off = || NewJob { lease: Some(lease), ..NewJob::new(id(), Job::SweepTag { tag: id() }, its) };
        let (plain, alone) = (handed_off(), handed_off());
        jumping.commit(|set| set.jobs.push(plain)).await.unwrap();
        let tag = Tag::new(id(), &format!("turn {turn}"), now);
        jumping
            .commit(|set| {
                set.changes.push(Change::Insert(Row::Stored(StoredRow::Tag(tag))));
                set.jobs.push(alone);
            })
            .await
            .unwrap();

        for pool in [Pool::Work, Pool::Deliveries] {
            assert_eq!(claim(&other, pool, now).await, [], "the jobs are claimed by the other process");
            assert_eq!(claim(&jumping.ports, pool, its).await, [], "the process has already claimed the jobs");
        }
        for (ports, now) in [(&other, now), (&jumping.ports, its)] {
            assert_eq!(ports.engine.poisoned(100, lease, now).await, Ok(vec![]));
        }
        let handed_off = [&plain, &alone].map(|job| Claim { job: job.id, token: NewJob::FIRST_TOKEN });
        let all = [[&work, &delivery].map(|job| Claim { job: job.id, token: job.token }), handed_off].concat();
        let held: Vec<_> = all.iter().map(|claim| HeldClaim { workspace: jumping.workspace, claim: *claim }).collect();
        assert_eq!(jumping.ports.engine.extend(held.clone(), lease, its).await, Ok(all.clone()));
        assert_eq!(claim(&other, Pool::Work, now).await, [], "the leases were extended");
        // Released jobs are free at once, and their earlier tokens are rejected.
        assert_eq!(jumping.ports.engine.extend(held, Duration::ZERO, its).await, Ok(all.clone()));
        let taken = [claim(&other, Pool::Deliveries, now).await, claim(&other, Pool::Work, now).await].concat();
        assert_eq!(taken.len(), all.len());
        for Claim { job, token } in all {
            let late = jumping.change(Change::Job(JobChange::Finish { job, token })).await;
            assert!(matches!(late, Err(CommitError::Conflict(Conflict::ClaimLost))), "{late:?}");
        }
        for job in taken {
            jumping.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
        }
    }
}

/// Waits until a session waits for a lock of another one.
async fn a_session_waits(url: &str) {
    let waiting = "SELECT pid::text FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let begun = Instant::now();
    while texts(url, waiting).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no session waits");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Runs `act` while another session has a transaction with these statements. It is committed when `act` waits for it.
async fn beside<T>(url: &str, statements: &str, act: impl Future<Output = T>) -> T {
    let (mut other, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let transaction = other.transaction().await.unwrap();
    transaction.batch_execute(statements).await.unwrap();
    let end = async {
        a_session_waits(url).await;
        transaction.commit().await.unwrap();
    };
    tokio::join!(act, end).0
}

/// A file is not lost if a message uses it while the last other message with it is deleted, whoever is first.
#[tokio::test]
async fn a_use_of_a_file_and_its_release_do_not_overlap() {
    let database = PostgresDatabase::new().await;
    let (ports, url) = (Ports::of(migrated(&database).await), database.url());
    let world = World::new(&ports).await;
    let (media, contact) = expiry::a_file_of_an_old_message(&world).await;
    let used_by = async || ports.media.get(&world.access, media).await.unwrap().unwrap().used_by;

    let release = "UPDATE media SET contact_id = NULL, version = version + 1";
    let again = Change::Conversation(ConversationChange::UseMedia { media, contact });
    beside(&url, release, world.add(again)).await;
    assert_eq!(used_by().await, MediaUse::Contact(contact), "the use follows the release");

    let repeat = format!(
        "UPDATE media SET version = version; \
         INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object( \
             'id', '{}'::text, 'created_at', m.created_at + interval '1 day'))).* \
         FROM messages m WHERE m.parts LIKE '%media:%'",
        uuid()
    );
    beside(&url, &repeat, async {
        ports.engine.expire_messages(SweepPlace::before(at(0)), at(4), 9).await.unwrap();
    })
    .await;
    assert_eq!(used_by().await, MediaUse::Contact(contact), "the release follows the use");
    let messages = texts(&url, "SELECT count(*)::text FROM messages WHERE parts LIKE '%media:%'").await;
    assert_eq!(messages, ["1"], "the old message was deleted");
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

/// Release 0.5.0 knows only the mark of a pause.
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
