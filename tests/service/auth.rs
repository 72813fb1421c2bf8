//! Sign-in over HTTP: honest clients, stolen tokens, guessed passwords, and account recovery.

mod browsers;
mod demoted;
mod guesses;
mod neighbours;
mod tenants;
mod usage;

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::people::OFTEN;
use crate::support::{Client, Person, Receiver, Reply, Server, Store};

fn nobody(server: &Server) -> Client {
    Client::new(&server.base, None)
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}")).to_owned()
}

async fn refresh(server: &Server, tokens: &Value) -> Reply {
    nobody(server).post("/auth/refresh", &json!({"refresh_token": tokens["refresh_token"]})).await
}

/// Returns the response text without the request ID, which is always unique.
fn lasting(reply: &Reply) -> String {
    reply.text.replace(reply.header("x-request-id").unwrap(), "req")
}

async fn sessions_refresh_and_end_at_sign_out(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let ada = Person::new(&server, &server.workspace, "owner");
    let tokens = ada.tokens(&server).await;
    assert_eq!(tokens["token_type"], "Bearer");
    assert_eq!((&tokens["expires_in"], &tokens["refresh_expires_in"]), (&json!(604_800), &json!(2_592_000)));

    // Honest clients: twenty concurrent refreshes return the same token pair, which remains valid.
    let pairs = join_all((0..20).map(|_| refresh(&server, &tokens))).await;
    let pairs: BTreeSet<String> = pairs.iter().map(|reply| reply.expect(200).to_string()).collect();
    assert_eq!(pairs.len(), 1, "all requests return the same tokens");
    let second: Value = serde_json::from_str(pairs.first().unwrap()).unwrap();
    let third = refresh(&server, &second).await.expect(200);
    assert_ne!(text(&second, "refresh_token"), text(&third, "refresh_token"));

    // An access token cannot refresh, and a refresh token cannot authenticate requests.
    let swapped = json!({"refresh_token": tokens["access_token"]});
    assert_eq!(nobody(&server).post("/auth/refresh", &swapped).await.code(), "unauthorized");
    let opened = nobody(&server).with_key(third["refresh_token"].as_str()).get("/auth/me").await;
    assert_eq!((opened.status, opened.code().as_str()), (401, "unauthorized"));

    let client = nobody(&server).with_key(third["access_token"].as_str());
    assert_eq!(client.get("/auth/me").await.expect(200)["user"]["email"], ada.email.as_str());
    client.call("POST", "/auth/logout", None).await.expect(204);
    client.until_refused("/auth/me").await;
    assert_eq!(refresh(&server, &third).await.status, 401);
}

