//! Imports, over the store in memory.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;

use super::portion::{Portion, Trouble};
use super::{
    ColumnState, Import, ImportChange, ImportCheck, ImportCounts, ImportStatus, NewImport, OnExisting, TableOptions,
};
use crate::Tidings;
use crate::access::{Access, Actor, Role};
use crate::audit::{AuditAction, AuditFilter};
use crate::contacts::{ContactFilter, ContactPatch, ContactRef, ContactTable, NewContact, OnError, ReadColumn};
use crate::error::Error;
use crate::events::EventKind;
use crate::fields::{FieldKind, FieldRef, NewCustomField, Rules};
use crate::ids::{TypedId, UserId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::{ExpectedVersion, Outcome};
use crate::pagination::PageRequest;
use crate::ports::{Change, ChangeSet, Clock, Ports, StoreError};
use crate::references::Deletion;
use crate::retry::AttemptError;
use crate::testing::with_workspace;

#[path = "check_tests.rs"]
mod checks;

struct World {
    tidings: Tidings,
    access: Access,
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
}

fn world() -> World {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), ..Ports::of(store.clone()) });
    World { tidings, access, store, clock }
}

fn table(text: &str) -> NewImport<'_> {
    NewImport::of(text.as_bytes())
}

impl World {
    fn start(&self, new: NewImport<'_>) -> Result<Import, Error> {
        let started = block_on(self.tidings.imports.start(&self.access, new, None))?;
        assert_eq!((started.outcome, started.value.status), (Outcome::Accepted, ImportStatus::Queued));
        Ok(started.value)
    }

    fn work(&self) {
        block_on(self.tidings.run_due(self.clock.now())).unwrap();
    }

    fn get(&self, import: &Import) -> Result<Import, Error> {
        block_on(self.tidings.imports.get(&self.access, import.id))
    }

    fn taken(&self, new: NewImport<'_>) -> Import {
        let started = self.start(new).unwrap();
        self.work();
        self.get(&started).unwrap()
    }

    fn rejected(&self, import: &Import) -> Vec<(i64, String, String)> {
        let rows = block_on(self.tidings.imports.rejected(&self.access, import.id, 0, 100)).unwrap();
        let told = rows
            .into_iter()
            .flat_map(|row| row.wrong.into_iter().map(move |it| (row.line, it.column, it.code)).collect::<Vec<_>>());
        told.collect()
    }

    fn contacts(&self) -> usize {
        block_on(self.tidings.ports.contacts.count(&self.access, &ContactFilter::default(), 10_000)).unwrap() as usize
    }
}

fn email_table() -> ContactTable {
    let column = ReadColumn { target: tidings_tables::Target::Email, format: tidings_tables::Format::Text };
    ContactTable::new(&["email".to_owned()], &[column], &[], chrono_tz::Tz::UTC).unwrap()
}

fn done(import: &Import) -> [i64; 4] {
    let ImportCounts { created, updated, kept, rejected, .. } = import.counts;
    [created, updated, kept, rejected]
}

#[test]
fn imports_valid_rows_and_reports_rejected_ones() {
    let world = world();
    let text = "external_id,email,tags\n1,ada@example.com,\"vip,new\"\n2,nonsense,\n3,,new\n1,,late\n,,\n";
    let import = world.taken(table(text));
    assert_eq!((import.status, done(&import), import.counts.rows), (ImportStatus::Completed, [2, 1, 0, 1], 4));
    let wrong = [(3, "email".to_owned(), "invalid_value".to_owned())];
    assert_eq!(world.rejected(&import), wrong);
    let ada =
        block_on(world.tidings.contacts.get(&world.access, &ContactRef::ExternalId("1".parse().unwrap()))).unwrap();
    assert_eq!((ada.email.map(|it| it.to_string()), ada.tags.len()), (Some("ada@example.com".to_owned()), 3));
    let told = world.store.events(world.access.workspace());
    assert_eq!(told.iter().filter(|event| event.kind == EventKind::ContactCreated).count(), 2);
    let again = world.taken(table(text));
    assert_eq!(done(&again), [0, 0, 3, 1], "contacts equal to their rows do not change");
}

#[test]
fn imports_on_behalf_of_the_user_without_audit_entries() {
    let mut world = world();
    let user = UserId::from_uuid(uuid::Uuid::from_u128(5));
    world.access = Access::of_user(world.access.workspace(), user, Role::Member);
    let import = world.taken(table("external_id,first_name\n1,Ada\n"));
    assert_eq!(import.created_by, Actor::user(user));
    world.taken(table("external_id,first_name\n1,Augusta\n"));
    for event in world.store.events(world.access.workspace()) {
        let envelope: serde_json::Value = serde_json::from_str(&event.full).unwrap();
        assert_eq!(envelope["actor"], serde_json::json!(Actor::user(user)), "{envelope}");
    }
    let page = PageRequest { limit: 10, ..PageRequest::default() };
    let audited = block_on(world.tidings.ports.audit.list(&world.access, &AuditFilter::default(), page)).unwrap().items;
    let written = |action| audited.iter().filter(|it| it.action == action).count();
    assert_eq!(written(AuditAction::ImportCreated), 2);
    assert_eq!(written(AuditAction::ContactCreated) + written(AuditAction::ContactUpdated), 0);
}

