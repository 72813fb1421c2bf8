//! Rule 7: events are committed without a position; one sequencer numbers them, and the feed contains only numbered
//! events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tidings_domain::events::{Event, EventKind};
use tidings_domain::ids::{EventId, TypedId};
use tidings_domain::ports::{Change, Row, StoreError, WebhookChange};
use tidings_domain::webhooks::DeliveryStatus;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::seed::an_attempt;
use crate::fixtures::{NOW, World, a_delivery, an_event, at, nothing, uuid};
use crate::jobs::LONG;

/// A lease holder, if a case needs only one.
const ONE: Uuid = Uuid::from_u128(1);

/// Returns an event with its ID as its envelope.
fn told(kind: EventKind) -> Event {
    let mut event = an_event(kind);
    event.full = event.id.to_string();
    event
}

async fn tell(world: &World) -> EventId {
    let event = told(EventKind::ContactCreated);
    world.commit(|set| set.events.push(event.clone())).await.unwrap();
    event.id
}

async fn number(store: &Ports, holder: Uuid) -> u64 {
    store.engine.number_events(holder, LONG, 1_000, NOW).await.unwrap()
}

/// Returns positions with envelopes, and the head.
async fn read(world: &World, after: i64) -> (Vec<(i64, String)>, i64) {
    let found = world.ports.events.feed(&world.access, after, vec![], 10_000, usize::MAX).await.unwrap();
    (found.events.into_iter().map(|event| (event.position, event.envelope)).collect(), found.head)
}

/// Whether the store assigns positions on commit, because it serialises commits. At least one event must exist.
async fn numbers_at_once(world: &World) -> bool {
    read(world, 0).await.1 > 0
}

/// Each workspace has its own positions, and an event without a position is not in the feed.
pub async fn numbers_events_without_gaps_in_commit_order(store: Ports) {
    let (ada, bob) = (World::new(&store).await, World::new(&store).await);
    let holder = uuid();
    assert_eq!(number(&store, holder).await, 0);
    let first = tell(&ada).await;
    let at_once = numbers_at_once(&ada).await;
    assert!(at_once || read(&ada, 0).await == (vec![], 0));
    let others = [told(EventKind::MessageSent), told(EventKind::FlowFailed)];
    // IDs order the events of one commit, but not the commits.
    let mut late = told(EventKind::FlowStarted);
    late.id = EventId::from_uuid(Uuid::from_u128(1));
    late.full = late.id.to_string();
    ada.commit(|set| set.events.extend(others.clone())).await.unwrap();
    let of_bob = tell(&bob).await;
    ada.commit(|set| set.events.push(late.clone())).await.unwrap();
    let left = |count: u64| if at_once { 0 } else { count };
    assert_eq!(store.engine.number_events(holder, LONG, 3, NOW).await.unwrap(), left(3));
    assert_eq!(number(&store, holder).await, left(2));
    assert_eq!(number(&store, holder).await, 0);
    let last = tell(&ada).await;
    assert_eq!(number(&store, holder).await, left(1));
    let expected = [first, others[0].id, others[1].id, late.id, last];
    let expected: Vec<_> = (1..).zip(expected.iter().map(ToString::to_string)).collect();
    assert_eq!(read(&ada, 0).await, (expected.clone(), 5));
    assert_eq!(read(&ada, 3).await, (expected[3..].to_vec(), 5));
    assert_eq!(read(&ada, 99).await, (vec![], 5));
    assert_eq!(read(&bob, 0).await, (vec![(1, of_bob.to_string())], 1));
}

