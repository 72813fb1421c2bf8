//! Rule 9: waiting change sets share one transaction, and a failure of one does not affect the others.

mod turns;

use std::path::Path;
use std::sync::mpsc;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use tidings_domain::events::EventKind;
use tidings_domain::ports::{Change, Conflict, Guard, Object, Row, TagChange, UniqueKey};
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::tags::Tag;
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::SqliteFile;
use tidings_storage_suite::fixtures::{NOW, World, an_event, id};

use super::*;
use crate::sqlite::open::{SqliteSettings, connect, connect_beside};
use crate::{Storage, StorageSettings};

/// The name of a tag that makes its change set panic when it is applied.
const PANIC: &str = "panic!";

/// Panics if the set contains the tag [`PANIC`]. Tests cannot make the product panic in another way.
pub(super) fn panic_where_asked(set: &ChangeSet) {
    let asks =
        |change: &Change| matches!(change, Change::Insert(Row::Stored(StoredRow::Tag(tag))) if tag.name == PANIC);
    assert!(!set.changes.iter().any(asks), "as it was asked");
}

/// Limits that only their own tests reach.
const WIDE: Limits = Limits { batch: 10_000, time: Duration::from_secs(60), queue: 10_000, each: 10_000 };

struct Setup {
    writer: Writer,
    world: World,
    file: SqliteFile,
}

impl Setup {
    async fn new(limits: Limits) -> Self {
        Self::with_pages_to_spare(limits, None).await
    }

    /// Creates a setup with a file that may grow by `spare` pages.
    async fn with_pages_to_spare(limits: Limits, spare: Option<i64>) -> Self {
        let file = SqliteFile::new();
        let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
        storage.migrate().await.unwrap();
        let world = World::new(&Ports::of(storage)).await;
        let mut settings =
            SqliteSettings { path: file.path(), readers: 1, batch_time: Duration::from_millis(5), max_pages: None };
        let mut connection = connect(&settings).unwrap();
        if let Some(spare) = spare {
            let pages: i64 = numbers(&mut connection, "PRAGMA page_count", "page_count")[0];
            settings.max_pages = Some((pages + spare).try_into().unwrap());
            connection = connect(&settings).unwrap();
        }
        connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        Self { writer: Writer::start_within(limits, connection).unwrap(), world, file }
    }

    /// Blocks the writer until the returned sender is used or dropped.
    async fn hold_up(&self) -> mpsc::Sender<()> {
        let (release, released) = mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let writer = self.writer.clone();
        tokio::spawn(async move {
            let held = writer.with_connection(move |_| {
                let _ = begin.send(());
                let _ = released.recv();
                Ok(())
            });
            held.await.unwrap();
        });
        begun.await.unwrap();
        release
    }

    fn waiting(&self) -> usize {
        let queues = self.writer.handle.shared.lock();
        queues.requests.len() + queues.background.len()
    }

    /// Queues a change set behind the waiting ones.
    async fn queue(&self, build: impl FnOnce(&mut ChangeSet)) -> tokio::task::JoinHandle<Result<(), Fault>> {
        let mut set = ChangeSet::new(self.world.workspace);
        build(&mut set);
        let (writer, before) = (self.writer.clone(), self.waiting());
        let task = tokio::spawn(async move { writer.commit(set).await.outcome });
        while self.waiting() == before && !task.is_finished() {
            tokio::task::yield_now().await;
        }
        task
    }

    async fn queue_tag(&self, name: &str) -> tokio::task::JoinHandle<Result<(), Fault>> {
        let tag = Tag::new(id(), name, NOW);
        self.queue(|set| set.changes.push(Change::Insert(Row::Stored(StoredRow::Tag(tag))))).await
    }

    /// Returns the names of all tags in the order they were written, as a new reader sees them.
    fn tags(&self) -> Vec<String> {
        tags_in(&self.file)
    }

    fn commits(&self) -> usize {
        commit_frames(&self.file.folder().join("tidings.db-wal"))
    }
}

/// Returns the names of all tags of an intact file in the order they were written.
fn tags_in(file: &SqliteFile) -> Vec<String> {
    let mut connection = connect_beside(&file.path());
    assert_eq!(texts(&mut connection, "PRAGMA integrity_check", "integrity_check"), ["ok"]);
    texts(&mut connection, "SELECT name FROM tags ORDER BY rowid", "name")
}

