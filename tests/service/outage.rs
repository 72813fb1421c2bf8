//! An unavailable database: every response reports it in time, and the service recovers automatically.

mod full_disk;
mod restarts;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::proxy::{Proxy, Trap, Wire};
use crate::support::{Client, Patience, Reply, Server, Store, keys};

/// The longest response time.
const IN_TIME: Duration = Duration::from_secs(10);
/// The longest time until the service has recovered.
const RECOVERY: Duration = Duration::from_secs(10);

/// Method, path, body and idempotency key.
type Request = (&'static str, String, Option<Value>, Option<&'static str>);

/// A server behind a proxy, with a contact that exists before the outage.
struct Setup {
    server: Server,
    proxy: Proxy,
    contact: String,
    /// A key that was never used, so no server has it in its cache.
    fresh_key: String,
}

impl Setup {
    async fn new() -> Self {
        let store = Store::postgres().await;
        let proxy = Proxy::to(&store.url()).await;
        let server = Server::start(store, &[("TIDINGS__STORAGE__URL", &proxy.url)]);
        let made = server.client().post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
        let contact = format!("/api/v1/contacts/{}", made["id"].as_str().unwrap());
        let fresh_key = server.new_key(&server.workspace, "read");
        Self { server, proxy, contact, fresh_key }
    }

    /// One request of each type: reads, lists, writes, with and without an idempotency key.
    fn requests(&self) -> Vec<Request> {
        let message = json!({"type": "text", "text": "Hello"});
        let read = |path: &str| ("GET", path.to_owned(), None, None);
        vec![
            read(&self.contact),
            read("/api/v1/contacts"),
            read("/api/v1/contacts/external_id:ada"),
            read("/api/v1/tags"),
            read("/api/v1/conversations"),
            read("/api/v1/flows"),
            read("/api/v1/webhooks"),
            read("/readyz"),
            ("POST", "/api/v1/contacts".to_owned(), Some(json!({"external_id": "during"})), Some("during")),
            ("POST", "/api/v1/tags".to_owned(), Some(json!({"name": "during"})), Some("during")),
            ("PUT", self.contact.clone(), Some(json!({"first_name": "Ada"})), None),
            ("POST", format!("{}/send-message", self.contact), Some(message), Some("during")),
            ("DELETE", self.contact.clone(), None, None),
        ]
    }

    async fn ask(&self, (method, path, body, idempotency): &Request, key: &str) -> Reply {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(idempotency.map(|key| ("idempotency-key", key)));
        let body = body.as_ref().map(|body| body.to_string().into_bytes());
        let headers = if body.is_some() { headers.as_slice() } else { &[] };
        let asked = Instant::now();
        let reply = self.server.client().with_key(Some(key)).send(method, path, headers, body).await.unwrap();
        assert!(asked.elapsed() < IN_TIME, "{method} {path} took {:?}", asked.elapsed());
        reply
    }

    /// Sends all requests concurrently. Each gets 503 in time; the liveness check succeeds.
    async fn everything_is_unavailable(&self) {
        let requests = self.requests();
        let (full, fresh) = (&self.server.key, &self.fresh_key);
        let asked: Vec<_> = requests.iter().map(|it| (it, full)).chain([(&requests[0], fresh)]).collect();
        let replies = join_all(asked.iter().map(|(request, key)| self.ask(request, key))).await;
        for ((request, _), reply) in asked.iter().zip(&replies) {
            let case = format!("{} {}: {} {}", request.0, request.1, reply.status, reply.text);
            assert_eq!(reply.status, 503, "{case}");
            assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{case}");
            let wait: u64 = reply.header("retry-after").unwrap_or_else(|| panic!("{case}")).parse().unwrap();
            assert!((1..=60).contains(&wait), "{case}");
            assert!(["unavailable", "outcome_unknown"].contains(&reply.code().as_str()), "{case}");
            for secret in ["postgres", "tidings@", "127.0.0.1", "SELECT", "INSERT"] {
                assert!(!reply.text.contains(secret), "{case}");
            }
        }
        let nobody = self.server.client().with_key(None);
        nobody.get("/healthz").await.expect(200);
        nobody.get("/openapi.json").await.expect(200);
        // Requests that need no query get the usual response.
        nobody.get(&self.contact).await.expect(401);
        nobody.with_key(Some(&keys::mistyped(&self.fresh_key))).get(&self.contact).await.expect(401);
    }

