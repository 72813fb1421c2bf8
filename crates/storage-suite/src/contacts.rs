//! Contacts: read whole, filtered, hidden once deleted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use tidings_domain::contacts::{AppliedTag, Contact, ContactFilter, ContactRef, ContactStatus, FieldMatch};
use tidings_domain::fields::{CustomField, FieldKind};
use tidings_domain::ids::ContactId;
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::Change;

use crate::Ports;
use crate::fixtures::{NOW, World, a_field, at, id};

/// Everything that a contact says and carries is kept.
pub async fn a_contact_comes_back_as_it_was_written(store: Ports) {
    let world = World::new(&store).await;
    let (tag, field) = (world.tag("vip").await, world.field("size", FieldKind::Number).await);
    let mut contact = world
        .contact_with(|it| {
            it.external_id = "crm:1".parse().ok();
            (it.first_name, it.last_name) = (Some("Ada 世界".to_owned()), Some("O'Neil \"\\%_".to_owned()));
            (it.email, it.phone) = ("ada@example.com".parse().ok(), "+49301234567".parse().ok());
            (it.locale, it.time_zone) = ("pt-BR".parse().ok(), "Europe/Berlin".parse().ok());
            (it.status, it.subscribed) = (ContactStatus::Blocked, false);
            (it.created_at, it.updated_at) = (NOW.minus(std::time::Duration::from_millis(1)), at(5));
        })
        .await;
    let identity = world.identity("+49301234567");
    let value = field.check(&json!(1.5)).unwrap();
    world
        .commit(|set| {
            set.change(Change::LinkTag { contact: contact.id, tag: tag.id, at: at(7) })
                .change(Change::PutValue { contact: contact.id, field: field.id, value })
                .change(Change::InsertIdentity { contact: contact.id, identity: identity.clone() });
        })
        .await
        .unwrap();
    contact.tags = vec![AppliedTag { id: tag.id, name: tag.name, applied_at: at(7) }];
    contact.custom_fields = [("size".to_owned(), json!(1.5))].into();
    contact.identities = vec![identity];
    let expected = Some(contact.clone());
    for name in [
        ContactRef::Id(contact.id),
        ContactRef::ExternalId(contact.external_id.clone().unwrap()),
        ContactRef::Email(contact.email.clone().unwrap()),
        ContactRef::Phone(contact.phone.clone().unwrap()),
    ] {
        assert_eq!(store.contacts.find(&world.access, &name).await.unwrap(), expected, "{name:?}");
    }
    assert_eq!(store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap(), expected);
    let page = store.contacts.list(&world.access, &ContactFilter::default(), PageRequest::default()).await.unwrap();
    assert_eq!(page.items, [contact.clone()]);

    // An update writes all of the row, absent values included.
    let mut emptied = Contact::new(contact.id, contact.created_at);
    (emptied.version, emptied.updated_at) = (2, at(9));
    world.add(Change::UpdateContact(Box::new(emptied.clone()))).await;
    (emptied.tags, emptied.custom_fields, emptied.identities) =
        (contact.tags, contact.custom_fields, contact.identities);
    assert_eq!(store.contacts.find(&world.access, &ContactRef::Id(emptied.id)).await.unwrap(), Some(emptied));
}

async fn listed(world: &World, filter: ContactFilter) -> Vec<ContactId> {
    let page = PageRequest { limit: 100, order: Order::OldestFirst, after: None };
    let page = world.ports.contacts.list(&world.access, &filter, page).await.unwrap();
    page.items.into_iter().map(|contact| contact.id).collect()
}

/// Each part narrows the list, and all must hold.
pub async fn each_part_of_the_filter_holds(store: Ports) {
    let world = World::new(&store).await;
    let none = ContactFilter::default;
    let mut contacts = Vec::new();
    for number in 0..4_u64 {
        let contact = world.contact_with(|it| {
            it.email = format!("c{number}@example.com").parse().ok();
            it.phone = format!("+4930000000{number}").parse().ok();
            it.external_id = format!("c{number}").parse().ok();
            it.created_at = at(number);
        });
        contacts.push(contact.await.id);
    }
    let (red, blue) = (world.tag("red").await.id, world.tag("blue").await.id);
    for (contact, tag) in [(0, red), (1, red), (1, blue), (2, blue)] {
        world.add(Change::LinkTag { contact: contacts[contact], tag, at: NOW }).await;
    }
    let only = |places: &[usize]| places.iter().map(|place| contacts[*place]).collect::<Vec<_>>();
    assert_eq!(listed(&world, none()).await, contacts);
    assert_eq!(listed(&world, ContactFilter { email: "c1@example.com".parse().ok(), ..none() }).await, only(&[1]));
    assert_eq!(listed(&world, ContactFilter { phone: "+49300000002".parse().ok(), ..none() }).await, only(&[2]));
    assert_eq!(listed(&world, ContactFilter { external_id: "c3".parse().ok(), ..none() }).await, only(&[3]));
    assert_eq!(listed(&world, ContactFilter { tags: vec![red], ..none() }).await, only(&[0, 1]));
    assert_eq!(listed(&world, ContactFilter { tags: vec![red, blue], ..none() }).await, only(&[1]));
    assert_eq!(listed(&world, ContactFilter { tags: vec![id()], ..none() }).await, only(&[]));
    assert_eq!(listed(&world, ContactFilter { created_after: Some(at(2)), ..none() }).await, only(&[2, 3]));
    assert_eq!(listed(&world, ContactFilter { created_before: Some(at(2)), ..none() }).await, only(&[0, 1]));
    let both = ContactFilter { created_after: Some(at(1)), created_before: Some(at(3)), tags: vec![blue], ..none() };
    assert_eq!(listed(&world, both).await, only(&[1, 2]));
    let contradiction = ContactFilter { email: "c1@example.com".parse().ok(), tags: vec![id()], ..none() };
    assert_eq!(listed(&world, contradiction).await, only(&[]));
}

