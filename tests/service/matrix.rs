//! The authorisation matrix, generated from the table of routes: every route with every type of key and with every
//! invalid credential.

mod neighbours;
mod people;
mod repeats;
pub mod requests;

use tidings_domain::access::Scope;
use tidings_http::routes::{ROUTES, Route, RouteScope};

use crate::support::seed::Seed;
use crate::support::{Person, Receiver, Reply, Server, Store, keys};
use requests::Requests;

struct Credential {
    name: &'static str,
    key: Option<String>,
    scope: Option<Scope>,
}

impl Credential {
    async fn all(server: &Server, seed: &Seed) -> Vec<Self> {
        let nothing = |name, key| Self { name, key, scope: None };
        let opening = |name, key: &str, scope| Self { name, key: Some(key.to_owned()), scope: Some(scope) };
        let person = async |role: &str| Person::new(server, &seed.workspace, role).token(server).await;
        let (viewer, member) = (person("viewer").await, person("member").await);
        let (admin, owner) = (person("admin").await, person("owner").await);
        let forged = format!("{}A", viewer.rsplit_once('.').unwrap().0);
        vec![
            nothing("no key", None),
            nothing("a forged token", Some(forged)),
            nothing("a mistyped key", Some(keys::mistyped(&seed.full))),
            nothing("a truncated key", Some(keys::truncated(&seed.full))),
            nothing("an unknown key", Some(keys::unknown())),
            nothing("a revoked key", Some(keys::revoked(server, &seed.workspace).await)),
            opening("a read key", &seed.read, Scope::Read),
            opening("a write key", &seed.write, Scope::Write),
            opening("a full key", &seed.full, Scope::Full),
            opening("a viewer", &viewer, Scope::Read),
            opening("a member", &member, Scope::Write),
            opening("an admin", &admin, Scope::Full),
            opening("an owner", &owner, Scope::Full),
        ]
    }
}

/// The expected result of a route for a credential.
#[derive(Debug, PartialEq)]
enum Verdict {
    Unauthorized,
    Forbidden(&'static str),
    Permitted,
}

fn verdict(route: &Route, credential: &Credential) -> Verdict {
    // Written independently of the product, so a wrong order of scopes there is detected.
    let rank = |scope: Scope| match scope {
        Scope::Read => 1,
        Scope::Write => 2,
        Scope::Full => 3,
    };
    let (needed, word) = match route.scope {
        RouteScope::Public | RouteScope::Signed | RouteScope::Login | RouteScope::Token => return Verdict::Permitted,
        RouteScope::Read => (1, "read"),
        RouteScope::Write => (2, "write"),
        RouteScope::Full => (3, "full"),
        other => panic!("matrix/people.rs covers {other:?}"),
    };
    match credential.scope {
        None => Verdict::Unauthorized,
        Some(scope) if rank(scope) < needed => Verdict::Forbidden(word),
        Some(_) => Verdict::Permitted,
    }
}

fn judge(route: &Route, verdict: &Verdict, permitted: u16, reply: &Reply, case: &str) {
    let Reply { status, text, .. } = reply;
    match verdict {
        Verdict::Unauthorized => {
            assert_eq!(*status, 401, "{case}: {text}");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{case}");
        }
        Verdict::Forbidden(_) => assert_eq!(*status, 403, "{case}: {text}"),
        Verdict::Permitted => assert_eq!(*status, permitted, "{case}: {text}"),
    }
    if route.scope.required().is_some() {
        let counted = reply.header("ratelimit").is_some();
        assert_eq!(counted, *verdict != Verdict::Unauthorized, "{case}: exactly the requests with a key are counted");
    }
    if *status < 400 || text.is_empty() {
        return;
    }
    assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{case}");
    match verdict {
        Verdict::Unauthorized => assert_eq!(reply.code(), "unauthorized", "{case}"),
        Verdict::Forbidden(scope) => {
            assert_eq!(reply.code(), "insufficient_scope", "{case}");
            assert_eq!(reply.json()["required_scope"], *scope, "{case}");
        }
        Verdict::Permitted => {}
    }
}

/// Returns the response text without the request ID, which is always unique.
fn lasting(reply: &Reply) -> String {
    match reply.header("x-request-id") {
        Some(id) => reply.text.replace(id, "req"),
        None => reply.text.clone(),
    }
}

async fn allows_every_key_exactly_its_scope(store: Store) {
    let server = Server::start(store, &[crate::support::people::OFTEN]);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "acme", &receiver).await;
    let neighbour = Seed::new(&server, "umbrella", &receiver).await;
    let credentials = Credential::all(&server, &seed).await;
    let before = seed.everything().await;
    let mut cases = 0;

