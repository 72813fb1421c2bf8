//! Merges, over the store in memory.

use std::sync::Arc;

use futures::executor::block_on;
use serde_json::Value;

use crate::access::Access;
use crate::contacts::{Contact, ContactPatch, ContactRef, NewContact, NewTag, TagRef};
use crate::conversations::{Content, MessageStatus, SendMessage};
use crate::custom_events::NewCustomEvent;
use crate::error::Error;
use crate::events::EventKind;
use crate::ids::ContactId;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::{Clock, Ports};
use crate::testing::with_workspace;
use crate::{Tidings, erasures::ErasureStatus, erasures::ErasureView};

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

impl World {
    fn contact(&self, describe: impl FnOnce(&mut NewContact)) -> Contact {
        let mut new = NewContact::default();
        describe(&mut new);
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value
    }

    fn named(&self, external_id: &str) -> Contact {
        self.contact(|it| it.external_id = external_id.parse().ok())
    }

    fn merge(&self, contact: ContactId, into: ContactId) -> Result<Contact, Error> {
        let (contact, into) = (ContactRef::Id(contact), ContactRef::Id(into));
        block_on(self.tidings.merges.merge(&self.access, &contact, &into, None)).map(|done| done.value)
    }

    fn look_up(&self, contact: ContactId) -> Result<ContactId, Error> {
        block_on(self.tidings.contacts.look_up(&self.access, &ContactRef::Id(contact))).map(|it| it.id)
    }

    fn happens(&self, contact: ContactId) {
        let event = NewCustomEvent { name: "order.paid".parse().unwrap(), data: serde_json::Map::default() };
        let contact = ContactRef::Id(contact);
        block_on(self.tidings.custom_events.record(&self.access, &contact, event, None)).unwrap();
    }

    fn send(&self, contact: ContactId) -> crate::conversations::Message {
        let command = SendMessage::new(Content::text("Hello"));
        let contact = ContactRef::Id(contact);
        block_on(self.tidings.conversations.send(&self.access, &contact, command, None)).unwrap().value
    }

    /// Runs all jobs that are due now and in the next hours.
    fn work(&self) {
        for _ in 0..4 {
            block_on(self.tidings.run_due(self.clock.now())).unwrap();
            self.clock.set(self.clock.now().plus(std::time::Duration::from_secs(3_600)));
        }
    }

    fn event_log(&self) -> Vec<(EventKind, Value)> {
        let events = self.store.events(self.access.workspace());
        events.into_iter().map(|event| (event.kind, serde_json::from_str(&event.full).unwrap())).collect()
    }
}

#[test]
fn merges_data_and_redirects_lookups_to_the_survivor() {
    let world = world();
    let stays = world.contact(|it| {
        it.external_id = "stays".parse().ok();
        it.first_name = Some("Ada".to_owned());
    });
    let gone = world.contact(|it| {
        it.external_id = "gone".parse().ok();
        it.first_name = Some("A.".to_owned());
        it.email = "ada@example.com".parse().ok();
        it.subscribed = Some(false);
        it.tags = vec![NewTag { tag: TagRef::Name("vip".to_owned()), pointer: String::new() }];
    });
    world.happens(gone.id);
    let after = world.merge(gone.id, stays.id).unwrap();
    assert_eq!((after.id, after.version), (stays.id, 2));
    assert_eq!((after.first_name.as_deref(), after.email), (Some("Ada"), gone.email.clone()));
    assert_eq!((after.subscribed, after.tags.len()), (false, 1));
    let read = block_on(world.tidings.contacts.get(&world.access, &ContactRef::Id(stays.id))).unwrap();
    assert_eq!((read.email, read.tags.len(), read.external_id), (gone.email.clone(), 1, stays.external_id));

    assert_eq!(world.look_up(gone.id), Ok(stays.id));
    let merged = Error::ContactMerged { into: stays.id };
    let patch = ContactPatch::default();
    let refused =
        block_on(world.tidings.contacts.update(&world.access, &ContactRef::Id(gone.id), patch, &ExpectedVersion::Any));
    assert_eq!(refused.map(|_| ()), Err(merged.clone()));
    let refused = block_on(world.tidings.contacts.restore(&world.access, gone.id, &ExpectedVersion::Any, None));
    assert_eq!(refused.map(|_| ()), Err(merged.clone()));
    let refused = block_on(world.tidings.erasures.erase(&world.access, &ContactRef::Id(gone.id), None));
    assert_eq!(refused.map(|_| ()), Err(merged));
    let by_name = ContactRef::ExternalId("gone".parse().unwrap());
    assert!(
        matches!(block_on(world.tidings.contacts.get(&world.access, &by_name)), Err(Error::NotFound)),
        "the identifier is free"
    );

    let told = world.event_log();
    let of = |kind| told.iter().filter(move |it| it.0 == kind).map(|it| &it.1["data"]).collect::<Vec<_>>();
    let updated = of(EventKind::ContactUpdated);
    assert_eq!(updated[0]["merged"]["id"], gone.id.to_string());
    assert_eq!(updated[0]["previous"]["email"], Value::Null);
    let deleted = of(EventKind::ContactDeleted);
    assert_eq!(
        (&deleted[0]["object"]["id"], &deleted[0]["object"]["external_id"]),
        (&gone.id.to_string().into(), &Value::Null)
    );
    assert_eq!(deleted[0]["merged_into"]["id"], stays.id.to_string());
    assert_eq!((of(EventKind::ContactTagAdded).len(), of(EventKind::ContactUnsubscribed).len()), (2, 1));
}

