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
use tidings_domain::stored::StoredRow;

use super::read;
use crate::Ports;
use crate::fixtures::{World, a_field, at};

/// Each of many concurrent lookups finds the contact with its identifier, although most contacts have several.
pub async fn concurrent_lookups_by_several_identifiers_find_their_contacts(store: Ports) {
    let world = World::new(&store).await;
    let (mut wanted, access) = (Vec::new(), &world.access);
    for number in 0..9 {
        let contact = world
            .contact_with(|it| {
                it.external_id = (number % 2 == 0).then(|| format!("crm-{number}").parse().unwrap());
                it.email = Some(format!("c{number}@example.com").parse().unwrap());
                it.phone = (number % 3 == 0).then(|| format!("+4930123456{number}").parse().unwrap());
            })
            .await;
        wanted.extend(contact.external_id.clone().map(|it| (ContactRef::ExternalId(it), Some(contact.id))));
        wanted.extend(contact.email.clone().map(|it| (ContactRef::Email(it), Some(contact.id))));
        wanted.extend(contact.phone.clone().map(|it| (ContactRef::Phone(it), Some(contact.id))));
    }
    wanted.push((ContactRef::Email("nobody@example.com".parse().unwrap()), None));
    let lookups = wanted.iter().map(|(name, _)| store.contacts.find(access, name));
    let found = futures::future::try_join_all(lookups).await.unwrap();
    let found: Vec<_> = found.into_iter().map(|it| it.map(|it| it.id)).collect();
    assert_eq!(found, wanted.iter().map(|(_, contact)| *contact).collect::<Vec<_>>());
}

/// Many concurrent lookups return each workspace its own fields, tags and default channel.
pub async fn concurrent_lookups_return_the_objects_of_their_workspaces(store: Ports) {
    let worlds = [World::new(&store).await, World::new(&store).await, World::new(&store).await];
    let mut expected = Vec::new();
    for (number, world) in worlds.iter().enumerate() {
        let fields: Vec<_> = (0..number).map(|it| a_field(&format!("field_{it}"), FieldKind::Text)).collect();
        for field in &fields {
            world.add(Change::Insert(Row::Stored(StoredRow::CustomField(field.clone())))).await;
        }
        expected.push((fields, vec![world.tag("vip").await], Some(world.channel.clone())));
    }
    let names = ["none".to_owned(), "vip".to_owned()];
    let lookups = (0..90).map(|it| {
        let (store, names, access, expected) = (&store, &names, &worlds[it % 3].access, &expected[it % 3]);
        async move {
            let fields = store.fields.all(access).await.unwrap();
            let tags = store.tags.by_name_keys(access, names).await.unwrap();
            let channel = store.channels.default_channel(access).await.unwrap();
            assert_eq!((&fields, &tags, &channel), (&expected.0, &expected.1, &expected.2));
        }
    });
    futures::future::join_all(lookups).await;
}

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
