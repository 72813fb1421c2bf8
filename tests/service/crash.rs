//! kill -9 under load: acknowledged changes exist once and have one event each.
//!
//! The clients' log of acknowledged responses is the reference. After a broken connection, a client repeats its request
//! with the same idempotency key, as real clients do. `TIDINGS_TEST_KILLS` and `TIDINGS_TEST_SEED` vary the run.

mod bulk;
mod imports;
mod pauses;
mod sends;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::{Notify, watch};
use tokio::time::{timeout, timeout_at};

use crate::support::receiver::Received;
use crate::support::{Client, Dice, Patience, Receiver, Server, Store};

const CLIENTS: usize = 8;
/// The wait for another address of the server before a request is repeated at the same one.
const REPEAT: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Acknowledged {
    /// Contact ID by external ID.
    contacts: Mutex<BTreeMap<String, String>>,
    /// Conversation by message.
    messages: Mutex<BTreeMap<String, String>>,
    /// Contact by run.
    runs: Mutex<BTreeMap<String, String>>,
    count: AtomicUsize,
    more: Notify,
}

impl Acknowledged {
    fn note(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        self.more.notify_waiters();
    }
}

/// The server at its current address. The client is only replaced after a restart, because creating one takes time.
struct Door {
    address: watch::Receiver<String>,
    key: String,
    base: String,
    client: Client,
}

impl Door {
    fn new(address: watch::Receiver<String>, key: String) -> Self {
        let base = address.borrow().clone();
        let client = Client::new(&base, Some(&key));
        Self { address, key, base, client }
    }

    /// Returns a client for the current address.
    fn client(&mut self) -> &Client {
        let base = self.address.borrow_and_update().clone();
        if base != self.base {
            self.client = Client::new(&base, Some(&self.key));
            self.base = base;
        }
        &self.client
    }

    /// Repeats a request until there is a response, at the server's current address.
    async fn insist(&mut self, path: &str, idempotency: &str, body: &str) -> serde_json::Value {
        loop {
            let headers = [("content-type", "application/json"), ("idempotency-key", idempotency)];
            let sent = self.client().send("POST", path, &headers, Some(body.as_bytes().to_vec())).await;
            match sent {
                Ok(reply) if reply.status < 300 => return reply.json(),
                Ok(reply) if [408, 503].contains(&reply.status) => {}
                Ok(reply) => panic!("{path}: {} {}", reply.status, reply.text),
                // The connection broke: the server is down and restarts at another address. On a busy machine, the
                // response may also just be late.
                Err(_) => {
                    let _ = timeout(REPEAT, self.address.changed()).await;
                }
            }
        }
    }
}

async fn client(number: usize, (mut server, flow): (Door, String), told: Arc<Acknowledged>, stop: Arc<AtomicBool>) {
    let mut turn = 0;
    while !stop.load(Ordering::SeqCst) {
        let external_id = format!("c{number}-{turn}");
        let body = json!({"external_id": external_id, "first_name": "Ada"}).to_string();
        let contact = server.insist("/api/v1/contacts", &format!("contact-{external_id}"), &body).await;
        let id = contact["id"].as_str().unwrap().to_owned();
        told.contacts.lock().unwrap().insert(external_id.clone(), id.clone());
        told.note();
        if turn % 3 == 0 {
            let path = format!("/api/v1/contacts/{id}/send-message");
            let body = json!({"type": "text", "text": "Hello"}).to_string();
            let message = server.insist(&path, &format!("message-{external_id}"), &body).await;
            let text = |name: &str| message[name].as_str().unwrap().to_owned();
            told.messages.lock().unwrap().insert(text("id"), text("conversation_id"));
            told.note();
        }
        if turn % 3 == 1 {
            let path = format!("/api/v1/contacts/{id}/start-flow");
            let body = json!({"flow_id": flow}).to_string();
            let run = server.insist(&path, &format!("run-{external_id}"), &body).await;
            told.runs.lock().unwrap().insert(run["id"].as_str().unwrap().to_owned(), id);
            told.note();
        }
        turn += 1;
    }
}

