//! Responses are small and the next request is served, whatever a client with or without a key sends: every route gets
//! the largest, deepest and most repetitive bodies and queries allowed, sixteen at once. New routes are covered
//! automatically.

mod bodies;
mod figures;

use futures::{StreamExt, stream};
use tidings_http::routes::{BodyKind, ROUTES, Route, RouteScope};

use crate::matrix::requests::Requests;
use crate::support::seed::Seed;
use crate::support::{Client, Person, Receiver, Server, Store};
use figures::Figures;

const AT_ONCE: usize = 16;
/// The largest error response.
const MOST_REFUSED: usize = 64 * 1024;
/// The largest page of a list: 4 MiB, and the row that exceeded it.
const MOST_LISTED: usize = 5 * 1024 * 1024;

/// An expensive request.
struct Attack {
    route: &'static Route,
    name: &'static str,
    path: String,
    body: Option<Vec<u8>>,
}

fn attacks(route: &'static Route, seed: &Seed) -> Vec<Attack> {
    let requests = Requests::of(route);
    let path = requests.path(&requests.kinds().iter().map(|kind| seed.id_or_absent(kind)).collect::<Vec<_>>());
    let with = |name, path: String, body| Attack { route, name, path, body };
    let mut attacks: Vec<_> = bodies::queries()
        .into_iter()
        .map(|(name, query)| with(name, format!("{path}?{query}"), None))
        .filter(|_| route.method == "GET" || route.traits.forceable)
        .collect();
    if route.traits.body != BodyKind::None {
        let limit = route.traits.body_limit();
        let valid = (route.scope.required().is_some()).then(|| requests.body("bounds")).flatten();
        let shapes = bodies::shapes(limit, valid.as_ref()).into_iter();
        attacks.extend(shapes.map(|(name, body)| with(name, path.clone(), Some(body))));
    }
    attacks
}

async fn answers_stay_small(database: &str, store: Store) {
    let settings = [
        crate::support::people::OFTEN,
        ("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000"),
        ("TIDINGS__LIMITS__PERSON", "1000000"),
        ("TIDINGS__LIMITS__PAGES", "1000000"),
        ("TIDINGS__LOG__LEVEL", "error"),
    ];
    let server = Server::start(store, &settings);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "acme", &receiver).await;
    let owner = Person::new(&server, &seed.workspace, "owner").token(&server).await;
    let (key, owner) = (seed.client.clone(), Client::new(&server.base, Some(&owner)));
    // No DELETE and no sign-out, so later requests find their objects.
    let lasting = |route: &&Route| route.method != "DELETE" && route.operation_id != "logout";
    let attacks: Vec<_> = ROUTES.iter().filter(lasting).flat_map(|route| attacks(route, &seed)).collect();
    let count = attacks.len();
    assert!(count > ROUTES.len(), "{count} attacks are too few for {} routes", ROUTES.len());
    let playing = stream::iter(attacks).map(|attack| {
        let client = if attack.route.scope.required().is_some() { key.clone() } else { owner.clone() };
        async move { play(&client, attack).await }
    });
    let playing = playing.buffer_unordered(AT_ONCE).filter_map(|it| async { it }).collect::<Vec<String>>();
    let (wrong, figures) = Figures::of(&server, playing).await;
    figures.tell(database);
    assert!(wrong.is_empty(), "{} of {count} failed:\n{}", wrong.len(), wrong.join("\n"));
    key.with_key(None).get("/healthz").await.expect(200);
    key.get("/api/v1/me").await.expect(200);
    let log = server.log();
    assert!(!log.contains("ERROR"), "bad requests must not be logged as errors: {log}");
    println!("{count} requests asked for much and got little");
}

/// Sends the request; returns a description of an unexpected response.
async fn play(client: &Client, attack: Attack) -> Option<String> {
    let Attack { route, name, path, body } = attack;
    let taken = if route.traits.body == BodyKind::Table { "text/csv" } else { "application/json" };
    let kind: &[(&str, &str)] = if body.is_some() { &[("content-type", taken)] } else { &[] };
    let case = format!("{} {} with {name}", route.method, route.path);
    let reply = loop {
        match client.send(route.method.as_str(), &path, kind, body.clone()).await {
            // On a busy machine a simulation may have waited for others in vain. It is sent again until it reaches its
            // handler.
            Ok(reply) if reply.status == 429 && reply.text.contains("simulation_limit") => {}
            Ok(reply) => break reply,
            Err(error) => return Some(format!("{case}: no answer: {error:?}")),
        }
    };
    let most = if reply.status < 400 { MOST_LISTED } else { MOST_REFUSED };
    // Failed sign-ins and tokens are limited by address; all other requests reach their handlers.
    let may_wait = matches!(route.scope, RouteScope::Login | RouteScope::Token | RouteScope::Signed);
    let is_counted = reply.status == 429 && !may_wait;
    let is_right = reply.status < 500 && reply.bytes.len() <= most && !is_counted;
    (!is_right).then(|| format!("{case}: {} with {} bytes: {:.300}", reply.status, reply.bytes.len(), reply.text))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_stay_small_on_sqlite() {
    answers_stay_small("SQLite", Store::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_stay_small_on_postgresql() {
    answers_stay_small("PostgreSQL", Store::postgres().await).await;
}
