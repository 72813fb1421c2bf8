//! Tests of the hints about new requests.

use actix_web::http::Method;
use tidings_domain::hints::HintWatch;
use tokio::time::sleep;

use super::*;
use crate::testing::{Api, FULL, Mocks, OTHER, a_request, owner, workspace_id};

fn serve(answer: Result<(), StoreError>) -> Api {
    let mut ports = Mocks::with_keys();
    ports.usage.expect_record().returning(move |_, _| answer.clone());
    ports.serve()
}

/// Stores the log, and returns its hints.
async fn told(api: &Api, watch: &HintWatch) -> Vec<Hint> {
    api.state.write_usage().await;
    watch.take()
}

#[actix_web::test]
async fn sends_one_hint_for_new_requests_and_none_for_reading() {
    let api = serve(Ok(()));
    let watch = api.state.hints.watch(workspace_id(1));
    assert_eq!(told(&api, &watch).await, [], "no request causes no hint");
    for _ in 0..3 {
        assert_eq!(api.get("/api/v1/event-types").await.status, 200);
    }
    assert_eq!(told(&api, &watch).await, [Hint::several(ChangedKind::Request)]);
    assert_eq!(told(&api, &watch).await, [], "the hint is sent once");

    let log = format!("/platform/workspaces/{}/usage?x=1", workspace_id(1));
    assert_eq!(api.call(Method::GET, &log, &owner()).await.status, 422);
    assert_eq!(api.call(Method::GET, "/api/v1/event-types", OTHER).await.status, 200);
    assert_eq!(told(&api, &watch).await, [], "reading the log and other workspaces cause no hint");
}

#[actix_web::test]
async fn sends_no_hint_for_requests_that_were_not_recorded() {
    let api = serve(Err(StoreError::Contention));
    let watch = api.state.hints.watch(workspace_id(1));
    api.call(Method::GET, "/api/v1/event-types", FULL).await;
    assert_eq!((told(&api, &watch).await, api.state.usage_dropped()), (vec![], 1));
}

#[tokio::test(start_paused = true)]
async fn sends_at_most_one_hint_per_second() {
    let api = serve(Ok(()));
    let watch = api.state.hints.watch(workspace_id(1));
    let keeping = tokio::spawn(Arc::clone(&api.state).keep_usage());
    let mut told = 0;
    for _ in 0..100 {
        api.state.usage.push(a_request(1, "/api/v1/tags"));
        sleep(EVERY / 20).await;
        told += watch.take().len();
    }
    keeping.abort();
    assert!((5..=6).contains(&told), "{told} hints in five seconds");
}
