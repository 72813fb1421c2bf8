//! Deleted and restored contacts.

use tidings_domain::contacts::{Contact, ContactFilter, ContactRef, Deleted, Identity, IdentityOptOut, OptOutSource};
use tidings_domain::ports::{Change, Conflict, ContactChange, Object, Row, TagChange, UniqueKey};

use super::searches::listed;
use crate::Ports;
use crate::fixtures::{NOW, World, at, conflict};

/// A restored contact gets its addresses back, unless another contact has them by now.
pub async fn restores_a_deleted_contact_with_its_addresses(store: Ports) {
    let world = World::new(&store).await;
    let tag = world.tag("vip").await;
    let made = world.contact_with(|it| it.email = "ada@example.com".parse().ok()).await;
    let mut contact = made.clone();
    let opt_out = Some(IdentityOptOut { source: OptOutSource::Link, at: at(2) });
    let identity = Identity { opted_in: false, opt_out, ..world.identity("ada") };
    let identity = Identity { undeliverable_since: Some(at(3)), ..identity };
    world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity: identity.clone() })).await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW })).await;
    assert_eq!(
        store.contacts.find_deleted(&world.access, contact.id).await.unwrap(),
        None,
        "an existing contact is not found as deleted"
    );
    let restore = |contact: &Contact| {
        let mut after = contact.clone();
        (after.deleted_at, after.version) = (None, contact.version + 1);
        Change::Contact(ContactChange::Restore(Box::new(after)))
    };
    let stale = Conflict::Stale(Object::Contact(contact.id));
    assert_eq!(conflict(world.change(restore(&contact)).await), stale, "an existing contact cannot be restored");
    contact.deleted_at = Some(at(1));
    contact.touch(at(1));
    let deletion = [
        Change::Update(Row::Contact(Box::new(contact.clone()))),
        Change::Contact(ContactChange::ReleaseIdentities { contact: contact.id }),
    ];
    world.commit(|set| set.changes.extend(deletion)).await.unwrap();
    let shown = async |deleted| listed(&world, ContactFilter { deleted, ..ContactFilter::default() }).await;
    let living = world.contact().await.id;
    assert_eq!(shown(Deleted::Exclude).await, [living]);
    assert_eq!(shown(Deleted::Include).await, [contact.id, living]);
    assert_eq!(shown(Deleted::Only).await, [contact.id]);

    let deleted = store.contacts.find_deleted(&world.access, contact.id).await.unwrap().unwrap();
    assert_eq!((&deleted.identities, deleted.tags.len()), (&vec![identity.clone()], 1));
    let back = |deleted: &Contact| {
        let identities = deleted.identities.clone();
        [restore(deleted), Change::Contact(ContactChange::ReplaceIdentities { contact: deleted.id, identities })]
    };
    let successor = world.contact_with(|it| it.email = made.email.clone()).await;
    let taken = world.commit(|set| set.changes.extend(back(&deleted))).await;
    assert_eq!(conflict(taken), Conflict::Exists(UniqueKey::ContactEmail));
    let mut yielding = successor.clone();
    yielding.email = None;
    yielding.touch(at(2));
    world.add(Change::Update(Row::Contact(Box::new(yielding)))).await;
    world
        .add(Change::Contact(ContactChange::InsertIdentity { contact: successor.id, identity: identity.clone() }))
        .await;
    let taken = world.commit(|set| set.changes.extend(back(&deleted))).await;
    assert_eq!(conflict(taken), Conflict::Exists(UniqueKey::Identity));
    world.add(Change::Contact(ContactChange::ReplaceIdentities { contact: successor.id, identities: vec![] })).await;
    world.commit(|set| set.changes.extend(back(&deleted))).await.unwrap();
    let found = store.contacts.find(&world.access, &ContactRef::Id(contact.id)).await.unwrap().unwrap();
    assert_eq!((found.version, &found.identities, found.tags.len()), (3, &vec![identity], 1));
    assert_eq!(store.contacts.find_deleted(&world.access, contact.id).await.unwrap(), None);
}

/// A deleted contact is found only by ID. Another contact may use its email, phone, external ID and addresses.
pub async fn hides_a_deleted_contact_and_frees_its_identifiers(store: Ports) {
    let world = World::new(&store).await;
    let describe = |it: &mut Contact| {
        it.email = "ada@example.com".parse().ok();
        it.phone = "+49301234567".parse().ok();
        it.external_id = "ada".parse().ok();
    };
    let (mut contact, tag) = (world.contact_with(describe).await, world.tag("vip").await.id);
    let identity = world.identity("ada");
    world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity: identity.clone() })).await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag, at: NOW })).await;
    contact.deleted_at = Some(at(1));
    contact.touch(at(1));
    let deletion = [
        Change::Update(Row::Contact(Box::new(contact.clone()))),
        Change::Contact(ContactChange::ReleaseIdentities { contact: contact.id }),
    ];
    world.commit(|set| set.changes.extend(deletion)).await.unwrap();

    let find = async |name: ContactRef| store.contacts.find(&world.access, &name).await.unwrap().map(|it| it.id);
    let by_mail = || ContactRef::Email("ada@example.com".parse().unwrap());
    assert_eq!(find(ContactRef::Id(contact.id)).await, None);
    assert_eq!(find(by_mail()).await, None);
    assert_eq!(listed(&world, ContactFilter::default()).await, []);
    assert_eq!(store.tags.get(&world.access, tag).await.unwrap().unwrap().contact_count, 0);
    let read = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap().unwrap();
    assert_eq!((read.deleted_at, read.version), (Some(at(1)), 2));
    assert_eq!(read.identities, []);

    let successor = world.contact_with(describe).await;
    world.add(Change::Contact(ContactChange::InsertIdentity { contact: successor.id, identity })).await;
    assert_eq!(find(by_mail()).await, Some(successor.id));
    contact.version += 1;
    assert!(
        world.change(Change::Update(Row::Contact(Box::new(contact)))).await.is_err(),
        "a deleted contact cannot be updated"
    );
}
