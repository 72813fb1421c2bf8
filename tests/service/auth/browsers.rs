//! A browser that stores its refresh token in a cookie: same-origin only, over restarts, and in two tabs.

use serde_json::{Value, json};

use super::{nobody, text};
use crate::support::people::OFTEN;
use crate::support::{Client, Person, Reply, Server, Store};

const PUBLIC: &str = "https://tidings.example";
const JSON: (&str, &str) = ("content-type", "application/json");

fn set_cookies(reply: &Reply) -> Vec<&str> {
    reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect()
}

/// Returns the only cookie that the response sets, in the form of `Cookie`.
#[track_caller]
fn cookie(reply: &Reply) -> String {
    let [set] = set_cookies(reply)[..] else { panic!("{} {:?}", reply.status, reply.headers) };
    set.split(';').next().unwrap().to_owned()
}

async fn login(server: &Server, person: &Person, headers: &[(&str, &str)]) -> Reply {
    let body = json!({"email": person.email, "password": person.password, "cookie": true});
    let headers = [&[JSON], headers].concat();
    nobody(server).send("POST", "/auth/login", &headers, Some(body.to_string().into_bytes())).await.unwrap()
}

async fn refresh(server: &Server, headers: &[(&str, &str)]) -> Reply {
    nobody(server).send("POST", "/auth/refresh", headers, None).await.unwrap()
}

fn signed_in(server: &Server, tokens: &Value) -> Client {
    nobody(server).with_key(tokens["access_token"].as_str())
}

