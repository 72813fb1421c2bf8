//! Hints that one server of a service relays to the others.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tidings_storage_suite::databases::texts;
use tokio::time::timeout;

use crate::support::stream::Told;
use crate::support::{Client, EventStream, Server};

/// The time until servers know each other, also on a busy machine.
const KNOWN: Duration = Duration::from_secs(30);
/// The time after which a hint is considered lost: its server did not know the watcher yet.
const UNHEARD: Duration = Duration::from_secs(2);

/// A process that is killed on drop.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Creates a tag with a new name; returns its ID.
async fn tag(client: &Client) -> Value {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let name = format!("tag {}", MADE.fetch_add(1, Ordering::SeqCst));
    client.post("/api/v1/tags", &json!({ "name": name })).await.expect(201)["id"].clone()
}

/// Creates tags at one server until a stream of another receives a hint.
async fn until_heard(client: &Client, stream: &mut EventStream) {
    let began = Instant::now();
    loop {
        let made = tag(client).await;
        let heard = stream.until(|it| it.data["changed"]["id"] == made);
        if timeout(UNHEARD, heard).await.is_ok() {
            return;
        }
        assert!(began.elapsed() < KNOWN, "no hint arrives");
    }
}

/// Returns all events up to the hint of an object.
async fn up_to(stream: &mut EventStream, id: &Value) -> Vec<Told> {
    let mut told = vec![stream.next().await];
    while told.last().is_some_and(|it| it.data["changed"]["id"] != *id) {
        told.push(stream.next().await);
    }
    told
}

/// A snooze at one server is streamed by the other, and so is a change at the stream's own server: each once.
pub async fn sends_each_hint_once_to_the_other_server(server: &Server) {
    let (key, _) = super::sandbox(server).await;
    let twin = server.twin();
    let (near, far) = (server.client().with_key(Some(&key)), Client::new(&twin.base, Some(&key)));
    let mut here = EventStream::ready(&server.base, &key).await;
    until_heard(&far, &mut here).await;

    let ada = far.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    let heard = json!({"contact": ada["id"], "text": "Are you there?"});
    far.post("/api/v1/sandbox/inbound", &heard).await.expect(202);
    let received = here.until(|it| it.event == "message.received").await;
    let conversation = received.data["data"]["object"]["conversation_id"].as_str().unwrap().to_owned();
    let until = json!({"until": "2099-01-01T00:00:00Z"});
    let snoozed = far.post(&format!("/api/v1/conversations/{conversation}/snooze"), &until).await.expect(200);
    let first = tag(&far).await;
    let second = tag(&near).await;
    let mut told = up_to(&mut here, &first).await;
    // Their order is not defined, because they take different paths.
    if !told.iter().any(|it| it.data["changed"]["id"] == second) {
        told.extend(up_to(&mut here, &second).await);
    }
    let last = tag(&far).await;
    told.extend(up_to(&mut here, &last).await);
    let times = |hint: Value| told.iter().filter(|it| it.data["changed"] == hint).count();
    assert_eq!(
        times(json!({"id": conversation, "type": "conversation", "version": snoozed["version"]})),
        1,
        "{told:?}"
    );
    for id in [first, second] {
        assert_eq!(times(json!({"id": id, "type": "tag", "version": 1})), 1, "{told:?}");
    }

    let mut there = EventStream::ready(&twin.base, &key).await;
    until_heard(&near, &mut there).await;
}

/// Jobs run in a process without an API; streams of another process still get their progress.
pub async fn streams_changes_of_a_separate_engine(server: &Server) {
    let mut api = Process(server.begin(&["serve", "--role", "api", "--json"]));
    let base = address(&mut api.0);
    let _engine = Process(server.begin(&["serve", "--role", "engine", "--json"]));
    let client = Client::new(&base, Some(&server.key));
    let mut stream = EventStream::ready(&base, &server.key).await;
    let nobody = json!({"field": "first_name", "op": "eq", "value": "nobody"});
    let bulk = json!({"filter": nobody, "action": {"type": "tag", "tag_id": tag(&client).await}});
    let began = Instant::now();
    loop {
        let started = client.post("/api/v1/contacts/bulk", &bulk).await.expect(202);
        // The request itself creates the first version.
        let done = stream.until(|it| {
            let changed = &it.data["changed"];
            changed["id"] == started["id"] && changed["version"].as_i64() > Some(1)
        });
        if timeout(UNHEARD, done).await.is_ok() {
            return;
        }
        assert!(began.elapsed() < KNOWN, "no hint arrives");
    }
}

/// Returns the address that a process prints.
fn address(process: &mut Child) -> String {
    let mut lines = BufReader::new(process.stdout.take().unwrap());
    let mut said = String::new();
    loop {
        assert!(lines.read_line(&mut said).unwrap() > 0, "the server did not start: {said}");
        if let Ok(words) = serde_json::from_str::<Value>(&said) {
            return words["address"].as_str().unwrap().to_owned();
        }
    }
}

/// The connections that relay hints are closed: streams stay open, get an event to reload everything, and receive hints
/// again.
pub async fn resumes_hints_after_a_gap(server: &Server) {
    let twin = server.twin();
    let far = Client::new(&twin.base, Some(&server.key));
    let mut here = EventStream::ready(&server.base, &server.key).await;
    until_heard(&far, &mut here).await;
    let close = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity \
                 WHERE datname = current_database() AND query LIKE '%tidings_hints%' AND pid <> pg_backend_pid()";
    assert_eq!(texts(&server.url(), close).await, ["true", "true"], "each server has one relay connection");
    let everything = json!({"id": null, "type": "workspace", "version": null});
    here.until(|it| it.data["changed"] == everything).await;
    until_heard(&far, &mut here).await;
}
