//! Idempotency records: one for each key, for 24 hours.

use futures::future::join_all;
use tidings_domain::ports::{Change, Conflict, IdempotencyRecord, Row, ShownObject, StoredBody};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;

use crate::Ports;
use crate::fixtures::{NOW, World, an_answer, at, conflict, id};

const DAY: u64 = 24 * 3_600;

async fn find(world: &World, key: &str, now: Timestamp) -> Option<IdempotencyRecord> {
    let found = world.ports.idempotency.find(&world.access, "POST", "/v1/contacts", &key.into(), now).await;
    found.unwrap()
}

async fn keep(world: &World, answer: IdempotencyRecord) {
    world.commit(|set| set.idempotency = Some(answer)).await.unwrap();
}

/// A response is found by its method, route and key until a day has passed.
pub async fn keeps_a_response_for_a_day(store: Ports) {
    let world = World::new(&store).await;
    let plain = an_answer("plain");
    let mut sealed = an_answer("sealed");
    sealed.body = StoredBody::Sealed((0..=255).collect());
    (sealed.location, sealed.etag, sealed.status) = (None, None, 404);
    keep(&world, plain.clone()).await;
    keep(&world, sealed.clone()).await;
    let shown = ShownObject { path: "/v1/contacts/1".to_owned(), id: "1".to_owned(), version: Some(3) };
    for (key, body) in [("gzip", StoredBody::Gzip((0..=255).collect())), ("object", StoredBody::Object(shown))] {
        let answer = IdempotencyRecord { body, ..an_answer(key) };
        keep(&world, answer.clone()).await;
        assert_eq!(find(&world, key, NOW).await, Some(answer));
    }
    assert_eq!(find(&world, "plain", NOW).await, Some(plain.clone()));
    assert_eq!(find(&world, "sealed", at(DAY - 1)).await, Some(sealed));
    assert_eq!(find(&world, "plain", at(DAY)).await, None);
    assert_eq!(find(&world, "Plain", NOW).await, None);
    let other = store.idempotency.find(&world.access, "PATCH", "/v1/contacts", &"plain".into(), NOW).await;
    assert_eq!(other.unwrap(), None);
    let other = store.idempotency.find(&world.access, "POST", "/v1/tags", &"plain".into(), NOW).await;
    assert_eq!(other.unwrap(), None);
}

/// After a day the key can be used again, even if the old response was not removed yet.
pub async fn replaces_an_expired_response(store: Ports) {
    let world = World::new(&store).await;
    keep(&world, an_answer("k")).await;
    let mut later = an_answer("k");
    (later.created_at, later.status) = (at(DAY - 1), 202);
    let early = world.commit(|set| set.idempotency = Some(later.clone())).await;
    assert_eq!(conflict(early), Conflict::IdempotencyKeyUsed);
    later.created_at = at(DAY);
    keep(&world, later.clone()).await;
    assert_eq!(find(&world, "k", at(DAY)).await, Some(later));
}

/// Of twenty sets with the same key, one commits; nothing of the others is written.
pub async fn commits_one_of_many_sets_with_the_same_key(store: Ports) {
    let world = World::new(&store).await;
    let tags: Vec<Tag> = (0..20).map(|number| Tag::new(id(), &format!("tag {number}"), NOW)).collect();
    let commits = tags.iter().cloned().map(|tag| {
        let world = world.clone();
        tokio::spawn(async move {
            world
                .commit(|set| {
                    set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag))));
                    set.idempotency = Some(an_answer("k"));
                })
                .await
        })
    });
    let mut won = 0;
    for (tag, outcome) in tags.iter().zip(join_all(commits).await) {
        let outcome = outcome.unwrap();
        assert_eq!(world.has_tag(tag).await, outcome.is_ok());
        match outcome {
            Ok(()) => won += 1,
            refused => assert_eq!(conflict(refused), Conflict::IdempotencyKeyUsed),
        }
    }
    assert_eq!(won, 1);
}

/// Expired records are removed oldest first, at most `limit` at a time.
pub async fn removes_expired_responses_oldest_first(store: Ports) {
    let world = World::new(&store).await;
    for seconds in [30, 10, 20, 40] {
        let mut answer = an_answer(&seconds.to_string());
        answer.created_at = at(seconds);
        keep(&world, answer).await;
    }
    let expire = async |before, limit| store.engine.expire_idempotency(at(before), limit).await.unwrap();
    assert_eq!(expire(10, 9).await, 0, "a response of the given time is not removed");
    assert_eq!(expire(40, 1).await, 1);
    assert_eq!(find(&world, "10", at(50)).await, None);
    assert!(find(&world, "20", at(50)).await.is_some());
    assert_eq!(expire(40, 9).await, 2);
    assert!(find(&world, "40", at(50)).await.is_some());
}
