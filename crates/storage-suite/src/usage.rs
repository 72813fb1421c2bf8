//! The log of requests: what was written is found, by each of its filters, and adds up by hour.

use tidings_domain::access::usage::{KeyUse, UsageFilter, UsageRecord};
use tidings_domain::ids::KeyId;
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::Change;

use crate::Ports;
use crate::fixtures::{NOW, World, a_key, at, id, uuid};

/// A request of the workspace, so many seconds after [`NOW`].
fn a_request(world: &World, seconds: u64) -> UsageRecord {
    UsageRecord {
        workspace: world.workspace,
        id: uuid(),
        at: at(seconds),
        key: None,
        user: Some(id()),
        method: "GET".to_owned(),
        route: "/api/v1/tags".to_owned(),
        status: 200,
        duration_ms: 12,
        request_id: "req_1".to_owned(),
        address: "192.0.2.7".to_owned(),
    }
}

/// Every filter chooses its requests; another workspace sees none.
pub async fn requests_are_listed_and_filtered(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let key: KeyId = id();
    let requests = vec![
        UsageRecord { key: Some(key), user: None, ..a_request(&world, 1) },
        UsageRecord { method: "POST".to_owned(), status: 422, ..a_request(&world, 2) },
        UsageRecord { route: "/api/v1/contacts".to_owned(), ..a_request(&world, 3) },
        a_request(&world, 3),
    ];
    store.usage.record(requests.clone(), vec![]).await.unwrap();
    store.usage.record(vec![a_request(&other, 1)], vec![]).await.unwrap();
    let all = UsageFilter::default();
    let chosen = async |filter: UsageFilter| {
        let page = PageRequest { order: Order::OldestFirst, ..PageRequest::default() };
        store.usage.list(&world.access, &filter, page).await.unwrap().items
    };
    assert_eq!(chosen(all.clone()).await, requests);
    assert_eq!(chosen(UsageFilter { key: Some(key), ..all.clone() }).await, requests[..1]);
    assert_eq!(chosen(UsageFilter { method: Some("POST".to_owned()), ..all.clone() }).await, requests[1..2]);
    assert_eq!(chosen(UsageFilter { status: Some(422), ..all.clone() }).await, requests[1..2]);
    let route = Some("/api/v1/contacts".to_owned());
    assert_eq!(chosen(UsageFilter { route, ..all.clone() }).await, requests[2..3]);
    assert_eq!(chosen(UsageFilter { from: Some(at(2)), to: Some(at(3)), ..all.clone() }).await, requests[1..2]);

    let mut page = PageRequest { limit: 3, ..PageRequest::default() };
    let first = store.usage.list(&world.access, &all, page).await.unwrap();
    page.after = first.next;
    let second = store.usage.list(&world.access, &all, page).await.unwrap();
    let shown: Vec<_> = first.items.into_iter().chain(second.items).map(|it| it.id).collect();
    assert_eq!(shown, requests.iter().rev().map(|it| it.id).collect::<Vec<_>>());
}

/// Two batches of one hour are one sum; the hours of a range are those that begin in it.
pub async fn hours_add_up_over_batches(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let failed = UsageRecord { status: 503, duration_ms: 8, ..a_request(&world, 10) };
    let wrong = UsageRecord { status: 404, ..a_request(&world, 20) };
    store.usage.record(vec![a_request(&world, 1), failed], vec![]).await.unwrap();
    store.usage.record(vec![wrong, a_request(&world, 3_600), a_request(&other, 1)], vec![]).await.unwrap();
    let hours = store.usage.hours(&world.access, NOW, at(7_200)).await.unwrap();
    assert_eq!(hours.len(), 2);
    assert_eq!((hours[0].hour, hours[1].hour, hours[1].requests), (NOW, at(3_600), 1));
    let sums = (hours[0].requests, hours[0].client_errors, hours[0].server_errors, hours[0].duration_ms);
    assert_eq!(sums, (3, 1, 1, 32));
    assert_eq!(store.usage.hours(&world.access, at(1), at(3_601)).await.unwrap(), hours[1..]);
    assert_eq!(store.usage.hours(&world.access, NOW, at(3_600)).await.unwrap(), hours[..1]);
}

/// A key knows its latest use, in whatever order uses are told.
pub async fn stamps_of_keys_go_forward(store: Ports) {
    let world = World::new(&store).await;
    let key = a_key(world.workspace, 1);
    world.add(Change::InsertKey(key.clone())).await;
    let used = |seconds, address: &str| KeyUse { key: key.id, at: at(seconds), address: address.to_owned() };
    let unknown = KeyUse { key: id(), at: at(1), address: "192.0.2.9".to_owned() };
    store.usage.record(vec![], vec![used(5, "192.0.2.1"), used(9, "192.0.2.2"), unknown]).await.unwrap();
    store.usage.record(vec![], vec![used(7, "192.0.2.3")]).await.unwrap();
    let known = store.access.keys(&world.access).await.unwrap().pop().unwrap();
    assert_eq!((known.last_used_at, known.last_used_address.as_deref()), (Some(at(9)), Some("192.0.2.2")));
}

/// Requests from before an instant go in portions.
pub async fn old_requests_are_removed(store: Ports) {
    let world = World::new(&store).await;
    store.usage.record((0..5).map(|seconds| a_request(&world, seconds)).collect(), vec![]).await.unwrap();
    assert_eq!(store.usage.expire(at(3), 2).await, Ok(2));
    assert_eq!(store.usage.expire(at(3), 2).await, Ok(1));
    assert_eq!(store.usage.expire(at(3), 2).await, Ok(0));
    let left = store.usage.list(&world.access, &UsageFilter::default(), PageRequest::default()).await.unwrap();
    assert_eq!(left.items.iter().map(|it| it.at).collect::<Vec<_>>(), [at(4), at(3)]);
}