#[test]
fn moves_the_history_and_suppresses_queued_messages() {
    let world = world();
    let (stays, gone) = (world.named("stays"), world.named("gone"));
    let earlier = world.send(gone.id);
    block_on(world.tidings.run_due(world.clock.now())).unwrap();
    let queued = world.send(gone.id);
    world.happens(gone.id);
    world.merge(gone.id, stays.id).unwrap();
    world.work();
    let message = |id| block_on(world.tidings.conversations.message(&world.access, id)).unwrap();
    let (earlier, queued) = (message(earlier.id), message(queued.id));
    assert_eq!((earlier.status, earlier.contact), (MessageStatus::Sent, stays.id));
    assert_eq!((queued.status, queued.error.unwrap().code), (MessageStatus::Suppressed, "contact_merged".to_owned()));
    let ports = &world.tidings.ports;
    let page = PageRequest { limit: 100, ..PageRequest::default() };
    let custom = block_on(ports.timeline.custom_events(&world.access, stays.id, page)).unwrap();
    assert_eq!(custom.len(), 1);
    let talks = block_on(ports.conversations.with(&world.access, stays.id)).unwrap();
    assert_eq!(
        talks.iter().map(|it| Some(it.id)).collect::<Vec<_>>(),
        [earlier.conversation],
        "the survivor has the conversation"
    );
    let merge = block_on(ports.merges.get(&world.access, gone.id)).unwrap().unwrap();
    assert!(merge.moved_at.is_some());
    assert_eq!(block_on(ports.merges.is_left(&world.access, gone.id, stays.id)), Ok(false));
}

#[test]
fn follows_merges_to_the_survivor_and_rejects_cycles() {
    let world = world();
    let (first, second, third) = (world.named("first"), world.named("second"), world.named("third"));
    world.merge(first.id, second.id).unwrap();
    assert_eq!(
        world.merge(first.id, third.id),
        Err(Error::ContactMerged { into: second.id }),
        "a contact is merged only once"
    );
    assert_eq!(world.merge(third.id, first.id), Err(Error::ContactMerged { into: second.id }));
    world.merge(second.id, third.id).unwrap();
    assert_eq!((world.look_up(first.id), world.look_up(second.id)), (Ok(third.id), Ok(third.id)));
    assert!(matches!(world.merge(third.id, third.id), Err(Error::Invalid(_))));
    let unknown = crate::testing::a_contact().build().id;
    assert!(matches!(world.merge(third.id, unknown), Err(Error::Invalid(_))));
    assert_eq!(world.merge(unknown, third.id), Err(Error::NotFound));
    world.happens(third.id);
    world.work();

    block_on(world.tidings.contacts.delete(&world.access, &ContactRef::Id(third.id), &ExpectedVersion::Any)).unwrap();
    assert_eq!(world.look_up(first.id), Err(Error::NotFound), "a deleted survivor is not found");
}

#[test]
fn an_erasure_includes_merged_contacts() {
    let world = world();
    let (stays, gone) = (world.named("stays"), world.named("gone"));
    world.happens(gone.id);
    world.merge(gone.id, stays.id).unwrap();
    let by_id = ContactRef::Id(stays.id);
    block_on(world.tidings.erasures.erase(&world.access, &by_id, None)).unwrap();
    world.work();
    let erasure = block_on(world.tidings.erasures.erase(&world.access, &by_id, None)).unwrap().value;
    assert_eq!(ErasureView::from(&erasure).status, ErasureStatus::Erased);
    for (kind, envelope) in world.event_log() {
        let text = envelope.to_string();
        assert!(!text.contains("\"gone\"") && !text.contains("\"stays\""), "{kind:?}: {text}");
    }
    assert_eq!(world.look_up(gone.id), Err(Error::NotFound));
}
