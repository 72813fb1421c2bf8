//! Queued deliveries: each is a row of the queue, protected by its claim token.

use std::time::Duration;

use tidings_domain::events::EventKind;
use tidings_domain::ids::{JobId, TypedId};
use tidings_domain::ports::{
    Change, ClaimRequest, ClaimedJob, Conflict, Guard, JobChange, JobKind, NewJob, Object, Pool, Row, WebhookChange,
};
use tidings_domain::webhooks::{AttemptRecord, Delivery, DeliveryStatus};

use crate::Ports;
use crate::fixtures::seed::an_attempt;
use crate::fixtures::{NOW, World, a_delivery, at, conflict, nothing};
use crate::jobs::{LONG, request};

async fn a_queued_delivery(world: &World) -> Delivery {
    let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::MessageSent).await);
    world.delivery(&webhook, &event).await
}

async fn claim(world: &World, lease: Duration) -> Option<ClaimedJob> {
    let asked = ClaimRequest { lease, ..request(Pool::Deliveries, 1_000) };
    let mut claimed = world.ports.engine.claim(asked).await.unwrap();
    claimed.retain(|job| job.workspace == world.workspace);
    assert!(claimed.len() <= 1, "at most one delivery is claimed: {claimed:?}");
    claimed.pop()
}

async fn read(world: &World, delivery: &Delivery) -> Delivery {
    world.ports.webhooks.delivery(&world.access, delivery.id).await.unwrap().unwrap()
}

/// Returns the delivery after another failed attempt; if `again`, the next attempt is due at once.
pub(crate) fn attempted(before: &Delivery, again: bool) -> Delivery {
    Delivery {
        attempts: before.attempts + 1,
        status: if again { DeliveryStatus::Pending } else { DeliveryStatus::Failed },
        next_attempt_at: again.then_some(NOW),
        last_status: Some(500),
        last_error: Some("status 500".to_owned()),
        updated_at: at(before.version.unsigned_abs()),
        version: before.version + 1,
        ..before.clone()
    }
}

/// Records the attempt, which ends the claim with this token.
pub(crate) fn record(delivery: &Delivery, token: i64) -> Change {
    let first = (delivery.attempts == 1).then(|| an_attempt(delivery, 1));
    Change::Webhook(WebhookChange::RecordAttempt(Box::new(AttemptRecord { delivery: delivery.clone(), token, first })))
}

/// A claim contains the delivery's data. Only the holder of the claim records the attempt, once.
pub async fn records_an_attempt_once_and_only_with_its_claim(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let delivery = a_queued_delivery(&world).await;
    assert_eq!(store.engine.next_due(Pool::Deliveries).await.unwrap(), Some(NOW));
    let job = claim(&world, LONG).await.unwrap();
    assert_eq!((job.id.uuid(), job.job.delivery(job.id)), (delivery.id.uuid(), Some(delivery.id)));
    assert_eq!((job.job.kind(), job.delivery), (JobKind::AttemptDelivery, Some(delivery.as_claimed())));
    assert_eq!((job.workspace, job.group()), (world.workspace, Some(delivery.webhook.uuid())));
    assert_eq!((claim(&world, LONG).await, store.engine.next_due(Pool::Deliveries).await.unwrap()), (None, None));

    let after = attempted(&delivery, true);
    assert_eq!(conflict(other.change(record(&after, job.token)).await), Conflict::ClaimLost);
    assert_eq!(conflict(world.change(record(&after, job.token - 1)).await), Conflict::ClaimLost);
    let ahead = Delivery { version: 3, ..after.clone() };
    assert_eq!(conflict(world.change(record(&ahead, job.token)).await), Conflict::Stale(Object::Delivery(delivery.id)));
    assert_eq!(read(&world, &delivery).await, delivery);
    world.add(record(&after, job.token)).await;
    assert_eq!(read(&world, &delivery).await, after);
    assert_eq!(
        conflict(world.change(record(&after, job.token)).await),
        Conflict::ClaimLost,
        "an attempt is recorded once"
    );

    let again = claim(&world, LONG).await.unwrap();
    assert_eq!((again.job.kind(), again.delivery), (JobKind::RetryDelivery, Some(after.as_claimed())));
    assert!(again.token > job.token);
    let last = attempted(&after, false);
    world
        .commit(|set| {
            set.change(record(&last, again.token));
            set.change(Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&last, 2))));
        })
        .await
        .unwrap();
    assert_eq!(read(&world, &delivery).await, last);
    let attempts = store.webhooks.attempts(&world.access, delivery.id).await.unwrap();
    assert_eq!(attempts, [an_attempt(&delivery, 1), an_attempt(&delivery, 2)]);
    assert_eq!((claim(&world, LONG).await, store.engine.next_due(Pool::Deliveries).await.unwrap()), (None, None));
}

