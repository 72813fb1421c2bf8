//! Contacts: read whole, filtered, hidden once deleted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use tidings_domain::contacts::{
    AppliedTag, Contact, ContactFilter, ContactPatch, ContactRef, ContactService, ContactStatus, Deleted, FieldMatch,
    Identity,
};
use tidings_domain::custom_events::CustomEvent;
use tidings_domain::fields::{Comparison, CustomField, FieldKind};
use tidings_domain::ids::ContactId;
use tidings_domain::outcome::Outcome;
use tidings_domain::pagination::{Sort, SortBy, SortedRequest};
use tidings_domain::patch::Patch;
use tidings_domain::ports::{Change, Conflict, ContactChange, FieldChange, Ids, Object, Row, TagChange, UniqueKey};

use crate::Ports;
use crate::fixtures::{NOW, World, a_custom_event, a_field, at, conflict, id};

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
            it.avatar_url = "https://example.com/ada.png".parse().ok();
            (it.status, it.subscribed) = (ContactStatus::Blocked, false);
            (it.created_at, it.updated_at) = (NOW.minus(std::time::Duration::from_millis(1)), at(5));
        })
        .await;
    let identity = world.identity("+49301234567");
    let value = field.check(&json!(1.5)).unwrap();
    world
        .commit(|set| {
            set.change(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: at(7) }))
                .change(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value }))
                .change(Change::Contact(ContactChange::InsertIdentity {
                    contact: contact.id,
                    identity: identity.clone(),
                }));
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
    let page = store.contacts.list(&world.access, &ContactFilter::default(), SortedRequest::default()).await.unwrap();
    assert_eq!(page.items, [contact.clone()]);

    // An update writes all of the row, absent values included.
    let mut emptied = Contact::new(contact.id, contact.created_at);
    (emptied.version, emptied.updated_at) = (2, at(9));
    world.add(Change::Update(Row::Contact(Box::new(emptied.clone())))).await;
    (emptied.tags, emptied.custom_fields, emptied.identities) =
        (contact.tags, contact.custom_fields, contact.identities);
    assert_eq!(store.contacts.find(&world.access, &ContactRef::Id(emptied.id)).await.unwrap(), Some(emptied));
}

async fn listed(world: &World, filter: ContactFilter) -> Vec<ContactId> {
    let order = Sort { by: SortBy::CreatedAt, descending: false };
    let page = SortedRequest { limit: 100, order, ..SortedRequest::default() };
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
            (it.created_at, it.updated_at) = (at(number), at(10 - number));
            it.status = if number == 0 { ContactStatus::Blocked } else { ContactStatus::Active };
            it.subscribed = number != 1;
        });
        contacts.push(contact.await.id);
    }
    world
        .add(Change::Contact(ContactChange::InsertIdentity { contact: contacts[2], identity: world.identity("c2") }))
        .await;
    let (red, blue) = (world.tag("red").await.id, world.tag("blue").await.id);
    for (contact, tag) in [(0, red), (1, red), (1, blue), (2, blue)] {
        world.add(Change::Tag(TagChange::Link { contact: contacts[contact], tag, at: NOW })).await;
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
    assert_eq!(listed(&world, ContactFilter { updated_after: Some(at(9)), ..none() }).await, only(&[0, 1]));
    assert_eq!(listed(&world, ContactFilter { updated_before: Some(at(9)), ..none() }).await, only(&[2, 3]));
    let status = |status| ContactFilter { status: Some(status), ..none() };
    assert_eq!(listed(&world, status(ContactStatus::Blocked)).await, only(&[0]));
    assert_eq!(listed(&world, status(ContactStatus::Active)).await, only(&[1, 2, 3]));
    assert_eq!(listed(&world, ContactFilter { subscribed: Some(false), ..none() }).await, only(&[1]));
    assert_eq!(listed(&world, ContactFilter { subscribed: Some(true), ..none() }).await, only(&[0, 2, 3]));
    assert_eq!(listed(&world, ContactFilter { channel: Some(world.channel.id), ..none() }).await, only(&[2]));
    assert_eq!(listed(&world, ContactFilter { channel: Some(id()), ..none() }).await, only(&[]));
    let both = ContactFilter { created_after: Some(at(1)), created_before: Some(at(3)), tags: vec![blue], ..none() };
    assert_eq!(listed(&world, both).await, only(&[1, 2]));
    let contradiction = ContactFilter { email: "c1@example.com".parse().ok(), tags: vec![id()], ..none() };
    assert_eq!(listed(&world, contradiction).await, only(&[]));
}

async fn carrying(world: &World, field: &CustomField, value: Value) -> ContactId {
    let contact = world.contact().await.id;
    let value = field.check(&value).unwrap();
    world.add(Change::Field(FieldChange::PutValue { contact, field: field.id, value })).await;
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
    world.add(Change::Insert(Row::Field(list.clone()))).await;
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
    world.add(Change::Field(FieldChange::PutValue { contact: berlin, field: number.id, value })).await;
    assert_eq!(listed(&world, both).await, [berlin]);
}

