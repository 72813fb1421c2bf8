//! Webhooks: their fields, their health and the counts of attempts.

pub mod delivery_queue;
pub mod turns;

use std::time::Duration;

use tidings_domain::events::EventKind;
use tidings_domain::ids::WebhookId;
use tidings_domain::pagination::{PageRequest, Position};
use tidings_domain::ports::{Change, Conflict, Object, Row, WebhookChange};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{
    AttemptCount, DeliveryFilter, HeaderValue, Health, OlderSecret, PayloadForm, SealedHeaders, Subscription, Webhook,
    WebhookStatus,
};

use crate::Ports;
use crate::fixtures::{NOW, World, a_replay, a_webhook, at, conflict, id, nothing, uuid};

async fn read(world: &World, webhook: WebhookId) -> Webhook {
    world.ports.webhooks.get(&world.access, webhook).await.unwrap().unwrap()
}

/// All fields of a webhook are stored; an update writes all but its health.
pub async fn stores_all_fields_of_a_webhook_except_its_health(store: Ports) {
    let world = World::new(&store).await;
    let mut webhook = a_webhook(Subscription::All);
    let older = |first: u8, seconds| OlderSecret { sealed: vec![first, 0, 255], expires_at: at(seconds) };
    webhook.older_secrets = vec![older(1, 60), older(2, 30)];
    let sealed = |sealed: &[u8], shown: &str| HeaderValue::Sealed { sealed: sealed.to_vec(), shown: shown.to_owned() };
    webhook.headers = SealedHeaders::new([
        ("X-A".to_owned(), HeaderValue::Plain("Basic \"x".to_owned())),
        ("X-B".to_owned(), sealed(&[0, 1, 255], "••••6789")),
        ("authorization".to_owned(), sealed(b"2", "••••")),
    ]);
    webhook.health = Health { failures: 3, failing_since: Some(at(1)), version: 7, ..Health::default() };
    world.add(Change::Insert(Row::Webhook(webhook.clone()))).await;
    // The health is written only by its own change.
    webhook.health = Health::default();
    assert_eq!(read(&world, webhook.id).await, webhook);
    let mut after = a_webhook(Subscription::Kinds(vec![EventKind::ContactCreated]));
    (after.id, after.version, after.updated_at) = (webhook.id, 2, at(9));
    (after.status, after.disabled_reason) = (WebhookStatus::Disabled, Some("gone".to_owned()));
    (after.payload, after.url) = (PayloadForm::Thin, "https://example.org/".to_owned());
    world.add(Change::Update(Row::Webhook(after.clone()))).await;
    assert_eq!(read(&world, webhook.id).await, after);
}

/// Of two concurrent updates of the health, one is stale; the webhook's version does not change.
pub async fn the_health_of_a_webhook_has_its_own_version(store: Ports) {
    let world = World::new(&store).await;
    let mut webhook = world.webhook(nothing()).await;
    let health = Health {
        failures: 10,
        failing_since: Some(at(1)),
        parked_until: Some(at(61)),
        rests: 1,
        last_delivery_at: Some(NOW),
        version: 1,
    };
    let change = Change::Webhook(WebhookChange::UpdateHealth { webhook: webhook.id, health: health.clone() });
    world.add(change.clone()).await;
    webhook.health = health.clone();
    assert_eq!(read(&world, webhook.id).await, webhook);
    assert_eq!(conflict(world.change(change).await), Conflict::Stale(Object::Webhook(webhook.id)));
    webhook.version += 1;
    world.add(Change::Update(Row::Webhook(Webhook { health: Health::default(), ..webhook.clone() }))).await;
    assert_eq!(read(&world, webhook.id).await.health, health, "an update does not change the health");
    let nobody = Change::Webhook(WebhookChange::UpdateHealth {
        webhook: id(),
        health: Health { version: 1, ..Health::default() },
    });
    assert!(matches!(conflict(world.change(nobody).await), Conflict::Stale(Object::Webhook(_))));
}

/// A success is stored once per second, even if the health changed in the meantime. It has no effect on a deleted
/// webhook.
pub async fn stores_a_success_once_per_second(store: Ports) {
    let world = World::new(&store).await;
    let webhook = world.webhook(nothing()).await;
    let stamp = async |when: Timestamp| {
        world.add(Change::Webhook(WebhookChange::Stamp { webhook: webhook.id, at: when })).await;
        read(&world, webhook.id).await.health
    };
    let almost = at(1).minus(Duration::from_millis(1));
    assert_eq!(stamp(NOW).await.last_delivery_at, Some(NOW));
    assert_eq!(stamp(almost).await.last_delivery_at, Some(NOW));
    let health = Health { failures: 1, version: 1, last_delivery_at: Some(NOW), ..Health::default() };
    world.add(Change::Webhook(WebhookChange::UpdateHealth { webhook: webhook.id, health: health.clone() })).await;
    assert_eq!(stamp(at(1)).await, Health { last_delivery_at: Some(at(1)), ..health });
    world.add(Change::Webhook(WebhookChange::Stamp { webhook: id(), at: NOW })).await;
}