async fn carrying(world: &World, field: &CustomField, value: Value) -> ContactId {
    let contact = world.contact().await.id;
    let value = field.check(&value).unwrap();
    world.add(Change::PutValue { contact, field: field.id, value }).await;
    contact
}

async fn matching(world: &World, field: &CustomField, text: &str) -> Vec<ContactId> {
    let pattern = field.match_pattern(text).unwrap();
    let fields = vec![FieldMatch { field: field.id, pattern }];
    listed(world, ContactFilter { fields, ..ContactFilter::default() }).await
}

/// Texts without regard to case, numbers by value, lists by whole elements, wildcards for themselves.
pub async fn values_are_found_by_their_match_key(store: Ports) {
    let world = World::new(&store).await;
    let text = world.field("city", FieldKind::Text).await;
    let other = world.field("town", FieldKind::Text).await;
    let berlin = carrying(&world, &text, json!("  BERLIN ")).await;
    let percent = carrying(&world, &text, json!("%")).await;
    carrying(&world, &other, json!("berlin")).await;
    assert_eq!(matching(&world, &text, "berlin").await, [berlin]);
    assert_eq!(matching(&world, &text, "%").await, [percent]);

    let number = world.field("age", FieldKind::Number).await;
    let (eighteen, half) = (carrying(&world, &number, json!(18)).await, carrying(&world, &number, json!(1.5)).await);
    assert_eq!(matching(&world, &number, "18.0").await, [eighteen]);
    assert_eq!(matching(&world, &number, "1.50").await, [half]);
    assert_eq!(matching(&world, &number, "1").await, []);

    let mut list = a_field("likes", FieldKind::MultiSelect);
    list.options = ["100%", "1000", "a_b", "axb", "back\\slash", "Tea", "Green Tea"].map(str::to_owned).to_vec();
    world.add(Change::InsertField(list.clone())).await;
    let percent = carrying(&world, &list, json!(["100%", "a_b"])).await;
    let plain = carrying(&world, &list, json!(["1000", "axb"])).await;
    let slash = carrying(&world, &list, json!(["back\\slash", "Green Tea"])).await;
    for (element, expected) in [
        ("100%", vec![percent]),
        ("1000", vec![plain]),
        ("a_b", vec![percent]),
        ("axb", vec![plain]),
        ("back\\slash", vec![slash]),
        ("Tea", vec![]),
        ("Green Tea", vec![slash]),
    ] {
        assert_eq!(matching(&world, &list, element).await, expected, "{element}");
    }
    let fields = [(&text, "berlin"), (&number, "18")]
        .map(|(field, value)| FieldMatch { field: field.id, pattern: field.match_pattern(value).unwrap() });
    let both = ContactFilter { fields: fields.to_vec(), ..ContactFilter::default() };
    assert_eq!(listed(&world, both.clone()).await, []);
    let value = number.check(&json!(18)).unwrap();
    world.add(Change::PutValue { contact: berlin, field: number.id, value }).await;
    assert_eq!(listed(&world, both).await, [berlin]);
}

/// A deleted contact is found by its id alone, and its e-mail, phone, external id and addresses may
/// be another's.
pub async fn a_deleted_contact_is_hidden_and_its_names_are_free(store: Ports) {
    let world = World::new(&store).await;
    let describe = |it: &mut Contact| {
        it.email = "ada@example.com".parse().ok();
        it.phone = "+49301234567".parse().ok();
        it.external_id = "ada".parse().ok();
    };
    let (mut contact, tag) = (world.contact_with(describe).await, world.tag("vip").await.id);
    let identity = world.identity("ada");
    world.add(Change::InsertIdentity { contact: contact.id, identity: identity.clone() }).await;
    world.add(Change::LinkTag { contact: contact.id, tag, at: NOW }).await;
    contact.deleted_at = Some(at(1));
    contact.touch(at(1));
    let deletion =
        [Change::UpdateContact(Box::new(contact.clone())), Change::ReleaseIdentities { contact: contact.id }];
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

    let heir = world.contact_with(describe).await;
    world.add(Change::InsertIdentity { contact: heir.id, identity }).await;
    assert_eq!(find(by_mail()).await, Some(heir.id));
    contact.version += 1;
    assert!(world.change(Change::UpdateContact(Box::new(contact))).await.is_err(), "the dead do not change");
}

/// Rule 4: a contact and what it carries are read as of one instant, so that its version is true.
pub async fn a_contact_is_never_read_half_changed(store: Ports) {
    let world = World::new(&store).await;
    let field = world.field("count", FieldKind::Number).await;
    let mut contact = world.contact().await;
    let value = field.check(&json!(1)).unwrap();
    world.add(Change::PutValue { contact: contact.id, field: field.id, value }).await;
    let (done, turns) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let id = contact.id;
    let writer = {
        let (world, done, turns) = (world.clone(), done.clone(), turns.clone());
        tokio::spawn(async move {
            while !done.load(Ordering::SeqCst) {
                contact.touch(at(1));
                let value = field.check(&json!(contact.version)).unwrap();
                let changes = [
                    Change::UpdateContact(Box::new(contact.clone())),
                    Change::PutValue { contact: contact.id, field: field.id, value },
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
        let page = store.contacts.list(&world.access, &ContactFilter::default(), PageRequest::default()).await.unwrap();
        check(&page.items[0]);
    }
    done.store(true, Ordering::SeqCst);
    writer.await.unwrap();
}
