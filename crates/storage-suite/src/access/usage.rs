//! The request log: entries are stored, found by each filter, and added up.

use futures::future::join_all;
use tidings_domain::access::usage::{
    Caller, ErrorGroup, KeyUsage, KeyUse, RequestError, RequestFilter, Span, StatusClass, UsageFilter, UsagePoint,
    UsageRecord,
};
use tidings_domain::ids::{KeyId, RequestId, UserId};
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::{AccessChange, Change};

use crate::Ports;
use crate::fixtures::{NOW, World, a_key, at, id, uuid};

/// Returns a request of the workspace, `seconds` after [`NOW`].
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
        request_id: id::<RequestId>().to_string(),
        address: "192.0.2.7".to_owned(),
        error_code: None,
        errors: Vec::new(),
    }
}

/// Returns a rejected request.
fn a_refusal(world: &World, seconds: u64, status: u16, code: &str) -> UsageRecord {
    UsageRecord { status, error_code: Some(code.to_owned()), ..a_request(world, seconds) }
}

fn span(from: u64, to: u64) -> Span {
    Span { from: at(from), to: at(to) }
}

fn point(seconds: u64, requests: i64, client_errors: i64, server_errors: i64) -> UsagePoint {
    UsagePoint { at: at(seconds), requests, client_errors, server_errors }
}

/// Every filter selects its requests; another workspace finds none.
pub async fn requests_are_listed_and_filtered(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (key, user): (KeyId, UserId) = (id(), id());
    let errors = vec![
        RequestError::new(Some("/name"), None, "too_long"),
        RequestError::new(None, Some("lim\u{0}it"), "unknown_parameter"),
        RequestError::new(Some(""), None, "wrong_type"),
    ];
    let requests = vec![
        UsageRecord { key: Some(key), user: None, ..a_request(&world, 1) },
        UsageRecord { method: "POST".to_owned(), errors, ..a_refusal(&world, 2, 422, "validation_failed") },
        UsageRecord { route: "/api/v1/contacts".to_owned(), ..a_request(&world, 3) },
        UsageRecord { user: Some(user), ..a_refusal(&world, 3, 503, "unavailable") },
    ];
    store.usage.record(requests.clone(), vec![]).await.unwrap();
    store.usage.record(vec![a_request(&other, 1)], vec![]).await.unwrap();
    let all = RequestFilter::default();
    let chosen = async |filter: RequestFilter| {
        let page = PageRequest { order: Order::OldestFirst, ..PageRequest::default() };
        store.usage.list(&world.access, &filter, page).await.unwrap().items
    };
    let summed = async |usage: UsageFilter| chosen(RequestFilter { usage, ..RequestFilter::default() }).await;
    assert_eq!(chosen(all.clone()).await, requests);
    assert_eq!(summed(UsageFilter { key: Some(key), ..UsageFilter::default() }).await, requests[..1]);
    let by = async |caller| summed(UsageFilter { caller: Some(caller), ..UsageFilter::default() }).await;
    let keyed = |wanted: bool| requests.iter().filter(|it| it.key.is_some() == wanted).cloned().collect::<Vec<_>>();
    assert_eq!((by(Caller::Key).await, by(Caller::Person).await), (keyed(true), keyed(false)));
    assert!(!keyed(true).is_empty() && !keyed(false).is_empty());
    assert_eq!(summed(UsageFilter { method: Some("POST".to_owned()), ..UsageFilter::default() }).await, requests[1..2]);
    let route = Some("/api/v1/contacts".to_owned());
    assert_eq!(summed(UsageFilter { route, ..UsageFilter::default() }).await, requests[2..3]);
    for (class, expected) in [
        (StatusClass::Success, vec![0, 2]),
        (StatusClass::Redirection, vec![]),
        (StatusClass::ClientError, vec![1]),
        (StatusClass::ServerError, vec![3]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|place: usize| requests[place].clone()).collect();
        assert_eq!(summed(UsageFilter { class: Some(class), ..UsageFilter::default() }).await, expected, "{class:?}");
    }
    let error_code = Some("unavailable".to_owned());
    assert_eq!(summed(UsageFilter { error_code, ..UsageFilter::default() }).await, requests[3..]);
    assert_eq!(chosen(RequestFilter { status: Some(422), ..all.clone() }).await, requests[1..2]);
    assert_eq!(chosen(RequestFilter { user: Some(user), ..all.clone() }).await, requests[3..]);
    assert_eq!(chosen(RequestFilter { from: Some(at(2)), to: Some(at(3)), ..all.clone() }).await, requests[1..2]);
    let request = requests[2].request_id.parse().ok();
    assert_eq!(chosen(RequestFilter { request, ..all.clone() }).await, requests[2..3]);
    assert_eq!(chosen(RequestFilter { request, status: Some(404), ..all.clone() }).await, []);
    assert_eq!(chosen(RequestFilter { request, from: Some(at(4)), ..all.clone() }).await, []);
    assert_eq!(chosen(RequestFilter { request: Some(id()), ..all.clone() }).await, []);

    let mut page = PageRequest { limit: 3, ..PageRequest::default() };
    let first = store.usage.list(&world.access, &all, page).await.unwrap();
    page.after = first.next;
    let second = store.usage.list(&world.access, &all, page).await.unwrap();
    let shown: Vec<_> = first.items.into_iter().chain(second.items).map(|it| it.id).collect();
    assert_eq!(shown, requests.iter().rev().map(|it| it.id).collect::<Vec<_>>());
}