    async fn recovered(&self) {
        let client = self.server.client();
        let healed = Instant::now();
        loop {
            let reply = client.get("/readyz").await;
            if reply.status == 200 {
                return;
            }
            assert_eq!(reply.status, 503, "{}", reply.text);
            assert!(healed.elapsed() < RECOVERY, "not ready {RECOVERY:?} after the database was back");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn an_outage_passes(&mut self, wire: Wire) {
        self.proxy.set(wire).await;
        // Twice: the second time the broken connections are already known.
        self.everything_is_unavailable().await;
        self.everything_is_unavailable().await;
        self.proxy.set(Wire::Whole).await;
        self.recovered().await;

        let client = self.server.client();
        let contact = insist(|| client.get(&self.contact)).await.expect(200);
        assert_eq!(contact["external_id"], "ada", "the contact did not change");
        let repeat = self.requests().into_iter().find(|request| request.3 == Some("during")).unwrap();
        let first = insist(|| self.ask(&repeat, &self.server.key)).await.expect(201);
        let second = insist(|| self.ask(&repeat, &self.server.key)).await;
        assert_eq!(second.header("idempotency-replayed"), Some("true"));
        assert_eq!(second.expect(201), first);
        let list = insist(|| client.get("/api/v1/contacts?external_id=during")).await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "exactly one contact exists: {list}");
    }
}

/// Repeats a request while the response is 503, as clients do.
async fn insist<F: Future<Output = Reply>>(mut ask: impl FnMut() -> F) -> Reply {
    let began = Instant::now();
    loop {
        let reply = ask().await;
        if reply.status != 503 {
            return reply;
        }
        assert!(began.elapsed() < RECOVERY, "still {}", reply.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_a_database_that_rejects_connections_and_recovers() {
    Setup::new().await.an_outage_passes(Wire::Cut).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_a_database_that_never_responds_and_recovers() {
    Setup::new().await.an_outage_passes(Wire::Dead).await;
}

/// The responses that writers got.
#[derive(Default)]
struct Told {
    acknowledged: AtomicUsize,
    unavailable: AtomicUsize,
}

/// Creates contacts, each repeated until it is acknowledged.
async fn write(client: Client, number: usize, told: Arc<Told>, stop: Arc<AtomicBool>) -> Vec<String> {
    let mut mine = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let external_id = format!("w{number}-{}", mine.len());
        let body = json!({"external_id": external_id}).to_string().into_bytes();
        let headers = [("content-type", "application/json"), ("idempotency-key", external_id.as_str())];
        loop {
            let reply = client.send("POST", "/api/v1/contacts", &headers, Some(body.clone())).await.unwrap();
            match reply.status {
                201 => break,
                503 => {
                    told.unavailable.fetch_add(1, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                _ => panic!("{external_id}: {} {}", reply.status, reply.text),
            }
        }
        mine.push(external_id);
        told.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
    mine
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_break_during_writes_lose_nothing() {
    let mut setup = Setup::new().await;
    let (told, stop) = (Arc::new(Told::default()), Arc::new(AtomicBool::new(false)));
    let writers: Vec<_> =
        (0..4).map(|number| tokio::spawn(write(setup.server.client(), number, told.clone(), stop.clone()))).collect();
    for _ in 0..12 {
        let goal = told.acknowledged.load(Ordering::SeqCst) + 10;
        let mut patience = Patience::new();
        while told.acknowledged.load(Ordering::SeqCst) < goal {
            assert!(patience.allows(told.acknowledged.load(Ordering::SeqCst)), "the writers make no progress");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        setup.proxy.set(Wire::Cut).await;
        setup.proxy.set(Wire::Whole).await;
    }
    stop.store(true, Ordering::SeqCst);
    let mut acknowledged: Vec<String> =
        join_all(writers).await.into_iter().flat_map(|writer| writer.unwrap()).chain(["ada".to_owned()]).collect();

    let client = setup.server.client();
    let (mut there, mut path) = (Vec::new(), "/api/v1/contacts?limit=100".to_owned());
    loop {
        let page = insist(|| client.get(&path)).await.expect(200);
        there.extend(page["data"].as_array().unwrap().iter().map(|it| it["external_id"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/v1/contacts?limit=100&cursor={cursor}");
    }
    acknowledged.sort();
    there.sort();
    assert_eq!(there, acknowledged, "exactly the acknowledged contacts exist, each once");
    let unavailable = told.unavailable.load(Ordering::SeqCst);
    println!("{} contacts were acknowledged over 12 broken wires; 503 came {unavailable} times", acknowledged.len());
    assert!(unavailable > 0, "no write was in progress when the connection broke");
}

impl Setup {
    /// Creates a contact and triggers the trap at its COMMIT; returns the response and the number of contacts with that
    /// name.
    async fn create_into(&mut self, name: &str, forward: bool, cut: bool) -> (Reply, usize) {
        let sprung = self.proxy.sprung();
        self.proxy.set_trap(Trap { text: name.to_owned(), forward, cut });
        let request = ("POST", "/api/v1/contacts".to_owned(), Some(json!({"external_id": name})), None);
        let reply = self.ask(&request, &self.server.key).await;
        assert_eq!(self.proxy.sprung(), sprung + 1, "the trap was not triggered");
        self.proxy.set(Wire::Whole).await;
        self.recovered().await;
        let client = self.server.client();
        let path = format!("/api/v1/contacts?external_id={name}");
        let list = insist(|| client.get(&path)).await.expect(200);
        (reply, list["data"].as_array().unwrap().len())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resolves_a_commit_whose_response_is_lost() {
    let mut setup = Setup::new().await;
    for round in 0..5 {
        for (forward, what) in [(true, "committed"), (false, "aborted")] {
            let name = format!("{what}-{round}");
            let (reply, found) = setup.create_into(&name, forward, false).await;
            let made = reply.expect(201);
            assert_eq!((made["external_id"].as_str(), found), (Some(name.as_str()), 1));
            let id = made["id"].as_str().unwrap();
            let there = setup.server.client().get(&format!("/api/v1/contacts/external_id:{name}")).await.expect(200);
            assert_eq!(there["id"], id, "the response has the ID of the created contact");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_an_unknown_outcome_if_a_commit_cannot_be_checked() {
    let mut setup = Setup::new().await;
    let (reply, found) = setup.create_into("unheard", true, true).await;
    assert_eq!((reply.status, reply.code().as_str()), (503, "outcome_unknown"));
    assert!(reply.header("retry-after").is_some());
    assert_eq!(found, 1, "the contact was committed");
    let (reply, found) = setup.create_into("unsaid", false, true).await;
    assert_eq!((reply.status, reply.code().as_str()), (503, "outcome_unknown"));
    assert_eq!(found, 0, "the contact was not committed");
}
