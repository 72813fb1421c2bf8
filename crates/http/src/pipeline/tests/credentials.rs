//! Tests of API keys: their forms, their cache and their rate limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;

use crate::Limits;
use crate::testing::{FULL, Mocks, OTHER, READ, holder, request};

const ME: &str = "/api/v1/me";

fn later(millis: i64) -> Timestamp {
    Timestamp::from_millis(Timestamp::EPOCH_2026.millis() + millis)
}

#[actix_web::test]
async fn rejects_malformed_keys_without_a_lookup() {
    let api = Mocks::default().serve();
    let refused = async |request: TestRequest| {
        let reply = api.send(request).await;
        assert_eq!(reply.problem(), (401, "unauthorized".into()));
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
        assert_eq!(reply.header("ratelimit"), None);
    };
    refused(TestRequest::with_uri(ME)).await;
    let forms =
        ["", "Bearer", "Bearer ", "Basic key-3", "key-3", "Bearer tdg_live_x", "Bearer key-3 key-3", "Bearer\tkey-3"];
    for value in forms {
        refused(TestRequest::with_uri(ME).insert_header(("authorization", value))).await;
    }
    refused(request(Method::GET, ME, FULL).append_header(("authorization", "Bearer key-3"))).await;
}

#[actix_web::test]
async fn ignores_the_case_of_the_scheme() {
    let api = Mocks::with_keys().serve();
    for value in ["bearer key-3", "BEARER  key-3", "Bearer key-3 "] {
        let reply = api.send(TestRequest::with_uri(ME).insert_header(("authorization", value))).await;
        assert_eq!(reply.status, 200, "{value}");
    }
}

#[actix_web::test]
async fn answers_503_if_the_store_is_unavailable() {
    let mut ports = Mocks::default();
    ports.access.expect_key_by_digest().returning(|_| Err(StoreError::Unavailable("gone".into())));
    let reply = ports.serve().get(ME).await;
    assert_eq!(reply.problem(), (503, "unavailable".into()));
    assert_eq!(reply.header("retry-after"), Some("1"));
}

#[actix_web::test]
async fn caches_a_key_for_less_than_five_seconds() {
    let looked_up = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&looked_up);
    let mut ports = Mocks::default();
    ports.access.expect_key_by_digest().returning(move |digest| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(holder(digest[0]))
    });
    let api = ports.serve();
    for (millis, expected) in [(0, 1), (3_999, 1), (4_000, 2), (7_000, 2), (8_000, 3), (0, 4)] {
        api.clock.set(later(millis));
        assert_eq!(api.get(ME).await.status, 200);
        assert_eq!(looked_up.load(Ordering::SeqCst), expected, "at {millis} ms");
    }
}

#[actix_web::test]
async fn does_not_cache_a_rejected_key() {
    let mut ports = Mocks::default();
    let mut known = false;
    let look_up = move |digest: [u8; 32]| Ok(holder(digest[0]).filter(|_| std::mem::replace(&mut known, true)));
    ports.access.expect_key_by_digest().times(2).returning(look_up);
    let api = ports.serve();
    assert_eq!(api.get(ME).await.problem().0, 401);
    assert_eq!(api.get(ME).await.status, 200);
}

#[actix_web::test]
async fn rejects_a_cached_key_after_its_expiry() {
    let mut ports = Mocks::default();
    ports.access.expect_key_by_digest().returning(|digest| {
        let mut holder = holder(digest[0]).unwrap();
        holder.key.expires_at = Some(later(1_000));
        Ok(Some(holder))
    });
    let api = ports.serve();
    assert_eq!(api.get(ME).await.status, 200);
    api.clock.set(later(1_000));
    assert_eq!(api.get(ME).await.problem().0, 401);
}

#[actix_web::test]
async fn rejects_a_revoked_key() {
    let mut ports = Mocks::default();
    ports.access.expect_key_by_digest().returning(|digest| {
        let mut holder = holder(digest[0]).unwrap();
        holder.key.revoked_at = Some(later(-1));
        Ok(Some(holder))
    });
    assert_eq!(ports.serve().get(ME).await.problem().0, 401);
}