/// Batches of the same hour are added; a span contains the hours that begin in it.
pub async fn hours_add_up_over_batches(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let failed = UsageRecord { duration_ms: 8, ..a_refusal(&world, 1_000, 503, "unavailable") };
    let wrong = a_refusal(&world, 20, 404, "not_found");
    store.usage.record(vec![a_request(&world, 1), failed], vec![]).await.unwrap();
    store.usage.record(vec![wrong, a_request(&world, 3_600), a_request(&other, 1)], vec![]).await.unwrap();
    let hours = store.usage.hours(&world.access, span(0, 7_200)).await.unwrap();
    assert_eq!(hours.len(), 2);
    assert_eq!((hours[0].hour, hours[1].hour, hours[1].requests), (NOW, at(3_600), 1));
    let sums = (hours[0].requests, hours[0].client_errors, hours[0].server_errors, hours[0].duration_ms);
    assert_eq!(sums, (3, 1, 1, 32));
    assert_eq!(store.usage.hours(&world.access, span(1, 3_601)).await.unwrap(), hours[1..]);
    assert_eq!(store.usage.hours(&world.access, span(0, 3_600)).await.unwrap(), hours[..1]);
}

/// Filtered requests are counted by minute and by quarter of an hour, in order.
pub async fn requests_are_counted_by_minute_and_by_quarter(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (key, user): (KeyId, UserId) = (id(), id());
    let requests = vec![
        UsageRecord { key: Some(key), ..a_request(&world, 1_000) },
        a_refusal(&world, 1, 404, "not_found"),
        UsageRecord { user: Some(user), ..a_refusal(&world, 59, 500, "internal") },
        UsageRecord { method: "POST".to_owned(), ..a_request(&world, 60) },
        a_request(&other, 1),
    ];
    store.usage.record(requests, vec![]).await.unwrap();
    let minutes = async |filter: RequestFilter, span| store.usage.minutes(&world.access, &filter, span).await.unwrap();
    let all = RequestFilter::default();
    assert_eq!(
        minutes(all.clone(), span(0, 1_020)).await,
        [point(0, 2, 1, 1), point(60, 1, 0, 0), point(960, 1, 0, 0)]
    );
    assert_eq!(minutes(all.clone(), span(0, 60)).await, [point(0, 2, 1, 1)]);
    assert_eq!(minutes(RequestFilter { user: Some(user), ..all.clone() }, span(0, 900)).await, [point(0, 1, 0, 1)]);
    let usage = UsageFilter { key: Some(key), ..UsageFilter::default() };
    assert_eq!(minutes(RequestFilter { usage, ..all }, span(0, 1_020)).await, [point(960, 1, 0, 0)]);

    let quarters = async |filter: UsageFilter, span| store.usage.quarters(&world.access, &filter, span).await.unwrap();
    let all = UsageFilter::default();
    assert_eq!(quarters(all.clone(), span(0, 1_800)).await, [point(0, 3, 1, 1), point(900, 1, 0, 0)]);
    assert_eq!(quarters(all.clone(), span(0, 900)).await, [point(0, 3, 1, 1)]);
    assert_eq!(
        quarters(all.clone(), span(1, 901)).await,
        [point(900, 1, 0, 0)],
        "only quarters that begin in the span are returned"
    );
    for (filter, expected) in [
        (UsageFilter { key: Some(key), ..all.clone() }, point(900, 1, 0, 0)),
        (UsageFilter { method: Some("POST".to_owned()), ..all.clone() }, point(0, 1, 0, 0)),
        (UsageFilter { class: Some(StatusClass::ClientError), ..all.clone() }, point(0, 1, 1, 0)),
        (UsageFilter { error_code: Some("internal".to_owned()), ..all.clone() }, point(0, 1, 0, 1)),
    ] {
        assert_eq!(quarters(filter.clone(), span(0, 1_800)).await, [expected], "{filter:?}");
    }
    assert_eq!(quarters(UsageFilter { route: Some("/none".to_owned()), ..all }, span(0, 1_800)).await, []);
}