/// Two servers of one service: each accepts tokens signed by the other, rejects sessions ended by the other, and counts
/// guesses made at the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_share_keys_sessions_and_attempt_limits() {
    let server = Server::start(Store::postgres().await, &[OFTEN]);
    let twin = server.twin();
    let ada = Person::new(&server, &server.workspace, "owner");
    let tokens = ada.tokens(&server).await;
    let there = nobody(&twin).with_key(tokens["access_token"].as_str());
    there.get("/auth/me").await.expect(200);
    let (one, other) = tokio::join!(refresh(&server, &tokens), refresh(&twin, &tokens));
    assert_eq!(one.expect(200), other.expect(200), "both servers return the same tokens");

    nobody(&server).with_key(tokens["access_token"].as_str()).call("POST", "/auth/logout", None).await.expect(204);
    there.until_refused("/auth/me").await;

    let guess = |at: &Server| {
        let (client, body) = (nobody(at), json!({"email": ada.email, "password": "a wrong guess"}));
        async move { client.post("/auth/login", &body).await.status }
    };
    let guesses = join_all((0..20).map(|number| guess(if number % 2 == 0 { &server } else { &twin }))).await;
    let looked_at = guesses.iter().filter(|status| **status == 401).count();
    assert!((1..=5).contains(&looked_at), "{guesses:?}");
    assert!(guesses.iter().all(|status| [401, 429, 503].contains(status)), "{guesses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_password_guesses_and_hides_which_accounts_exist() {
    let server = Server::start(Store::sqlite().await, &[]);
    let ada = Person::new(&server, &server.workspace, "owner");
    let login = async |email: &str, password: &str| {
        nobody(&server).post("/auth/login", &json!({"email": email, "password": password})).await
    };
    let (wrong, unknown) = (login(&ada.email, "wrong").await, login("nobody@example.com", "wrong").await);
    assert_eq!((wrong.status, wrong.code().as_str()), (401, "invalid_credentials"));
    assert_eq!(lasting(&wrong), lasting(&unknown), "the response does not reveal whether an account exists");
    assert_eq!(wrong.header("www-authenticate"), Some("Bearer"));
    assert_eq!(wrong.header("cache-control"), Some("no-store"));
    for _ in 0..4 {
        login(&ada.email, "wrong").await.expect(401);
        login("nobody@example.com", "wrong").await.expect(401);
    }
    let (waiting, as_long) = (login(&ada.email, &ada.password).await, login("nobody@example.com", "wrong").await);
    assert_eq!((waiting.status, waiting.code().as_str()), (429, "too_many_attempts"));
    assert_eq!((as_long.status, as_long.code().as_str()), (429, "too_many_attempts"));
    let wait: u64 = waiting.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=2).contains(&wait), "{wait}");

    // The address reaches its limit before the accounts reach theirs.
    let mut statuses = Vec::new();
    for number in 0..60 {
        statuses.push(login(&format!("guess{number}@example.com"), "wrong").await.status);
    }
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    assert_eq!(server.client().get("/api/v1/me").await.status, 200, "a valid API key is still accepted");
}