/// Returns the number of transactions in the write-ahead log: frames with a database size in the header, which mark a
/// commit (<https://sqlite.org/fileformat2.html#walformat>).
fn commit_frames(log: &Path) -> usize {
    let log = std::fs::read(log).unwrap();
    let number = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
    if log.is_empty() {
        return 0;
    }
    let (page, salts) = (number(8) as usize, &log[16..24]);
    let frames = (32..).step_by(24 + page).take_while(|at| at + 24 + page <= log.len());
    frames.filter(|at| log[at + 8..at + 16] == *salts && number(at + 4) != 0).count()
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Returns a query for a column of a pragma or query. Pragmas are also available as tables.
fn source(query: &str, column: &str) -> String {
    match query.strip_prefix("PRAGMA ") {
        Some(pragma) => format!("SELECT {column} AS value FROM pragma_{pragma}"),
        None => format!("SELECT {column} AS value FROM ({query})"),
    }
}

fn texts(connection: &mut SqliteConnection, query: &str, column: &str) -> Vec<String> {
    let rows: Vec<TextRow> = diesel::sql_query(source(query, column)).load(connection).unwrap();
    rows.into_iter().map(|row| row.value).collect()
}

fn numbers(connection: &mut SqliteConnection, query: &str, column: &str) -> Vec<i64> {
    let rows: Vec<NumberRow> = diesel::sql_query(source(query, column)).load(connection).unwrap();
    rows.into_iter().map(|row| row.value).collect()
}

async fn answer(task: tokio::task::JoinHandle<Result<(), Fault>>) -> Result<(), Fault> {
    task.await.unwrap()
}

#[tokio::test]
async fn waiting_sets_share_one_transaction() {
    let setup = Setup::new(WIDE).await;
    let release = setup.hold_up().await;
    let mut tasks = Vec::new();
    for number in 0..64 {
        tasks.push(setup.queue_tag(&format!("tag {number}")).await);
    }
    assert_eq!((setup.waiting(), setup.commits()), (64, 0));
    drop(release);
    for task in tasks {
        answer(task).await.unwrap();
    }
    assert_eq!(setup.commits(), 1);
    assert_eq!(setup.tags().len(), 64);
}

#[tokio::test]
async fn a_batch_ends_at_its_limit() {
    let setup = Setup::new(Limits { batch: 16, ..WIDE }).await;
    let release = setup.hold_up().await;
    let mut tasks = Vec::new();
    for number in 0..64 {
        tasks.push(setup.queue_tag(&format!("tag {number}")).await);
    }
    drop(release);
    for task in tasks {
        answer(task).await.unwrap();
    }
    assert_eq!(setup.commits(), 4);
}

#[tokio::test]
async fn a_batch_ends_at_its_time_limit() {
    let setup = Setup::new(Limits { time: Duration::ZERO, ..WIDE }).await;
    let release = setup.hold_up().await;
    let tasks = [setup.queue_tag("a").await, setup.queue_tag("b").await, setup.queue_tag("c").await];
    drop(release);
    for task in tasks {
        answer(task).await.unwrap();
    }
    assert_eq!(setup.commits(), 3);
}

#[tokio::test]
async fn a_conflict_rolls_back_to_its_savepoint() {
    let setup = Setup::new(WIDE).await;
    let release = setup.hold_up().await;
    let before = setup.queue_tag("vip").await;
    let (first, again) = (Tag::new(id(), "of a set that fails", NOW), Tag::new(id(), "VIP", NOW));
    let contradicting = setup
        .queue(|set| {
            set.changes.extend([
                Change::Insert(Row::Stored(StoredRow::Tag(first))),
                Change::Insert(Row::Stored(StoredRow::Tag(again))),
            ])
        })
        .await;
    let after = setup.queue_tag("last").await;
    drop(release);
    answer(before).await.unwrap();
    let conflict = answer(contradicting).await.unwrap_err();
    assert!(matches!(conflict, Fault::Conflict(Conflict::Exists(UniqueKey::TagName))), "{conflict:?}");
    answer(after).await.unwrap();
    assert_eq!((setup.commits(), setup.tags()), (1, vec!["vip".to_owned(), "last".to_owned()]));
}

#[tokio::test]
async fn a_guard_that_passed_is_checked_again_after_its_object_changed() {
    let setup = Setup::new(WIDE).await;
    let tag = setup.world.tag("vip").await;
    let object = Object::Stored(StoredId::Tag(tag.id));
    let mut links = Vec::new();
    for contact in [setup.world.contact().await, setup.world.contact().await] {
        links.push(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW }));
    }
    let (release, before) = (setup.hold_up().await, setup.commits());
    let mut good = Vec::new();
    for link in links {
        good.push(setup.queue(|set| _ = set.guard(Guard::Live(object)).change(link)).await);
    }
    good.push(setup.queue(|set| set.changes.push(Change::Delete(object))).await);
    let late = setup.queue(|set| set.guards.push(Guard::Live(object))).await;
    drop(release);
    for task in good {
        answer(task).await.unwrap();
    }
    let conflict = answer(late).await.unwrap_err();
    assert!(matches!(conflict, Fault::Conflict(Conflict::Stale(stale)) if stale == object), "{conflict:?}");
    assert_eq!(setup.commits(), before + 1);
}

/// After the first failed set, the sets before it run again. The sets after it use savepoints.
#[tokio::test]
async fn each_conflict_in_a_batch_fails_only_its_set() {
    let setup = Setup::new(WIDE).await;
    let release = setup.hold_up().await;
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for name in ["a", "b", "A", "c", "B", "C", "d"] {
        let task = setup.queue_tag(name).await;
        if name.chars().all(char::is_lowercase) { good.push(task) } else { bad.push(task) }
    }
    drop(release);
    for task in good {
        answer(task).await.unwrap();
    }
    for task in bad {
        let conflict = answer(task).await.unwrap_err();
        assert!(matches!(conflict, Fault::Conflict(Conflict::Exists(UniqueKey::TagName))), "{conflict:?}");
    }
    assert_eq!((setup.commits(), setup.tags()), (1, ["a", "b", "c", "d"].map(str::to_owned).to_vec()));
}

