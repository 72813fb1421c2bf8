//! Samples of contacts with their addresses, tags and custom fields.

use serde_json::json;
use tidings_domain::contacts::{Contact, Identity};
use tidings_domain::fields::{CustomField, FieldKind, FieldRef};
use tidings_domain::ids::{ContactId, FieldId};
use tidings_domain::ports::{Change, ContactChange, FieldChange, Object, Row, TagChange};
use tidings_domain::stored::StoredId;
use tidings_domain::tags::Tag;

use super::sample::{Does, Maker, Sample, maker, row_makers, unique};
use crate::fixtures::{NOW, World, a_custom_event, a_field, at, id};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples =
        [row_makers(contact), row_makers(tag), row_makers(field)].into_iter().flatten().collect::<Vec<_>>();
    samples.extend([
        maker(insert_identity),
        maker(set_opt_in),
        maker(touch),
        maker(release_identities),
        maker(restore),
        maker(replace_identities),
        maker(record_event),
        maker(link),
        maker(unlink),
        maker(sweep_links),
        maker(put_value),
        maker(clear_value),
        maker(retire_options),
        maker(sweep_values),
    ]);
    samples
}

async fn read(world: &World, contact: ContactId) -> Option<Contact> {
    world.ports.contacts.find_even_deleted(&world.access, contact).await.unwrap()
}

async fn contact(world: World, does: Does) -> Sample {
    let mut contact = Contact::new(id(), NOW);
    (contact.email, contact.external_id) = (format!("{}@example.com", unique()).parse().ok(), unique().parse().ok());
    let (own, next) = (contact.id, unique());
    let change = |it: &mut Contact| {
        (it.first_name, it.external_id) = (Some("Zoë".to_owned()), next.parse().ok());
        it.touch(at(9));
    };
    does.row(&world, |it| Row::Contact(Box::new(it)), contact, change, async move |w| read(w, own).await).await
}

async fn tag(world: World, does: Does) -> Sample {
    let tag = Tag::new(id(), &unique(), NOW);
    let (own, next) = (tag.id, unique());
    let change = |it: &mut Tag| (it.name, it.version) = (next, 2);
    does.row(
        &world,
        |it| Row::Stored(it.into()),
        tag,
        change,
        async move |w| w.ports.tags.get(&w.access, own).await.unwrap(),
    )
    .await
}

async fn read_field(world: &World, field: FieldId) -> Option<CustomField> {
    world.ports.fields.get(&world.access, &FieldRef::Id(field)).await.unwrap()
}

async fn field(world: World, does: Does) -> Sample {
    let field = a_field(&unique(), FieldKind::Select);
    let own = field.id;
    let change = |it: &mut CustomField| {
        (it.name, it.options, it.version) = ("Colour".to_owned(), vec!["blue".to_owned()], 2);
    };
    does.row(&world, |it| Row::Stored(it.into()), field, change, async move |w| read_field(w, own).await).await
}

/// Stores a contact with an address.
async fn reachable(world: &World) -> (ContactId, Identity) {
    let (contact, identity) = (world.contact().await.id, world.identity(&unique()));
    world.add(Change::Contact(ContactChange::InsertIdentity { contact, identity: identity.clone() })).await;
    (contact, identity)
}

async fn owner(world: &World, address: &str) -> Option<ContactId> {
    let found = world.ports.contacts.by_identity(&world.access, world.channel.id, address).await.unwrap();
    found.map(|it| it.id)
}

async fn insert_identity(world: World) -> Sample {
    let (contact, identity) = (world.contact().await.id, world.identity(&unique()));
    let change = Change::Contact(ContactChange::InsertIdentity { contact, identity: identity.clone() });
    Sample::new(&world, change, Some(contact), async move |w| owner(w, &identity.address).await)
}

async fn set_opt_in(world: World) -> Sample {
    let (contact, channel) = (reachable(&world).await.0, world.channel.id);
    let change = Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in: false });
    Sample::new(&world, change, vec![false], async move |w| {
        read(w, contact).await.unwrap().identities.iter().map(|it| it.opted_in).collect()
    })
}

