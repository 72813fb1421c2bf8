//! Tests of users: what their tokens give access to.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use tidings_domain::access::{Role, Scope};
use tidings_domain::ports::StoreError;

use crate::limits::by_address::TOKEN_LOOKUPS;
use crate::routes::{BodyKind, ROUTES, Route, RouteScope};
use crate::testing::{FULL, JSON, Mocks, OTHER, owner, path_of, person, request, session, workspace_id};

const ME: &str = "/api/v1/me";

fn with_workspace(number: u128, workspace: u128) -> TestRequest {
    request(Method::GET, ME, &person(number)).insert_header(("x-workspace-id", workspace_id(workspace).to_string()))
}

#[actix_web::test]
async fn uses_the_workspace_of_the_header_or_the_only_one() {
    let api = Mocks::with_keys().serve();
    let only = api.call(Method::GET, ME, &person(3)).await;
    assert_eq!(
        (only.status, &only.json()["scope"], &only.json()["user"]["role"]),
        (200, &"write".into(), &"member".into())
    );
    assert_eq!(only.json()["api_key"], serde_json::Value::Null);
    assert_eq!(api.send(with_workspace(3, 1)).await.status, 200);
    assert_eq!(api.send(with_workspace(6, 2)).await.json()["workspace"]["id"], workspace_id(2).to_string());
    assert_eq!(api.call(Method::GET, ME, &person(6)).await.problem(), (422, "workspace_required".into()));
    let foreign = api.send(with_workspace(3, 2)).await;
    assert_eq!(foreign.problem(), (404, "not_found".into()));
    let absent = api.send(with_workspace(3, 9)).await;
    let lasting = |reply: &crate::testing::Reply| {
        let mut body = reply.json();
        body.as_object_mut().unwrap().remove("request_id");
        body
    };
    assert_eq!(lasting(&foreign), lasting(&absent));
    for value in ["", "nonsense", "contact_01h455vb4pex5vsknk084sn02q"] {
        let broken = request(Method::GET, ME, &person(3)).insert_header(("x-workspace-id", value));
        assert_eq!(api.send(broken).await.problem(), (400, "invalid_header".into()), "{value}");
    }
}

#[actix_web::test]
async fn grants_each_role_its_scope_on_every_api_route() {
    let api = Mocks::with_keys().serve();
    let scopes = [(1, Scope::Full), (2, Scope::Full), (3, Scope::Write), (4, Scope::Read)];
    for route in ROUTES.iter().filter(|route| route.scope.required().is_some()) {
        for (number, scope) in scopes {
            let status = api.call(route.method.clone(), &path_of(route.path), &person(number)).await.status;
            let allowed = Some(scope) >= route.scope.required();
            assert_eq!(status == 403, !allowed, "{} {} with {scope}: {status}", route.method, route.path);
            assert_ne!(status, 401);
        }
    }
}

#[actix_web::test]
async fn explains_tokens_to_callers_with_an_api_key() {
    let api = Mocks::with_keys().serve();
    let detail = async |path: &str, credential: &str| {
        let reply = api.call(Method::GET, path, credential).await;
        assert_eq!(reply.problem(), (401, "unauthorized".into()), "{path} with {credential}");
        reply.json()["detail"].as_str().unwrap().to_owned()
    };
    let unknown = "key-9";
    for path in ["/platform/workspaces", "/platform/workspaces/{ws}", "/platform/workspaces/{ws}/audit-log", "/auth/me"]
    {
        let path = path_of(path);
        let told = detail(&path, FULL).await;
        assert!(told.contains("`POST /auth/login`") && told.contains("API key"), "{path}: {told}");
        assert_eq!(told, detail(&path, unknown).await, "{path}");
    }
    assert!(detail(ME, unknown).await.contains("API key or access token"));
}

/// The documented roles of the platform routes, independent of the table.
fn allowed(route: &Route, number: u128) -> bool {
    let role = session(number).unwrap().memberships.first().map(|it| it.role).unwrap();
    match route.scope {
        RouteScope::SignedIn | RouteScope::Viewer => true,
        RouteScope::Operator => number == 1,
        _ => role >= Role::Admin,
    }
}

#[actix_web::test]
async fn allows_a_role_the_platform_routes_of_the_table() {
    for route in ROUTES.iter().filter(|route| route.scope.required().is_none() && !route.scope.is_open()) {
        let api = Mocks::with_keys().serve();
        let path = path_of(route.path);
        // An accepted request fails later: at an unknown parameter, a wrong type, or an unexpected call of a port.
        let ask = async |credential: &str| {
            let asked = request(route.method.clone(), &format!("{path}?nonsense=1"), credential);
            let asked =
                if route.traits.body == BodyKind::None { asked } else { asked.insert_header(JSON).set_payload("[") };
            api.send(asked).await
        };
        for number in 1..=4 {
            let reply = ask(&person(number)).await;
            let expected = if allowed(route, number) { [422, 400] } else { [403, 403] };
            assert!(expected.contains(&reply.status), "{} {path} of person {number}: {}", route.method, reply.status);
            assert!(reply.header("ratelimit").is_some());
            if reply.status == 403 {
                assert_eq!(reply.problem().1, "insufficient_role");
            }
        }
        let in_workspace = route.path.contains("{ws}");
        let status = ask(&person(5)).await.status;
        let elsewhere = if route.scope == RouteScope::Operator { 403 } else { 422 };
        let elsewhere = if route.traits.body == BodyKind::None || elsewhere == 403 { elsewhere } else { 400 };
        assert_eq!(
            status,
            if in_workspace { 404 } else { elsewhere },
            "{} {path} for a user of another workspace",
            route.method
        );
        for credential in ["key-3", OTHER, "nonsense", "token-1"] {
            let reply = ask(credential).await;
            assert_eq!(reply.problem(), (401, "unauthorized".into()), "{} {path}", route.method);
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
        }
    }
}