async fn killed_under_load(store: Store, kills: usize, seed: u64) {
    println!("seed {seed}");
    let limits = ("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000");
    let mut server = Server::start(store, &[limits]);
    let receivers = [Receiver::start(), Receiver::start()];
    for receiver in &receivers {
        let hook = json!({"url": receiver.url, "events": ["contact.created", "message.sent", "flow.completed"]});
        server.client().post("/api/v1/webhooks", &hook).await.expect(201);
    }
    let flow = flow(&server.client()).await;

    let (here, address) = watch::channel(server.base.clone());
    let (told, stop) = (Arc::new(Acknowledged::default()), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let door = Door::new(address.clone(), server.key.clone());
            tokio::spawn(client(number, (door, flow.clone()), told.clone(), stop.clone()))
        })
        .collect();

    let mut dice = Dice::new(seed);
    let mut sent = 0;
    for _ in 0..kills {
        let goal = told.count.load(Ordering::SeqCst) + 20 + dice.below(60) as usize;
        let mut patience = Patience::new();
        loop {
            let more = told.more.notified();
            let count = told.count.load(Ordering::SeqCst);
            if count >= goal {
                break;
            }
            assert!(patience.allows(count), "no request is acknowledged after {count}");
            let _ = timeout_at(patience.deadline().into(), more).await;
        }
        // A message is not sent after five processes died with it. So messages are sent between two kills, however slowly
        // a process starts on a busy machine.
        let received = receivers[0].until("a message of this process", |it| messages_sent(it) > sent).await;
        // At a random point of the following requests.
        for _ in 0..dice.below(2_000) {
            tokio::task::yield_now().await;
        }
        server.kill();
        sent = messages_sent(&received);
        server.serve();
        here.send(server.base.clone()).unwrap();
    }
    stop.store(true, Ordering::SeqCst);
    for client in clients {
        client.await.unwrap();
    }
    // The deliveries show the progress of all runs and messages. A single message waits behind all others: on a busy
    // machine, its own status can stay the same for minutes.
    for receiver in &receivers {
        judge_deliveries(receiver, &told).await;
    }
    judge(&server, &told).await;
}

/// Returns the number of messages with the event `message.sent`.
fn messages_sent(received: &[Received]) -> usize {
    told_of(received).keys().filter(|(kind, _)| kind == "message.sent").count()
}

/// Publishes a flow that waits a second, counts, sends a message, and counts again; returns its ID.
async fn flow(client: &Client) -> String {
    let field = json!({"key": "steps", "name": "Steps", "type": "number"});
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    let count = |id: &str, next: &str| json!({"id": id, "type": "set_field", "field": "custom_fields.steps", "operation": "increment", "value": 1, "next": next});
    let definition = json!({"start": "wait", "nodes": [
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "before"},
        count("before", "hi"),
        {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "after"},
        count("after", "end"),
        {"id": "end", "type": "end"}]});
    client.publish_flow("Counts", &definition).await
}

/// Compares the acknowledged objects with the stored ones.
async fn judge(server: &Server, told: &Acknowledged) {
    let contacts = told.contacts.lock().unwrap().clone();
    let messages = told.messages.lock().unwrap().clone();
    let runs = told.runs.lock().unwrap().clone();
    println!("acknowledged: {} contacts, {} messages, {} runs", contacts.len(), messages.len(), runs.len());
    let client = server.client();

    let mut there = BTreeMap::new();
    let mut path = "/api/v1/contacts?limit=100".to_owned();
    loop {
        let page = client.get(&path).await.expect(200);
        for contact in page["data"].as_array().unwrap() {
            let text = |name: &str| contact[name].as_str().unwrap().to_owned();
            assert!(there.insert(text("external_id"), text("id")).is_none(), "a contact is listed twice");
        }
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/v1/contacts?limit=100&cursor={cursor}");
    }
    assert_eq!(there, contacts, "exactly the acknowledged contacts exist");
    for (message, conversation) in &messages {
        let path = format!("/api/v1/conversations/{conversation}/messages");
        let list =
            client.until(&path, |list| list["data"].as_array().unwrap().iter().all(|it| it["status"] == "sent")).await;
        let ids: Vec<_> = list["data"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(ids, [message], "the conversation has exactly one message");
    }
    for (run, contact) in &runs {
        let is_over = |run: &serde_json::Value| run["status"] != "running" && run["status"] != "waiting";
        let run = client.until(&format!("/api/v1/flow-runs/{run}"), is_over).await;
        assert_eq!(run["status"], "completed", "{run}");
        let contact = client.get(&format!("/api/v1/contacts/{contact}")).await.expect(200);
        assert_eq!(contact["custom_fields"]["steps"], 2, "each step ran once: {contact}");
    }
}

/// Returns the IDs of the delivered events, by event type and object.
fn told_of(received: &[Received]) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut events: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for delivery in received {
        let envelope = delivery.envelope();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let fact = (text(&envelope["type"]), text(&envelope["data"]["object"]["id"]));
        events.entry(fact).or_default().insert(text(&envelope["id"]));
    }
    events
}

