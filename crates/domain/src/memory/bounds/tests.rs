//! Full stores.

use std::sync::Arc;

use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::access::Access;
use crate::contacts::{Contact, ContactRef, NewContact};
use crate::error::Error;
use crate::memory::MemoryStore;
use crate::ports::{ChangeSet, Ports};
use crate::testing::with_workspace;

struct Service {
    tidings: Tidings,
    access: Access,
    store: Arc<MemoryStore>,
}

fn service(bounds: Bounds) -> Service {
    let store = Arc::new(MemoryStore::bounded(bounds));
    let (tidings, access) = with_workspace(Ports::of(store.clone()));
    Service { tidings, access, store }
}

impl Service {
    fn contact(&self) -> Result<Contact, Error> {
        let new = NewContact { first_name: Some("A".repeat(200)), ..NewContact::default() };
        block_on(self.tidings.contacts.create(&self.access, new, None)).map(|done| done.value)
    }

    /// Fills the store. Returns the last contact that was accepted.
    fn fill(&self) -> Contact {
        let mut last = self.contact().unwrap();
        loop {
            let before = self.store.lock().rows();
            match self.contact() {
                Ok(contact) => last = contact,
                Err(Error::Store(StoreError::Unavailable(why))) => {
                    assert!(why.contains("the in-memory store is full"), "{why}");
                    assert_eq!(self.store.lock().rows(), before, "a rejected change writes nothing");
                    return last;
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_store_at_its_row_limit_remains_readable() {
    let service = service(Bounds { rows: 100, ..Bounds::default() });
    let last = service.fill();
    assert!(service.store.lock().rows() <= 100);
    assert_eq!(block_on(service.tidings.contacts.get(&service.access, &ContactRef::Id(last.id))).unwrap(), last);
}

#[test]
fn a_store_at_its_text_limit_accepts_smaller_changes() {
    let service = service(Bounds { bytes: 20_000, ..Bounds::default() });
    let last = service.fill();
    assert!((15_000..=20_000).contains(&service.store.lock().text()), "{}", service.store.lock().text());
    let mut set = ChangeSet::new(service.access.workspace());
    let renamed = Contact { first_name: Some("A".repeat(199)), version: last.version + 1, ..last };
    set.change(crate::ports::Change::Update(crate::ports::Row::Contact(Box::new(renamed))));
    block_on(service.tidings.ports.ledger.commit(set)).unwrap();
    assert!(service.contact().is_err(), "a new contact and its event exceed the limit");
}
