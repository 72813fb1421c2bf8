//! Imports: the table is stored in parts until it is processed, and each row is imported once.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use tidings_domain::Tidings;
use tidings_domain::contacts::{ContactFilter, ContactNames, ContactRef, OnError, ReadColumn, WrongCell};
use tidings_domain::events::EventKind;
use tidings_domain::imports::{
    BODY_PART, Import, ImportChange, ImportCounts, ImportError, ImportStatus, NewImport, RejectedRow,
};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Change, ClaimRequest, Conflict, Counted, Guard, Job, Object, Pool, Row};

use tidings_domain::tables::{Format, Place, Target};

use crate::Ports;
use crate::fixtures::{World, an_import, at, conflict, uuid};
use crate::jobs::LONG;

/// Returns a rejected row with this line number and these identifiers.
pub fn a_rejected_row(line: i64, email: Option<&str>, phone: Option<&str>) -> RejectedRow {
    let names = ContactNames {
        external_id: None,
        email: email.and_then(|it| it.parse().ok()),
        phone: phone.and_then(|it| it.parse().ok()),
    };
    let wrong = vec![WrongCell::in_line("required", "nobody is named; \"Ä\"")];
    RejectedRow { line, cells: vec!["=1+1".to_owned(), "é".to_owned()], wrong, names }
}

async fn added(world: &World) -> Import {
    let import = an_import();
    world.add(Change::Insert(Row::Import(Box::new(import.clone())))).await;
    import
}

/// All fields are stored. An unfinished import counts against the limit.
pub async fn stores_all_fields_of_an_import(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut it = added(&world).await;
    let get = async |world: &World| store.imports.get(&world.access, it.id).await.unwrap();
    assert_eq!((get(&world).await.as_ref(), get(&other).await), (Some(&it), None));
    let room = Guard::Room { what: Counted::Imports, adding: 1, most: 1 };
    let is_full = async |world: &World| world.commit(|set| set.guards.push(room)).await.is_err();
    assert!(is_full(&world).await && !is_full(&other).await);
    it.next = Place { byte: 77, line: 8, row: 8 };
    it.reading.columns = vec![ReadColumn { target: Target::Email, format: Format::Text }, ReadColumn::SKIPPED];
    (it.reading.encoding, it.reading.on_error) = (Some("windows-1252".to_owned()), OnError::SkipCell);
    it.reading.ignored = vec!["Größe \"cm\"".to_owned()];
    it.status = ImportStatus::Failed;
    it.error = Some(ImportError { code: "internal".to_owned(), message: "so".to_owned() });
    it.counts = ImportCounts {
        rows: 9,
        created: 1,
        updated: 2,
        kept: 3,
        rejected: 4,
        still_opted_out: 5,
        skipped_cells: 6,
        clock_changes: 7,
    };
    (it.started_at, it.ended_at, it.updated_at, it.version) = (Some(at(1)), Some(at(2)), at(2), 2);
    world.add(Change::Update(Row::Import(Box::new(it.clone())))).await;
    assert_eq!(store.imports.get(&world.access, it.id).await.unwrap(), Some(it.clone()));
    assert!(!is_full(&world).await, "an ended import does not count against the limit");
    let list = store.imports.list(&world.access, PageRequest::default()).await.unwrap().items;
    assert_eq!(list, vec![it.clone()]);
    let stale = world.change(Change::Update(Row::Import(Box::new(it.clone())))).await;
    assert_eq!(conflict(stale), Conflict::Stale(Object::Import(it.id)));
    world.add(Change::Delete(Object::Import(it.id))).await;
    assert_eq!(store.imports.get(&world.access, it.id).await.unwrap(), None);
}

/// The table is read part by part and deleted as a whole.
pub async fn stores_an_import_table_in_parts(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (import, beside) = (added(&world).await.id, added(&world).await.id);
    let table = "Ä,b\n".repeat(BODY_PART / 2);
    for (import, table) in [(import, Arc::<[u8]>::from(table.as_bytes())), (beside, b"other".as_slice().into())] {
        world.add(Change::Import(ImportChange::PutTable { import, table })).await;
    }
    let read = async |from, to| store.imports.table(&world.access, import, from..to).await.unwrap();
    assert!(read(0, 9).await == table.as_bytes());
    assert!(read(1, 2).await == table.as_bytes()[BODY_PART..2 * BODY_PART]);
    assert_eq!((read(2, 9).await.len(), read(3, 9).await.len()), (table.len() - 2 * BODY_PART, 0));
    assert!(store.imports.table(&other.access, import, 0..9).await.unwrap().is_empty());
    other.add(Change::Import(ImportChange::DropTable { import })).await;
    assert!(!read(0, 1).await.is_empty());
    world.add(Change::Import(ImportChange::DropTable { import })).await;
    assert!(read(0, 9).await.is_empty());
    assert_eq!(store.imports.table(&world.access, beside, 0..1).await.unwrap(), b"other");
}