/// Searched for as a person would: any words of name, e-mail, phone and external id, in any order and case.
pub async fn every_word_of_a_search_is_found(store: Ports) {
    let world = World::new(&store).await;
    let ada = world.contact_with(|it| {
        (it.first_name, it.last_name) = (Some("Ada  Zoë".to_owned()), Some("Löwe-Lace".to_owned()));
        it.email = "ada@example.com".parse().ok();
        it.external_id = "CRM 100%_x".parse().ok();
    });
    let ada = ada.await.id;
    let bob = world.contact_with(|it| {
        it.first_name = Some("Bob".to_owned());
        it.phone = "+49301234567".parse().ok();
    });
    let mut bob = bob.await;
    let searched = async |q: &str| {
        let words = tidings_domain::text::fold(q).split(' ').map(str::to_owned).collect();
        listed(&world, ContactFilter { words, ..ContactFilter::default() }).await
    };
    for q in ["ada", "ZOË lo\u{308}WE", "lace crm", "Ａｄａ", "example.com Ada", "100%", "100%_X"] {
        assert_eq!(searched(q).await, [ada], "{q}");
    }
    for q in ["ada bob", "1%0", "a_a", "ada\\", "ada crn"] {
        assert_eq!(searched(q).await, [], "{q}");
    }
    assert_eq!(searched("+49 30 1234567").await, [bob.id]);
    // The text is made anew by each update.
    bob.first_name = Some("Bert".to_owned());
    bob.touch(at(1));
    world.add(Change::Update(Row::Contact(Box::new(bob.clone())))).await;
    assert_eq!((searched("bob").await, searched("bert").await), (vec![], vec![bob.id]));
}

/// Numbers by their value, dates and times by the calendar; what has no value is another one.
pub async fn values_are_compared_in_their_order(store: Ports) {
    let world = World::new(&store).await;
    let age = world.field("age", FieldKind::Number).await;
    let born = world.field("born", FieldKind::Date).await;
    let none = world.contact().await.id;
    let mut carriers = Vec::new();
    for value in [json!(-10), json!(-9.5), json!(0), json!(9), json!(10), json!(100), json!(1e10)] {
        carriers.push(carrying(&world, &age, value).await);
    }
    let compared = async |field: &CustomField, comparison, text: &str| {
        let pattern = field.compare_pattern(comparison, text).unwrap();
        let fields = vec![FieldMatch { field: field.id, pattern }];
        listed(&world, ContactFilter { fields, ..ContactFilter::default() }).await
    };
    use Comparison::*;
    assert_eq!(compared(&age, AtLeast, "9").await, carriers[3..]);
    assert_eq!(compared(&age, Greater, "9").await, carriers[4..]);
    assert_eq!(compared(&age, Less, "-9.5").await, carriers[..1]);
    assert_eq!(compared(&age, AtMost, "-9.50").await, carriers[..2]);
    assert_eq!(compared(&age, Equal, "100.0").await, carriers[5..6]);
    let others: Vec<_> = [none].into_iter().chain(carriers[..5].iter().copied()).chain([carriers[6]]).collect();
    assert_eq!(compared(&age, NotEqual, "100").await, others);
    assert_eq!(compared(&age, Exists, "true").await, carriers);
    assert_eq!(compared(&age, Exists, "false").await, [none]);
    let mut dated = Vec::new();
    for value in ["0999-12-31", "1999-12-31", "2000-01-01"] {
        dated.push(carrying(&world, &born, json!(value)).await);
    }
    assert_eq!(compared(&born, Less, "2000-01-01").await, dated[..2]);
    assert_eq!(compared(&born, Greater, "0999-12-31").await, dated[1..]);
    let fields = [(AtLeast, "0"), (Less, "100")].map(|(comparison, text)| FieldMatch {
        field: age.id,
        pattern: age.compare_pattern(comparison, text).unwrap(),
    });
    let between = ContactFilter { fields: fields.to_vec(), ..ContactFilter::default() };
    assert_eq!(listed(&world, between).await, carriers[2..5]);
}

/// Exactly as many as the list shows, until the bound.
pub async fn totals_are_counted_up_to_a_bound(store: Ports) {
    let world = World::new(&store).await;
    for number in 0..5 {
        world.contact_with(|it| it.subscribed = number < 2).await;
    }
    let count = async |filter: ContactFilter, most| store.contacts.count(&world.access, &filter, most).await.unwrap();
    assert_eq!(count(ContactFilter::default(), 100).await, 5);
    assert_eq!(count(ContactFilter::default(), 5).await, 5);
    assert_eq!(count(ContactFilter::default(), 3).await, 3);
    assert_eq!(count(ContactFilter { subscribed: Some(true), ..ContactFilter::default() }, 100).await, 2);
    assert_eq!(count(ContactFilter { tags: vec![id()], ..ContactFilter::default() }, 100).await, 0);
}