async fn sandboxes_simulate_contacts_and_reach_no_provider(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let receiver = Receiver::start();
    let ada = Person::new(&server, &server.workspace, "admin").client(&server).await;
    let platform = format!("/platform/workspaces/{}", server.workspace);
    let sandbox = ada.post(&format!("{platform}/sandbox"), &json!(null)).await.expect(201);
    let sandbox = text(&sandbox, "id");
    // Its members can use it at once.
    let account = ada.get("/auth/me").await.expect(200);
    let places = account["memberships"].as_array().unwrap();
    assert!(places.iter().any(|place| place["workspace"]["id"] == json!(sandbox)), "{account}");
    let (keys, body) = (format!("/platform/workspaces/{sandbox}/api-keys"), json!({"name": "CI", "scope": "full"}));
    let key = text(&ada.post(&keys, &body).await.expect(201), "key");
    assert!(key.starts_with("tdg_test_"));
    let inside = nobody(&server).with_key(Some(&key));
    let me = inside.get("/api/v1/me").await;
    assert_eq!(me.header("x-ratelimit-limit"), Some("600"));
    assert_eq!((&me.json()["live"], &me.json()["workspace"]["id"]), (&json!(false), &json!(sandbox)));

    let out = json!({"kind": "http", "config": {"url": receiver.url}});
    let refused = inside.post("/api/v1/channels", &out).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/kind", "a sandbox has no real channels");

    inside.post("/api/v1/webhooks", &json!({"url": receiver.url, "events": ["message.received"]})).await.expect(201);
    let played = json!({"contact": "eve", "text": "Is anybody there?"});
    let path = format!("{platform}/sandbox/inbound");
    let first = ada.post(&path, &played).await.expect(202);
    assert_eq!((&first["direction"], &first["text"]), (&json!("inbound"), &json!("Is anybody there?")));
    // By any identifier that a path accepts.
    let bob = json!({"external_id": "crm-7", "email": "bob@example.com", "phone": "+49301234567"});
    let bob = text(&inside.post("/api/v1/contacts", &bob).await.expect(201), "id");
    for name in ["external_id:crm-7", "email:bob@example.com", "email:Bob@Example.com", "phone:+49301234567", &bob] {
        let said = ada.post(&path, &json!({"contact": name, "text": "Hello"})).await.expect(202);
        assert_eq!(said["contact_id"], json!(bob), "{name}");
    }
    for name in ["email:nobody@example.com", "phone:+49301234568"] {
        let refused = ada.post(&path, &json!({"contact": name, "text": "Hello"})).await.expect(422);
        let told = (&refused["errors"][0]["pointer"], &refused["errors"][0]["code"]);
        assert_eq!(told, (&json!("/contact"), &json!("unknown_contact")), "{name}");
    }
    let deliveries = receiver.until("the played message", |received| !received.is_empty()).await;
    let envelope = deliveries[0].envelope();
    assert_eq!((&envelope["test"], &envelope["workspace_id"]), (&json!(true), &json!(sandbox)));
    let live = server.client().get("/api/v1/contacts").await.expect(200);
    assert_eq!(live["data"], json!([]), "the live workspace has no contact of the sandbox");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn returns_an_invitation_url_if_the_public_url_is_set() {
    let invite = async |server: &Server| {
        let ada = Person::new(server, &server.workspace, "owner").client(server).await;
        let members = format!("/platform/workspaces/{}/members", server.workspace);
        ada.post(&members, &json!({"email": "eve@example.com", "role": "viewer"})).await.expect(201)
    };
    let public = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example.com");
    let made = invite(&Server::start(Store::sqlite().await, &[OFTEN, public])).await;
    let token = text(&made, "invitation_token");
    assert_eq!(made["invitation_url"], format!("https://tidings.example.com/join/{token}"));
    let made = invite(&Server::start(Store::sqlite().await, &[OFTEN])).await;
    assert!(made["invitation_token"].is_string());
    assert_eq!(made.get("invitation_url").unwrap_or(&Value::Null), &Value::Null, "{made}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_requests_by_key_and_route() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let ada = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let client = server.client();
    client.get("/api/v1/contacts/email:ada@example.com").await.expect(404);
    for _ in 0..3 {
        client.get("/api/v1/tags").await.expect(200);
    }
    let usage = format!("/platform/workspaces/{}/usage", server.workspace);
    let seen = ada.until(&format!("{usage}?status=404"), |list| list["data"].as_array().unwrap().len() == 1).await;
    let request = &seen["data"][0];
    assert_eq!((&request["method"], &request["route"]), (&json!("GET"), &json!("/api/v1/contacts/{id}")));
    assert_eq!((&request["address"], &request["user_id"]), (&json!("127.0.0.1"), &Value::Null));
    assert!(!seen.to_string().contains("ada@example.com"), "the log contains no personal data");
    let key = text(request, "key_id");
    let list = ada.get(&format!("{usage}?key_id={key}&route=%2Fapi%2Fv1%2Ftags&limit=2")).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 2);
    assert!(list["next_cursor"].is_string());
    let summary = ada.get(&format!("{usage}/summary")).await.expect(200);
    let requests: i64 = summary["data"].as_array().unwrap().iter().map(|hour| hour["requests"].as_i64().unwrap()).sum();
    assert!(requests >= 4, "{summary}");
    let keys = ada.get(&format!("/platform/workspaces/{}/api-keys", server.workspace)).await.expect(200);
    let used = keys["data"].as_array().unwrap().iter().find(|it| it["id"] == key.as_str()).unwrap();
    assert_eq!(used["last_used_address"], "127.0.0.1");
    assert!(used["last_used_at"].is_string());
}

async fn a_user_changes_the_language(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let ada = Person::new(&server, &server.workspace, "viewer");
    let (here, there) = (ada.client(&server).await, ada.client(&server).await);
    let language = async |client: &Client| client.get("/auth/me").await.expect(200)["user"]["language"].clone();
    assert_eq!(language(&here).await, json!(null));
    let set = async |value: Value| here.call("PATCH", "/auth/me", Some(&json!({"language": value}))).await;
    assert_eq!(set(json!("de")).await.expect(200)["user"]["language"], "de");
    assert_eq!(language(&there).await, "de", "other sessions continue and show it");
    assert_eq!(set(json!("tlh")).await.expect(422)["errors"][0]["pointer"], "/language");
    assert_eq!(set(json!(null)).await.expect(200)["user"]["language"], json!(null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn allows_reset_links_only_for_those_responsible() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let [home, elsewhere] = [server.workspace.clone(), server.new_workspace("Elsewhere")];
    let (owner, admin) = (Person::new(&server, &home, "owner"), Person::new(&server, &home, "admin"));
    let operator = Person::operator(&server, &home, "viewer");
    let (member, both) = (Person::new(&server, &home, "member"), Person::new(&server, &home, "member"));
    let invite = json!({"email": both.email, "role": "viewer"});
    let there = Person::new(&server, &elsewhere, "owner").client(&server).await;
    let invited = there.post(&format!("/platform/workspaces/{elsewhere}/members"), &invite).await.expect(201);
    let accept = format!("/auth/invitations/{}", text(&invited, "invitation_token"));
    both.client(&server).await.post(&accept, &json!({"current_password": both.password})).await.expect(201);
    let path = |person: &Person| format!("/platform/workspaces/{home}/members/{}/reset-link", person.id);
    let nothing = json!(null);

    let by_admin = admin.client(&server).await;
    by_admin.post(&path(&member), &nothing).await.expect(201);
    for person in [&both, &operator] {
        assert_eq!(by_admin.post(&path(person), &nothing).await.expect(409)["code"], "needs_operator");
    }
    assert_eq!(by_admin.post(&path(&owner), &nothing).await.expect(403)["code"], "insufficient_role");
    by_admin.post(&path(&admin), &nothing).await.expect(422);
    owner.client(&server).await.post(&path(&admin), &nothing).await.expect(201);

    // Only one link is valid at a time.
    let by_operator = operator.client(&server).await;
    let first = text(&by_operator.post(&path(&both), &nothing).await.expect(201), "reset_token");
    let link = text(&by_operator.post(&path(&both), &nothing).await.expect(201), "reset_token");
    let set = json!({"password": "remembered now"});
    nobody(&server).post(&format!("/auth/reset-links/{first}"), &set).await.expect(404);
    nobody(&server).post(&format!("/auth/reset-links/{link}"), &set).await.expect(200);
    let both = Person { password: "remembered now".to_owned(), ..both };
    both.client(&server).await.get("/auth/me").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_reset_passwords_and_rotate_keys() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let ada = Person::new(&server, &server.workspace, "owner");
    let client = ada.client(&server).await;
    let changed = server.command(&["user", "password", "--email", &ada.email]);
    client.until_refused("/auth/me").await;
    let again = Person { password: text(&changed, "password"), ..ada };
    again.client(&server).await.get("/auth/me").await.expect(200);

    let link = server.command(&["user", "reset-link", "--email", &again.email]);
    let path = format!("/auth/reset-links/{}", text(&link, "reset_token"));
    assert_eq!(nobody(&server).get(&path).await.expect(200)["email"], again.email.as_str());
    let client = again.client(&server).await;
    nobody(&server).post(&path, &json!({"password": "remembered now"})).await.expect(200);
    client.until_refused("/auth/me").await;
    nobody(&server).get(&path).await.expect(404);
    let again = Person { password: "remembered now".to_owned(), ..again };
    again.client(&server).await.get("/auth/me").await.expect(200);

    let made = server.command(&["key", "create", "--workspace", &server.workspace, "--scope", "read", "--name", "CI"]);
    let (id, old) = (text(&made, "id"), text(&made, "key"));
    let rotated = server.command(&["key", "rotate", "--workspace", &server.workspace, "--overlap", "PT1H", &id]);
    for key in [old, text(&rotated, "key")] {
        nobody(&server).with_key(Some(&key)).get("/api/v1/me").await.expect(200);
    }
    assert_eq!((&rotated["name"], &rotated["scope"]), (&json!("CI"), &json!("read")));
}

on_both! {
    sessions_refresh_and_end_at_sign_out,
    sandboxes_simulate_contacts_and_reach_no_provider,
    a_user_changes_the_language,
}