/// New events are delivered to active and paused webhooks, but not to disabled ones.
pub async fn a_disabled_webhook_gets_no_new_deliveries(store: Ports) {
    let world = World::new(&store).await;
    let of = |status| Webhook { status, ..a_webhook(Subscription::All) };
    let webhooks = [WebhookStatus::Active, WebhookStatus::Paused, WebhookStatus::Disabled].map(of);
    for webhook in &webhooks {
        world.add(Change::Insert(Row::Webhook(webhook.clone()))).await;
    }
    let wanting = store.webhooks.subscribers(&world.access, EventKind::MessageSent).await.unwrap();
    let statuses: Vec<_> = wanting.into_iter().map(|webhook| webhook.status).collect();
    assert_eq!(statuses, [WebhookStatus::Active, WebhookStatus::Paused]);
    let event = world.event(EventKind::MessageSent).await;
    for (webhook, deliveries) in webhooks.iter().zip([1, 1, 0]) {
        let (filter, page) = (DeliveryFilter::default(), PageRequest::default());
        let found = store.webhooks.deliveries(&world.access, webhook.id, &filter, page).await.unwrap().items;
        let events: Vec<_> = found.iter().map(|delivery| delivery.event).collect();
        assert_eq!(events, vec![event.id; deliveries], "{:?}", webhook.status);
    }
}

/// Attempts with the same hour, outcome and duration are added; hours before the requested time are excluded.
pub async fn attempts_are_counted_by_webhook_and_hour(store: Ports) {
    let world = World::new(&store).await;
    let (webhook, other) = (id(), id());
    let count = |at, succeeded, millis| AttemptCount::one(webhook, at, succeeded, Duration::from_millis(millis));
    let counts = [
        count(NOW, true, 10),
        count(at(59), true, 10),
        count(at(59), false, 10),
        count(at(59), true, 99),
        count(at(3_600), true, 10),
        AttemptCount { webhook: other, ..count(at(3_600), true, 10) },
    ];
    for count in counts {
        world.add(Change::Webhook(WebhookChange::CountAttempt { id: uuid(), count })).await;
    }
    let read = async |webhooks: Vec<WebhookId>, since| {
        let mut found = store.webhooks.counts(&world.access, webhooks, since).await.unwrap();
        found.sort_by_key(|it| (it.hour, it.succeeded, it.bucket, it.webhook));
        found
    };
    let twice = AttemptCount { count: 2, ..counts[0] };
    assert_eq!(read(vec![webhook], NOW).await, [counts[2], twice, counts[3], counts[4]]);
    assert_eq!(read(vec![webhook, other], at(3_600)).await, [counts[4], counts[5]]);
    assert_eq!(read(vec![], NOW).await, []);
    // Attempts are facts until they are counted.
    while store.engine.count_facts(4).await.unwrap() > 0 {}
    assert_eq!(read(vec![webhook], NOW).await, [counts[2], twice, counts[3], counts[4]]);
    assert_eq!(store.engine.expire_counts(at(3_600), 2).await.unwrap(), 2);
    assert_eq!(store.engine.expire_counts(at(3_600), 2).await.unwrap(), 1);
    assert_eq!(read(vec![webhook], NOW).await, [counts[4]]);
}

/// A replay is updated as it progresses.
pub async fn a_replay_is_kept_until_it_is_dropped(store: Ports) {
    let world = World::new(&store).await;
    let webhook = world.webhook(nothing()).await;
    let mut replay = a_replay(&webhook);
    let read = async |it| store.webhooks.replay(&world.access, it).await.unwrap();
    assert_eq!(read(replay.id).await, None);
    world.add(Change::Webhook(WebhookChange::PutReplay(replay.clone()))).await;
    assert_eq!(read(replay.id).await, Some(replay.clone()));
    replay.after = Some(Position { at: at(3), id: uuid() });
    world.add(Change::Webhook(WebhookChange::PutReplay(replay.clone()))).await;
    assert_eq!(read(replay.id).await, Some(replay.clone()));
    world.add(Change::Webhook(WebhookChange::DropReplay(replay.id))).await;
    world.add(Change::Webhook(WebhookChange::DropReplay(replay.id))).await;
    assert_eq!(read(replay.id).await, None);
}
