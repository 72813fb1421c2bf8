//! Tests of repeated POST requests.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use tidings_domain::ids::{TagId, TypedId};
use tidings_domain::ports::{CommitError, Conflict, IdempotencyRecord, StoreError, StoredBody, UniqueKey};
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::pipeline::idempotency::fingerprint;
use crate::testing::{Api, FULL, JSON, Mocks, Reply, holder, owner, request, session};

const TAGS: &str = "/api/v1/tags";
const VIP: &str = r#"{"name":"vip"}"#;

fn vip() -> Tag {
    Tag::new(TagId::from_uuid(Uuid::from_u128(7)), "vip", Timestamp::EPOCH_2026)
}

async fn post(api: &Api, path: &str, key: &str, body: &str) -> Reply {
    let request = request(Method::POST, path, FULL).insert_header(JSON).insert_header(("idempotency-key", key));
    api.send(request.set_payload(body.to_owned())).await
}

/// Makes the mocks store the committed record.
fn keeping(ports: &mut Mocks) -> Arc<Mutex<Option<IdempotencyRecord>>> {
    let kept: Arc<Mutex<Option<IdempotencyRecord>>> = Arc::default();
    let (written, read) = (Arc::clone(&kept), Arc::clone(&kept));
    ports.ledger.expect_commit().times(1).returning(move |set| {
        *written.lock().unwrap() = set.idempotency;
        Ok(())
    });
    ports.idempotency.expect_find().returning(move |_, method, route, key, _| {
        let found = read.lock().unwrap().clone();
        Ok(found.filter(|it| (it.method.as_str(), it.route.as_str(), it.key.as_str()) == (method, route, key.as_str())))
    });
    kept
}

/// Returns the name of a record of the API key `key-<number>`.
fn name(number: u8, key: &str) -> String {
    format!("by {} {key}", holder(number).unwrap().key.lineage)
}

fn record(body: &str) -> IdempotencyRecord {
    IdempotencyRecord {
        method: "POST".to_owned(),
        route: TAGS.to_owned(),
        key: name(3, "k1"),
        fingerprint: fingerprint(TAGS, "", body.as_bytes()),
        status: 201,
        location: Some("/api/v1/tags/tag_x".to_owned()),
        etag: None,
        body: StoredBody::Plain(b"{\"quicker\":true}".to_vec()),
        created_at: tidings_domain::time::Timestamp::EPOCH_2026,
    }
}

#[actix_web::test]
async fn replays_the_stored_answer_to_a_repeated_request() {
    let mut ports = Mocks::with_keys();
    let kept = keeping(&mut ports);
    let api = ports.serve();
    let first = post(&api, TAGS, "k1", VIP).await;
    let second = post(&api, TAGS, "\"k1\"", VIP).await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, None));
    assert_eq!((second.status, second.header("idempotency-replayed")), (201, Some("true")));
    assert_eq!(first.body, second.body);
    for name in ["etag", "location", "content-type"] {
        assert!(first.header(name).is_some() && first.header(name) == second.header(name), "{name}");
    }
    let kept = kept.lock().unwrap().clone().unwrap();
    assert_eq!((kept.method.as_str(), kept.route.as_str(), kept.status), ("POST", TAGS, 201));
    assert_eq!(kept.fingerprint, fingerprint(TAGS, "", VIP.as_bytes()));
}