async fn a_browser_stays_signed_in(store: Store) {
    let settings = [OFTEN, ("TIDINGS__LOG__LEVEL", "trace"), ("TIDINGS__HTTP__PUBLIC_URL", PUBLIC)];
    let mut server = Server::start(store, &settings);
    let ada = Person::new(&server, &server.workspace, "owner");

    let reply = login(&server, &ada, &[("origin", &server.base)]).await;
    let tokens = reply.expect(200);
    assert_eq!(tokens.get("refresh_token"), None);
    assert_eq!((&tokens["token_type"], &tokens["refresh_expires_in"]), (&json!("Bearer"), &json!(2_592_000)));
    let first = cookie(&reply);
    let [set] = set_cookies(&reply)[..] else { panic!("the response sets one cookie") };
    let attributes = "; HttpOnly; SameSite=Strict; Path=/auth/refresh; Max-Age=2592000";
    assert_eq!(set, format!("{first}{attributes}"));
    assert!(first.starts_with("tidings_refresh=tdg_token_"));
    signed_in(&server, &tokens).get("/auth/me").await.expect(200);

    // A restart has no effect: the page is on another port afterwards, but the cookie is valid.
    server.kill();
    server.serve();
    let base = server.base.clone();
    let origin = ("origin", base.as_str());
    let own = [origin, ("cookie", first.as_str())];
    let (one, other) = tokio::join!(refresh(&server, &own), refresh(&server, &own));
    assert_eq!(one.expect(200), other.expect(200), "two concurrent tabs get the same tokens");
    assert_eq!(one.json().get("refresh_token"), None);
    let second = cookie(&one);
    assert_eq!(second, cookie(&other), "both get the same cookie");
    assert_ne!(second, first);
    signed_in(&server, &one.json()).get("/auth/me").await.expect(200);

    // No other origin can use the cookie, however it sends the request, and the cookie stays valid.
    for headers in [
        &[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")][..],
        &[("origin", "http://localhost:1")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[],
    ] {
        let reply = refresh(&server, &[&[("cookie", second.as_str())], headers].concat()).await;
        assert_eq!((reply.status, reply.code().as_str()), (403, "foreign_origin"), "{headers:?}");
        assert_eq!((set_cookies(&reply).len(), reply.header("cache-control")), (0, Some("no-store")));
    }
    let third = refresh(&server, &[("sec-fetch-site", "same-origin"), ("cookie", &second)]).await;
    let (tokens, third) = (third.expect(200), cookie(&third));

    // Signing out deletes the cookie and ends its session.
    let client = signed_in(&server, &tokens);
    let out = client.send("POST", "/auth/logout", &[origin], None).await.unwrap();
    out.expect(204);
    assert_eq!(set_cookies(&out), ["tidings_refresh=; HttpOnly; SameSite=Strict; Path=/auth/refresh; Max-Age=0"]);
    let over = refresh(&server, &[origin, ("cookie", &third)]).await;
    assert_eq!((over.status, over.code().as_str()), (401, "unauthorized"));
    assert_eq!(cookie(&over), "tidings_refresh=", "an invalid cookie is removed");
    assert_eq!(refresh(&server, &[origin]).await.status, 401);

    let secrets = [first, second, third].map(|it| it.split_once('=').unwrap().1.to_owned());
    for secret in secrets.iter().chain([&text(&tokens, "access_token"), &ada.password, &ada.email]) {
        assert!(!server.log().contains(secret.as_str()), "the log contains a secret");
    }
    assert!(server.log().contains("/auth/refresh"), "the log contains the requests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sets_cookies_only_for_own_pages_over_https_or_loopback() {
    let server = Server::start(Store::sqlite().await, &[OFTEN, ("TIDINGS__HTTP__PUBLIC_URL", PUBLIC)]);
    let ada = Person::new(&server, &server.workspace, "owner");
    let by_https = server.base.replace("http:", "https:");
    let shop = ("host", "shop.example");
    let secure = [&[("origin", PUBLIC)][..], &[("origin", &by_https)], &[("origin", "https://shop.example"), shop]];
    for headers in secure {
        let reply = login(&server, &ada, headers).await;
        let (tokens, kept) = (reply.expect(200), cookie(&reply));
        let attributes = "; HttpOnly; Secure; SameSite=Strict; Path=/auth/refresh; Max-Age=2592000";
        assert_eq!(set_cookies(&reply), [format!("{kept}{attributes}")]);
        assert!(kept.starts_with("__Secure-tidings_refresh=tdg_token_") && tokens.get("refresh_token").is_none());
        let next = refresh(&server, &[&[("cookie", kept.as_str())], headers].concat()).await;
        assert!(cookie(&next).starts_with("__Secure-tidings_refresh=tdg_token_"), "{}", next.text);
    }
    for headers in
        [&[("origin", "https://evil.example")][..], &[("origin", "null")], &[("origin", PUBLIC), ("origin", PUBLIC)]]
    {
        let reply = login(&server, &ada, headers).await;
        assert_eq!((reply.status, reply.code().as_str()), (403, "foreign_origin"), "{headers:?}");
        assert_eq!(set_cookies(&reply).len(), 0);
    }
    for headers in [&[("origin", "http://shop.example"), shop][..], &[shop]] {
        let wrong = login(&server, &ada, headers).await.expect(422);
        assert_eq!(
            (&wrong["errors"][0]["pointer"], &wrong["errors"][0]["code"]),
            (&json!("/cookie"), &json!("insecure"))
        );
    }
    // Malformed cookies only require a new sign-in.
    let huge = format!("tidings_refresh={}", "x".repeat(8_000));
    for broken in ["tidings_refresh", "=;=;;", "tidings_refresh=a; tidings_refresh=b", huge.as_str()] {
        assert_eq!(refresh(&server, &[("origin", &server.base), ("cookie", broken)]).await.status, 401, "{broken:.40}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_sessions_of_a_user_and_ends_another_one() {
    let server = Server::start(Store::postgres().await, &[OFTEN]);
    let twin = server.twin();
    let (ada, bob) =
        (Person::new(&server, &server.workspace, "owner"), Person::new(&server, &server.workspace, "admin"));
    let agent = format!("Browser/1.0 {}", "x".repeat(300));
    let sign_in =
        async |person: &Person| login(&server, person, &[("origin", &server.base), ("user-agent", &agent)]).await;
    let (phone, bobs) = (sign_in(&ada).await, sign_in(&bob).await);
    let here = ada.client(&server).await;
    let there = Client::new(&twin.base, phone.json()["access_token"].as_str());
    there.get("/auth/me").await.expect(200);

    let list = here.get("/auth/sessions").await.expect(200);
    let [own, other] = &list["data"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!((&own["current"], &other["current"]), (&json!(true), &json!(false)), "newest first");
    assert_eq!((&own["network"], &own["user_agent"]), (&json!("127.0.0.1"), &Value::Null));
    assert_eq!(other["user_agent"], agent[..200]);
    assert_eq!(other["last_used_at"], other["created_at"]);
    assert_eq!(own["id"], here.get("/auth/me").await.json()["session"]["id"]);
    let carried_on = refresh(&server, &[("origin", &server.base), ("cookie", &cookie(&phone))]).await;
    carried_on.expect(200);
    let list = here.get("/auth/sessions").await.expect(200);
    assert!(list["data"][1]["last_used_at"].as_str() > list["data"][1]["created_at"].as_str(), "{list}");

    let path = |session: &Value| format!("/auth/sessions/{}", session.as_str().unwrap());
    let bobs = signed_in(&server, &bobs.json());
    let of_bob = bobs.get("/auth/me").await.json()["session"]["id"].clone();
    let nobodys = json!("sess_01h455vb4pex5vsknk084sn02q");
    let (foreign, unknown) = (here.delete(&path(&of_bob)).await, here.delete(&path(&nobodys)).await);
    assert_eq!((foreign.status, foreign.code().as_str()), (404, "not_found"));
    assert_eq!(super::lasting(&foreign), super::lasting(&unknown), "the response equals that for an unknown session");
    bobs.get("/auth/me").await.expect(200);

    here.delete(&path(&other["id"])).await.expect(204);
    there.until_refused("/auth/me").await;
    let over = refresh(&server, &[("origin", &server.base), ("cookie", &cookie(&carried_on))]).await;
    assert_eq!((over.status, cookie(&over).as_str()), (401, "tidings_refresh="));
    assert_eq!(here.delete(&path(&other["id"])).await.status, 404, "the session has ended");
    here.delete(&path(&own["id"])).await.expect(204);
    here.until_refused("/auth/me").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shows_an_invitation_only_by_its_token_and_never_logs_it() {
    let server = Server::start(Store::sqlite().await, &[OFTEN, ("TIDINGS__LOG__LEVEL", "trace")]);
    let ada = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let members = format!("/platform/workspaces/{}/members", server.workspace);
    let invite = async |email: &str| {
        let made = ada.post(&members, &json!({"email": email, "role": "viewer"})).await.expect(201);
        (text(&made, "id"), text(&made, "invitation_token"))
    };
    let (_, token) = invite("eve@example.com").await;
    let look = async |token: &str| nobody(&server).get(&format!("/auth/invitations/{token}")).await;
    let shown = look(&token).await;
    let invitation = shown.expect(200);
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert_eq!((&invitation["email"], &invitation["role"]), (&json!("eve@example.com"), &json!("viewer")));
    let sender = ada.get("/auth/me").await.json()["user"]["name"].clone();
    assert_eq!((&invitation["workspace"], &invitation["invited_by"]), (&json!({"name": "Test"}), &sender));
    let days = text(&invitation, "expires_at");
    assert!(days > text(&ada.get("/auth/me").await.json()["session"], "created_at"), "{days}");

    let (withdrawn, old) = invite("mallory@example.com").await;
    ada.delete(&format!("{members}/{withdrawn}")).await.expect(204);
    let eve = json!({"name": "Eve", "password": "a password of Eve's"});
    let accept = format!("/auth/invitations/{token}");
    nobody(&server).post(&accept, &eve).await.expect(201);
    let unknown = look("tdg_token_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").await;
    for reply in
        [look(&token).await, look(&old).await, look("nonsense").await, nobody(&server).post(&accept, &eve).await]
    {
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
        assert_eq!(
            super::lasting(&reply),
            super::lasting(&unknown),
            "the response does not reveal why the invitation is closed"
        );
    }
    let log = server.log();
    assert!(log.contains("/auth/invitations/{token}"), "the log contains the requests");
    for told in [token.as_str(), &old, "eve@example.com", "mallory@example.com", "a password of Eve's"] {
        assert!(!log.contains(told), "{told} is in the log");
    }
}

on_both! {
    a_browser_stays_signed_in,
}