/// Responses with status 400 and above are grouped by code, method, route and status, most requests first.
pub async fn errors_are_grouped(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let contacts = |it: UsageRecord| UsageRecord { route: "/api/v1/contacts".to_owned(), ..it };
    let first = vec![
        a_request(&world, 1),
        a_refusal(&world, 2, 404, "not_found"),
        contacts(a_refusal(&world, 3, 404, "not_found")),
        UsageRecord { status: 502, ..a_request(&world, 4) },
    ];
    store.usage.record(first, vec![]).await.unwrap();
    let second = vec![contacts(a_refusal(&world, 1_000, 404, "not_found")), a_refusal(&other, 5, 404, "not_found")];
    store.usage.record(second, vec![]).await.unwrap();
    let group = |code: Option<&str>, status, route: &str, requests, last: u64| ErrorGroup {
        error_code: code.map(str::to_owned),
        status,
        method: "GET".to_owned(),
        route: route.to_owned(),
        requests,
        last_at: at(last),
    };
    let groups = [
        group(Some("not_found"), 404, "/api/v1/contacts", 2, 1_000),
        group(None, 502, "/api/v1/tags", 1, 4),
        group(Some("not_found"), 404, "/api/v1/tags", 1, 2),
    ];
    let all = UsageFilter::default();
    let errors =
        async |filter: UsageFilter, span, limit| store.usage.errors(&world.access, &filter, span, limit).await.unwrap();
    assert_eq!(errors(all.clone(), span(0, 1_800), 100).await, groups);
    assert_eq!(errors(all.clone(), span(0, 1_800), 2).await, groups[..2]);
    let of_quarter = [group(None, 502, "/api/v1/tags", 1, 4), group(Some("not_found"), 404, "/api/v1/contacts", 1, 3)];
    assert_eq!(errors(all.clone(), span(0, 900), 2).await, of_quarter);
    let class = Some(StatusClass::ServerError);
    assert_eq!(errors(UsageFilter { class, ..all.clone() }, span(0, 1_800), 100).await, groups[1..2]);
    let route = Some("/api/v1/tags".to_owned());
    assert_eq!(errors(UsageFilter { route, ..all.clone() }, span(0, 1_800), 100).await, groups[1..]);
    let class = Some(StatusClass::Success);
    assert_eq!(errors(UsageFilter { class, ..all }, span(0, 1_800), 100).await, []);
}