#[actix_web::test]
async fn rejects_another_body_with_the_same_key() {
    let mut ports = Mocks::with_keys();
    keeping(&mut ports);
    let api = ports.serve();
    post(&api, TAGS, "k1", VIP).await;
    let other = post(&api, TAGS, "k1", r#"{"name":"other"}"#).await;
    assert_eq!(other.problem(), (422, "idempotency_key_reused".into()));
}

#[actix_web::test]
async fn validates_a_request_before_reading_the_key() {
    let reply = post(&Mocks::with_keys().serve(), TAGS, "k1", r#"{"name":""}"#).await;
    assert_eq!(reply.problem(), (422, "validation_failed".into()));
}

#[actix_web::test]
async fn replays_the_answer_of_a_faster_concurrent_request() {
    let conflicts = [
        Conflict::IdempotencyKeyUsed,
        // The earlier request also took the name, and the store reports this conflict first.
        Conflict::Exists(UniqueKey::TagName),
    ];
    for conflict in conflicts {
        let mut ports = Mocks::with_keys();
        let mut asked = 0;
        ports.idempotency.expect_find().times(2).returning(move |_, _, _, _, _| {
            asked += 1;
            Ok((asked == 2).then(|| record(VIP)))
        });
        ports.ledger.expect_commit().returning(move |_| Err(CommitError::Conflict(conflict.clone())));
        ports.tags.expect_by_name_keys().returning(|_, _| Ok(vec![vip()]));
        let reply = post(&ports.serve(), TAGS, "k1", VIP).await;
        assert_eq!((reply.status, &reply.body[..]), (201, &b"{\"quicker\":true}"[..]));
        assert_eq!(reply.header("idempotency-replayed"), Some("true"));
    }
}

#[actix_web::test]
async fn rejects_a_concurrent_request_with_another_body() {
    let mut ports = Mocks::with_keys();
    let mut asked = 0;
    ports.idempotency.expect_find().times(2).returning(move |_, _, _, _, _| {
        asked += 1;
        Ok((asked == 2).then(|| record("{}")))
    });
    ports.ledger.expect_commit().returning(|_| Err(CommitError::Conflict(Conflict::IdempotencyKeyUsed)));
    let reply = post(&ports.serve(), TAGS, "k1", VIP).await;
    assert_eq!(reply.problem(), (422, "idempotency_key_reused".into()));
}

#[actix_web::test]
async fn returns_errors_of_the_commit_unchanged() {
    let mut ports = Mocks::with_keys();
    ports.idempotency.expect_find().returning(|_, _, _, _, _| Ok(None));
    ports.ledger.expect_commit().returning(|_| Err(CommitError::Conflict(Conflict::Exists(UniqueKey::TagName))));
    ports.tags.expect_by_name_keys().returning(|_, _| Ok(vec![vip()]));
    let reply = post(&ports.serve(), TAGS, "k1", VIP).await;
    assert_eq!(reply.problem(), (409, "name_taken".into()));
    assert_eq!(reply.json()["existing_id"], vip().id.to_string());
}

#[actix_web::test]
async fn reports_an_unknown_outcome_if_the_record_is_unreadable() {
    let mut ports = Mocks::with_keys();
    let mut asked = 0;
    ports.idempotency.expect_find().returning(move |_, _, _, _, _| {
        asked += 1;
        if asked == 1 { Ok(None) } else { Err(StoreError::Unavailable("gone".into())) }
    });
    ports.ledger.expect_commit().returning(|_| Err(CommitError::Store(StoreError::OutcomeUnknown)));
    let reply = post(&ports.serve(), TAGS, "k1", VIP).await;
    assert_eq!(reply.problem(), (503, "outcome_unknown".into()));
}

#[actix_web::test]
async fn seals_a_stored_answer_that_contains_a_secret() {
    let mut ports = Mocks::with_keys();
    let kept = keeping(&mut ports);
    ports.addresses.expect_check().returning(|_| Ok(()));
    let api = ports.serve();
    let body = r#"{"url":"https://example.com/","events":["*"]}"#;
    let first = post(&api, "/api/v1/webhooks", "k1", body).await;
    assert_eq!((first.status, first.json()["secret"].as_str()), (201, Some("whsec_dGVzdA==")));
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let Some(StoredBody::Sealed(sealed)) = kept.lock().unwrap().clone().map(|it| it.body) else {
        panic!("the stored body is sealed")
    };
    let workspace = crate::testing::workspace_id(1);
    let bound = format!("idempotency:{workspace}:/api/v1/webhooks:{}|", name(3, "k1"));
    assert!(sealed.starts_with(bound.as_bytes()));
    let second = post(&api, "/api/v1/webhooks", "k1", body).await;
    assert_eq!((second.status, second.body), (201, first.body));
}

#[actix_web::test]
async fn separates_keys_by_user_outside_of_workspaces() {
    let mut ports = Mocks::with_keys();
    let kept = keeping(&mut ports);
    let api = ports.serve();
    let make = async || {
        let asked = request(Method::POST, "/platform/workspaces", &owner()).insert_header(JSON);
        api.send(asked.insert_header(("idempotency-key", "k1")).set_payload(r#"{"name":"Acme"}"#)).await
    };
    let (first, second) = (make().await, make().await);
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!((first.body, second.header("idempotency-replayed")), (second.body.clone(), Some("true")));
    let user = session(1).unwrap().user.id;
    assert_eq!(kept.lock().unwrap().as_ref().unwrap().key, format!("by {user} k1"));
}

#[actix_web::test]
async fn ignores_the_header_on_put() {
    let mut ports = Mocks::with_keys();
    ports.tags.expect_get().returning(|_, _| Ok(None));
    let path = "/api/v1/tags/tag_01h455vb4pex5vsknk084sn02q";
    let put = request(Method::PUT, path, FULL).insert_header(JSON).insert_header(("idempotency-key", "k1"));
    assert_eq!(ports.serve().send(put.set_payload("{}")).await.problem(), (404, "not_found".into()));
}
