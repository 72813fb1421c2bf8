//! Tests of the login routes for browsers, header by header.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::json;
use tidings_domain::access::{Invitation, LiveSession, RefreshToken, Role, Session, SigningKey, UserAgent};
use tidings_domain::ids::{InvitationId, SessionId, SigningKeyId, TypedId};
use tidings_domain::ports::{AccountChange, Change};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::testing::{JSON, Mocks, Reply, owner, person, request, session, workspace_id, workspace_row};

const NOW: Timestamp = Timestamp::EPOCH_2026;
const RIGHT: &str = r#"{"email":"ada@example.com","password":"right"}"#;
const WITH_COOKIE: &str = r#"{"email":"ada@example.com","password":"right","cookie":true}"#;
const ATTRIBUTES: &str = "SameSite=Strict; Path=/auth/refresh; Max-Age=2592000";

/// Mocks with one account, Ada's. Every refresh token `token-…` belongs to her session.
fn with_ada() -> Mocks {
    let mut ports = Mocks::with_keys();
    ports.accounts.expect_has_signed_in().returning(|_, _| Ok(false));
    ports.accounts.expect_login_attempts().returning(|_| Ok(None));
    ports.accounts.expect_user_by_email().returning(|_| Ok(session(1).map(|it| it.user)));
    ports.accounts.expect_newest_signing_key().returning(|| {
        let id = SigningKeyId::from_uuid(Uuid::from_u128(1));
        Ok(Some(SigningKey { id, sealed: b"key".to_vec(), created_at: NOW }))
    });
    ports.accounts.expect_refresh_token().returning(|_| {
        let session = session(1).unwrap().session;
        Ok(Some((RefreshToken::new([1; 32], &session, NOW), session)))
    });
    ports.ledger.expect_commit().returning(|_| Ok(()));
    ports
}

