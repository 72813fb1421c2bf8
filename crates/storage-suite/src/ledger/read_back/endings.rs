//! Samples of erasures and merges of contacts.

use tidings_domain::contacts::{Contact, ContactRef};
use tidings_domain::ports::{Change, ContactChange, ErasureChange, MergeChange};

use super::sample::{Maker, Sample, maker};
use crate::contacts::{erasures, merges};
use crate::fixtures::{World, a_custom_event, at};

pub(super) fn samples() -> Vec<Maker> {
    vec![
        maker(begin_erasure),
        maker(remove_part),
        maker(end_erasure),
        maker(begin_merge),
        maker(move_part),
        maker(end_merge),
    ]
}

/// Stores a contact with a custom event.
async fn contact(world: &World) -> Contact {
    let contact = world.contact().await;
    let event = Box::new(a_custom_event(&contact));
    world.add(Change::Contact(ContactChange::RecordEvent { event, depth: 0 })).await;
    contact
}

/// Stores a contact and begins to erase it.
async fn erased(world: &World) -> Contact {
    let contact = contact(world).await;
    world.add(erasures::begin(&contact)).await;
    contact
}

async fn begin_erasure(world: World) -> Sample {
    let contact = contact(&world).await;
    let (own, change) = (contact.id, erasures::begin(&contact));
    Sample::new(&world, change, (Some(at(1)), None), async move |w| {
        let erasure = w.ports.erasures.get(&w.access, own).await.unwrap();
        let left = w.ports.contacts.find(&w.access, &ContactRef::Id(own)).await.unwrap();
        (erasure.map(|it| it.requested_at), left)
    })
}

async fn remove_part(world: World) -> Sample {
    let contact = erased(&world).await.id;
    let change = Change::Erasure(ErasureChange::RemovePart { contact, limit: 100, at: at(2) });
    Sample::new(&world, change, false, async move |w| w.ports.erasures.is_left(&w.access, contact).await.unwrap())
}

async fn end_erasure(world: World) -> Sample {
    let contact = erased(&world).await.id;
    let change = Change::Erasure(ErasureChange::End { contact, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| {
        w.ports.erasures.get(&w.access, contact).await.unwrap().unwrap().erased_at
    })
}

/// Stores two contacts and begins to merge the first into the second.
async fn merged(world: &World) -> [Contact; 2] {
    let pair = [contact(world).await, world.contact().await];
    world.add(merges::begin(&pair[0], &pair[1])).await;
    pair
}

async fn begin_merge(world: World) -> Sample {
    let pair = [contact(&world).await, world.contact().await];
    let (own, after) = (pair[0].id, Some(merges::merge(pair[0].id, pair[1].id)));
    Sample::new(&world, merges::begin(&pair[0], &pair[1]), after, async move |w| {
        w.ports.merges.get(&w.access, own).await.unwrap()
    })
}

async fn move_part(world: World) -> Sample {
    let [contact, into] = merged(&world).await.map(|it| it.id);
    let change = Change::Merge(MergeChange::MovePart { contact, into, limit: 100, at: at(2) });
    Sample::new(&world, change, (false, 1), async move |w| {
        let events = w.ports.timeline.custom_events(&w.access, into, Default::default()).await.unwrap();
        (w.ports.merges.is_left(&w.access, contact, into).await.unwrap(), events.len())
    })
}

async fn end_merge(world: World) -> Sample {
    let contact = merged(&world).await[0].id;
    let change = Change::Merge(MergeChange::End { contact, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| {
        w.ports.merges.get(&w.access, contact).await.unwrap().unwrap().moved_at
    })
}