/// Deleted and restored, with the addresses that it had, unless somebody else has them by now.
pub async fn a_deleted_contact_comes_back_whole(store: Ports) {
    let world = World::new(&store).await;
    let tag = world.tag("vip").await;
    let made = world.contact_with(|it| it.email = "ada@example.com".parse().ok()).await;
    let (mut contact, identity) = (made.clone(), world.identity("ada"));
    world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity: identity.clone() })).await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW })).await;
    assert_eq!(store.contacts.find_deleted(&world.access, contact.id).await.unwrap(), None, "it lives");
    let restore = |contact: &Contact| {
        let mut after = contact.clone();
        (after.deleted_at, after.version) = (None, contact.version + 1);
        Change::Contact(ContactChange::Restore(Box::new(after)))
    };
    let stale = Conflict::Stale(Object::Contact(contact.id));
    assert_eq!(conflict(world.change(restore(&contact)).await), stale, "the living are not restored");
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

/// A contact's addresses are those that were last said; each is one contact's.
pub async fn addresses_are_replaced_and_found(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await.id;
    let (first, second) = (world.identity("a"), world.identity("b"));
    let holder = async |address: &str| {
        let holder = store.contacts.by_identity(&world.access, world.channel.id, address).await.unwrap();
        holder.map(|it| it.id)
    };
    let reached = async || read(&world, contact).await.identities;
    let replace = |identities| Change::Contact(ContactChange::ReplaceIdentities { contact, identities });
    world.add(replace(vec![second.clone(), first.clone()])).await;
    assert_eq!(reached().await, [first.clone(), second.clone()]);
    let silent = Identity { opted_in: false, ..first.clone() };
    world.add(replace(vec![silent.clone()])).await;
    assert_eq!(reached().await, [silent]);
    assert_eq!((holder("a").await, holder("b").await), (Some(contact), None));
    let other = world.contact().await.id;
    let taken = world
        .change(Change::Contact(ContactChange::ReplaceIdentities { contact: other, identities: vec![first] }))
        .await;
    assert_eq!(conflict(taken), Conflict::Exists(UniqueKey::Identity));
    world.add(replace(vec![])).await;
    assert_eq!((reached().await, holder("a").await), (vec![], None));
    let unknown = Identity { channel: id(), address: "a".to_owned(), opted_in: true };
    assert!(world.change(replace(vec![unknown])).await.is_err());
}

async fn read(world: &World, contact: ContactId) -> Contact {
    world.ports.contacts.find_even_deleted(&world.access, contact).await.unwrap().unwrap()
}

/// Over and over, eight say the same of somebody who is not there yet: there is one contact, made once.
pub async fn of_two_upserts_at_once_one_makes_the_contact(store: Ports) {
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
            tokio::spawn(async move { service.upsert(&access, patch, Vec::new(), None).await })
        });
        let upserts: Vec<_> = upserts.collect();
        let mut outcomes = Vec::new();
        for upsert in upserts {
            outcomes.push(upsert.await.unwrap().unwrap());
        }
        assert_eq!(outcomes.iter().filter(|done| done.outcome == Outcome::Created).count(), 1, "{outcomes:?}");
        let first = outcomes[0].value.id;
        assert!(outcomes.iter().all(|done| done.value.id == first), "{outcomes:?}");
        assert_eq!(read(&world, first).await.version, 8, "each said something else");
    }
    assert_eq!(store.contacts.count(&world.access, &ContactFilter::default(), 100).await.unwrap(), 10);
}

/// New ids of the suite.
struct Counting;

impl Ids for Counting {
    fn next(&self) -> uuid::Uuid {
        crate::fixtures::uuid()
    }
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
    assert!(world.change(Change::Update(Row::Contact(Box::new(contact)))).await.is_err(), "the dead do not change");
}

/// Rule 4: a contact and what it carries are read as of one instant, so that its version is true.
pub async fn a_contact_is_never_read_half_changed(store: Ports) {
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

/// What is told of a contact is kept as it was told, stays when the contact is deleted, and goes when it is old.
pub async fn a_custom_event_comes_back_until_its_time_is_over(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let contact = world.contact().await;
    let mut told = Vec::new();
    for seconds in [3, 1, 2] {
        let event = CustomEvent { at: at(seconds), ..a_custom_event(&contact) };
        world.add(Change::Contact(ContactChange::RecordEvent { event: Box::new(event.clone()), depth: 0 })).await;
        told.push(event);
    }
    let find = async |event: &CustomEvent| store.contacts.custom_event(&world.access, event.id).await.unwrap();
    assert_eq!(find(&told[0]).await.as_ref(), Some(&told[0]));
    assert_eq!(store.contacts.custom_event(&other.access, told[0].id).await.unwrap(), None);
    let deleted = Contact { deleted_at: Some(at(4)), version: contact.version + 1, ..contact };
    world.add(Change::Update(Row::Contact(Box::new(deleted)))).await;
    assert!(find(&told[0]).await.is_some(), "the contact may be restored");

    let expire = async |limit| store.engine.expire_custom_events(at(3), limit).await.unwrap();
    assert_eq!(expire(1).await, 1);
    assert_eq!((find(&told[1]).await, find(&told[2]).await.is_some()), (None, true), "the oldest goes first");
    assert_eq!((expire(10).await, expire(10).await), (1, 0));
    assert!(find(&told[0]).await.is_some() && find(&told[2]).await.is_none());
}
