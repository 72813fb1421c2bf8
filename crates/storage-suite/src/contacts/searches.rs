//! Contacts are found by their fields and related objects, and counted.

use serde_json::{Value, json};
use tidings_domain::contacts::{ChannelReach, ContactFilter, ContactStatus, FieldMatch, Identity};
use tidings_domain::fields::{Comparison, CustomField, FieldKind};
use tidings_domain::ids::ContactId;
use tidings_domain::pagination::{Sort, SortBy, SortedRequest};
use tidings_domain::ports::{Change, ContactChange, FieldChange, Row, TagChange};
use tidings_domain::stored::StoredRow;

use crate::Ports;
use crate::fixtures::{NOW, World, a_field, an_http_channel, at, id};

pub(super) async fn listed(world: &World, filter: ContactFilter) -> Vec<ContactId> {
    let order = Sort { by: SortBy::CreatedAt, descending: false };
    let page = SortedRequest { limit: 100, order, ..SortedRequest::default() };
    let page = world.ports.contacts.list(&world.access, &filter, page).await.unwrap();
    page.items.into_iter().map(|contact| contact.id).collect()
}

/// Every part of the filter must match.
pub async fn contacts_match_every_part_of_a_filter(store: Ports) {
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

/// A contact accepts messages on a channel if one of its addresses there is opted in. Each contact with an address
/// matches one value.
pub async fn a_contact_is_opted_in_if_one_address_is(store: Ports) {
    let world = World::new(&store).await;
    let mut contacts = Vec::new();
    for consents in [&[true][..], &[false], &[false, true], &[false, false], &[]] {
        let contact = world.contact().await.id;
        for (place, opted_in) in consents.iter().enumerate() {
            let address = format!("address-{place}-of-{}", contacts.len());
            let identity = Identity { opted_in: *opted_in, ..world.identity(&address) };
            world.add(Change::Contact(ContactChange::InsertIdentity { contact, identity })).await;
        }
        contacts.push(contact);
    }
    let found = async |opted_in| {
        let filter = ContactFilter { channel: Some(world.channel.id), opted_in, ..ContactFilter::default() };
        let places = listed(&world, filter).await.into_iter().map(|id| contacts.iter().position(|it| *it == id));
        let mut places: Vec<usize> = places.map(Option::unwrap).collect();
        places.sort_unstable();
        places
    };
    assert_eq!(found(None).await, [0, 1, 2, 3]);
    assert_eq!((found(Some(true)).await, found(Some(false)).await), (vec![0, 2], vec![1, 3]));
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

/// Texts match in any case, numbers by value, and lists by whole elements; wildcards have no special meaning.
pub async fn finds_custom_field_values_by_their_match_key(store: Ports) {
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
    world.add(Change::Insert(Row::Stored(StoredRow::CustomField(list.clone())))).await;
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

/// A search finds words of name, email, phone and external ID, in any order and case.
pub async fn finds_contacts_by_every_word_of_a_search(store: Ports) {
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
        let words = tidings_domain::text::search_fold(q).split(' ').map(str::to_owned).collect();
        listed(&world, ContactFilter { words, ..ContactFilter::default() }).await
    };
    for q in ["ada", "ZOË lo\u{308}WE", "lace crm", "Ａｄａ", "zoe lowe", "example.com Ada", "100%", "100%_X"] {
        assert_eq!(searched(q).await, [ada], "{q}");
    }
    for q in ["ada bob", "1%0", "a_a", "ada\\", "ada crn"] {
        assert_eq!(searched(q).await, [], "{q}");
    }
    assert_eq!(searched("+49 30 1234567").await, [bob.id]);
    // Each update rebuilds the search text.
    bob.first_name = Some("Bert".to_owned());
    bob.touch(at(1));
    world.add(Change::Update(Row::Contact(Box::new(bob.clone())))).await;
    assert_eq!((searched("bob").await, searched("bert").await), (vec![], vec![bob.id]));
}

/// Numbers are compared by value, dates and times by the calendar. A missing value counts as different.
pub async fn compares_custom_field_values_by_type(store: Ports) {
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

/// Counts equal the number of listed contacts, up to a limit.
pub async fn counts_contacts_up_to_a_limit(store: Ports) {
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

/// A message reaches an active, subscribed contact with an address that is opted in. An address on another channel does not
/// count.
pub async fn counts_contacts_that_a_channel_reaches(store: Ports) {
    let world = World::new(&store).await;
    let second = an_http_channel(7);
    world.add(Change::Insert(Row::Channel(second.clone()))).await;
    let (here, there) = (world.channel.id, second.id);
    let people = [
        (ContactStatus::Active, true, vec![(here, true)]),
        (ContactStatus::Active, true, vec![(here, false), (here, true), (here, true)]),
        (ContactStatus::Active, true, vec![(here, false), (here, false)]),
        (ContactStatus::Active, true, vec![(there, true)]),
        (ContactStatus::Active, true, vec![]),
        (ContactStatus::Active, false, vec![(here, true)]),
        (ContactStatus::Blocked, true, vec![(here, true)]),
    ];
    for (status, subscribed, addresses) in people {
        let contact = world.contact_with(|it| (it.status, it.subscribed) = (status, subscribed)).await.id;
        for (place, (channel, opted_in)) in addresses.into_iter().enumerate() {
            let identity = Identity::new(channel, format!("address-{place}-of-{contact}"), NOW);
            let identity = Identity { opted_in, ..identity };
            world.add(Change::Contact(ContactChange::InsertIdentity { contact, identity })).await;
        }
    }
    let count = async |filter| store.contacts.reach(&world.access, &filter, here).await.unwrap();
    let all = ChannelReach { contacts: 7, not_blocked: 6, subscribed: 5, with_address: 3, opted_in: 2 };
    assert_eq!(count(ContactFilter::default()).await, all);
    let subscribed = ContactFilter { subscribed: Some(true), ..ContactFilter::default() };
    assert_eq!(count(subscribed).await, ChannelReach { contacts: 6, not_blocked: 5, ..all });
    let nobody = ContactFilter { tags: vec![id()], ..ContactFilter::default() };
    assert_eq!(count(nobody).await, ChannelReach::default());
}