/// Rejected rows are listed by line. They are removed with the contact that they identify, or in portions.
pub async fn removes_rejected_rows_with_their_contacts(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let import = added(&world).await.id;
    let rows = [
        a_rejected_row(3, Some("ada@example.com"), None),
        a_rejected_row(2, None, Some("+49301234567")),
        a_rejected_row(9, Some("eve@example.com"), Some("+49301234568")),
        a_rejected_row(12, None, None),
    ];
    for row in rows.clone() {
        world.add(Change::Import(ImportChange::Reject { import, row: Box::new(row) })).await;
    }
    let lines = async |behind, limit| {
        let rows = store.imports.rejected(&world.access, import, behind, limit).await.unwrap();
        rows.into_iter().map(|row| row.line).collect::<Vec<_>>()
    };
    assert_eq!(store.imports.rejected(&world.access, import, 2, 1).await.unwrap(), rows[..1]);
    assert_eq!((lines(0, 9).await, lines(3, 1).await), (vec![2, 3, 9, 12], vec![9]));
    assert_eq!(store.imports.rejected(&other.access, import, 0, 9).await.unwrap(), []);
    let ada = ContactNames {
        email: "ada@example.com".parse().ok(),
        phone: "+49301234568".parse().ok(),
        external_id: "nobody".parse().ok(),
    };
    let naming = async |world: &World, person: &ContactRef, behind, limit| {
        let rows = store.imports.rejected_naming(&world.access, person, behind, limit).await.unwrap();
        rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>()
    };
    let refs = ada.refs();
    assert_eq!(naming(&world, &refs[0], None, 9).await, [], "no rejected row has this external ID");
    assert_eq!(naming(&world, &refs[1], None, 9).await, rows[..1]);
    assert_eq!(naming(&world, &refs[2], None, 9).await, rows[2..3]);
    assert_eq!(naming(&other, &refs[1], None, 9).await, []);
    let beside = added(&world).await.id;
    for line in [4, 5] {
        let row = Box::new(a_rejected_row(line, Some("ada@example.com"), None));
        world.add(Change::Import(ImportChange::Reject { import: beside, row })).await;
    }
    let mut told = Vec::new();
    let mut behind = None;
    while let Some((of, row)) = store.imports.rejected_naming(&world.access, &refs[1], behind, 1).await.unwrap().pop() {
        told.push((of, row.line));
        behind = Some((of, row.line));
    }
    assert_eq!(told, [(import, 3), (beside, 4), (beside, 5)], "the rows are sorted by import");
    other.add(Change::Import(ImportChange::Forget(ada.clone()))).await;
    assert_eq!(lines(0, 9).await.len(), 4);
    world.add(Change::Import(ImportChange::Forget(ada))).await;
    assert_eq!(lines(0, 9).await, [2, 12], "all rows with one of the identifiers are removed");
    world.add(Change::Import(ImportChange::DropRejected { import, limit: 1 })).await;
    assert_eq!(lines(0, 9).await, [12]);
}

/// A worker that is killed at any moment, or a repeat of finished work, imports no row twice and skips none.
pub async fn an_interrupted_import_imports_each_row_once(store: Ports) {
    const ROWS: i64 = 1_000;
    let world = World::new(&store).await;
    let tidings = Tidings::new(store.clone());
    let mut table = "external_id,first_name,tags,subscribed\r\n".to_owned();
    for row in 0..ROWS {
        // Every tenth row repeats a contact; every hundredth has no identifier.
        let who = if row % 10 == 9 { row - 1 } else { row };
        let name = if row % 100 == 50 { String::new() } else { format!("c{who}") };
        write!(table, "{name},\"Name, {row}\",\"all,t{}\",\r\n", row % 3).unwrap();
    }
    let new = NewImport::of(table.as_bytes());
    let import = tidings.imports.start(&world.access, new, None).await.unwrap().value.id;
    let mut portions = 0;
    loop {
        let claimed = store.engine.claim(ClaimRequest::new(Pool::Work, 10, LONG, store.clock.now())).await.unwrap();
        if claimed.is_empty() {
            break;
        }
        // By PostgreSQL's own clock, the thirty days of this import are long over.
        for job in claimed.into_iter().filter(|job| !matches!(job.job, Job::ForgetImport { .. })) {
            portions += 1;
            // Each portion is first cancelled midway, then performed twice concurrently, and once more when it is
            // complete.
            let broken_off = Duration::from_millis(portions % 7 * 3);
            tokio::time::timeout(broken_off, tidings.worker.perform(&job)).await.ok();
            let (one, two) = tokio::join!(tidings.worker.perform(&job), tidings.worker.perform(&job));
            assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
            tidings.worker.perform(&job).await.unwrap();
        }
    }
    assert!(portions > 9, "{portions} portions");
    let done = store.imports.get(&world.access, import).await.unwrap().unwrap();
    let counts =
        ImportCounts { rows: 1_000, created: 890, updated: 100, kept: 0, rejected: 10, ..ImportCounts::default() };
    assert_eq!((done.status, done.counts, done.error), (ImportStatus::Completed, counts, None));
    assert_eq!(store.contacts.count(&world.access, &ContactFilter::default(), 2_000).await.unwrap(), 890);
    assert!(store.imports.table(&world.access, import, 0..9).await.unwrap().is_empty(), "the table is deleted");
    let rejected = store.imports.rejected(&world.access, import, 0, 99).await.unwrap();
    let lines: Vec<_> = rejected.iter().map(|row| row.line).collect();
    assert_eq!(lines, (0..10).map(|it| it * 100 + 52).collect::<Vec<_>>());
    let now = store.clock.now();
    store.engine.number_events(uuid(), Duration::ZERO, 10_000, now).await.unwrap();
    for (kind, expected) in [(EventKind::ContactCreated, 890), (EventKind::ContactUpdated, 100)] {
        let told = store.events.feed(&world.access, 0, vec![kind], 2_000, usize::MAX).await.unwrap().events.len();
        assert_eq!(told, expected, "{kind:?}");
    }
}
