//! Erasures, over the store in memory.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;

use super::{DeletedContactSweeper, Erasure, ErasureStatus, ErasureView};
use crate::Tidings;
use crate::access::Access;
use crate::contacts::{Contact, ContactRef, NewContact};
use crate::custom_events::NewCustomEvent;
use crate::error::Error;
use crate::events::EventKind;
use crate::ids::TypedId;
use crate::memory::MemoryStore;
use crate::outcome::{ExpectedVersion, Outcome};
use crate::ports::{Change, ChangeSet, ConversationChange, FilePlace, Ports, SweepPlace};
use crate::testing::with_workspace;
use crate::time::Timestamp;

struct World {
    tidings: Tidings,
    access: Access,
    store: Arc<MemoryStore>,
}

fn world() -> World {
    let store = Arc::new(MemoryStore::new());
    let (tidings, access) = with_workspace(Ports::of(store.clone()));
    World { tidings, access, store }
}

impl World {
    fn contact(&self) -> Contact {
        let new = NewContact { external_id: "ada".parse().ok(), ..NewContact::default() };
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value
    }

    fn erase(&self, contact: &ContactRef) -> Result<(Outcome, Erasure), Error> {
        block_on(self.tidings.erasures.erase(&self.access, contact, None)).map(|done| (done.outcome, done.value))
    }

    fn work(&self) {
        block_on(self.tidings.run_due(self.tidings.ports.clock.now())).unwrap();
    }

    fn event_log(&self) -> Vec<(EventKind, String)> {
        self.store.events(self.access.workspace()).into_iter().map(|event| (event.kind, event.full)).collect()
    }
}

#[test]
fn erases_a_contact_in_the_background_for_good() {
    let world = world();
    let contact = world.contact();
    let (by_name, by_id) = (ContactRef::ExternalId("ada".parse().unwrap()), ContactRef::Id(contact.id));
    let event = NewCustomEvent { name: "order.paid".parse().unwrap(), data: serde_json::Map::default() };
    block_on(world.tidings.custom_events.record(&world.access, &by_id, event, None)).unwrap();
    let (outcome, begun) = world.erase(&by_name).unwrap();
    assert_eq!((outcome, ErasureView::from(&begun).status), (Outcome::Accepted, ErasureStatus::Erasing));
    assert!(matches!(world.erase(&by_name), Err(Error::NotFound)), "no contact has this identifier");
    assert_eq!(world.erase(&by_id).unwrap(), (Outcome::Accepted, begun), "the erasure is in progress");
    let gone = world
        .event_log()
        .into_iter()
        .find(|(kind, _)| *kind == EventKind::ContactDeleted)
        .expect("an event reports the deletion");
    assert!(!gone.1.contains("ada"), "the event contains only the ID: {}", gone.1);
    world.work();
    let (outcome, done) = world.erase(&by_id).unwrap();
    assert_eq!((outcome, ErasureView::from(&done).status), (Outcome::Unchanged, ErasureStatus::Erased));
    assert!(world.event_log().iter().all(|(_, envelope)| !envelope.contains("ada")), "{:?}", world.event_log());
    let restored = block_on(world.tidings.contacts.restore(&world.access, contact.id, &ExpectedVersion::Any, None));
    assert!(matches!(restored, Err(Error::NotFound)));
}

#[test]
fn erases_deleted_contacts_and_rejects_unknown_ones() {
    let world = world();
    let contact = world.contact();
    let by_id = ContactRef::Id(contact.id);
    block_on(world.tidings.contacts.delete(&world.access, &by_id, &ExpectedVersion::Any)).unwrap();
    let deletions = |world: &World| world.event_log().iter().filter(|it| it.0 == EventKind::ContactDeleted).count();
    assert_eq!(world.erase(&by_id).unwrap().0, Outcome::Accepted);
    assert_eq!(deletions(&world), 1, "one event reports the deletion");
    world.work();
    assert_eq!(world.erase(&by_id).unwrap().0, Outcome::Unchanged);
    let unknown = crate::testing::a_contact().build().id;
    assert!(matches!(world.erase(&ContactRef::Id(unknown)), Err(Error::NotFound)));
}

#[test]
fn erases_contacts_at_the_end_of_their_retention() {
    let world = world();
    let [gone, restored, living] = [(); 3].map(|()| {
        let new = NewContact { first_name: Some("Ada".to_owned()), ..NewContact::default() };
        block_on(world.tidings.contacts.create(&world.access, new, None)).unwrap().value
    });
    for contact in [&gone, &restored] {
        let by_id = ContactRef::Id(contact.id);
        block_on(world.tidings.contacts.delete(&world.access, &by_id, &ExpectedVersion::Any)).unwrap();
    }
    let ports = world.tidings.ports.clone();
    let find = |contact: &Contact| block_on(ports.contacts.find_even_deleted(&world.access, contact.id)).unwrap();
    let deleted_at = find(&gone).unwrap().deleted_at.unwrap();
    let after = deleted_at.plus(Duration::from_millis(1));
    let sweeper = DeletedContactSweeper { ports: ports.clone() };
    let start = SweepPlace::before(Timestamp::from_millis(0));
    let sweep = |before| block_on(sweeper.sweep(start, before, 9)).unwrap();
    block_on(world.tidings.contacts.restore(&world.access, restored.id, &ExpectedVersion::Any, None)).unwrap();
    assert_eq!(sweep(deleted_at), None);
    let erasure = |contact: &Contact| block_on(ports.erasures.get(&world.access, contact.id)).unwrap();
    assert_eq!(erasure(&gone), None, "its retention has not ended");
    assert_eq!(sweep(after), None);
    world.work();
    assert!(erasure(&gone).is_some_and(|it| it.erased_at.is_some()));
    assert_eq!(find(&gone).unwrap().first_name, None);
    let requested_at = erasure(&gone).map(|it| it.requested_at);
    sweep(after);
    assert_eq!(erasure(&gone).map(|it| it.requested_at), requested_at, "it is erased once");
    for contact in [&restored, &living] {
        assert_eq!((erasure(contact), find(contact).unwrap().first_name), (None, Some("Ada".to_owned())));
    }
    assert_eq!(block_on(sweeper.sweep(start, after, 1)), Ok(Some(SweepPlace { at: deleted_at, id: gone.id.uuid() })));
}

#[test]
fn deletes_the_bytes_of_files_of_the_contact() {
    let world = world();
    let (contact, media) = (world.contact(), &world.tidings.media);
    let [sent, unused] = ["a", "b"].map(|name| {
        block_on(async {
            let mut upload = media.begin(&world.access, None).await.unwrap();
            upload.write(b"Hello").await.unwrap();
            let file = upload.finish().await.unwrap();
            media.create(&world.access, (name, &file), None).await.unwrap().value
        })
    });
    let mut set = ChangeSet::new(world.access.workspace());
    set.change(Change::Conversation(ConversationChange::UseMedia { media: sent.id, contact: contact.id }));
    block_on(world.tidings.ports.ledger.commit(set)).unwrap();
    world.erase(&ContactRef::Id(contact.id)).unwrap();
    world.work();
    let bytes = |media| {
        let place = FilePlace { workspace: world.access.workspace(), media };
        block_on(world.tidings.ports.media_files.read(place, 0, 9)).unwrap()
    };
    assert_eq!((bytes(sent.id), bytes(unused.id)), (None, Some(b"Hello".to_vec())));
    assert_eq!(block_on(media.get(&world.access, sent.id)), Err(Error::NotFound));
}
