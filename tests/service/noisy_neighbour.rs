//! One workspace searches as much as it can, with open connections and with connections that it closes at once. Its
//! neighbour is served, and no queue contains work after the clients are gone. `TIDINGS_TEST_FIGURES` measures figures,
//! with enough contacts to make a search slow.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{Client, METRICS_TOKEN, Server, Store};

const SEARCHES: usize = 40;
const REQUESTS: usize = 20;
const BATCH: usize = 100;
/// The time until a waiting or running search has ended.
const GONE: Duration = Duration::from_secs(1);
/// The time until the engines have finished accepted bulk operations.
const DONE: Duration = Duration::from_secs(60);

fn with_figures() -> bool {
    std::env::var_os("TIDINGS_TEST_FIGURES").is_some()
}

/// A condition that examines every contact and matches none.
fn condition() -> Value {
    let leaves = (0..49).map(|it| json!({"field": "first_name", "op": "contains", "value": format!("absent {it}")}));
    json!({"any": leaves.collect::<Vec<_>>()})
}

/// A route that evaluates a filter.
struct Search {
    method: &'static str,
    path: String,
    body: Option<Value>,
}

struct Setup {
    server: Server,
    noisy: Client,
    noisy_key: String,
    neighbour: Client,
    searches: Vec<Search>,
}

impl Setup {
    async fn new(store: Store) -> Self {
        let settings = [
            crate::support::people::OFTEN,
            ("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000"),
            ("TIDINGS__METRICS__TOKEN", METRICS_TOKEN),
            ("TIDINGS__LOG__LEVEL", "error"),
        ];
        let server = Server::start(store, &settings);
        let (noisy, other) = (server.new_workspace("noisy"), server.new_workspace("neighbour"));
        let noisy_key = server.new_key(&noisy, "full");
        let client = |key: &str| Client::new(&server.base, Some(key));
        let (noisy, neighbour) = (client(&noisy_key), client(&server.new_key(&other, "full")));
        let contacts = if with_figures() { 200_000 } else { 1_000 };
        for _ in 0..contacts / BATCH {
            let operation = json!({"action": "create", "contact": {"first_name": "Ada", "last_name": "Lovelace"}});
            noisy.post("/api/v1/contacts/batch", &json!({"operations": vec![operation; BATCH]})).await.expect(200);
        }
        neighbour.post("/api/v1/contacts", &json!({"first_name": "Bob"})).await.expect(201);
        let id = |made: Value| made["id"].as_str().unwrap().to_owned();
        let tag = id(noisy.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201));
        noisy.post("/api/v1/custom-fields", &json!({"name": "Plan", "type": "text"})).await.expect(201);
        let segment = json!({"name": "Slow", "condition": condition()});
        let segment = id(noisy.post("/api/v1/segments", &segment).await.expect(201));
        let broadcast = json!({"name": "News", "audience": condition(), "message": {"type": "text", "text": "Hi"}});
        let broadcast = id(noisy.post("/api/v1/broadcasts", &broadcast).await.expect(201));
        let get = |path: &str| Search { method: "GET", path: format!("/api/v1{path}"), body: None };
        let post = |path: &str, body: Option<Value>| Search { method: "POST", path: format!("/api/v1{path}"), body };
        let bulk = json!({"filter": condition(), "action": {"type": "tag", "tag_id": tag}});
        let searches = vec![
            post("/contacts/search", Some(json!({"filter": condition()}))),
            get("/contacts?q=zzzzqqq"),
            get("/contacts?custom_fields.plan=gold"),
            get("/contacts/export?q=zzzzqqq"),
            post("/contacts/bulk", Some(bulk)),
            get("/segments"),
            get(&format!("/segments/{segment}")),
            post(&format!("/broadcasts/{broadcast}/preview"), None),
            get("/conversations?q=zzzzqqq"),
            get("/analytics/overview?from=2026-01-01T00:00:00Z&to=2026-10-01T00:00:00Z"),
        ];
        Self { server, noisy, noisy_key, neighbour, searches }
    }

    /// Sends a request and closes the connection at once.
    async fn send_and_close(&self, search: &Search) {
        let host = self.server.base.trim_start_matches("http://");
        let body = search.body.as_ref().map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{} {} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            search.method,
            search.path,
            self.noisy_key,
            body.len()
        );
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
    }

    /// Sends the neighbour's requests one after another; returns their times.
    async fn neighbour(&self) -> Vec<Duration> {
        let mut times = Vec::new();
        for number in 0..REQUESTS {
            let asked = Instant::now();
            match number % 4 {
                0 => self.neighbour.get("/api/v1/tags").await.expect(200),
                1 => self.neighbour.get("/api/v1/contacts?q=bob").await.expect(200),
                2 => self.neighbour.post("/api/v1/contacts", &json!({"first_name": "Eve"})).await.expect(201),
                _ => self.neighbour.get("/readyz").await.expect(200),
            };
            times.push(asked.elapsed());
        }
        times
    }

    /// Waits until no query runs or waits.
    async fn until_idle(&self, case: &str) {
        let bound = if case.contains("/bulk") { DONE } else { GONE };
        let metrics = self.neighbour.with_key(Some(METRICS_TOKEN));
        let began = Instant::now();
        loop {
            let text = metrics.get("/metrics").await.text;
            let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
            let left = ["{state=\"running\"}", "{state=\"waiting\"}"]
                .map(|state| value(&format!("tidings_database_searches{state}")).expect("the metric is exposed"));
            if left == [0.0, 0.0] && value("tidings_database_waiting") == Some(0.0) {
                return;
            }
            assert!(
                began.elapsed() < bound,
                "{case}: {left:?} searches still run and wait after their clients left: {text}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn closed(&self, search: &Search) -> Vec<Duration> {
        join_all((0..SEARCHES).map(|_| self.send_and_close(search))).await;
        self.until_idle(&format!("{} {}, closed", search.method, search.path)).await;
        let sending = join_all((0..SEARCHES).map(|_| self.send_and_close(search)));
        futures::join!(sending, self.neighbour()).1
    }

    async fn kept(&self, search: &Search) -> Vec<Duration> {
        let case = format!("{} {}, kept", search.method, search.path);
        let searching: Vec<_> = (0..SEARCHES)
            .map(|_| {
                let (client, method, path) = (self.noisy.clone(), search.method, search.path.clone());
                let body = search.body.clone();
                tokio::spawn(async move { client.call(method, &path, body.as_ref()).await })
            })
            .collect();
        let times = self.neighbour().await;
        // Some searches still run or wait, so the neighbour did not wait for them.
        let (done, left): (Vec<_>, Vec<_>) = searching.into_iter().partition(tokio::task::JoinHandle::is_finished);
        left.iter().for_each(tokio::task::JoinHandle::abort);
        for reply in join_all(done).await {
            let reply = reply.unwrap();
            let is_full = || reply.code() == "limit_exceeded";
            let is_right = match reply.status {
                200 | 202 => true,
                429 => reply.code() == "search_limit" && reply.header("retry-after").is_some(),
                422 => is_full() || reply.code() == "query_too_slow",
                _ => false,
            };
            assert!(is_right, "{case}: {} {}", reply.status, reply.text);
        }
        for search in left {
            let _ = search.await;
        }
        self.until_idle(&case).await;
        times
    }
}

fn p95(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() * 95 / 100 - 1]
}