/// Writers commit, two sequencers with overlapping leases number, and readers watch: an event keeps its position, and
/// no event is inserted before one that was read.
pub async fn concurrent_sequencers_number_each_event_once_without_gaps(store: Ports) {
    let world = World::new(&store).await;
    let done = Arc::new(AtomicBool::new(false));
    let sequencers: Vec<_> = (0..2)
        .map(|_| {
            let (store, done, holder) = (store.clone(), done.clone(), uuid());
            tokio::spawn(async move {
                while !done.load(Ordering::SeqCst) {
                    match store.engine.number_events(holder, Duration::ZERO, 7, NOW).await {
                        Ok(_) | Err(StoreError::Contention) => tokio::task::yield_now().await,
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let world = world.clone();
            tokio::spawn(async move {
                for _ in 0..40 {
                    tell(&world).await;
                }
            })
        })
        .collect();
    let (mut seen, begun) = (Vec::new(), std::time::Instant::now());
    while seen.len() < 160 {
        assert!(begun.elapsed() < Duration::from_secs(60), "only {} events are numbered", seen.len());
        let (now, head) = read(&world, 0).await;
        assert!(now.starts_with(&seen), "events that were read before have changed");
        assert!(now.iter().map(|(position, _)| *position).eq(1..=head), "the positions have a gap");
        seen = now;
        tokio::task::yield_now().await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    done.store(true, Ordering::SeqCst);
    for sequencer in sequencers {
        sequencer.await.unwrap();
    }
    let mut envelopes: Vec<_> = seen.iter().map(|(_, envelope)| envelope).collect();
    envelopes.sort();
    envelopes.dedup();
    assert_eq!((envelopes.len(), read(&world, 0).await.1), (160, 160));
}

/// The holder of the lease continues; others wait until it expires.
pub async fn only_the_lease_holder_numbers_events(store: Ports) {
    let world = World::new(&store).await;
    let (one, other) = (uuid(), uuid());
    tell(&world).await;
    if numbers_at_once(&world).await {
        return;
    }
    assert_eq!(number(&store, one).await, 1);
    tell(&world).await;
    assert_eq!(number(&store, other).await, 0);
    assert_eq!(store.engine.number_events(one, Duration::ZERO, 10, NOW).await.unwrap(), 1);
    tell(&world).await;
    assert_eq!(number(&store, other).await, 1, "a lease of zero has expired");
    assert_eq!(read(&world, 0).await.1, 3);
}

/// The feed is filtered by type and paged.
pub async fn filters_the_feed_by_type_and_position(store: Ports) {
    let world = World::new(&store).await;
    let kinds = [EventKind::MessageSent, EventKind::FlowFailed, EventKind::MessageSent, EventKind::ContactCreated];
    for kind in kinds {
        world.event(kind).await;
    }
    number(&store, ONE).await;
    let read = async |after, kinds: &[EventKind], limit| {
        let found = store.events.feed(&world.access, after, kinds.to_vec(), limit, usize::MAX).await.unwrap();
        (found.events.iter().map(|event| event.position).collect::<Vec<_>>(), found.head)
    };
    assert_eq!(store.events.head(&world.access).await.unwrap(), 4);
    assert_eq!(
        store.events.head(&World::new(&store).await.access).await.unwrap(),
        0,
        "a workspace without events has position 0"
    );
    assert_eq!(read(0, &[EventKind::MessageSent], 10).await, (vec![1, 3], 4));
    assert_eq!(read(1, &[EventKind::MessageSent, EventKind::ContactCreated], 10).await, (vec![3, 4], 4));
    assert_eq!(read(0, &[], 2).await, (vec![1, 2], 4));
    assert_eq!(read(0, &[EventKind::MessageFailed], 2).await, (vec![], 4));
}

/// A read of the feed ends with the event that exceeds its size, however many events follow.
pub async fn ends_a_read_of_the_feed_at_its_size(store: Ports) {
    let world = World::new(&store).await;
    for number in 0..40 {
        let mut event = an_event(EventKind::ContactCreated);
        event.full = "x".repeat(if number < 20 { 100 } else { 10_000 });
        world.commit(|set| set.events.push(event.clone())).await.unwrap();
    }
    number(&store, ONE).await;
    let read = async |after, limit, max_bytes| {
        let found = store.events.feed(&world.access, after, vec![], limit, max_bytes).await.unwrap();
        let positions: Vec<_> = found.events.iter().map(|event| event.position).collect();
        assert!(positions.iter().copied().eq((after + 1..).take(positions.len())), "{positions:?}");
        assert_eq!(found.head, 40);
        positions.len()
    };
    assert_eq!(read(0, 40, 0).await, 1, "the first event exceeds the size");
    assert_eq!(read(0, 40, 399).await, 4);
    assert_eq!(read(0, 40, 400).await, 5, "four events have exactly this size");
    assert_eq!(read(0, 40, 1_899).await, 19);
    assert_eq!(read(0, 40, 2_000).await, 21);
    assert_eq!(read(0, 40, 52_000).await, 26);
    assert_eq!(read(0, 23, 52_000).await, 23, "the limit is lower");
    assert_eq!(read(0, 40, 1_000_000).await, 40);
    assert_eq!(read(19, 40, 30_000).await, 4);
    assert_eq!(read(40, 40, 30_000).await, 0);
}

/// A delivery may be removed before its event, but not while an attempt is planned.
pub async fn keeps_old_deliveries_while_an_attempt_is_planned(store: Ports) {
    let world = World::new(&store).await;
    let webhook = world.webhook(nothing()).await;
    let mut deliveries = Vec::new();
    for (number, status, next) in [
        (0, DeliveryStatus::Succeeded, None),
        (1, DeliveryStatus::Pending, Some(NOW)),
        (2, DeliveryStatus::Pending, None),
        (3, DeliveryStatus::Failed, None),
    ] {
        let event = world.event(EventKind::MessageSent).await;
        let mut delivery = a_delivery(&webhook, &event);
        (delivery.status, delivery.next_attempt_at, delivery.created_at) = (status, next, at(number));
        world.add(Change::Insert(Row::Delivery(delivery.clone()))).await;
        world.add(Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&delivery, 1)))).await;
        deliveries.push(delivery);
    }
    assert_eq!(store.engine.expire_deliveries(at(3), 1).await.unwrap(), 1);
    assert_eq!(store.engine.expire_deliveries(at(3), 10).await.unwrap(), 1);
    assert_eq!(store.engine.expire_deliveries(at(3), 10).await.unwrap(), 0);
    let mut left = Vec::new();
    for delivery in &deliveries {
        assert!(store.engine.event(world.workspace, delivery.event).await.unwrap().is_some());
        let found = store.webhooks.delivery(&world.access, delivery.id).await.unwrap();
        let attempts = store.webhooks.attempts(&world.access, delivery.id).await.unwrap();
        assert_eq!(attempts.len() == 1, found.is_some());
        left.push(found.is_some());
    }
    assert_eq!(left, [false, true, false, true]);
}

/// An event is kept while an attempt at a delivery is planned, however old. Parked and settled deliveries do not keep
/// it.
pub async fn keeps_old_events_while_an_attempt_is_planned(store: Ports) {
    let world = World::new(&store).await;
    let webhook = world.webhook(nothing()).await;
    let mut deliveries = Vec::new();
    for (number, status, next) in [
        (0, DeliveryStatus::Succeeded, None),
        (1, DeliveryStatus::Pending, Some(NOW)),
        (2, DeliveryStatus::Pending, None),
        (3, DeliveryStatus::Failed, None),
    ] {
        let event = Event { at: at(number), ..an_event(EventKind::MessageSent) };
        world.commit(|set| set.events.push(event.clone())).await.unwrap();
        let mut delivery = a_delivery(&webhook, &event);
        (delivery.status, delivery.next_attempt_at) = (status, next);
        world.add(Change::Insert(Row::Delivery(delivery.clone()))).await;
        world.add(Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&delivery, 1)))).await;
        deliveries.push(delivery);
    }
    if !numbers_at_once(&world).await {
        assert_eq!(store.engine.expire_events(at(3), 10).await.unwrap(), 0, "events without a position do not expire");
    }
    number(&store, ONE).await;
    assert_eq!(store.engine.expire_events(at(3), 1).await.unwrap(), 1);
    assert_eq!(store.engine.expire_events(at(3), 10).await.unwrap(), 1);
    assert_eq!(store.engine.expire_events(at(3), 10).await.unwrap(), 0);
    let mut left = Vec::new();
    for delivery in &deliveries {
        let event = store.engine.event(world.workspace, delivery.event).await.unwrap();
        let found = store.webhooks.delivery(&world.access, delivery.id).await.unwrap();
        let attempts = store.webhooks.attempts(&world.access, delivery.id).await.unwrap();
        assert_eq!((event.is_some(), attempts.len() == 1), (found.is_some(), found.is_some()));
        left.push(found.is_some());
    }
    assert_eq!(left, [false, true, false, true]);
    // Positions are never reused.
    tell(&world).await;
    number(&store, ONE).await;
    assert_eq!(read(&world, 4).await.1, 5);
}
