//! An acknowledged webhook against concurrent commits: every later request to any process is delivered to it, once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::future::join_all;
use serde_json::{Value, json};

use super::pace::{races, run};
use super::setup::{NO_LIMITS, id, insist, text};
use crate::support::receiver::Received;
use crate::support::{Client, Receiver, Reply, Server, Store};

const AT_ONCE: usize = 4;
/// The number of other clients at each process that commit all the time, so the commits of a race are concurrent with
/// others.
const OTHERS: usize = 3;
const KIND: &str = "contact.created";

/// The processes of one service, and the receiver.
struct Race {
    doors: [Client; 2],
    receiver: Receiver,
}

struct Told {
    contact: String,
    event: String,
}

/// Repeats a request with a fixed idempotency key until there is a response.
async fn ask(client: &Client, method: &str, path: &str, key: &str, body: &Value) -> Reply {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    let bytes = body.to_string().into_bytes();
    insist(async || client.send(method, path, &headers, Some(bytes.clone())).await.ok()).await.0
}

impl Race {
    /// Creates a webhook at one process and, after the response, a contact at the other.
    async fn once(&self, number: usize) -> Told {
        let (here, there) = (&self.doors[number % 2], &self.doors[(number + 1) % 2]);
        let headers = json!({"X-Race": number.to_string()});
        let hook = json!({"url": self.receiver.url, "events": [KIND], "headers": headers});
        let contact = json!({"external_id": format!("race-{number}")});

        let hook = ask(here, "POST", "/api/v1/webhooks", &format!("hook-{number}"), &hook).await;
        let made = ask(there, "POST", "/api/v1/contacts", &format!("contact-{number}"), &contact).await;
        let (hook, contact) = (id(&hook.expect(201)), id(&made.expect(201)));
        let events_of = |received: &[Received]| -> Vec<String> {
            let own = received.iter().filter(|it| race_of(it) == number).map(Received::envelope);
            own.filter(|it| it["data"]["object"]["id"] == contact.as_str()).map(|it| text(&it, "id")).collect()
        };
        let what = format!("contact {contact} of race {number} at its webhook");
        let received = self.receiver.until(&what, |received| !events_of(received).is_empty()).await;
        let event = events_of(&received).remove(0);

        let path = format!("/api/v1/webhooks/{hook}/deliveries?event_type={KIND}&limit=100");
        let deliveries = insist(async || there.send("GET", &path, &[], None).await.ok()).await.0.expect(200);
        let deliveries = deliveries["data"].as_array().unwrap();
        assert_eq!(deliveries.iter().filter(|it| it["event_id"] == event.as_str()).count(), 1, "{deliveries:?}");
        let path = format!("/api/v1/webhooks/{hook}");
        let (gone, asked_again) = insist(async || here.send("DELETE", &path, &[], None).await.ok()).await;
        assert!(gone.status == 204 || (asked_again && gone.status == 404), "{} {}", gone.status, gone.text);
        Told { contact, event }
    }
}

/// Returns the race of the webhook that received a delivery.
fn race_of(received: &Received) -> usize {
    received.headers["x-race"].parse().unwrap()
}

/// Changes its own contact all the time; returns the number of changes. No webhook subscribes to their events.
async fn commit_all_the_time(client: &Client, name: String, is_over: &AtomicBool) -> usize {
    let made = ask(client, "POST", "/api/v1/contacts", &name, &json!({"external_id": name})).await.expect(201);
    let (path, mut count) = (format!("/api/v1/contacts/{}", id(&made)), 0);
    while !is_over.load(Ordering::SeqCst) {
        let body = json!({"first_name": format!("Ada {count}")});
        ask(client, "PATCH", &path, &format!("{name}-{count}"), &body).await.expect(200);
        count += 1;
    }
    count
}

pub async fn new_webhooks_receive_every_later_event(store: Store) {
    let name = if matches!(store, Store::Sqlite(_)) { "SQLite" } else { "PostgreSQL" };
    let server = Server::start(store, &NO_LIMITS);
    // A SQLite file has one server.
    let twin = (name == "PostgreSQL").then(|| server.twin());
    let doors = [server.client(), twin.as_ref().unwrap_or(&server).client()];
    let (race, is_over, began) = (Race { doors, receiver: Receiver::start() }, AtomicBool::new(false), Instant::now());
    let others =
        (0..2 * OTHERS).map(|number| commit_all_the_time(&race.doors[number % 2], format!("other-{number}"), &is_over));
    let racing = async {
        let told = run(AT_ONCE, |number| race.once(number)).await;
        is_over.store(true, Ordering::SeqCst);
        told
    };
    let (told, commits) = futures::join!(racing, join_all(others));
    assert!(commits.iter().all(|count| *count > 0), "one of the other writers committed nothing: {commits:?}");

    // All webhooks received the same event of each contact.
    let mut events = BTreeMap::<String, BTreeSet<String>>::new();
    for envelope in race.receiver.received().iter().map(Received::envelope) {
        assert_eq!(envelope["type"], KIND);
        events.entry(text(&envelope["data"]["object"], "id")).or_default().insert(text(&envelope, "id"));
    }
    assert_eq!(told.len(), races());
    for Told { contact, event } in told {
        assert_eq!(events[&contact], BTreeSet::from([event]), "{contact}");
    }
    let (seconds, beside) = (began.elapsed().as_secs(), commits.iter().sum::<usize>());
    println!("Webhook against commits on {name}, {} races in {seconds} s beside {beside} commits", races());
}