async fn serves_a_neighbour_during_heavy_searches(store: Store) {
    let setup = Setup::new(store).await;
    let quiet = p95(setup.neighbour().await);
    for search in &setup.searches {
        let (closed, kept) = (p95(setup.closed(search).await), p95(setup.kept(search).await));
        let Search { method, path, .. } = search;
        println!("{method} {path}: neighbour's p95 quiet {quiet:?}, connections closed {closed:?}, kept {kept:?}");
        if with_figures() {
            let most = (10 * quiet).clamp(Duration::from_millis(100), Duration::from_millis(250));
            assert!(closed <= most && kept <= most, "{method} {path}: at most {most:?}");
        }
    }
    setup.server.client().with_key(None).get("/readyz").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serves_a_neighbour_during_heavy_searches_on_sqlite() {
    serves_a_neighbour_during_heavy_searches(Store::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serves_a_neighbour_during_heavy_searches_on_postgresql() {
    serves_a_neighbour_during_heavy_searches(Store::postgres().await).await;
}

async fn rejects_a_search_that_exceeds_its_time_limit(store: Store) {
    let settings = [("TIDINGS__STORAGE__SEARCH_TIMEOUT", "PT0S")];
    let server = Server::start(store, &settings);
    let client = server.client();
    let operation = json!({"action": "create", "contact": {"first_name": "Ada"}});
    client.post("/api/v1/contacts/batch", &json!({"operations": vec![operation; BATCH]})).await.expect(200);
    let reply = client.post("/api/v1/contacts/search", &json!({"filter": condition()})).await;
    assert_eq!((reply.status, reply.code().as_str()), (422, "query_too_slow"), "{}", reply.text);
    assert!(reply.json()["detail"].as_str().unwrap().contains("narrow"), "{}", reply.text);
    client.get("/api/v1/contacts").await.expect(200);
}

#[tokio::test]
async fn rejects_a_search_that_exceeds_its_time_limit_on_sqlite() {
    rejects_a_search_that_exceeds_its_time_limit(Store::sqlite().await).await;
}

#[tokio::test]
async fn rejects_a_search_that_exceeds_its_time_limit_on_postgresql() {
    rejects_a_search_that_exceeds_its_time_limit(Store::postgres().await).await;
}
