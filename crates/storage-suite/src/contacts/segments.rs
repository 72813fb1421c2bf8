//! The stored counts of segments.

use std::time::Duration;

use tidings_domain::ports::{Change, Object, Row};
use tidings_domain::segments::SegmentCount;
use tidings_domain::stored::{StoredId, StoredRow};

use crate::Ports;
use crate::fixtures::{NOW, World, a_segment, at};

/// A count belongs to its segment and does not change the version.
pub async fn a_count_is_stored_beside_its_segment(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (mut segment, never_counted) = (a_segment(), a_segment());
    for segment in [&segment, &never_counted] {
        world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    }
    let both = [segment.id, never_counted.id];
    let counts = async |world: &World| store.segments.counts(&world.access, &both).await.unwrap();
    assert_eq!(counts(&world).await, []);
    for (contacts, is_capped) in [(3, false), (10_000, true)] {
        let count = SegmentCount { contacts, is_capped, counted_at: at(contacts) };
        store.segments.store_count(&world.access, segment.id, count).await.unwrap();
        let elsewhere = SegmentCount { contacts: 7, ..count };
        store.segments.store_count(&other.access, segment.id, elsewhere).await.unwrap();
        assert_eq!(counts(&world).await, [(segment.id, count)]);
        assert_eq!(counts(&other).await, [], "another workspace has no such segment");
    }
    let before = counts(&world).await;
    (segment.name, segment.version) = ("Others".to_owned(), segment.version + 1);
    world.add(Change::Update(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    assert_eq!(counts(&world).await, before, "an update keeps the count");
    assert_eq!(store.segments.get(&world.access, segment.id).await.unwrap(), Some(segment.clone()));
    world.add(Change::Delete(Object::Stored(StoredId::Segment(segment.id)))).await;
    assert_eq!(counts(&world).await, []);
}

/// Of several callers that find an old count, one refreshes it.
pub async fn a_refresh_is_reserved_once(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let segment = a_segment();
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    let reserve = async |world: &World, seconds: u64| {
        let now = at(seconds);
        let before = now.minus(Duration::from_secs(60));
        store.segments.reserve_refresh(&world.access, segment.id, now, before).await.unwrap()
    };
    assert!(!reserve(&other, 0).await, "another workspace has no such segment");
    assert!(NOW <= at(0) && reserve(&world, 0).await);
    assert!(!reserve(&world, 0).await && !reserve(&world, 59).await);
    assert!(reserve(&world, 60).await);
}