#[actix_web::test]
async fn rejects_tokens_of_another_key_time_or_session() {
    let api = Mocks::with_keys().serve();
    let good = owner();
    assert_eq!(api.call(Method::GET, "/auth/me", &good).await.status, 200);
    let (signed, _) = good.rsplit_once('.').unwrap();
    let expired = format!("{signed}.1767225600");
    let other_key = good.replacen('1', "2", 1);
    let unknown_session = person(99);
    let swapped = {
        let (first, second) = (owner(), person(2));
        let parts: Vec<&str> = first.split('.').collect();
        let other: Vec<&str> = second.split('.').collect();
        [parts[0], parts[1], other[2], parts[3], parts[4]].join(".")
    };
    for token in [expired, other_key, unknown_session, swapped, signed.to_owned(), String::new(), "a.b.c".to_owned()] {
        for path in ["/auth/me", ME, "/platform/workspaces"] {
            assert_eq!(api.call(Method::GET, path, &token).await.problem(), (401, "unauthorized".into()), "{token}");
        }
    }
}

#[actix_web::test]
async fn answers_503_if_the_signing_key_cannot_be_read() {
    let mut ports = Mocks::default();
    let with_keys = Mocks::with_keys();
    ports.accounts = with_keys.accounts;
    let api = ports.serve();
    assert_eq!(api.call(Method::GET, "/auth/me", &owner()).await.status, 200);
    // The session ends in the store; the cached one expires after four seconds.
    let mut ended = Mocks::default();
    ended.accounts.expect_signing_key().returning(|_| Err(StoreError::Unavailable("gone".into())));
    let gone = ended.serve().call(Method::GET, "/auth/me", &owner()).await;
    assert_eq!(gone.problem(), (503, "unavailable".into()), "an unavailable store is not 401");
}

#[actix_web::test]
async fn limits_the_lookups_of_forged_tokens_of_an_address() {
    let most = 60 + u128::from(TOKEN_LOOKUPS);
    let mut ports = Mocks::default();
    ports.accounts.expect_signing_key().times(usize::try_from(most).unwrap()).returning(|_| Ok(None));
    let api = ports.serve();
    for number in 0..most + 2 {
        let expected = if number < 60 { (401, "unauthorized".into()) } else { (429, "too_many_attempts".into()) };
        assert_eq!(api.call(Method::GET, "/auth/me", &person(number)).await.problem(), expected, "{number}");
    }
}

#[actix_web::test]
async fn limits_failed_refreshes_of_an_address() {
    let api = Mocks::with_keys().serve();
    let attempt =
        || request(Method::POST, "/auth/refresh", "").insert_header(JSON).set_payload(r#"{"refresh_token":"x"}"#);
    for _ in 0..60 {
        assert_eq!(api.send(attempt()).await.problem(), (401, "unauthorized".into()));
    }
    let refused = api.send(attempt()).await;
    assert_eq!(refused.problem(), (429, "too_many_attempts".into()));
    assert!(refused.header("retry-after").is_some());
    assert_eq!(api.call(Method::GET, "/auth/me", &owner()).await.status, 200, "a valid token is still accepted");
}

#[actix_web::test]
async fn limits_a_user_to_600_requests_per_minute_and_workspace() {
    let api = Mocks::with_keys().serve();
    let first = api.call(Method::GET, ME, &person(6)).await;
    assert_eq!(first.header("x-ratelimit-limit"), Some("600"));
    assert_eq!(api.send(with_workspace(6, 1)).await.header("x-ratelimit-remaining"), Some("599"));
    assert_eq!(api.send(with_workspace(6, 2)).await.header("x-ratelimit-remaining"), Some("599"));
    assert_eq!(api.send(with_workspace(6, 2)).await.header("x-ratelimit-remaining"), Some("598"));
}

#[actix_web::test]
async fn limits_requests_for_workspaces_of_others() {
    let api = Mocks::with_keys().serve();
    let foreign = format!("/platform/workspaces/{}", workspace_id(2));
    for number in 0..300 {
        assert_eq!(api.send(with_workspace(3, 2)).await.status, 404, "{number}");
        assert_eq!(api.call(Method::GET, &foreign, &person(3)).await.status, 404, "{number}");
    }
    for refused in [api.send(with_workspace(3, 2)).await, api.call(Method::GET, &foreign, &person(3)).await] {
        assert_eq!(refused.problem(), (429, "rate_limited".into()));
    }
    assert_eq!(api.send(with_workspace(3, 1)).await.status, 200, "requests for the own workspace are accepted");
}

#[actix_web::test]
async fn checks_the_role_before_the_stored_answer() {
    // The port of idempotency records is not called.
    let api = Mocks::with_keys().serve();
    let path = path_of("/platform/workspaces/{ws}/members");
    let asked = request(Method::POST, &path, &person(2)).insert_header(JSON).insert_header(("idempotency-key", "k1"));
    let reply = api.send(asked.set_payload(r#"{"email":"eve@example.com","role":"owner"}"#)).await;
    assert_eq!(reply.problem(), (403, "insufficient_role".into()));
}

#[actix_web::test]
async fn forbids_caching_of_login_answers() {
    let api = Mocks::with_keys().serve();
    let asked = request(Method::POST, "/auth/login", "").insert_header(JSON).set_payload(r#"{"email":7}"#);
    let reply = api.send(asked).await;
    assert_eq!((reply.status, reply.header("cache-control")), (422, Some("no-store")));
}