#[actix_web::test]
async fn counts_all_keys_of_a_workspace_in_one_limit() {
    let mut ports = Mocks::with_keys();
    ports.limits = Limits { starter: 3, ..Limits::default() };
    let api = ports.serve();
    let first = api.call(Method::GET, ME, READ).await;
    let headers = ["ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    let told = headers.map(|name| first.header(name).unwrap());
    assert_eq!(told, ["\"plan\";q=3;w=60", "\"plan\";r=2;t=61", "3", "2", "61"]);

    // A request that is rejected later counts; an unauthenticated one does not.
    assert_eq!(api.call(Method::GET, "/api/v1/webhooks", READ).await.header("x-ratelimit-remaining"), Some("1"));
    let uncounted =
        [request(Method::OPTIONS, ME, FULL), request(Method::GET, ME, "bad"), request(Method::GET, "/no", FULL)];
    for request in uncounted {
        assert_eq!(api.send(request).await.header("ratelimit"), None);
    }
    assert_eq!(api.get(ME).await.header("x-ratelimit-remaining"), Some("0"));

    api.clock.set(later(10_000));
    let refused = api.get(ME).await;
    assert_eq!(refused.problem(), (429, "rate_limited".into()));
    assert_eq!((refused.header("retry-after"), refused.header("x-ratelimit-reset")), (Some("51"), Some("51")));
    assert_eq!(api.call(Method::GET, ME, OTHER).await.status, 200, "another workspace has a separate limit");
    api.clock.set(later(61_000));
    assert_eq!(api.get(ME).await.status, 200);
}

#[actix_web::test]
async fn limits_wrong_keys_by_address_and_accepts_known_ones() {
    let mut ports = Mocks::default();
    ports.access.expect_key_by_digest().returning(|digest| Ok(holder(digest[0]).filter(|_| digest[0] == 1)));
    let api = ports.serve();
    assert_eq!(api.call(Method::GET, ME, READ).await.status, 200);
    for _ in 0..60 {
        assert_eq!(api.call(Method::GET, ME, FULL).await.problem(), (401, "unauthorized".into()));
    }
    let refused = api.call(Method::GET, ME, FULL).await;
    assert_eq!(refused.problem(), (429, "too_many_attempts".into()));
    assert!(refused.header("retry-after").is_some());
    api.clock.set(later(5_000));
    assert_eq!(api.call(Method::GET, ME, READ).await.status, 200, "a key that was valid before is looked up again");
    assert_eq!(api.send(TestRequest::with_uri(ME)).await.status, 401, "a request without a key is not an attempt");
}

#[actix_web::test]
async fn looks_up_no_unknown_key_beyond_the_limit() {
    let mut ports = Mocks::default();
    ports.access.expect_key_by_digest().times(61).returning(|_| Ok(None));
    let api = ports.serve();
    for _ in 0..60 {
        assert_eq!(api.get(ME).await.problem(), (401, "unauthorized".into()));
    }
    for key in [FULL, READ, OTHER] {
        let refused = api.call(Method::GET, ME, key).await;
        assert_eq!(refused.problem(), (429, "too_many_attempts".into()));
        let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&seconds), "{seconds}");
    }
    api.clock.set(later(61_000));
    assert_eq!(api.get(ME).await.problem(), (401, "unauthorized".into()));
}

#[actix_web::test]
async fn invalid_tokens_in_paths_block_no_keys() {
    let api = Mocks::with_keys().serve();
    for _ in 0..60 {
        assert_eq!(api.send(TestRequest::with_uri("/m/AAAA")).await.problem(), (404, "not_found".into()));
    }
    assert_eq!(api.send(TestRequest::with_uri("/m/AAAA")).await.problem(), (429, "too_many_attempts".into()));
    assert_eq!(api.call(Method::GET, ME, READ).await.status, 200, "a key that was not seen before");
}

#[actix_web::test]
async fn looks_up_a_revoked_key_once_beyond_the_limit() {
    let mut ports = Mocks::default();
    let mut lookups = 0;
    ports.access.expect_key_by_digest().times(62).returning(move |digest| {
        lookups += 1;
        Ok(holder(digest[0]).filter(|_| lookups == 1))
    });
    let api = ports.serve();
    assert_eq!(api.call(Method::GET, ME, READ).await.status, 200);
    for _ in 0..60 {
        assert_eq!(api.get(ME).await.problem().0, 401);
    }
    api.clock.set(later(5_000));
    for _ in 0..2 {
        assert_eq!(api.call(Method::GET, ME, READ).await.problem(), (429, "too_many_attempts".into()));
    }
}
