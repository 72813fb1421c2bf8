//! Concurrent writes and reads of contacts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;
use tidings_domain::contacts::{Contact, ContactFilter, ContactPatch, ContactRef, ContactService};
use tidings_domain::fields::FieldKind;
use tidings_domain::outcome::Outcome;
use tidings_domain::pagination::SortedRequest;
use tidings_domain::patch::Patch;
use tidings_domain::ports::{Change, FieldChange, Ids, Row};

use super::read;
use crate::Ports;
use crate::fixtures::{World, at};

/// Eight concurrent upserts of a missing contact create it once, in every round.
pub async fn concurrent_upserts_create_a_contact_once(store: Ports) {
    let world = World::new(&store).await;
    let ports = Ports { ids: Arc::new(Counting), ..store.clone() };
    let service = ContactService { ports: Arc::new(ports) };
    for round in 0..10 {
        let upserts = (0..8).map(|number| {
            let (service, access) = (service.clone(), world.access.clone());
            let patch = ContactPatch {
                email: Patch::Set(format!("c{round}@example.com").parse().unwrap()),
                first_name: Patch::Set(format!("Name {number}")),
                ..ContactPatch::default()
            };
            tokio::spawn(async move { service.upsert(&access, patch, Vec::new(), None, None).await })
        });
        let upserts: Vec<_> = upserts.collect();
        let mut outcomes = Vec::new();
        for upsert in upserts {
            outcomes.push(upsert.await.unwrap().unwrap());
        }
        assert_eq!(outcomes.iter().filter(|done| done.outcome == Outcome::Created).count(), 1, "{outcomes:?}");
        let first = outcomes[0].value.id;
        assert!(outcomes.iter().all(|done| done.value.id == first), "{outcomes:?}");
        assert_eq!(read(&world, first).await.version, 8, "each upsert changes the name");
    }
    assert_eq!(store.contacts.count(&world.access, &ContactFilter::default(), 100).await.unwrap(), 10);
}

/// Generates the IDs of the suite.
struct Counting;

impl Ids for Counting {
    fn next(&self) -> uuid::Uuid {
        crate::fixtures::uuid()
    }
}

/// Rule 4: a contact and its related objects are read from one snapshot, so its version is correct.
pub async fn reads_a_contact_from_one_snapshot(store: Ports) {
    let world = World::new(&store).await;
    let field = world.field("count", FieldKind::Number).await;
    let mut contact = world.contact().await;
    let value = field.check(&json!(1)).unwrap();
    world.add(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value })).await;
    let (done, turns) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let id = contact.id;
    let writer = {
        let (world, done, turns) = (world.clone(), done.clone(), turns.clone());
        tokio::spawn(async move {
            while !done.load(Ordering::SeqCst) {
                contact.touch(at(1));
                let value = field.check(&json!(contact.version)).unwrap();
                let changes = [
                    Change::Update(Row::Contact(Box::new(contact.clone()))),
                    Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value }),
                ];
                world.commit(|set| set.changes.extend(changes)).await.unwrap();
                turns.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
            }
        })
    };
    let check = |contact: &Contact| assert_eq!(contact.custom_fields["count"], json!(contact.version));
    let mut reads = 0;
    while reads < 150 || turns.load(Ordering::SeqCst) < 20 {
        reads += 1;
        tokio::task::yield_now().await;
        check(&store.contacts.find(&world.access, &ContactRef::Id(id)).await.unwrap().unwrap());
        check(&store.contacts.find_even_deleted(&world.access, id).await.unwrap().unwrap());
        let page =
            store.contacts.list(&world.access, &ContactFilter::default(), SortedRequest::default()).await.unwrap();
        check(&page.items[0]);
    }
    done.store(true, Ordering::SeqCst);
    writer.await.unwrap();
}
