//! Rule 5: a link is added once and removed once; links of a deleted object are swept.

use futures::future::join_all;
use serde_json::json;
use tidings_domain::contacts::Contact;
use tidings_domain::fields::{FieldKind, FieldRef};
use tidings_domain::ids::ContactId;
use tidings_domain::ports::{Change, Conflict, ContactChange, FieldChange, Guard, Object, Row, TagChange, UniqueKey};
use tidings_domain::references::Referent;
use tidings_domain::stored::{StoredId, StoredRow};

use crate::Ports;
use crate::fixtures::{NOW, World, at, conflict, id};

async fn read(world: &World, contact: ContactId) -> Contact {
    world.ports.contacts.find_even_deleted(&world.access, contact).await.unwrap().unwrap()
}

/// Of several concurrent links of the same tag and contact, one succeeds; the others get a conflict.
pub async fn links_a_tag_to_a_contact_once(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (world.contact().await.id, world.tag("vip").await.id);
    let outcomes = join_all((0..8).map(|_| world.change(Change::Tag(TagChange::Link { contact, tag, at: NOW })))).await;
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

/// A missing link cannot be removed.
pub async fn rejects_the_removal_of_a_missing_link(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (world.contact().await.id, world.tag("vip").await.id);
    assert_eq!(conflict(world.change(Change::Tag(TagChange::Unlink { contact, tag })).await), Conflict::NoLink);
    world.add(Change::Tag(TagChange::Link { contact, tag, at: NOW })).await;
    world.add(Change::Tag(TagChange::Unlink { contact, tag })).await;
    assert_eq!(conflict(world.change(Change::Tag(TagChange::Unlink { contact, tag })).await), Conflict::NoLink);
    assert!(read(&world, contact).await.tags.is_empty());
}

/// A tag or a value can be added only if it and the contact exist.
pub async fn rejects_links_to_missing_objects(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (world.contact().await.id, world.tag("vip").await.id);
    let field = world.field("size", FieldKind::Text).await;
    let value = field.check(&json!("L")).unwrap();
    for wrong in [
        Change::Tag(TagChange::Link { contact: id(), tag, at: NOW }),
        Change::Tag(TagChange::Link { contact, tag: id(), at: NOW }),
        Change::Field(FieldChange::PutValue { contact: id(), field: field.id, value: value.clone() }),
        Change::Field(FieldChange::PutValue { contact, field: id(), value }),
        Change::Contact(ContactChange::InsertIdentity { contact: id(), identity: world.identity("a") }),
    ] {
        assert!(world.change(wrong.clone()).await.is_err(), "{wrong:?}");
    }
    assert!(!store.tags.has_links(&world.access, tag).await.unwrap());
}

/// A set writes the values of many fields of two contacts. If one of the fields is missing, it writes nothing and names that
/// field.
pub async fn many_values_are_written_together(store: Ports) {
    let world = World::new(&store).await;
    let contacts = [world.contact().await.id, world.contact().await.id];
    let (mut fields, mut puts) = (Vec::new(), Vec::new());
    for number in 0..11 {
        fields.push(world.field(&format!("field_{number}"), FieldKind::Number).await);
    }
    for (contact, field) in contacts.iter().flat_map(|contact| fields.iter().map(move |field| (*contact, field))) {
        let value = field.check(&json!(puts.len())).unwrap();
        puts.push(Change::Field(FieldChange::PutValue { contact, field: field.id, value }));
    }
    let missing = id();
    let value = fields[0].check(&json!(1)).unwrap();
    let wrong = Change::Field(FieldChange::PutValue { contact: contacts[0], field: missing, value });
    for place in [0, 5, 21, 22] {
        let mut all = puts.clone();
        all.insert(place, wrong.clone());
        let refused = conflict(world.commit(|set| set.changes.extend(all)).await);
        assert_eq!(refused, Conflict::Stale(Object::Stored(StoredId::CustomField(missing))), "{place}");
    }
    assert!(read(&world, contacts[0]).await.custom_fields.is_empty());
    for _ in 0..2 {
        world.commit(|set| set.changes.extend(puts.clone())).await.unwrap();
        for (contact, first) in contacts.into_iter().zip([0, 11]) {
            let values = read(&world, contact).await.custom_fields;
            for number in 0..11 {
                assert_eq!(values.get(&format!("field_{number}")), Some(&json!(first + number)));
            }
        }
    }
}

/// A value is set, replaced and cleared; clearing a missing value has no effect.
pub async fn values_are_set_replaced_and_cleared(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await.id;
    let (text, list) =
        (world.field("size", FieldKind::Text).await, world.field("colours", FieldKind::MultiSelect).await);
    for (field, value) in [(&text, json!("L")), (&list, json!(["red", "green"])), (&text, json!("XL"))] {
        let value = field.check(&value).unwrap();
        world.add(Change::Field(FieldChange::PutValue { contact, field: field.id, value })).await;
    }
    let expected = [("colours".to_owned(), json!(["red", "green"])), ("size".to_owned(), json!("XL"))];
    assert_eq!(read(&world, contact).await.custom_fields, expected.into());
    world.add(Change::Field(FieldChange::ClearValue { contact, field: text.id })).await;
    world.add(Change::Field(FieldChange::ClearValue { contact, field: text.id })).await;
    assert_eq!(read(&world, contact).await.custom_fields, [("colours".to_owned(), json!(["red", "green"]))].into());
}

/// Links to a deleted tag are hidden at once and removed in portions; links to other tags stay.
pub async fn removes_links_of_a_deleted_tag_in_portions(store: Ports) {
    let world = World::new(&store).await;
    let (tag, other) = (world.tag("vip").await.id, world.tag("other").await.id);
    let contacts = join_all((0..5).map(|_| world.contact())).await;
    for contact in &contacts {
        world.add(Change::Tag(TagChange::Link { contact: contact.id, tag, at: NOW })).await;
        world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: other, at: at(1) })).await;
    }
    world.add(Change::Delete(Object::Stored(StoredId::Tag(tag)))).await;
    assert_eq!(read(&world, contacts[0].id).await.tags.len(), 1);
    let mut portions = 0;
    while store.tags.has_links(&world.access, tag).await.unwrap() {
        world.add(Change::Tag(TagChange::SweepLinks { tag, limit: 2 })).await;
        portions += 1;
    }
    assert_eq!(portions, 3);
    assert_eq!(store.tags.get(&world.access, other).await.unwrap().unwrap().contact_count, 5);
}

