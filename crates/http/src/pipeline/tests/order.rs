//! Tests of the order of errors.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use tidings_domain::access::Scope;

use crate::Limits;
use crate::routes::{BodyKind, ROUTES, Route, RouteScope};
use crate::testing::{FULL, JSON, Mocks, READ, WRITE, opener, path_of, request};

const TAG: &str = "/api/v1/tags/tag_01h455vb4pex5vsknk084sn02q";

#[actix_web::test]
async fn runs_the_checks_in_order() {
    let mut ports = Mocks::with_keys();
    ports.limits = Limits { starter: 7, ..Limits::default() };
    ports.tags.expect_get().returning(|_, _| Ok(None));
    let api = ports.serve();
    // Has every error of the later checks.
    let wrong = |path: &str, key: &str| {
        let request = request(Method::PUT, path, key).insert_header(("content-type", "text/plain"));
        request.set_payload("x".repeat(300_000))
    };
    let json = |path: &str| request(Method::PUT, path, WRITE).insert_header(JSON);

    assert_eq!(api.send(wrong("/api/v1/nothing", "bad")).await.problem(), (404, "route_not_found".into()));
    assert_eq!(api.send(wrong("/api/v1/tags", "bad")).await.problem(), (405, "method_not_allowed".into()));
    assert_eq!(api.send(wrong(TAG, "bad")).await.problem(), (401, "unauthorized".into()));
    assert_eq!(api.send(wrong(TAG, READ)).await.problem(), (403, "insufficient_scope".into()));
    assert_eq!(api.send(wrong(TAG, WRITE)).await.problem(), (413, "payload_too_large".into()));
    let small = request(Method::PUT, TAG, WRITE).insert_header(("content-type", "text/plain")).set_payload("{");
    assert_eq!(api.send(small).await.problem(), (415, "unsupported_media_type".into()));
    let broken = json("/api/v1/tags/contact_1?x=1").set_payload("{");
    assert_eq!(api.send(broken).await.problem(), (400, "malformed_json".into()));
    let misshapen = json("/api/v1/tags/contact_1?x=1").set_payload(r#"{"name":7}"#);
    let misshapen = api.send(misshapen).await;
    assert_eq!(misshapen.problem(), (422, "validation_failed".into()));
    assert_eq!(misshapen.errors(), [("x".into(), "unknown_parameter".into()), ("/name".into(), "wrong_type".into())]);
    let other_kind = json("/api/v1/tags/contact_01h455vb4pex5vsknk084sn02q").set_payload(r#"{"name":"vip"}"#);
    assert_eq!(api.send(other_kind).await.problem(), (404, "not_found".into()));
    // Six requests with a valid key were counted. For the seventh, the limit is reported before the scope.
    let absent = json(TAG).set_payload(r#"{"name":"vip"}"#);
    assert_eq!(api.send(absent).await.problem(), (404, "not_found".into()));
    assert_eq!(api.send(wrong(TAG, READ)).await.problem(), (429, "rate_limited".into()));
    assert_eq!(api.send(wrong(TAG, "bad")).await.problem(), (401, "unauthorized".into()));
}

#[actix_web::test]
async fn allows_a_key_exactly_the_routes_of_its_scope() {
    let api = Mocks::with_keys().serve();
    for route in ROUTES {
        let path = path_of(route.path);
        for (key, scope) in [(READ, Scope::Read), (WRITE, Scope::Write), (FULL, Scope::Full)] {
            let status = api.call(route.method.clone(), &path, key).await.status;
            if route.scope.required().is_none() && !route.scope.is_open() {
                assert_eq!(status, 401, "{} {path}: API keys are rejected on routes for users", route.method);
                continue;
            }
            let allowed = route.scope.required().is_none_or(|required| scope >= required);
            assert_eq!(status == 403, !allowed, "{} {path} with {scope}: {status}", route.method);
            assert_eq!(status == 401, wants_a_token(route), "{} {path} with {scope}: {status}", route.method);
        }
        let status = api.send(TestRequest::with_uri(&path).method(route.method.clone())).await.status;
        let refused = !route.scope.is_open() || wants_a_token(route);
        assert_eq!(status == 401, refused, "{} {path} without a key: {status}", route.method);
    }
}

/// Whether the route needs no key, but a token in the body or in a cookie.
fn wants_a_token(route: &Route) -> bool {
    route.operation_id == "refresh"
}

#[test]
fn routes_declare_the_scopes_of_the_contract() {
    for route in ROUTES.iter().filter(|route| route.path.starts_with("/api/")) {
        let expected = match (&route.method, route.path.starts_with("/api/v1/webhooks")) {
            (_, true) | (&Method::DELETE, _) => Scope::Full,
            // Needed only by credentials that can assign.
            _ if route.path == "/api/v1/assignees" => Scope::Write,
            // The requests can contain anything that a provider sends.
            _ if route.path.ends_with("/unparsed") => Scope::Full,
            (&Method::GET, _) => Scope::Read,
            _ if route.path.starts_with("/api/v1/secrets/") => Scope::Full,
            // Actions on a sandbox as a whole.
            _ if route.path.starts_with("/api/v1/sandbox/") => Scope::Full,
            // They delete, although the method is not DELETE.
            _ if route.path.ends_with("/erase") || route.path.ends_with("/merge") => Scope::Full,
            _ => Scope::Write,
        };
        assert_eq!(route.scope.required(), Some(expected), "{} {}", route.method, route.path);
    }
}

#[actix_web::test]
async fn accepts_only_json_on_routes_with_a_json_body() {
    let taking = ROUTES.iter().filter(|route| route.scope != RouteScope::Signed);
    for route in taking.filter(|route| route.traits.body.is_json()) {
        // One server per route, because all requests together would exceed the rate limit.
        let api = Mocks::with_keys().serve();
        let (path, key) = (path_of(route.path), opener(route));
        let typed = |kind: &'static str| {
            let request = request(route.method.clone(), &path, &key).insert_header(("content-type", kind));
            api.send(request.set_payload("["))
        };
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "json", ""]
        {
            assert_eq!(typed(kind).await.problem(), (415, "unsupported_media_type".into()), "{path} {kind}");
        }
        for kind in ["application/json", "Application/JSON; charset=UTF-8"] {
            assert_eq!(typed(kind).await.problem(), (400, "malformed_json".into()), "{path} {kind}");
        }
        let merge = typed("application/merge-patch+json").await;
        assert_eq!(merge.status == 400, route.traits.merge_patch, "{} {path}", route.method);
        if route.method == Method::PATCH {
            let merge_patch = if route.traits.merge_patch { ", application/merge-patch+json" } else { "" };
            let accepted = format!("application/json{merge_patch}");
            assert_eq!(typed("text/plain").await.header("accept-patch"), Some(accepted.as_str()), "{path}");
        }
        let untyped = request(route.method.clone(), &path, &key).set_payload("{}");
        assert_eq!(api.send(untyped).await.problem().0, 415, "{path}");
        let coded = request(route.method.clone(), &path, &key).insert_header(JSON);
        let coded = coded.insert_header(("content-encoding", "gzip")).set_payload("{}");
        assert_eq!(api.send(coded).await.problem().0, 415, "{path}");
    }
}

#[actix_web::test]
async fn limits_bodies_and_allows_larger_definitions() {
    let api = Mocks::with_keys().serve();
    let padded = |length: usize| format!("{}{{", " ".repeat(length - 1));
    for (path, limit) in [("/api/v1/tags", 256 * 1024), ("/api/v1/flows", 1024 * 1024)] {
        assert_eq!(api.json(Method::POST, path, &padded(limit)).await.problem().0, 400, "{path}");
        assert_eq!(api.json(Method::POST, path, &padded(limit + 1)).await.problem().0, 413, "{path}");
        // The client declares less than it sends.
        let undeclared = request(Method::POST, path, FULL).insert_header(JSON).set_payload(padded(limit + 1));
        let undeclared = undeclared.insert_header(("content-length", "2"));
        assert_eq!(api.send(undeclared).await.problem().0, 413, "{path}");
    }
}

#[actix_web::test]
async fn requires_a_body_unless_the_route_makes_it_optional() {
    let mut ports = Mocks::with_keys();
    ports.flows.expect_get().returning(|_, _| Ok(None));
    let api = ports.serve();
    assert_eq!(api.call(Method::POST, "/api/v1/tags", FULL).await.problem(), (400, "malformed_json".into()));
    let publish = "/api/v1/flows/flow_01h455vb4pex5vsknk084sn02q/publish";
    assert_eq!(api.call(Method::POST, publish, FULL).await.problem(), (404, "not_found".into()));
    assert_eq!(api.json(Method::POST, publish, r#"{"running":"sideways"}"#).await.problem().0, 422);
}

#[actix_web::test]
async fn rejects_unreadable_headers_with_400() {
    let api = Mocks::with_keys().serve();
    let cases = [("if-match", "3a"), ("if-none-match", "W/"), ("idempotency-key", "a b"), ("idempotency-key", "")];
    for (name, value) in cases {
        let request = request(Method::POST, "/api/v1/tags", FULL).insert_header(JSON).insert_header((name, value));
        assert_eq!(api.send(request.set_payload("{}")).await.problem(), (400, "invalid_header".into()), "{name}");
    }
    let twice = request(Method::POST, "/api/v1/tags", FULL).insert_header(JSON);
    let twice = twice.append_header(("idempotency-key", "a")).append_header(("idempotency-key", "a"));
    assert_eq!(api.send(twice.set_payload("{}")).await.problem(), (400, "invalid_header".into()));
}

#[actix_web::test]
async fn rejects_unknown_parameters_on_every_route_with_a_key() {
    let api = Mocks::with_keys().serve();
    for route in ROUTES.iter().filter(|route| !route.scope.is_open()) {
        let path = format!("{}?nonsense=1", path_of(route.path));
        let kind = if route.traits.body == BodyKind::Table { "text/csv" } else { "application/json" };
        let asked = request(route.method.clone(), &path, &opener(route)).insert_header(("content-type", kind));
        let reply = api.send(asked.set_payload("{}")).await;
        assert_eq!(reply.problem(), (422, "validation_failed".into()), "{} {path}", route.method);
        assert!(reply.errors().contains(&("nonsense".into(), "unknown_parameter".into())), "{path}");
    }
}