#[test]
fn imports_rejected_rows_again_without_their_reasons() {
    let world = world();
    let text = "line,column,code,message,external_id,email\n\
                7,email,invalid_value,no address,1,ada@example.com\n\
                7,,full,no more tags,1,ada@example.com\n\
                9,,required,nobody is named,,\n";
    let import = world.taken(table(text));
    assert_eq!((import.status, done(&import)), (ImportStatus::Completed, [1, 0, 1, 1]));
    assert_eq!(world.rejected(&import), [(4, String::new(), "required".to_owned())]);
    let other = NewImport { existing: OnExisting::Reject, ..table(text) };
    let import = world.taken(other);
    assert_eq!(done(&import), [0, 0, 0, 3], "existing contacts are rejected");
}

#[test]
fn at_most_twenty_errors_of_a_rejected_row_are_kept() {
    let world = world();
    let (mut head, mut row) = ("external_id".to_owned(), "1".to_owned());
    for number in 0..25 {
        let rules = Rules::default();
        let (kind, name) = (FieldKind::Number, format!("n{number}"));
        let field = NewCustomField { key: Some(name.clone()), name, kind, options: Vec::new(), rules };
        block_on(world.tidings.fields.create(&world.access, field, None)).unwrap();
        write!(head, ",custom_fields.n{number}").unwrap();
        row.push_str(",x");
    }
    let import = world.taken(table(&format!("{head}\n{row}\n")));
    assert_eq!((done(&import), world.rejected(&import).len()), ([0, 0, 0, 1], 20));
}

#[test]
fn imports_a_large_table_in_portions() {
    let world = world();
    let mut text = "external_id,first_name\r\n".to_owned();
    for row in 0..1_500 {
        write!(text, "{row},\"Contact, \"\"{row}\"\" {}\"\r\n", "x".repeat(80)).unwrap();
    }
    assert!(text.len() > 2 * super::BODY_PART, "the table spans several stored parts");
    let import = world.taken(table(&text));
    assert_eq!((done(&import), world.contacts()), ([1_500, 0, 0, 0], 1_500));
    assert!(import.version > 10, "{} commits", import.version);
}

#[test]
fn rejects_invalid_tables_and_more_than_twenty_imports() {
    let world = world();
    for text in ["", "\n\n", "first_name\nAda\n", "email,emial\n", "email\n\"ada", "email\n\"a\"\"\n"] {
        assert!(matches!(world.start(table(text)), Err(Error::Invalid(_))), "{text}");
    }
    let long = format!("email,first_name\na@example.com,{}\n", "x".repeat(tidings_tables::MAX_ROW));
    assert!(matches!(world.start(table(&long)), Err(Error::Invalid(it)) if it[0].code == "too_long"));
    let other = NewImport::of(b"PK\x03\x04 a workbook");
    assert!(matches!(world.start(other), Err(Error::Invalid(it)) if it[0].code == "not_a_table"));
    for _ in 0..20 {
        world.start(table("email\n")).unwrap();
    }
    assert!(
        matches!(world.start(table("email\n")), Err(Error::Full { most: 20, .. })),
        "at most twenty imports are queued"
    );
    world.work();
    world.start(table("email\n")).unwrap();
}

/// Another worker imports the remaining rows between two reads of a worker.
#[test]
fn retries_if_another_worker_finished_the_table() {
    let world = world();
    let before = world.start(table("email\na@example.com\n")).unwrap();
    let portion = || Portion {
        contacts: world.tidings.contacts.clone(),
        access: &world.access,
        table: email_table(),
        on_error: OnError::RejectRow,
        existing: OnExisting::Update,
        trouble: Trouble { tags_are_full: false },
    };
    let take = |import: &Import| {
        let mut set = ChangeSet::new(world.access.workspace());
        block_on(portion().take(&mut import.clone(), 9, &mut set))
    };
    world.work();
    assert!(matches!(take(&before), Err(AttemptError::Retry)));
    let after = Import { next: before.next, ..world.get(&before).unwrap() };
    assert!(matches!(take(&after), Err(AttemptError::Final(Error::Store(StoreError::Corrupt(_))))));
}