/// As above, for the values of a deleted field.
pub async fn removes_values_of_a_deleted_field_in_portions(store: Ports) {
    let world = World::new(&store).await;
    let (field, other) = (world.field("size", FieldKind::Text).await, world.field("name", FieldKind::Text).await);
    let contacts = join_all((0..5).map(|_| world.contact())).await;
    for contact in &contacts {
        for field in [&field, &other] {
            let value = field.check(&json!("L")).unwrap();
            world.add(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value })).await;
        }
    }
    world.add(Change::Delete(Object::Stored(StoredId::CustomField(field.id)))).await;
    assert_eq!(read(&world, contacts[0].id).await.custom_fields.len(), 1);
    let mut portions = 0;
    while store.fields.has_values(&world.access, field.id).await.unwrap() {
        world.add(Change::Field(FieldChange::SweepValues { field: field.id, limit: 2 })).await;
        portions += 1;
    }
    assert_eq!(portions, 3);
    assert!(store.fields.has_values(&world.access, other.id).await.unwrap());
}

/// Retired options are hidden although their values are still stored, and contacts with one are found.
pub async fn hides_retired_options_and_finds_their_contacts(store: Ports) {
    let world = World::new(&store).await;
    let red = ["red".to_owned()];
    for (kind, value, shown) in [
        (FieldKind::Select, json!("red"), None),
        (FieldKind::MultiSelect, json!(["red", "green"]), Some(json!(["green"]))),
    ] {
        let field = world.field(kind.as_str(), kind).await;
        let contacts = join_all((0..3).map(|_| world.contact())).await;
        let other = world.contact().await;
        let put = |contact: ContactId, json: &serde_json::Value| {
            world.add(Change::Field(FieldChange::PutValue {
                contact,
                field: field.id,
                value: field.check(json).unwrap(),
            }))
        };
        for contact in &contacts {
            put(contact.id, &value).await;
        }
        put(other.id, &if kind == FieldKind::Select { json!("green") } else { json!(["green"]) }).await;

        assert_eq!(store.fields.carriers(&world.access, &field, &red, 100).await.unwrap(), 3);
        assert_eq!(store.fields.carriers(&world.access, &field, &red, 2).await.unwrap(), 2);
        let mut ids: Vec<ContactId> = contacts.iter().map(|contact| contact.id).collect();
        ids.sort_unstable();
        let carrying =
            async |after, limit| store.fields.carrying(&world.access, &field, &red, after, limit).await.unwrap();
        let first = carrying(None, 2).await;
        assert_eq!(first, [(ids[0], value.clone()), (ids[1], value.clone())]);
        assert_eq!(carrying(Some(ids[1]), 2).await, [(ids[2], value.clone())]);

        world
            .add(Change::Field(FieldChange::RetireOptions {
                field: field.id,
                from: vec![],
                to: red.to_vec(),
                unused: false,
            }))
            .await;
        let expected: std::collections::BTreeMap<_, _> =
            shown.clone().map(|shown| (field.key.clone(), shown)).into_iter().collect();
        assert_eq!(read(&world, ids[0]).await.custom_fields, expected);
        assert!(read(&world, other.id).await.custom_fields.contains_key(&field.key));
        // The options differ from those that the change expects.
        let stale = world
            .change(Change::Field(FieldChange::RetireOptions {
                field: field.id,
                from: vec![],
                to: vec![],
                unused: false,
            }))
            .await;
        assert_eq!(conflict(stale), Conflict::Stale(Object::Stored(StoredId::CustomField(field.id))));
        // An update of the field does not change its retired options.
        let mut renamed = store.fields.get(&world.access, &FieldRef::Id(field.id)).await.unwrap().unwrap();
        assert_eq!(renamed.retired, red);
        (renamed.version, renamed.retired) = (2, vec![]);
        world.add(Change::Update(Row::Stored(StoredRow::CustomField(renamed)))).await;
        assert_eq!(read(&world, ids[0]).await.custom_fields, expected);

        world
            .add(Change::Field(FieldChange::RetireOptions {
                field: field.id,
                from: red.to_vec(),
                to: vec![],
                unused: false,
            }))
            .await;
        assert_eq!(read(&world, ids[0]).await.custom_fields, [(field.key.clone(), value.clone())].into());
    }
}