/// Compares the acknowledged objects with the deliveries of one webhook.
async fn judge_deliveries(receiver: &Receiver, told: &Acknowledged) {
    let contacts = told.contacts.lock().unwrap().clone();
    let messages = told.messages.lock().unwrap().clone();
    let runs = told.runs.lock().unwrap().clone();
    // Each run sends a message and completes.
    let facts = contacts.len() + messages.len() + 2 * runs.len();
    let is_all = |received: &[Received]| received.len() >= facts && told_of(received).len() >= facts;
    let received = receiver.until("all events", is_all).await;
    let events = told_of(&received);
    for contact in contacts.values() {
        let ids = events.get(&("contact.created".to_owned(), contact.clone()));
        assert_eq!(ids.map(BTreeSet::len), Some(1), "one event for {contact}");
    }
    for message in messages.keys() {
        let ids = events.get(&("message.sent".to_owned(), message.clone()));
        assert_eq!(ids.map(BTreeSet::len), Some(1), "one event for {message}");
    }
    for run in runs.keys() {
        let ids = events.get(&("flow.completed".to_owned(), run.clone()));
        assert_eq!(ids.map(BTreeSet::len), Some(1), "one event for {run}");
    }
    let sent: Vec<_> = events.iter().filter(|((kind, _), _)| kind == "message.sent").collect();
    assert_eq!(sent.len(), messages.len() + runs.len(), "each run sent one message");
    assert!(sent.iter().all(|(_, ids)| ids.len() == 1), "one event for each message");
    assert_eq!(events.len(), facts, "there are no events for unknown objects");
}

/// Returns the number of kills: the default of the test, or the number from the environment.
fn kills(usual: usize) -> usize {
    std::env::var("TIDINGS_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(usual)
}

fn seed() -> u64 {
    std::env::var("TIDINGS_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0x71D1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn loses_and_duplicates_nothing_under_kills_on_sqlite() {
    killed_under_load(Store::sqlite().await, kills(10), seed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn loses_and_duplicates_nothing_under_kills_on_postgresql() {
    killed_under_load(Store::postgres().await, kills(5), seed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_operations_resume_after_kills_on_sqlite() {
    bulk::bulk_operations_resume_after_kills(Store::sqlite().await, kills(3)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_operations_resume_after_kills_on_postgresql() {
    bulk::bulk_operations_resume_after_kills(Store::postgres().await, kills(1)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_operations_of_every_action_resume_after_kills_on_sqlite() {
    bulk::bulk_operations_of_every_action_resume_after_kills(Store::sqlite().await, kills(1)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_operations_of_every_action_resume_after_kills_on_postgresql() {
    bulk::bulk_operations_of_every_action_resume_after_kills(Store::postgres().await, kills(1)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imports_resume_after_kills_on_sqlite() {
    imports::imports_resume_after_kills(Store::sqlite().await, kills(3)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imports_resume_after_kills_on_postgresql() {
    imports::imports_resume_after_kills(Store::postgres().await, kills(1)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_pauses_hold_messages_and_send_them_once_on_sqlite() {
    pauses::killed_pauses_hold_messages_and_send_them_once(Store::sqlite().await, seed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_pauses_hold_messages_and_send_them_once_on_postgresql() {
    pauses::killed_pauses_hold_messages_and_send_them_once(Store::postgres().await, seed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_queued_messages_once_after_kills_on_sqlite() {
    sends::sends_queued_messages_once_after_kills(Store::sqlite().await, sends::Provider::Forgets).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_queued_messages_once_after_kills_on_postgresql() {
    sends::sends_queued_messages_once_after_kills(Store::postgres().await, sends::Provider::Forgets).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_once_to_a_provider_that_recognises_repeats_on_sqlite() {
    sends::sends_queued_messages_once_after_kills(Store::sqlite().await, sends::Provider::Knows).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_once_to_a_provider_that_recognises_repeats_on_postgresql() {
    sends::sends_queued_messages_once_after_kills(Store::postgres().await, sends::Provider::Knows).await;
}

on_both! {
    messages_being_sent_stay_uncertain_and_queued_ones_are_sent in sends,
}