async fn touch(world: World) -> Sample {
    let contact = world.contact().await.id;
    let change = Change::Contact(ContactChange::Touch { contact, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| read(w, contact).await.unwrap().last_message_at)
}

async fn release_identities(world: World) -> Sample {
    let (contact, identity) = reachable(&world).await;
    let change = Change::Contact(ContactChange::ReleaseIdentities { contact });
    Sample::new(&world, change, None, async move |w| owner(w, &identity.address).await)
}

async fn restore(world: World) -> Sample {
    let mut contact = world.contact().await;
    contact.deleted_at = Some(at(1));
    contact.touch(at(1));
    world.add(Change::Update(Row::Contact(Box::new(contact.clone())))).await;
    contact.deleted_at = None;
    contact.touch(at(2));
    let own = contact.id;
    let change = Change::Contact(ContactChange::Restore(Box::new(contact.clone())));
    Sample::new(&world, change, Some(contact), async move |w| read(w, own).await)
}

async fn replace_identities(world: World) -> Sample {
    let (contact, next) = (reachable(&world).await.0, world.identity(&unique()));
    let change = Change::Contact(ContactChange::ReplaceIdentities { contact, identities: vec![next.clone()] });
    Sample::new(&world, change, vec![next], async move |w| read(w, contact).await.unwrap().identities)
}

async fn record_event(world: World) -> Sample {
    let event = a_custom_event(&world.contact().await);
    let own = event.id;
    let change = Change::Contact(ContactChange::RecordEvent { event: Box::new(event.clone()), depth: 0 });
    Sample::new(&world, change, Some(event), async move |w| {
        w.ports.contacts.custom_event(&w.access, own).await.unwrap()
    })
}

async fn link(world: World) -> Sample {
    let (contact, tag) = (world.contact().await.id, world.tag(&unique()).await.id);
    let change = Change::Tag(TagChange::Link { contact, tag, at: at(9) });
    Sample::new(&world, change, vec![(tag, at(9))], async move |w| {
        read(w, contact).await.unwrap().tags.iter().map(|it| (it.id, it.applied_at)).collect()
    })
}

async fn unlink(world: World) -> Sample {
    let (contact, tag) = (world.contact().await.id, world.tag(&unique()).await.id);
    world.add(Change::Tag(TagChange::Link { contact, tag, at: NOW })).await;
    let change = Change::Tag(TagChange::Unlink { contact, tag });
    Sample::new(&world, change, vec![], async move |w| read(w, contact).await.unwrap().tags)
}

async fn sweep_links(world: World) -> Sample {
    let (contact, tag) = (world.contact().await.id, world.tag(&unique()).await.id);
    world.add(Change::Tag(TagChange::Link { contact, tag, at: NOW })).await;
    world.add(Change::Delete(Object::Stored(StoredId::Tag(tag)))).await;
    let change = Change::Tag(TagChange::SweepLinks { tag, limit: 9 });
    Sample::new(&world, change, false, async move |w| w.ports.tags.has_links(&w.access, tag).await.unwrap())
}

/// Stores a contact and a field, and returns the change that sets a value.
async fn value(world: &World) -> (ContactId, CustomField, Change) {
    let (contact, field) = (world.contact().await.id, world.field(&unique(), FieldKind::Text).await);
    let value = field.check(&json!("L")).unwrap();
    let put = Change::Field(FieldChange::PutValue { contact, field: field.id, value });
    (contact, field, put)
}

async fn put_value(world: World) -> Sample {
    let (contact, field, put) = value(&world).await;
    let after = [(field.key, json!("L"))].into();
    Sample::new(&world, put, after, async move |w| read(w, contact).await.unwrap().custom_fields)
}

async fn clear_value(world: World) -> Sample {
    let (contact, field, put) = value(&world).await;
    world.add(put).await;
    let change = Change::Field(FieldChange::ClearValue { contact, field: field.id });
    Sample::new(&world, change, [].into(), async move |w| read(w, contact).await.unwrap().custom_fields)
}

async fn retire_options(world: World) -> Sample {
    let (field, to) = (world.field(&unique(), FieldKind::Select).await.id, vec!["red".to_owned()]);
    let change = Change::Field(FieldChange::RetireOptions { field, from: Vec::new(), to: to.clone(), unused: false });
    Sample::new(&world, change, to, async move |w| read_field(w, field).await.unwrap().retired)
}

async fn sweep_values(world: World) -> Sample {
    let (_, field, put) = value(&world).await;
    let field = field.id;
    world.add(put).await;
    world.add(Change::Delete(Object::Stored(StoredId::CustomField(field)))).await;
    let change = Change::Field(FieldChange::SweepValues { field, limit: 9 });
    Sample::new(&world, change, false, async move |w| w.ports.fields.has_values(&w.access, field).await.unwrap())
}
