//! References: an object in use is not deleted, unless by force, and then its users keep a record of the lost
//! reference.

use futures::future::join_all;
use tidings_domain::fields::FieldKind;
use tidings_domain::flows::Flow;
use tidings_domain::ports::{Change, CommitError, Conflict, Guard, Object, ReferenceChange, Row};
use tidings_domain::references::{Dependent, LostReference, Referent, Referrer};
use tidings_domain::stored::{StoredId, StoredRow};

use crate::Ports;
use crate::fixtures::{World, a_bot_field, a_broadcast, a_secret, a_segment, at, conflict, id};

async fn dependents(world: &World, target: Referent) -> Vec<Dependent> {
    world.ports.references.dependents(&world.access, target).await.unwrap()
}

fn named(flow: &Flow) -> Dependent {
    Dependent::new(Referrer::Flow(flow.id), flow.name.clone())
}

async fn put(world: &World, flow: &Flow, targets: &[Referent]) -> Result<(), CommitError> {
    world
        .change(Change::Reference(ReferenceChange::Put { owner: Referrer::Flow(flow.id), targets: targets.to_vec() }))
        .await
}

/// The current users of an object are returned with their current names.
pub async fn returns_the_dependents_of_an_object(store: Ports) {
    let world = World::new(&store).await;
    let (mut first, second) = (world.flow().await, world.flow().await);
    let (vip, other) = (Referent::Tag(world.tag("vip").await.id), Referent::Tag(world.tag("other").await.id));
    assert_eq!(dependents(&world, vip).await, []);
    put(&world, &first, &[vip, other, vip]).await.unwrap();
    put(&world, &second, &[vip]).await.unwrap();
    assert_eq!(dependents(&world, vip).await, [named(&first), named(&second)]);
    assert_eq!(dependents(&world, other).await, [named(&first)]);
    first.name = "Renamed".to_owned();
    (first.version, first.updated_at) = (first.version + 1, at(1));
    world.add(Change::Update(Row::Flow(first.clone()))).await;
    put(&world, &second, &[]).await.unwrap();
    assert_eq!(dependents(&world, vip).await, [named(&first)]);
    let draft = Referrer::FlowDraft(second.id);
    world.add(Change::Reference(ReferenceChange::Put { owner: draft, targets: vec![vip] })).await;
    assert_eq!(dependents(&world, vip).await, [named(&first), Dependent::new(draft, second.name.clone())]);
    world.add(Change::Reference(ReferenceChange::Put { owner: draft, targets: Vec::new() })).await;
    assert_eq!(dependents(&world, vip).await, [named(&first)]);
    let absent = put(&world, &second, &[Referent::Tag(id())]).await;
    assert!(matches!(conflict(absent), Conflict::Stale(Object::Stored(StoredId::Tag(_)))));
    assert_eq!(world.ports.references.lost_references(&world.access, Referrer::Flow(first.id)).await.unwrap(), []);
}