/// An option is removed only if no contact has it. A contact that gets the option and an update that removes it at the
/// same time exclude each other.
pub async fn removes_an_option_only_while_no_contact_has_it(store: Ports) {
    let world = World::new(&store).await;
    let red = ["red".to_owned()];
    for (round, kind) in [FieldKind::Select, FieldKind::MultiSelect].into_iter().cycle().take(20).enumerate() {
        let field = world.field(&format!("f{round}"), kind).await;
        let (contact, gone) = (world.contact().await, world.contact().await);
        let value =
            field.check(&if kind == FieldKind::Select { json!("red") } else { json!(["green", "red"]) }).unwrap();
        // A deleted contact does not count.
        world
            .add(Change::Field(FieldChange::PutValue { contact: gone.id, field: field.id, value: value.clone() }))
            .await;
        let deleted = Contact { deleted_at: Some(NOW), version: 2, ..gone };
        world.add(Change::Update(Row::Contact(Box::new(deleted)))).await;
        let take = world.commit(|set| {
            set.guard(Guard::Version(Object::Stored(StoredId::CustomField(field.id)), 1)).change(Change::Field(
                FieldChange::PutValue { contact: contact.id, field: field.id, value: value.clone() },
            ));
        });
        let mut after = field.clone();
        (after.version, after.options) = (2, vec!["green".to_owned()]);
        let remove = world.commit(|set| {
            set.change(Change::Field(FieldChange::RetireOptions {
                field: field.id,
                from: vec![],
                to: red.to_vec(),
                unused: true,
            }))
            .change(Change::Update(Row::Stored(StoredRow::CustomField(after))));
        });
        // The future that is polled first has a head start.
        let (taken, removed) = match round % 4 < 2 {
            true => futures::join!(take, remove),
            false => {
                let (removed, taken) = futures::join!(remove, take);
                (taken, removed)
            }
        };
        match (taken, removed) {
            (Ok(()), removed) => {
                assert_eq!(conflict(removed), Conflict::InUse(Referent::Field(field.id)));
                let kept = store.fields.get(&world.access, &FieldRef::Id(field.id)).await.unwrap().unwrap();
                assert_eq!((kept.version, kept.retired), (1, vec![]), "nothing of the rejected set is written");
            }
            (taken, Ok(())) => {
                assert_eq!(conflict(taken), Conflict::Stale(Object::Stored(StoredId::CustomField(field.id))))
            }
            neither => panic!("one of the two sets must be written: {neither:?}"),
        }
    }
}