#[tokio::test]
async fn a_full_disk_fails_only_the_sets_that_do_not_fit() {
    let setup = Setup::with_pages_to_spare(WIDE, Some(40)).await;
    let release = setup.hold_up().await;
    let mut tasks = Vec::new();
    for number in 0..3 {
        tasks.push((true, setup.queue_tag(&format!("small {number}")).await));
        let (tag, mut event) = (Tag::new(id(), &format!("large {number}"), NOW), an_event(EventKind::FlowStarted));
        event.full = "x".repeat(1 << 20);
        let large = setup.queue(|set| {
            set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag))));
            set.events.push(event);
        });
        tasks.push((false, large.await));
    }
    tasks.push((true, setup.queue_tag("small 3").await));
    drop(release);
    for (fits, task) in tasks {
        match answer(task).await {
            Ok(()) => assert!(fits, "a set that does not fit was acknowledged"),
            Err(fault) => assert!(!fits && matches!(fault, Fault::Store(StoreError::Unavailable(_))), "{fault:?}"),
        }
    }
    // Nothing of the large sets is written, not even rows that would have fitted, and the file is intact.
    assert_eq!(setup.tags(), ["small 0", "small 1", "small 2", "small 3"]);
    answer(setup.queue_tag("after").await).await.unwrap();
    // The next process that opens the file sees the same.
    let Setup { writer, world, file } = setup;
    drop(writer);
    let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
    let tags =
        Ports::of(storage).tags.list(&world.access, &Default::default(), Default::default()).await.unwrap().items;
    assert_eq!(tags.len(), 5);
}

#[tokio::test]
async fn a_panic_fails_only_its_own_set() {
    let setup = Setup::new(WIDE).await;
    let release = setup.hold_up().await;
    let before = setup.queue_tag("before").await;
    let (written, panics) = (Tag::new(id(), "written", NOW), Tag::new(id(), PANIC, NOW));
    let panicking = setup
        .queue(|set| {
            set.changes.extend([
                Change::Insert(Row::Stored(StoredRow::Tag(written))),
                Change::Insert(Row::Stored(StoredRow::Tag(panics))),
            ])
        })
        .await;
    let after = setup.queue_tag("after").await;
    drop(release);
    answer(before).await.unwrap();
    assert!(matches!(answer(panicking).await, Err(Fault::Store(StoreError::Corrupt(_)))));
    answer(after).await.unwrap();
    assert_eq!((setup.commits(), setup.tags()), (1, vec!["before".to_owned(), "after".to_owned()]));
}

#[tokio::test]
async fn the_writer_survives_a_panic_of_exclusive_work() {
    let setup = Setup::new(WIDE).await;
    let panicking = setup.writer.with_connection::<()>(|connection| {
        connection.batch_execute("BEGIN IMMEDIATE; UPDATE workspaces SET name = 'lost'").unwrap();
        panic!("as it was asked");
    });
    assert!(matches!(panicking.await, Err(Fault::Store(StoreError::Unavailable(_)))));
    answer(setup.queue_tag("after").await).await.unwrap();
    let workspace = setup.world.ports.access.workspace(setup.world.workspace).await.unwrap().unwrap();
    assert_eq!(workspace.name, "Ada's shop");
}

#[tokio::test]
async fn the_files_contain_each_acknowledged_commit() {
    let setup = Setup::new(WIDE).await;
    for name in ["first", "second"] {
        answer(setup.queue_tag(name).await).await.unwrap();
    }
    // The files as a crash of the process leaves them. The shared memory of the log is rebuilt.
    let copy = SqliteFile::new();
    for name in ["tidings.db", "tidings.db-wal"] {
        std::fs::copy(setup.file.folder().join(name), copy.folder().join(name)).unwrap();
    }
    assert_eq!(tags_in(&copy), ["first", "second"]);
}

#[tokio::test]
async fn opens_the_file_with_wal_full_sync_and_foreign_keys() {
    let setup = Setup::new(WIDE).await;
    let settings = setup.writer.with_connection(|connection| {
        let number = |connection: &mut _, name: &str| numbers(connection, &format!("PRAGMA {name}"), name)[0];
        let mode = texts(connection, "PRAGMA journal_mode", "journal_mode");
        Ok((mode, number(connection, "synchronous"), number(connection, "foreign_keys")))
    });
    let (mode, synchronous, foreign_keys) = settings.await.unwrap();
    assert_eq!(mode, ["wal"]);
    // FULL: the log is synced on each commit, so a commit survives a power loss
    // (https://sqlite.org/pragma.html#pragma_synchronous).
    assert_eq!(synchronous, 2);
    assert_eq!(foreign_keys, 1);
}
