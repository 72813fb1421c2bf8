//! The data that a disclosure contains, over the store in memory.

use std::sync::Arc;

use futures::executor::block_on;

use super::DisclosedPart;
use crate::Tidings;
use crate::access::Access;
use crate::contacts::{ContactNames, ContactRef, NewContact, WrongCell};
use crate::custom_events::NewCustomEvent;
use crate::error::Error;
use crate::ids::{ImportId, TypedId};
use crate::imports::RejectedRow;
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::ports::{Change, ChangeSet, ImportChange, MockImportQueries, Ports, StoreError};
use crate::testing::with_workspace;

fn all(tidings: &Tidings, access: &Access, contact: &ContactRef) -> Vec<DisclosedPart> {
    let mut reader = block_on(tidings.disclosure.of(access, contact)).unwrap();
    let mut parts = Vec::new();
    while let Some(part) = block_on(reader.next()).unwrap() {
        parts.push(part);
        assert!(parts.len() < 600, "the disclosure ends");
    }
    parts
}

#[test]
fn returns_all_parts_in_order_and_each_row_once() {
    let (tidings, access) = with_workspace(Ports::of(Arc::new(MemoryStore::new())));
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value;
    let by_id = ContactRef::Id(contact.id);
    for _ in 0..250 {
        let event = NewCustomEvent { name: "order.paid".parse().unwrap(), data: serde_json::Map::default() };
        block_on(tidings.custom_events.record(&access, &by_id, event, None)).unwrap();
    }
    let parts = all(&tidings, &access, &by_id);
    let mut names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    names.dedup();
    let order = [
        "contact",
        "conversations",
        "messages",
        "custom_events",
        "events",
        "flow_runs",
        "enrollments",
        "rejected_rows",
    ];
    assert_eq!(names, order);
    let told = parts.iter().filter(|part| part.name == "custom_events");
    assert_eq!(told.clone().map(|part| part.rows.len()).collect::<Vec<_>>(), [25; 10]);
    let mut rows: Vec<&String> = told.flat_map(|part| &part.rows).collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 250);
    let mut events = parts.iter().filter(|part| part.name == "events").map(|part| part.rows.len());
    assert!(events.all(|rows| rows <= 1), "a part contains at most one event");

    block_on(tidings.contacts.delete(&access, &by_id, &ExpectedVersion::Any)).unwrap();
    let left = all(&tidings, &access, &by_id);
    assert_eq!(left.len(), parts.len() + 1, "a deleted contact is disclosed with its deletion event");
    let nobody = ContactRef::ExternalId("nobody".parse().unwrap());
    assert!(matches!(block_on(tidings.disclosure.of(&access, &nobody)), Err(Error::NotFound)));
}

#[test]
fn returns_a_row_with_two_identifiers_once() {
    let (tidings, access) = with_workspace(Ports::of(Arc::new(MemoryStore::new())));
    let new = NewContact {
        email: "ada@example.com".parse().ok(),
        phone: "+49301234567".parse().ok(),
        external_id: "ada".parse().ok(),
        ..NewContact::default()
    };
    let contact = block_on(tidings.contacts.create(&access, new, None)).unwrap().value;
    let import = ImportId::from_uuid(uuid::Uuid::from_u128(5));
    let mut set = ChangeSet::new(access.workspace());
    for line in 2..=252 {
        let names = ContactNames {
            external_id: Some("ada").filter(|_| line % 3 == 0).and_then(|it| it.parse().ok()),
            email: if line == 252 { "eve@example.com" } else { "ada@example.com" }.parse().ok(),
            phone: Some("+49301234567").filter(|_| line % 5 == 0).and_then(|it| it.parse().ok()),
        };
        let wrong = vec![WrongCell::in_line("required", "so")];
        let row = Box::new(RejectedRow { line, cells: vec![line.to_string()], wrong, names });
        set.change(Change::Import(ImportChange::Reject { import, row }));
    }
    block_on(tidings.ports.ledger.commit(set)).unwrap();
    let parts = all(&tidings, &access, &ContactRef::Id(contact.id));
    let mut rows: Vec<&String> =
        parts.iter().filter(|part| part.name == "rejected_rows").flat_map(|part| &part.rows).collect();
    assert_eq!(rows.len(), 251, "line 252 matches by the external ID");
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 251);
    assert!(
        rows.iter().all(|row| row.contains("\"wrong\":[{\"column\":\"\",\"code\":\"required\",\"message\":\"so\"}]")),
        "{rows:?}"
    );
}

#[test]
fn reads_a_portion_again_after_a_failure() {
    let mut imports = MockImportQueries::new();
    let mut answers = vec![Ok(Vec::new()), Err(StoreError::Unavailable("a test".to_owned()))];
    imports.expect_rejected_naming().times(2).returning(move |_, _, _, _| answers.pop().unwrap());
    let ports = Ports { imports: Arc::new(imports), ..Ports::of(Arc::new(MemoryStore::new())) };
    let (tidings, access) = with_workspace(ports);
    let new = NewContact { email: "ada@example.com".parse().ok(), ..NewContact::default() };
    let contact = block_on(tidings.contacts.create(&access, new, None)).unwrap().value;
    let mut reader = block_on(tidings.disclosure.of(&access, &ContactRef::Id(contact.id))).unwrap();
    let (mut names, mut failures) = (Vec::new(), 0);
    loop {
        match block_on(reader.next()) {
            Ok(Some(part)) => names.push(part.name),
            Ok(None) => break,
            Err(error) => {
                assert_eq!(error, Error::Store(StoreError::Unavailable("a test".to_owned())));
                failures += 1;
            }
        }
    }
    assert_eq!((failures, names.last()), (1, Some(&"rejected_rows")));
}