/// Changing a claimed delivery does not end the claim. A new attempt planned by the change is due after the claim ends.
pub async fn a_changed_delivery_stays_claimed(store: Ports) {
    let world = World::new(&store).await;
    let delivery = a_queued_delivery(&world).await;
    let job = claim(&world, LONG).await.unwrap();
    let changed = Delivery { version: 2, updated_at: at(1), ..delivery.clone() };
    world.add(Change::Update(Row::Delivery(changed.clone()))).await;
    assert_eq!(claim(&world, LONG).await, None);
    let stale = attempted(&delivery, false);
    assert_eq!(conflict(world.change(record(&stale, job.token)).await), Conflict::Stale(Object::Delivery(delivery.id)));
    let guard = |token| Guard::Claim(tidings_domain::ports::Claim { job: job.id, token });
    let holding = async |token| world.commit(|set| set.guards.push(guard(token))).await;
    holding(job.token).await.unwrap();
    assert_eq!(conflict(holding(job.token + 1).await), Conflict::ClaimLost);
    world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    let again = claim(&world, LONG).await.unwrap();
    assert_eq!(again.delivery, Some(changed.as_claimed()));
}

/// A claimed delivery can be parked for its webhook and released. Internal failures count as attempts, and the delivery
/// becomes due again.
pub async fn reschedules_parks_and_releases_a_claimed_delivery(store: Ports) {
    let world = World::new(&store).await;
    let delivery = a_queued_delivery(&world).await;
    let job = claim(&world, LONG).await.unwrap();
    let reschedule = |job: &ClaimedJob, error: Option<&str>| {
        let (token, error) = (job.token, error.map(ToOwned::to_owned));
        Change::Job(JobChange::Reschedule { job: job.id, token, due_at: NOW, error })
    };
    world.add(reschedule(&job, Some("no room"))).await;
    assert_eq!(conflict(world.change(reschedule(&job, None)).await), Conflict::ClaimLost);
    let job = claim(&world, LONG).await.unwrap();
    assert_eq!(job.attempts, 1);
    let held = world.ports.engine.extend(vec![job.held_claim()], LONG, NOW).await.unwrap();
    assert_eq!(held, [job.held_claim().claim]);

    let parked = Delivery { version: 2, next_attempt_at: None, ..delivery.clone() };
    world
        .commit(|set| {
            set.change(Change::Job(JobChange::Park { job: job.id, token: job.token }));
            set.change(Change::Update(Row::Delivery(parked.clone())));
        })
        .await
        .unwrap();
    assert_eq!(claim(&world, LONG).await, None);
    assert_eq!(store.engine.extend(vec![job.held_claim()], LONG, NOW).await.unwrap(), []);
    let release = |webhook| Change::Job(JobChange::Release { group: webhook, due_at: NOW });
    World::new(&store).await.add(release(delivery.webhook.uuid())).await;
    assert_eq!(claim(&world, LONG).await, None, "another workspace cannot release the delivery");
    world.add(release(delivery.webhook.uuid())).await;
    assert_eq!(claim(&world, LONG).await.unwrap().delivery.unwrap().version, 2);
}