    let of_api =
        |route: &&Route| !people::is_for_people(route) && !matches!(route.scope, RouteScope::Login | RouteScope::Token);
    for route in ROUTES.iter().filter(of_api) {
        let requests = Requests::of(route);
        let mut unauthorized: Option<String> = None;
        for credential in &credentials {
            let client = seed.client.with_key(credential.key.as_deref());
            let verdict = verdict(route, credential);
            // Permitted requests that change something use missing objects.
            let harmless = verdict != Verdict::Permitted || route.method == "GET";
            let path = if harmless { requests.path_in(&seed) } else { requests.absent_path() };
            let permitted = if harmless { 200 } else { requests.status_of_absent() };
            let body = requests.body(credential.name);
            let mut methods = vec![route.method.as_str()];
            if route.method == "GET" {
                methods.push("HEAD");
            }
            for method in methods {
                let case = format!("{method} {path} with {}", credential.name);
                let reply = client.call(method, &path, body.as_ref()).await;
                judge(route, &verdict, permitted, &reply, &case);
                cases += 1;
                if reply.status == 401 && method != "HEAD" {
                    // The response never reveals why a key is invalid.
                    let bytes = lasting(&reply);
                    assert_eq!(unauthorized.get_or_insert_with(|| bytes.clone()), &bytes, "{case}");
                }
            }
        }
        cases += neighbours::see_nothing(route, &requests, &seed, &neighbour).await;
    }
    cases += neighbours::cannot_name(&seed, &neighbour).await;
    cases += people::rule_as_their_roles_say(&server, &neighbour, &seed).await;
    cases += people::everybody_may_leave(&server).await;

    let after = seed.everything().await;
    for (before, after) in before.iter().zip(&after) {
        let grown = before.0.ends_with("?limit=100") && before.1.is_none();
        if grown {
            assert!(keeps_rows(&before.2, &after.2), "{}: {} is now {}", before.0, before.2, after.2);
        } else {
            assert_eq!(before, after, "the object must not change");
        }
    }
    println!("{cases} cases over {} routes", ROUTES.len());
    assert!(cases >= ROUTES.len() * 9, "{cases} cases are too few for {} routes", ROUTES.len());
}

/// Whether a list still contains the same rows, byte for byte; rows created by permitted requests come before them.
fn keeps_rows(before: &str, after: &str) -> bool {
    let rows = |list: &str| list.strip_prefix(r#"{"data":["#).unwrap().to_owned();
    after.ends_with(&rows(before))
}

/// The contract's table of scopes, written independently of the product.
#[test]
fn every_route_declares_the_scope_of_the_contract() {
    for route in ROUTES {
        let of_webhooks = route.path.starts_with("/api/v1/webhooks");
        let expected = match route.method.as_str() {
            _ if people::expected_scope(route).is_some() => people::expected_scope(route).unwrap(),
            _ if route.path.starts_with("/inbound/") => RouteScope::Signed,
            _ if !route.path.starts_with("/api/v1/") => RouteScope::Public,
            _ if of_webhooks => RouteScope::Full,
            "POST" if route.path.starts_with("/api/v1/sandbox/") => RouteScope::Full,
            // Only credentials that can assign need it.
            _ if route.path == "/api/v1/assignees" => RouteScope::Write,
            // The bodies may contain anything that a provider sends.
            _ if route.path == "/api/v1/channels/{id}/unparsed" => RouteScope::Full,
            "GET" => RouteScope::Read,
            "PUT" if route.path.starts_with("/api/v1/secrets/") => RouteScope::Full,
            // Deletions with another verb.
            "POST" if route.path.ends_with("/erase") || route.path.ends_with("/merge") => RouteScope::Full,
            "POST" | "PUT" | "PATCH" => RouteScope::Write,
            _ => RouteScope::Full,
        };
        assert_eq!(route.scope, expected, "{} {}", route.method, route.path);
    }
    let public: Vec<_> = ROUTES.iter().filter(|it| it.scope == RouteScope::Public).map(|it| it.path).collect();
    assert_eq!(public, ["/healthz", "/readyz", "/openapi.json"], "no other route is public");
}

on_both! {
    allows_every_key_exactly_its_scope,
}