/// For every type: an object in use stays, an unused one is deleted.
pub async fn does_not_delete_an_object_in_use(store: Ports) {
    let world = World::new(&store).await;
    let (tag, field) = (world.tag("vip").await.id, world.field("size", FieldKind::Text).await.id);
    let bot_field = a_bot_field("hours");
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(bot_field.clone())))).await;
    let secret = a_secret("TOKEN");
    world.add(Change::Insert(Row::Stored(StoredRow::Secret(secret.clone())))).await;
    let segment = a_segment();
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    let flow = world.flow().await;
    for (target, deletion) in [
        (Referent::Tag(tag), Change::Delete(Object::Stored(StoredId::Tag(tag)))),
        (Referent::Field(field), Change::Delete(Object::Stored(StoredId::CustomField(field)))),
        (Referent::BotField(bot_field.id), Change::Delete(Object::Stored(StoredId::BotField(bot_field.id)))),
        (Referent::Secret(secret.id), Change::Delete(Object::Stored(StoredId::Secret(secret.id)))),
        (Referent::Segment(segment.id), Change::Delete(Object::Stored(StoredId::Segment(segment.id)))),
    ] {
        let delete = async || {
            let deletion = deletion.clone();
            let deleted = world.commit(|set| set.guard(Guard::Unused(target)).changes.push(deletion));
            deleted.await
        };
        put(&world, &flow, &[target]).await.unwrap();
        assert_eq!(conflict(delete().await), Conflict::InUse(target));
        put(&world, &flow, &[]).await.unwrap();
        assert_eq!(delete().await, Ok(()), "{target:?}");
        assert_eq!(conflict(delete().await), Conflict::Stale(target.object()), "{target:?}");
    }
    // A sequence uses and is used until it is deleted.
    let mut sequence = world.sequence().await;
    let (owner, named) = (Referrer::Sequence(sequence.id), Referent::Flow(flow.id));
    world.add(Change::Reference(ReferenceChange::Put { owner, targets: vec![named] })).await;
    assert_eq!(dependents(&world, named).await, [Dependent::new(owner, sequence.name.clone())]);
    let itself = Referent::Sequence(sequence.id);
    put(&world, &flow, &[itself]).await.unwrap();
    assert_eq!(conflict(world.commit(|set| set.guards.push(Guard::Unused(itself))).await), Conflict::InUse(itself));
    put(&world, &flow, &[]).await.unwrap();
    (sequence.deleted_at, sequence.version) = (Some(at(1)), 2);
    world.add(Change::Update(Row::Sequence(Box::new(sequence)))).await;
    assert_eq!(dependents(&world, named).await, []);
    // A segment uses objects until it is deleted.
    let segment = a_segment();
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    let owner = Referrer::Stored(segment.id.into());
    world.add(Change::Reference(ReferenceChange::Put { owner, targets: vec![named] })).await;
    assert_eq!(dependents(&world, named).await, [Dependent::new(owner, segment.name.clone())]);
    world.add(Change::Delete(Object::Stored(StoredId::Segment(segment.id)))).await;
    assert_eq!(dependents(&world, named).await, []);
    // A broadcast uses objects until it ends; its references are then cleared.
    let broadcast = a_broadcast();
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    let owner = Referrer::Broadcast(broadcast.id);
    world.add(Change::Reference(ReferenceChange::Put { owner, targets: vec![named] })).await;
    assert_eq!(dependents(&world, named).await, [Dependent::new(owner, broadcast.name.clone())]);
    world.add(Change::Reference(ReferenceChange::Put { owner, targets: vec![] })).await;
    assert_eq!(dependents(&world, named).await, []);
    // A flow can use itself.
    let own = Referent::Flow(flow.id);
    put(&world, &flow, &[own]).await.unwrap();
    assert_eq!(conflict(world.commit(|set| set.guards.push(Guard::Unused(own))).await), Conflict::InUse(own));
}

/// A lost reference keeps the last name and the time, until its owner updates its references.
pub async fn a_forced_delete_leaves_lost_references(store: Ports) {
    let world = World::new(&store).await;
    let (flow, bystander) = (world.flow().await, world.flow().await);
    let (vip, other) = (world.tag("vip").await, world.tag("other").await);
    let (target, kept) = (Referent::Tag(vip.id), Referent::Tag(other.id));
    put(&world, &flow, &[target, kept]).await.unwrap();
    put(&world, &bystander, &[kept]).await.unwrap();
    world
        .commit(|set| {
            set.guard(Guard::Live(Object::Stored(StoredId::Tag(vip.id))));
            set.change(Change::Reference(ReferenceChange::Lose { target, name: vip.name.clone(), at: at(3) }));
            set.change(Change::Delete(Object::Stored(StoredId::Tag(vip.id))));
        })
        .await
        .unwrap();
    let lost =
        async |flow: &Flow| store.references.lost_references(&world.access, Referrer::Flow(flow.id)).await.unwrap();
    assert_eq!(lost(&flow).await, [LostReference::deleted(target, "vip".to_owned(), at(3))]);
    assert_eq!(lost(&bystander).await, []);
    assert_eq!(dependents(&world, target).await, []);
    assert_eq!(dependents(&world, kept).await.len(), 2);
    put(&world, &flow, &[kept]).await.unwrap();
    assert_eq!(lost(&flow).await, []);
}

/// Flows start to use a tag while it is deleted: a flow that is first prevents the deletion, a later one finds the tag
/// missing.
pub async fn a_new_reference_and_a_delete_exclude_each_other(store: Ports) {
    let world = World::new(&store).await;
    let flows = join_all((0..4).map(|_| world.flow())).await;
    for round in 0..10 {
        let tag = world.tag(&format!("tag {round}")).await.id;
        let target = Referent::Tag(tag);
        let naming: Vec<_> = flows
            .iter()
            .map(|flow| {
                let (world, flow) = (world.clone(), flow.clone());
                tokio::spawn(async move { put(&world, &flow, &[target]).await })
            })
            .collect();
        let deletion = {
            let world = world.clone();
            tokio::spawn(async move {
                world
                    .commit(|set| {
                        set.guard(Guard::Unused(target))
                            .changes
                            .push(Change::Delete(Object::Stored(StoredId::Tag(tag))))
                    })
                    .await
            })
        };
        let named = join_all(naming).await.into_iter().filter(|it| it.as_ref().unwrap().is_ok()).count();
        let deleted = deletion.await.unwrap().is_ok();
        assert_eq!(deleted, named == 0, "{named} flows use the tag");
        assert_eq!(dependents(&world, target).await.len(), named);
    }
}