#[test]
fn rows_with_skipped_cells_leave_room_for_rejected_rows() {
    let world = world();
    let on_error = OnError::SkipCell;
    let new = NewImport { on_error, ..table("email,time_zone\na@example.com,Nowhere\nnobody,\n") };
    let import = world.start(new).unwrap();
    let portion = Portion {
        contacts: world.tidings.contacts.clone(),
        access: &world.access,
        table: ContactTable::new(&import.columns, &import.reading.columns, &[], chrono_tz::Tz::UTC).unwrap(),
        on_error,
        existing: OnExisting::Update,
        trouble: Trouble { tags_are_full: false },
    };
    let stored = |rejected, skipped_cells| {
        let counts = ImportCounts { rejected, skipped_cells, ..import.counts };
        let (mut it, mut set) = (Import { counts, ..import.clone() }, ChangeSet::new(world.access.workspace()));
        assert!(block_on(portion.take(&mut it, 9, &mut set)).is_ok());
        let lines = set.changes.iter().filter_map(|change| match change {
            Change::Import(ImportChange::Reject { row, .. }) => Some(row.line),
            _ => None,
        });
        lines.collect::<Vec<_>>()
    };
    assert_eq!(stored(0, 0), [2, 3]);
    assert_eq!(stored(0, 10_000), [3]);
    assert_eq!(stored(10_000, 0), [2]);
}

#[test]
fn an_import_fails_if_its_field_is_deleted() {
    let world = world();
    let (name, kind) = ("Plan".to_owned(), FieldKind::Text);
    let field = NewCustomField { key: None, name, kind, options: Vec::new(), rules: Rules::default() };
    let field = block_on(world.tidings.fields.create(&world.access, field, None)).unwrap().value;
    let import = world.start(table("email,custom_fields.plan\na@example.com,gold\n")).unwrap();
    block_on(world.tidings.fields.delete(
        &world.access,
        &FieldRef::Id(field.id),
        Deletion::IfUnused,
        &ExpectedVersion::Any,
    ))
    .unwrap();
    world.work();
    let failed = world.get(&import).unwrap();
    assert_eq!((failed.status, done(&failed)), (ImportStatus::Failed, [0; 4]));
    assert!(failed.error.is_some_and(|it| it.code == "columns_changed" && it.message.contains("custom_fields.plan")));
}

#[test]
fn an_import_does_not_subscribe_opted_out_contacts() {
    let world = world();
    let new = NewContact { external_id: "1".parse().ok(), subscribed: Some(false), ..NewContact::default() };
    let ada = ContactRef::Id(block_on(world.tidings.contacts.create(&world.access, new, None)).unwrap().value.id);
    let import = world.taken(table("external_id,subscribed,first_name\n1,true,Ada\n"));
    assert_eq!((done(&import), import.counts.still_opted_out), ([0, 1, 0, 0], 1));
    let contact = block_on(world.tidings.contacts.get(&world.access, &ada)).unwrap();
    assert_eq!((contact.subscribed, contact.first_name.as_deref()), (false, Some("Ada")));
    let lift = ContactPatch { subscribed: Some(true), ..ContactPatch::default() };
    block_on(world.tidings.contacts.update(&world.access, &ada, lift, &ExpectedVersion::Any)).unwrap();
    let import = world.taken(table("external_id,subscribed\n1,true\n"));
    assert_eq!((done(&import), import.counts.still_opted_out), ([0, 0, 1, 0], 0));
}

#[test]
fn cancels_and_expires_imports() {
    let world = world();
    let import = world.start(table("email\nada\n")).unwrap();
    let cancel = || block_on(world.tidings.imports.cancel(&world.access, import.id, None)).unwrap();
    let (first, second) = (cancel(), cancel());
    assert_eq!((first.outcome, first.value.status), (Outcome::Changed, ImportStatus::Cancelled));
    assert_eq!((second.outcome, &second.value), (Outcome::Unchanged, &first.value));
    world.work();
    assert_eq!((world.get(&import).unwrap(), world.contacts()), (first.value, 0));
    let rejecting = world.taken(table("email\nada\n"));
    assert_eq!(world.rejected(&rejecting).len(), 1);
    world.clock.set(world.clock.now().plus(Duration::from_secs(31 * 86_400)));
    world.work();
    assert!(matches!(world.get(&import), Err(Error::NotFound)));
    assert!(world.rejected(&rejecting).is_empty());
    let page = block_on(world.tidings.imports.list(&world.access, PageRequest::default())).unwrap();
    assert_eq!(page.items, []);
}

#[test]
fn an_erasure_removes_the_rejected_rows_of_the_contact() {
    let world = world();
    let new = NewContact { email: "ada@example.com".parse().ok(), ..NewContact::default() };
    block_on(world.tidings.contacts.create(&world.access, new, None)).unwrap();
    let text = "email,time_zone\nada@example.com,Nowhere\neve@example.com,Nowhere\n";
    let import = world.taken(table(text));
    assert_eq!(world.rejected(&import).len(), 2);
    let ada = ContactRef::Email("ada@example.com".parse().unwrap());
    block_on(world.tidings.erasures.erase(&world.access, &ada, None)).unwrap();
    assert_eq!(world.rejected(&import), [(3, "time_zone".to_owned(), "not_a_time_zone".to_owned())]);
}
