//! Fields have unique keys, versions and a limit.

use std::sync::Arc;

use futures::executor::block_on;
use serde_json::Value;
use uuid::Uuid;

use super::{BotFieldService, FieldKind, FieldRef, FieldService, NewBotField, NewCustomField, Rules};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{TypedId, WorkspaceId};
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::ports::{Conflict, MockLedger, Ports, UniqueKey};
use crate::references::Deletion;
use crate::testing::new_workspace;

fn world() -> (Access, FieldService, BotFieldService) {
    let ports = Arc::new(Ports::of(Arc::new(MemoryStore::new())));
    (new_workspace(&ports), FieldService { ports: ports.clone() }, BotFieldService { ports })
}

fn custom(name: &str) -> NewCustomField {
    let (options, rules) = (Vec::new(), Rules::default());
    NewCustomField { key: None, name: name.to_owned(), kind: FieldKind::Text, options, rules }
}

fn bot(name: &str) -> NewBotField {
    NewBotField { key: None, name: name.to_owned(), kind: FieldKind::Text, value: Value::Null }
}

#[test]
fn rejects_taken_keys() {
    let (access, fields, bots) = world();
    let plan = block_on(fields.create(&access, custom(" Plan "), None)).unwrap().value;
    assert_eq!((plan.key.as_str(), plan.name.as_str(), plan.version), ("plan", "Plan", 1));
    let taken = Error::Taken { what: "custom field", field: "key", existing: Some(plan.id.to_string()) };
    assert_eq!(block_on(fields.create(&access, custom("Plan"), None)).err(), Some(taken));
    let season = block_on(bots.create(&access, bot("Plan"), None)).unwrap().value;
    let taken = Error::Taken { what: "bot field", field: "key", existing: Some(season.id.to_string()) };
    assert_eq!(block_on(bots.create(&access, bot("Plan"), None)).err(), Some(taken));
}

#[test]
fn repeats_a_create_if_the_field_with_the_key_was_deleted() {
    let mut ledger = MockLedger::new();
    let mut outcomes = vec![Ok(()), Err(Conflict::Exists(UniqueKey::BotFieldKey).into())];
    ledger.expect_commit().times(2).returning(move |_| outcomes.pop().unwrap());
    let ports = Ports { ledger: Arc::new(ledger), ..Ports::of(Arc::new(MemoryStore::new())) };
    let access = Access::system(WorkspaceId::from_uuid(Uuid::nil()));
    let created = block_on(BotFieldService { ports: Arc::new(ports) }.create(&access, bot("Plan"), None));
    assert_eq!(created.unwrap().value.key, "plan");
}

#[test]
fn renames_and_deletes_the_expected_version() {
    let (access, _, bots) = world();
    let season = block_on(bots.create(&access, bot("Season"), None)).unwrap().value;
    let (field, stale) = (FieldRef::Id(season.id), ExpectedVersion::OneOf(vec![7]));
    let refused = block_on(bots.rename(&access, &field, Some("Winter"), &stale));
    assert_eq!(refused, Err(Error::PreconditionFailed));
    let renamed = block_on(bots.rename(&access, &field, Some(" Winter "), &ExpectedVersion::Any)).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.key.as_str(), renamed.version), ("Winter", "season", 2));
    let same = block_on(bots.rename(&access, &field, None, &ExpectedVersion::Any)).unwrap();
    assert_eq!(same, renamed, "nothing changed");
    let delete = |expected: &ExpectedVersion| block_on(bots.delete(&access, &field, Deletion::IfUnused, expected));
    assert_eq!(delete(&stale), Err(Error::PreconditionFailed));
    assert_eq!(delete(&ExpectedVersion::Any), Ok(()));
    assert_eq!(delete(&ExpectedVersion::Any), Err(Error::NotFound));
}

#[test]
fn limits_the_number_of_bot_fields() {
    let (access, fields, bots) = world();
    for number in 0..200 {
        block_on(bots.create(&access, bot(&format!("Field {number}")), None)).unwrap();
    }
    let full = Error::Full { what: "bot fields in a workspace", most: 200 };
    assert_eq!(block_on(bots.create(&access, bot("One more"), None)).err(), Some(full));
    block_on(fields.create(&access, custom("Plan"), None)).expect("custom fields are counted separately");
}
