//! What is read of a person, over the store in memory.

use std::sync::Arc;

use futures::executor::block_on;

use super::DisclosedPart;
use crate::Tidings;
use crate::access::{Access, NewWorkspace, Plan};
use crate::contacts::{ContactRef, NewContact};
use crate::custom_events::NewCustomEvent;
use crate::error::Error;
use crate::memory::MemoryStore;
use crate::outcome::Expected;
use crate::ports::Ports;

fn all(tidings: &Tidings, access: &Access, contact: &ContactRef) -> Vec<DisclosedPart> {
    let mut reader = block_on(tidings.disclosure.of(access, contact)).unwrap();
    let mut parts = Vec::new();
    while let Some(part) = block_on(reader.next()).unwrap() {
        parts.push(part);
        assert!(parts.len() < 100, "it comes to an end");
    }
    parts
}

#[test]
fn every_part_comes_in_its_order_and_every_row_once() {
    let tidings = Tidings::new(Ports::of(Arc::new(MemoryStore::new())));
    let workspace = NewWorkspace { name: "Acme".to_owned(), plan: Plan::Pro };
    let access = Access::system(block_on(tidings.access.create_workspace(workspace)).unwrap().id);
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value;
    let by_id = ContactRef::Id(contact.id);
    for _ in 0..250 {
        let event = NewCustomEvent { name: "order.paid".parse().unwrap(), data: serde_json::Map::default() };
        block_on(tidings.custom_events.record(&access, &by_id, event, None)).unwrap();
    }
    let parts = all(&tidings, &access, &by_id);
    let mut names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    names.dedup();
    let order = ["contact", "conversations", "messages", "custom_events", "events", "flow_runs", "enrollments"];
    assert_eq!(names, order);
    let told = parts.iter().filter(|part| part.name == "custom_events");
    assert_eq!(told.clone().map(|part| part.rows.len()).collect::<Vec<_>>(), [100, 100, 50]);
    let mut rows: Vec<&String> = told.flat_map(|part| &part.rows).collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 250);

    block_on(tidings.contacts.delete(&access, &by_id, &Expected::Any)).unwrap();
    assert_eq!(all(&tidings, &access, &by_id).len(), parts.len(), "a deleted contact is still kept");
    let nobody = ContactRef::ExternalId("nobody".parse().unwrap());
    assert!(matches!(block_on(tidings.disclosure.of(&access, &nobody)), Err(Error::NotFound)));
}