/// Requests are counted by key, most requests first. Requests of users belong to no key.
pub async fn counts_requests_by_key(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (one, two): (KeyId, KeyId) = (id(), id());
    let by = |key, it: UsageRecord| UsageRecord { key: Some(key), user: None, ..it };
    let requests = vec![
        by(one, a_request(&world, 1)),
        by(two, a_refusal(&world, 3, 429, "rate_limited")),
        by(two, a_refusal(&world, 2, 500, "internal")),
        by(two, a_request(&world, 1_000)),
        a_request(&world, 5),
        by(one, a_request(&other, 6)),
    ];
    store.usage.record(requests, vec![]).await.unwrap();
    let usage = |key_id, requests, client_errors, server_errors, last| KeyUsage {
        key_id,
        requests,
        client_errors,
        server_errors,
        last_at: at(last),
    };
    let keys = async |span, limit| store.usage.keys(&world.access, span, limit).await.unwrap();
    assert_eq!(keys(span(0, 1_800), 100).await, [usage(two, 3, 1, 1, 1_000), usage(one, 1, 0, 0, 1)]);
    assert_eq!(keys(span(0, 1_800), 1).await, [usage(two, 3, 1, 1, 1_000)]);
    assert_eq!(keys(span(0, 900), 100).await, [usage(two, 2, 1, 1, 3), usage(one, 1, 0, 0, 1)]);
    assert_eq!(keys(span(1_800, 2_700), 100).await, []);
}

/// Concurrent batches that add to the same sums, with requests in any order, do not deadlock.
pub async fn adds_up_concurrent_batches(store: Ports) {
    let world = World::new(&store).await;
    let batch = |turned: bool| {
        let mut requests: Vec<_> = (0..40)
            .map(|number| UsageRecord { route: format!("/{number}"), ..a_request(&world, number * 100) })
            .collect();
        if turned {
            requests.reverse();
        }
        store.usage.record(requests, vec![])
    };
    for outcome in join_all((0..16).map(|number| batch(number % 2 == 0))).await {
        assert_eq!(outcome, Ok(()));
    }
    let hours = store.usage.hours(&world.access, span(0, 7_200)).await.unwrap();
    assert!(hours.iter().all(|it| (it.requests, it.duration_ms) == (16, 16 * 12)), "{hours:?}");
    assert_eq!(hours.len(), 40);
}

/// A key has the time of its latest use, in whatever order uses are recorded.
pub async fn keeps_the_time_of_the_latest_use_of_a_key(store: Ports) {
    let world = World::new(&store).await;
    let key = a_key(world.workspace, 1);
    world.add(Change::Access(AccessChange::InsertKey(key.clone()))).await;
    let used = |seconds, address: &str| KeyUse { key: key.id, at: at(seconds), address: address.to_owned() };
    let unknown = KeyUse { key: id(), at: at(1), address: "192.0.2.9".to_owned() };
    store.usage.record(vec![], vec![used(5, "192.0.2.1"), used(9, "192.0.2.2"), unknown]).await.unwrap();
    store.usage.record(vec![], vec![used(7, "192.0.2.3")]).await.unwrap();
    let known = store.access.keys(&world.access).await.unwrap().pop().unwrap();
    assert_eq!((known.last_used_at, known.last_used_address.as_deref()), (Some(at(9)), Some("192.0.2.2")));
}

/// Requests and sums from before a given time are removed in portions.
pub async fn old_requests_are_removed(store: Ports) {
    let world = World::new(&store).await;
    store.usage.record((0..5).map(|quarter| a_request(&world, quarter * 900)).collect(), vec![]).await.unwrap();
    let before = at(3 * 900);
    assert_eq!(store.usage.expire(before, 2).await, Ok(2));
    assert_eq!(store.usage.expire(before, 2).await, Ok(1));
    assert_eq!(store.usage.expire(before, 2).await, Ok(0));
    let left = store.usage.list(&world.access, &RequestFilter::default(), PageRequest::default()).await.unwrap();
    assert_eq!(left.items.iter().map(|it| it.at).collect::<Vec<_>>(), [at(3_600), at(2_700)]);
    let sums = store.usage.quarters(&world.access, &UsageFilter::default(), span(0, 7_200)).await.unwrap();
    assert_eq!(sums, [point(2_700, 1, 0, 0), point(3_600, 1, 0, 0)]);
}

/// Sums are removed even if their requests were removed before.
pub async fn old_sums_are_removed(store: Ports) {
    let world = World::new(&store).await;
    let busy = (0..5).map(|number| UsageRecord { route: format!("/{number}"), ..a_request(&world, 1) });
    store.usage.record(busy.collect(), vec![]).await.unwrap();
    while store.usage.expire(at(900), 2).await.unwrap() >= 2 {}
    let sums = store.usage.quarters(&world.access, &UsageFilter::default(), span(0, 900)).await.unwrap();
    assert_eq!(sums, []);
}
