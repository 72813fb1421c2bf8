//! Contacts: all fields are read back, lists are filtered, deleted contacts are hidden.

pub mod bulk;
pub mod conditions;
mod deleted;
pub mod erasures;
pub mod imports;
pub mod merges;
pub mod opt_outs;
mod races;
mod searches;
pub mod segments;
pub mod timeline;

use serde_json::json;
use tidings_domain::contacts::{
    AppliedTag, Contact, ContactFilter, ContactRef, ContactStatus, Identity, IdentityOptOut, OptOutSource,
};
use tidings_domain::custom_events::CustomEvent;
use tidings_domain::fields::FieldKind;
use tidings_domain::ids::ContactId;
use tidings_domain::pagination::SortedRequest;
use tidings_domain::ports::{Change, Conflict, ContactChange, FieldChange, Row, TagChange, UniqueKey};

use crate::Ports;
use crate::fixtures::{NOW, World, a_custom_event, at, conflict, id};

pub use deleted::{hides_a_deleted_contact_and_frees_its_identifiers, restores_a_deleted_contact_with_its_addresses};
pub use races::{
    concurrent_lookups_by_several_identifiers_find_their_contacts,
    concurrent_lookups_return_the_objects_of_their_workspaces, concurrent_upserts_create_a_contact_once,
    reads_a_contact_from_one_snapshot,
};
pub use searches::{
    a_contact_is_opted_in_if_one_address_is, compares_custom_field_values_by_type,
    contacts_match_every_part_of_a_filter, counts_contacts_that_a_channel_reaches, counts_contacts_up_to_a_limit,
    finds_contacts_by_every_word_of_a_search, finds_custom_field_values_by_their_match_key,
};

/// All fields and related objects are stored.
pub async fn stores_all_fields_of_a_contact(store: Ports) {
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

    // An update writes the whole row, including missing values.
    let mut emptied = Contact::new(contact.id, contact.created_at);
    (emptied.version, emptied.updated_at) = (2, at(9));
    world.add(Change::Update(Row::Contact(Box::new(emptied.clone())))).await;
    (emptied.tags, emptied.custom_fields, emptied.identities) =
        (contact.tags, contact.custom_fields, contact.identities);
    assert_eq!(store.contacts.find(&world.access, &ContactRef::Id(emptied.id)).await.unwrap(), Some(emptied));
}

/// A contact has the addresses that were set last, and an address belongs to one contact.
pub async fn replaces_the_addresses_of_a_contact(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await.id;
    let (first, second) = (world.identity("a"), world.identity("b"));
    let holder = async |address: &str| {
        let holder = store.contacts.by_identity(&world.access, world.channel.id, address).await.unwrap();
        holder.map(|it| it.id)
    };
    let reached = async || read(&world, contact).await.identities;
    let replace = |identities| Change::Contact(ContactChange::ReplaceIdentities { contact, identities });
    let second = Identity { is_alias: true, added_at: at(1), undeliverable_since: Some(at(2)), ..second };
    world.add(replace(vec![second.clone(), first.clone()])).await;
    assert_eq!(reached().await, [first.clone(), second.clone()]);
    let listed = store.contacts.by_ids(&world.access, &[contact]).await.unwrap();
    assert_eq!(listed[0].identities, [first.clone(), second.clone()]);
    assert_eq!(holder("b").await, Some(contact), "an alias finds the contact");
    let other = world.contact().await.id;
    let taken = ContactChange::InsertIdentity { contact: other, identity: world.identity("b") };
    assert_eq!(conflict(world.change(Change::Contact(taken)).await), Conflict::Exists(UniqueKey::Identity));
    let opt_out = Some(IdentityOptOut { source: OptOutSource::Complaint, at: at(3) });
    let silent = Identity { opted_in: false, opt_out, ..first.clone() };
    world.add(replace(vec![silent.clone()])).await;
    assert_eq!(reached().await, std::slice::from_ref(&silent));
    let listed = store.contacts.by_ids(&world.access, &[contact]).await.unwrap();
    assert_eq!(listed[0].identities, [silent]);
    assert_eq!((holder("a").await, holder("b").await), (Some(contact), None));
    let taken = world
        .change(Change::Contact(ContactChange::ReplaceIdentities { contact: other, identities: vec![first] }))
        .await;
    assert_eq!(conflict(taken), Conflict::Exists(UniqueKey::Identity));
    world.add(replace(vec![])).await;
    assert_eq!((reached().await, holder("a").await), (vec![], None));
    let unknown = Identity { channel: id(), ..world.identity("a") };
    assert!(world.change(replace(vec![unknown])).await.is_err());
}

async fn read(world: &World, contact: ContactId) -> Contact {
    world.ports.contacts.find_even_deleted(&world.access, contact).await.unwrap().unwrap()
}

/// A custom event is stored as sent, stays when the contact is deleted, and expires.
pub async fn keeps_a_custom_event_until_it_expires(store: Ports) {
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
    assert!(find(&told[0]).await.is_some(), "the event stays because the contact can be restored");

    let expire = async |limit| store.engine.expire_custom_events(at(3), limit).await.unwrap();
    assert_eq!(expire(1).await, 1);
    assert_eq!((find(&told[1]).await, find(&told[2]).await.is_some()), (None, true), "the oldest event expires first");
    assert_eq!((expire(10).await, expire(10).await), (1, 0));
    assert!(find(&told[0]).await.is_some() && find(&told[2]).await.is_none());
}