/// Returns a request without a credential. A header with the value `-` is omitted.
fn asked(path: &str, headers: &[(&'static str, &str)]) -> TestRequest {
    let bare = TestRequest::with_uri(path).method(Method::POST);
    let given = headers.iter().filter(|(_, value)| *value != "-");
    given.fold(bare, |asked, (name, value)| asked.append_header((*name, (*value).to_owned())))
}

fn login(body: &str, origin: &str, host: &str) -> TestRequest {
    asked("/auth/login", &[("origin", origin), ("host", host)]).insert_header(JSON).set_payload(body.to_owned())
}

fn cookies(reply: &Reply) -> Vec<&str> {
    reply.headers.get_all("set-cookie").map(|value| value.to_str().unwrap()).collect()
}

#[actix_web::test]
async fn sets_no_cookie_unless_requested() {
    let api = with_ada().serve();
    for body in [RIGHT.to_owned(), WITH_COOKIE.replace("true", "false")] {
        for origin in ["-", "https://evil.example", "http://localhost", "null"] {
            let reply = api.send(login(&body, origin, "localhost")).await;
            assert_eq!((reply.status, cookies(&reply).len()), (200, 0), "{origin}");
            assert!(reply.json()["refresh_token"].is_string());
        }
    }
}

#[actix_web::test]
async fn omits_the_refresh_token_from_the_body_if_it_sets_a_cookie() {
    let api = with_ada().serve();
    let secure = api.send(login(WITH_COOKIE, "https://tidings.example", "tidings.example")).await;
    let local = api.send(login(WITH_COOKIE, "http://localhost:8080", "localhost:8080")).await;
    let program = api.send(login(WITH_COOKIE, "-", "127.0.0.1:8080")).await;
    for reply in [&secure, &local, &program] {
        let body = reply.json();
        let members: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(members, ["access_token", "token_type", "expires_in", "refresh_expires_in"]);
        assert_eq!((reply.status, reply.header("cache-control")), (200, Some("no-store")));
    }
    assert_eq!(cookies(&secure), [format!("__Secure-tidings_refresh=token-1; HttpOnly; Secure; {ATTRIBUTES}")]);
    assert_eq!(cookies(&local), [format!("tidings_refresh=token-2; HttpOnly; {ATTRIBUTES}")]);
    assert_eq!(cookies(&program), [format!("tidings_refresh=token-3; HttpOnly; {ATTRIBUTES}")]);
}

#[actix_web::test]
async fn rejects_foreign_cookie_requests_before_checking_the_password() {
    // A call of a port would return 500.
    let api = Mocks::with_keys().serve();
    for origin in ["https://evil.example", "null", "http://evil.example"] {
        let reply = api.send(login(WITH_COOKIE, origin, "tidings.example")).await;
        assert_eq!(reply.problem(), (403, "foreign_origin".into()), "{origin}");
        assert_eq!(cookies(&reply).len(), 0);
    }
    for origin in ["http://tidings.example", "-"] {
        let reply = api.send(login(WITH_COOKIE, origin, "tidings.example")).await;
        assert_eq!(reply.problem(), (422, "validation_failed".into()), "{origin}");
        assert_eq!(reply.errors(), [("/cookie".into(), "insecure".into())]);
    }
    let misshapen = api.send(login(&WITH_COOKIE.replace("true", "1"), "https://evil.example", "localhost")).await;
    assert_eq!(misshapen.errors(), [("/cookie".into(), "wrong_type".into())]);
}

#[actix_web::test]
async fn accepts_pages_of_the_public_address() {
    let mut ports = with_ada();
    ports.public_origin = "https://tidings.example".parse().ok();
    let api = ports.serve();
    assert_eq!(api.send(login(WITH_COOKIE, "https://tidings.example", "10.0.0.3:8080")).await.status, 200);
    let foreign = api.send(login(WITH_COOKIE, "https://evil.example", "10.0.0.3:8080")).await;
    assert_eq!(foreign.problem(), (403, "foreign_origin".into()));
}

#[actix_web::test]
async fn stores_the_user_agent_of_a_session() {
    let mut ports = with_ada();
    ports.ledger = Default::default();
    ports
        .ledger
        .expect_commit()
        .withf(|set| !set.changes.iter().any(|it| matches!(it, Change::Account(AccountChange::InsertSession(_)))))
        .returning(|_| Ok(()));
    ports.ledger.expect_commit().times(1).returning(|set| {
        let begun = set
            .changes
            .iter()
            .find_map(|it| if let Change::Account(AccountChange::InsertSession(it)) = it { Some(it) } else { None });
        assert_eq!(begun.unwrap().user_agent, UserAgent::read(b"Browser/1.0"));
        Ok(())
    });
    let request = login(RIGHT, "-", "-").insert_header(("user-agent", "Browser/1.0\t"));
    assert_eq!(ports.serve().send(request).await.status, 200);
}

#[actix_web::test]
async fn refreshes_by_cookie_for_own_pages_and_replaces_the_cookie() {
    let api = with_ada().serve();
    const SECURE: &str = "__Secure-tidings_refresh=token-1";
    let table = [
        (SECURE, "https://tidings.example", "tidings.example", "-"),
        (SECURE, "-", "tidings.example", "same-origin"),
        (
            "tidings_refresh=token-9; __Secure-tidings_refresh=token-1",
            "https://tidings.example",
            "tidings.example",
            "-",
        ),
    ];
    for (cookie, origin, host, site) in table {
        let headers = [("cookie", cookie), ("origin", origin), ("host", host), ("sec-fetch-site", site)];
        let reply = api.send(asked("/auth/refresh", &headers)).await;
        assert_eq!(reply.status, 200, "{cookie} {origin}: {:?}", reply.body);
        assert_eq!(cookies(&reply), [format!("__Secure-tidings_refresh=token-1+; HttpOnly; Secure; {ATTRIBUTES}")]);
        assert_eq!(reply.json().get("refresh_token"), None);
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let local = [("cookie", "tidings_refresh=token-1"), ("origin", "http://[::1]:8080"), ("host", "[::1]:8080")];
    for body in ["", "{}"] {
        let reply = api.send(asked("/auth/refresh", &local).insert_header(JSON).set_payload(body)).await;
        assert_eq!(cookies(&reply), [format!("tidings_refresh=token-1+; HttpOnly; {ATTRIBUTES}")]);
    }
}

#[actix_web::test]
async fn rejects_refreshing_by_cookie_for_foreign_pages() {
    // A call of a port would return 500.
    let api = Mocks::with_keys().serve();
    let cookie = ("cookie", "__Secure-tidings_refresh=token-1; tidings_refresh=token-1");
    for (origin, host, site) in [
        ("https://evil.example", "tidings.example", "cross-site"),
        ("https://evil.example", "tidings.example", "same-origin"),
        ("https://www.tidings.example", "tidings.example", "same-site"),
        ("null", "tidings.example", "-"),
        ("-", "tidings.example", "-"),
        ("-", "tidings.example", "cross-site"),
        ("-", "localhost", "none"),
    ] {
        let reply = api
            .send(asked("/auth/refresh", &[cookie, ("origin", origin), ("host", host), ("sec-fetch-site", site)]))
            .await;
        assert_eq!(reply.problem(), (403, "foreign_origin".into()), "{origin} {site}");
        assert_eq!(cookies(&reply).len(), 0, "the cookie is not removed");
    }
    let plain =
        api.send(asked("/auth/refresh", &[cookie, ("origin", "http://a.example"), ("host", "a.example")])).await;
    assert_eq!(plain.errors(), [("/cookie".into(), "insecure".into())]);
}

#[actix_web::test]
async fn prefers_the_token_of_the_body_to_the_cookie() {
    let api = with_ada().serve();
    let headers = [("cookie", "tidings_refresh=nonsense"), ("origin", "https://evil.example"), ("host", "localhost")];
    let body = r#"{"refresh_token":"token-7"}"#;
    let reply = api.send(asked("/auth/refresh", &headers).insert_header(JSON).set_payload(body)).await;
    assert_eq!((reply.status, reply.json()["refresh_token"].clone()), (200, json!("token-7+")));
    assert_eq!(cookies(&reply).len(), 0);
}

#[actix_web::test]
async fn removes_an_invalid_cookie() {
    let mut ports = Mocks::with_keys();
    ports.accounts.expect_refresh_token().returning(|_| Ok(None));
    let api = ports.serve();
    let huge = format!("tidings_refresh={}", "x".repeat(20_000));
    for cookie in [
        "tidings_refresh=token-1",
        "tidings_refresh=",
        "tidings_refresh=\"token-1\"",
        "tidings_refresh=%00",
        &huge,
        "tidings_refresh=a; tidings_refresh=b",
        "tidings_refresh=é",
        "tidings_refresh==;;;=;",
    ] {
        let headers = [("cookie", cookie), ("origin", "http://localhost"), ("host", "localhost")];
        let reply = api.send(asked("/auth/refresh", &headers)).await;
        assert_eq!(reply.problem(), (401, "unauthorized".into()), "{cookie:.60}");
        let removed = "tidings_refresh=; HttpOnly; SameSite=Strict; Path=/auth/refresh; Max-Age=0";
        assert_eq!(cookies(&reply), [removed], "{cookie:.60}");
    }
    let body = r#"{"refresh_token":"token-1"}"#;
    let headers = [("cookie", "tidings_refresh=token-1"), ("origin", "http://localhost"), ("host", "localhost")];
    let of_body = api.send(asked("/auth/refresh", &headers).insert_header(JSON).set_payload(body)).await;
    assert_eq!((of_body.status, cookies(&of_body).len()), (401, 0), "an unused cookie is not removed");
    for cookie in ["-", "", "other=1", ";;"] {
        let reply = api.send(asked("/auth/refresh", &[("cookie", cookie), ("origin", "https://evil.example")])).await;
        assert_eq!(reply.problem(), (401, "unauthorized".into()), "{cookie}");
        assert_eq!(cookies(&reply).len(), 0);
    }
}

#[actix_web::test]
async fn removes_the_cookie_at_sign_out() {
    let api = with_ada().serve();
    let logout = async |origin: &str| {
        let asked = request(Method::POST, "/auth/logout", &owner());
        let asked = if origin == "-" { asked } else { asked.insert_header(("origin", origin)) };
        let reply = api.send(asked).await;
        assert_eq!(reply.status, 204);
        cookies(&reply).into_iter().map(|it| it.to_owned()).collect::<Vec<_>>()
    };
    let secure = "__Secure-tidings_refresh=; HttpOnly; Secure; SameSite=Strict; Path=/auth/refresh; Max-Age=0";
    let local = "tidings_refresh=; HttpOnly; SameSite=Strict; Path=/auth/refresh; Max-Age=0";
    assert_eq!(logout("https://tidings.example").await, [secure]);
    assert_eq!(logout("http://127.0.0.1:8080").await, [local]);
    assert_eq!(logout("-").await, [secure, local]);
}

#[actix_web::test]
async fn lists_sessions_and_marks_the_current_one() {
    let mut ports = Mocks::with_keys();
    ports
        .accounts
        .expect_live_sessions()
        .withf(|user, _, limit| user.uuid().as_u128() == 2 && *limit == 100)
        .returning(|user, _, _| {
            let own = session(2).unwrap().session;
            let other = Session::new(SessionId::from_uuid(Uuid::from_u128(77)), user, NOW);
            let other = other.from_network("203.0.113.7").with_user_agent(UserAgent::read(b"Browser/1.0"));
            Ok([other, own].map(|session| LiveSession { session, last_used_at: NOW }).to_vec())
        });
    let api = ports.serve();
    let reply = api.call(Method::GET, "/auth/sessions", &person(2)).await;
    let list = reply.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 2);
    let (other, own) = (&list["data"][0], &list["data"][1]);
    assert_eq!((&other["current"], &own["current"]), (&json!(false), &json!(true)));
    assert_eq!((&other["network"], &other["user_agent"]), (&json!("203.0.113.7"), &json!("Browser/1.0")));
    assert_eq!((&own["network"], &own["user_agent"]), (&json!(null), &json!(null)));
    assert_eq!(other["last_used_at"], other["created_at"]);
}

#[actix_web::test]
async fn answers_404_for_unknown_sessions_and_those_of_other_users() {
    let mut ports = Mocks::with_keys();
    ports.ledger.expect_commit().times(1).returning(|set| {
        assert!(matches!(set.changes[..], [Change::Account(AccountChange::RevokeSession { session, .. })] if session.uuid().as_u128() == 2));
        Ok(())
    });
    let api = ports.serve();
    let end = async |number: u128| {
        let path = format!("/auth/sessions/{}", SessionId::from_uuid(Uuid::from_u128(number)));
        api.call(Method::DELETE, &path, &person(2)).await
    };
    let (foreign, unknown) = (end(3).await, end(99).await);
    let shapeless = api.call(Method::DELETE, "/auth/sessions/nonsense", &person(2)).await;
    for reply in [foreign, unknown, shapeless] {
        assert_eq!(reply.problem(), (404, "not_found".into()));
    }
    assert_eq!(end(2).await.status, 204);
}

#[actix_web::test]
async fn shows_open_invitations_and_answers_the_same_404_otherwise() {
    let mut ports = Mocks::with_keys();
    let open = Invitation {
        id: InvitationId::from_uuid(Uuid::from_u128(1)),
        email: "eve@example.com".parse().unwrap(),
        role: Role::Member,
        digest: [1; 32],
        invited_by: None,
        created_at: NOW,
        expires_at: "2999-01-01T00:00:00Z".parse().unwrap(),
    };
    let mut seen = 0;
    ports.accounts.expect_invitation().returning(move |_| {
        seen += 1;
        let over = Invitation { expires_at: NOW, ..open.clone() };
        Ok([Some(open.clone()), Some(over)].into_iter().nth(seen - 1).flatten().map(|it| (it, workspace_id(1))))
    });
    ports.access.expect_workspace().returning(|_| Ok(Some(workspace_row(1))));
    let api = ports.serve();
    let look = async |token: &str| api.send(TestRequest::with_uri(&format!("/auth/invitations/{token}"))).await;
    let shown = look("token-1").await;
    assert_eq!((shown.status, shown.header("cache-control"), shown.header("etag")), (200, Some("no-store"), None));
    let expected = json!({
        "email": "eve@example.com", "role": "member", "workspace": {"name": "Test"}, "invited_by": null,
        "expires_at": "2999-01-01T00:00:00.000Z",
    });
    assert_eq!(shown.json(), expected);
    let lasting = |reply: &Reply| {
        assert_eq!(reply.problem(), (404, "not_found".into()));
        String::from_utf8_lossy(&reply.body).replace(reply.header("x-request-id").unwrap(), "req")
    };
    let over = lasting(&look("token-2").await);
    for token in ["token-3", "nonsense", "%ff"] {
        let reply = look(token).await;
        assert_eq!(lasting(&reply), over, "{token}");
        assert!(!String::from_utf8_lossy(&reply.body).contains(token), "the response does not contain the token");
    }
}
