//! Samples of webhooks, their deliveries and replays.

use std::time::Duration;

use tidings_domain::events::EventKind;
use tidings_domain::ids::{DeliveryId, WebhookId};
use tidings_domain::ports::{Change, NewJob, Row, WebhookChange};
use tidings_domain::webhooks::{AttemptCount, Delivery, Health, Replay, Webhook, WebhookStatus};

use super::sample::{Does, Maker, Sample, maker, row_makers};
use crate::fixtures::seed::an_attempt;
use crate::fixtures::{NOW, World, a_delivery, a_replay, a_webhook, at, nothing, uuid};
use crate::jobs::LONG;
use crate::webhooks::delivery_queue::{attempted, record};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = [row_makers(webhook), row_makers(delivery)].into_iter().flatten().collect::<Vec<_>>();
    samples.extend([
        maker(update_health),
        maker(stamp),
        maker(count_attempt),
        maker(record_attempt),
        maker(insert_attempt),
        maker(put_replay),
        maker(drop_replay),
    ]);
    samples
}

async fn read(world: &World, webhook: WebhookId) -> Option<Webhook> {
    world.ports.webhooks.get(&world.access, webhook).await.unwrap()
}

async fn webhook(world: World, does: Does) -> Sample {
    let webhook = a_webhook(nothing());
    let own = webhook.id;
    let change = |it: &mut Webhook| {
        (it.status, it.description) = (WebhookStatus::Paused, Some("Orders".to_owned()));
        (it.updated_at, it.version) = (at(9), 2);
    };
    does.row(&world, Row::Webhook, webhook, change, async move |w| read(w, own).await).await
}

async fn read_delivery(world: &World, delivery: DeliveryId) -> Option<Delivery> {
    world.ports.webhooks.delivery(&world.access, delivery).await.unwrap()
}

/// Stores a webhook and an event, and returns a delivery that is not stored.
async fn new_delivery(world: &World) -> Delivery {
    a_delivery(&world.webhook(nothing()).await, &world.event(EventKind::MessageSent).await)
}

async fn delivery(world: World, does: Does) -> Sample {
    let delivery = new_delivery(&world).await;
    let own = delivery.id;
    let change = |it: &mut Delivery| *it = attempted(it, true);
    does.row(&world, Row::Delivery, delivery, change, async move |w| read_delivery(w, own).await).await
}

async fn update_health(world: World) -> Sample {
    let webhook = world.webhook(nothing()).await.id;
    let health = Health { failures: 3, failing_since: Some(at(1)), version: 1, ..Health::default() };
    let change = Change::Webhook(WebhookChange::UpdateHealth { webhook, health: health.clone() });
    Sample::new(&world, change, health, async move |w| read(w, webhook).await.unwrap().health)
}

async fn stamp(world: World) -> Sample {
    let webhook = world.webhook(nothing()).await.id;
    let change = Change::Webhook(WebhookChange::Stamp { webhook, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| read(w, webhook).await.unwrap().health.last_delivery_at)
}

async fn count_attempt(world: World) -> Sample {
    let webhook = world.webhook(nothing()).await.id;
    let count = AttemptCount::one(webhook, NOW, true, Duration::from_millis(10));
    let change = Change::Webhook(WebhookChange::CountAttempt { id: uuid(), count });
    Sample::new(&world, change, vec![count], async move |w| {
        w.ports.webhooks.counts(&w.access, vec![webhook], NOW).await.unwrap()
    })
}

async fn record_attempt(world: World) -> Sample {
    let delivery = new_delivery(&world).await;
    let written = world.commit(|set| {
        set.change(Change::Insert(Row::Delivery(delivery.clone())));
        set.jobs.push(NewJob { lease: Some(LONG), ..delivery.queued(NOW) });
    });
    written.await.unwrap();
    let (own, after) = (delivery.id, attempted(&delivery, true));
    let attempts = vec![an_attempt(&delivery, 1)];
    Sample::new(&world, record(&after, NewJob::FIRST_TOKEN), (Some(after), attempts), async move |w| {
        (read_delivery(w, own).await, w.ports.webhooks.attempts(&w.access, own).await.unwrap())
    })
}

async fn insert_attempt(world: World) -> Sample {
    let delivery = new_delivery(&world).await;
    world.add(Change::Insert(Row::Delivery(delivery.clone()))).await;
    let attempt = an_attempt(&delivery, 2);
    let change = Change::Webhook(WebhookChange::InsertAttempt(attempt.clone()));
    Sample::new(&world, change, vec![attempt], async move |w| {
        w.ports.webhooks.attempts(&w.access, delivery.id).await.unwrap()
    })
}

/// Returns a replay and the change that stores it.
async fn replaying(world: &World) -> (Replay, Change) {
    let replay = a_replay(&world.webhook(nothing()).await);
    (replay.clone(), Change::Webhook(WebhookChange::PutReplay(replay)))
}

async fn put_replay(world: World) -> Sample {
    let (replay, put) = replaying(&world).await;
    let own = replay.id;
    Sample::new(&world, put, Some(replay), async move |w| w.ports.webhooks.replay(&w.access, own).await.unwrap())
}

async fn drop_replay(world: World) -> Sample {
    let (replay, put) = replaying(&world).await;
    let own = replay.id;
    world.add(put).await;
    let change = Change::Webhook(WebhookChange::DropReplay(own));
    Sample::new(&world, change, None, async move |w| w.ports.webhooks.replay(&w.access, own).await.unwrap())
}
