//! Rule 5: a link is made once and ends once; what a deleted object leaves behind is swept.

use futures::future::join_all;
use serde_json::json;
use tidings_domain::contacts::Contact;
use tidings_domain::fields::FieldKind;
use tidings_domain::ids::ContactId;
use tidings_domain::ports::{Change, Conflict, UniqueKey};

use crate::Ports;
use crate::fixtures::{NOW, World, at, conflict, id};

async fn read(world: &World, contact: ContactId) -> Contact {
    world.ports.contacts.find_even_deleted(&world.access, contact).await.unwrap().unwrap()
}

/// Of those who link the same tag to the same contact, one does; the others are told.
pub async fn a_tag_comes_to_a_contact_once(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (world.contact().await.id, world.tag("vip").await.id);
    let outcomes = join_all((0..8).map(|_| world.change(Change::LinkTag { contact, tag, at: NOW }))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_eq!(conflict(outcome), Conflict::Exists(UniqueKey::TagLink));
    }
    let applied = read(&world, contact).await.tags;
    assert_eq!(
        applied.iter().map(|it| (it.id, it.name.as_str(), it.applied_at)).collect::<Vec<_>>(),
        [(tag, "vip", NOW)]
    );
}

/// A link that is not there does not end.
pub async fn a_tag_that_is_not_there_cannot_leave(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (world.contact().await.id, world.tag("vip").await.id);
    assert_eq!(conflict(world.change(Change::UnlinkTag { contact, tag }).await), Conflict::NoLink);
    world.add(Change::LinkTag { contact, tag, at: NOW }).await;
    world.add(Change::UnlinkTag { contact, tag }).await;
    assert_eq!(conflict(world.change(Change::UnlinkTag { contact, tag }).await), Conflict::NoLink);
    assert!(read(&world, contact).await.tags.is_empty());
}

/// A tag or a value comes to a contact only where both are there.
pub async fn links_need_both_ends(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (world.contact().await.id, world.tag("vip").await.id);
    let field = world.field("size", FieldKind::Text).await;
    let value = field.check(&json!("L")).unwrap();
    for wrong in [
        Change::LinkTag { contact: id(), tag, at: NOW },
        Change::LinkTag { contact, tag: id(), at: NOW },
        Change::PutValue { contact: id(), field: field.id, value: value.clone() },
        Change::PutValue { contact, field: id(), value },
        Change::InsertIdentity { contact: id(), identity: world.identity("a") },
    ] {
        assert!(world.change(wrong.clone()).await.is_err(), "{wrong:?}");
    }
    assert!(!store.tags.has_links(&world.access, tag).await.unwrap());
}

/// A value is set, replaced and cleared; clearing what is not there is nothing.
pub async fn values_are_set_replaced_and_cleared(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await.id;
    let (text, list) =
        (world.field("size", FieldKind::Text).await, world.field("colours", FieldKind::MultiSelect).await);
    for (field, value) in [(&text, json!("L")), (&list, json!(["red", "green"])), (&text, json!("XL"))] {
        let value = field.check(&value).unwrap();
        world.add(Change::PutValue { contact, field: field.id, value }).await;
    }
    let expected = [("colours".to_owned(), json!(["red", "green"])), ("size".to_owned(), json!("XL"))];
    assert_eq!(read(&world, contact).await.custom_fields, expected.into());
    world.add(Change::ClearValue { contact, field: text.id }).await;
    world.add(Change::ClearValue { contact, field: text.id }).await;
    assert_eq!(read(&world, contact).await.custom_fields, [("colours".to_owned(), json!(["red", "green"]))].into());
}

/// Links to a deleted tag are hidden at once and removed in portions, those of other tags never.
pub async fn a_deleted_tag_is_swept_in_portions(store: Ports) {
    let world = World::new(&store).await;
    let (tag, other) = (world.tag("vip").await.id, world.tag("other").await.id);
    let contacts = join_all((0..5).map(|_| world.contact())).await;
    for contact in &contacts {
        world.add(Change::LinkTag { contact: contact.id, tag, at: NOW }).await;
        world.add(Change::LinkTag { contact: contact.id, tag: other, at: at(1) }).await;
    }
    world.add(Change::DeleteTag(tag)).await;
    assert_eq!(read(&world, contacts[0].id).await.tags.len(), 1);
    let mut portions = 0;
    while store.tags.has_links(&world.access, tag).await.unwrap() {
        world.add(Change::SweepTagLinks { tag, limit: 2 }).await;
        portions += 1;
    }
    assert_eq!(portions, 3);
    assert_eq!(store.tags.get(&world.access, other).await.unwrap().unwrap().contact_count, 5);
}

/// The same for the values of a deleted field.
pub async fn a_deleted_field_is_swept_in_portions(store: Ports) {
    let world = World::new(&store).await;
    let (field, other) = (world.field("size", FieldKind::Text).await, world.field("name", FieldKind::Text).await);
    let contacts = join_all((0..5).map(|_| world.contact())).await;
    for contact in &contacts {
        for field in [&field, &other] {
            let value = field.check(&json!("L")).unwrap();
            world.add(Change::PutValue { contact: contact.id, field: field.id, value }).await;
        }
    }
    world.add(Change::DeleteField(field.id)).await;
    assert_eq!(read(&world, contacts[0].id).await.custom_fields.len(), 1);
    let mut portions = 0;
    while store.fields.has_values(&world.access, field.id).await.unwrap() {
        world.add(Change::SweepValues { field: field.id, limit: 2 }).await;
        portions += 1;
    }
    assert_eq!(portions, 3);
    assert!(store.fields.has_values(&world.access, other.id).await.unwrap());
}
