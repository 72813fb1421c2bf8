//! Samples of broadcasts, their recipients and counts.

use std::collections::BTreeMap;

use tidings_domain::broadcasts::{Broadcast, BroadcastStatus, Count, RecipientResult, RecipientStatus};
use tidings_domain::conditions::Selection;
use tidings_domain::ids::{BroadcastId, ContactId};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{BroadcastChange, Change, Row};
use tidings_domain::time::Timestamp;

use super::sample::{Does, Maker, Sample, maker, row_makers, unique};
use crate::fixtures::{NOW, World, a_broadcast, at, id, uuid};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = row_makers(broadcast);
    samples.extend([
        maker(freeze),
        maker(finish_recipient),
        maker(settle_recipient),
        maker(require_open),
        maker(count),
    ]);
    samples
}

async fn broadcast(world: World, does: Does) -> Sample {
    let broadcast = a_broadcast();
    let own = broadcast.id;
    let change = |it: &mut Broadcast| {
        (it.name, it.status, it.started_at) = (unique(), BroadcastStatus::Sending, Some(at(8)));
        (it.updated_at, it.version) = (at(9), 2);
    };
    let read = async move |w: &World| w.ports.broadcasts.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Broadcast(Box::new(it)), broadcast, change, read).await
}

async fn stored(world: &World) -> BroadcastId {
    let broadcast = a_broadcast();
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    broadcast.id
}

/// Stores a broadcast and a contact, and returns the change that makes all contacts recipients.
async fn freezing(world: &World) -> (BroadcastId, ContactId, Change) {
    let (broadcast, contact) = (stored(world).await, world.contact().await.id);
    let (selection, zones) = (Box::new(Selection::Constant(true)), BTreeMap::new());
    let (unreached, due_at) = (None, at(5));
    let freeze = BroadcastChange::Freeze { broadcast, selection, unreached, due_at, zones };
    (broadcast, contact, Change::Broadcast(freeze))
}

/// The instant at which the contact is due as a recipient.
async fn due(world: &World, broadcast: BroadcastId, contact: ContactId) -> Option<Timestamp> {
    let waiting = world.ports.broadcasts.waiting(&world.access, broadcast, 0..100, 100).await.unwrap();
    waiting.iter().find(|it| it.contact == contact).map(|it| it.due_at)
}

async fn freeze(world: World) -> Sample {
    let (broadcast, contact, freeze) = freezing(&world).await;
    Sample::new(&world, freeze, Some(at(5)), async move |w| due(w, broadcast, contact).await)
}

async fn finish_recipient(world: World) -> Sample {
    let (broadcast, contact, freeze) = freezing(&world).await;
    world.add(freeze).await;
    let result = RecipientResult { status: RecipientStatus::Queued, code: None };
    let change = Change::Broadcast(BroadcastChange::FinishRecipient { broadcast, contact, message: id(), result });
    Sample::new(&world, change, None, async move |w| due(w, broadcast, contact).await)
}

async fn settle_recipient(world: World) -> Sample {
    let (broadcast, contact, freeze) = freezing(&world).await;
    world.add(freeze).await;
    let (message, queued) = (id(), RecipientResult { status: RecipientStatus::Queued, code: None });
    world
        .add(Change::Broadcast(BroadcastChange::FinishRecipient { broadcast, contact, message, result: queued }))
        .await;
    let result = RecipientResult { status: RecipientStatus::Failed, code: Some("provider_failed".to_owned()) };
    let change = BroadcastChange::SettleRecipient { broadcast, contact, message, result: result.clone() };
    Sample::new(&world, Change::Broadcast(change), Some(result), async move |w| {
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let found = w.ports.broadcasts.recipients(&w.access, broadcast, None, page).await.unwrap().items;
        found.into_iter().find(|it| it.contact == contact).map(|it| it.result)
    })
}

async fn require_open(world: World) -> Sample {
    let broadcast = stored(&world).await;
    Sample::invisible(&world, Change::Broadcast(BroadcastChange::RequireOpen { broadcast, made: 1_000_000 }))
}

async fn count(world: World) -> Sample {
    let broadcast = stored(&world).await;
    let (count, amount) = (Count::Sent, 3);
    let change = Change::Broadcast(BroadcastChange::Count { id: uuid(), broadcast, count, amount, at: NOW });
    Sample::new(&world, change, vec![(count, amount)], async move |w| {
        w.ports.broadcasts.outcome_counts(&w.access, broadcast).await.unwrap()
    })
}