/// A delivery can be written as claimed by its writer. If the writer dies, it is claimed after the lease expires.
pub async fn a_delivery_may_be_written_as_claimed(store: Ports) {
    let world = World::new(&store).await;
    let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::MessageSent).await);
    let delivery = crate::fixtures::a_delivery(&webhook, &event);
    world
        .commit(|set| {
            set.change(Change::Insert(Row::Delivery(delivery.clone())));
            set.jobs.push(NewJob { lease: Some(LONG), ..delivery.queued(NOW) });
        })
        .await
        .unwrap();
    assert_eq!(claim(&world, LONG).await, None);
    let first = delivery.queued(NOW).first_claim(world.workspace);
    assert_eq!(first.id, JobId::from_uuid(delivery.id.uuid()));
    world.add(record(&attempted(&delivery, true), first.token)).await;
    let again = claim(&world, LONG).await.unwrap();
    assert!(again.token > first.token);
    // A lease of zero has expired.
    store.engine.extend(vec![again.held_claim()], Duration::ZERO, NOW).await.unwrap();
    let taken = claim(&world, LONG).await.unwrap();
    assert_eq!((taken.id, taken.token), (again.id, again.token + 1));
    let late = attempted(&attempted(&delivery, true), false);
    assert_eq!(conflict(world.change(record(&late, again.token)).await), Conflict::ClaimLost);
}

/// It is not claimed a sixth time; it is returned as poisoned instead.
pub async fn a_delivery_claimed_five_times_is_poisoned(store: Ports) {
    let world = World::new(&store).await;
    let delivery = a_queued_delivery(&world).await;
    for number in 1..=5 {
        let job = claim(&world, LONG).await.unwrap_or_else(|| panic!("claim {number}"));
        assert_eq!(store.engine.poisoned(10, LONG, NOW).await.unwrap(), []);
        store.engine.extend(vec![job.held_claim()], Duration::ZERO, NOW).await.unwrap();
    }
    assert_eq!(claim(&world, LONG).await, None);
    let poison = store.engine.poisoned(10, LONG, NOW).await.unwrap();
    assert_eq!(poison.iter().map(|job| job.id.uuid()).collect::<Vec<_>>(), [delivery.id.uuid()]);
    let failed = Delivery { version: 2, status: DeliveryStatus::Failed, next_attempt_at: None, ..delivery.clone() };
    world
        .commit(|set| {
            let (job, token) = (poison[0].id, poison[0].token);
            set.change(Change::Job(JobChange::Bury { job, token, error: "poison".to_owned(), at: NOW }));
            set.change(Change::Update(Row::Delivery(failed.clone())));
        })
        .await
        .unwrap();
    assert_eq!(read(&world, &delivery).await, failed);
    assert_eq!((claim(&world, LONG).await, store.engine.poisoned(10, LONG, NOW).await.unwrap()), (None, vec![]));
}

/// If more is due for a webhook than a claim takes, a delivery that is committed late with an earlier due time is found
/// by the claim that finds fewer rows than its limit.
pub async fn finds_a_delivery_committed_late_with_an_earlier_due_time(store: Ports) {
    let world = World::new(&store).await;
    let webhook = world.webhook(nothing()).await;
    let due = async |seconds: u64| {
        let event = world.event(EventKind::MessageSent).await;
        let next_attempt_at = Some(NOW.minus(Duration::from_secs(seconds)));
        let delivery = Delivery { next_attempt_at, ..a_delivery(&webhook, &event) };
        world.add(Change::Insert(Row::Delivery(delivery.clone()))).await;
        delivery.id
    };
    for _ in 0..40 {
        due(100).await;
    }
    let claim = async || store.engine.claim(request(Pool::Deliveries, 32)).await.unwrap();
    assert_eq!(claim().await.len(), 32);
    let late = due(1_000).await;
    let rest = claim().await;
    assert_eq!(rest.len(), 9, "{rest:?}");
    assert!(rest.iter().any(|job| job.job.delivery(job.id) == Some(late)));
}
