//! An engine that freezes during its work for longer than its lease: another one takes over, and the frozen one changes
//! nothing when it continues. `TEST_LEASE=60` sets the lease in seconds, as in the long form (`make soak`).

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tidings_storage_suite::databases::texts;

use crate::support::{Client, METRICS_TOKEN, Patience, Server, Store};

const RUNS: usize = 20;
/// Added to the lease: PostgreSQL's timeout for an idle transaction, and one poll for due work.
const TAKEOVER: Duration = Duration::from_secs(15);

fn lease() -> Duration {
    Duration::from_secs(std::env::var("TEST_LEASE").map_or(2, |seconds| seconds.parse().unwrap()))
}

/// Repeats a query until its result matches.
async fn until(url: &str, query: &str, within: Duration, wanted: impl Fn(u64) -> bool) {
    let begun = Instant::now();
    loop {
        let count = texts(url, query).await[0].parse().unwrap();
        if wanted(count) {
            return;
        }
        assert!(begun.elapsed() < within, "{query}: still {count}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Accepts one delivery without responding.
fn taken(receiver: &TcpListener) -> TcpStream {
    let (mut stream, _) = receiver.accept().unwrap();
    let mut first = [0; 4_096];
    assert!(stream.read(&mut first).unwrap() > 0);
    stream
}

fn answer(mut stream: TcpStream) {
    // The client may be gone.
    let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
}

async fn attempts(client: &Client, hook: &str) -> (Value, usize) {
    let page = client.get(&format!("/api/v1/webhooks/{hook}/deliveries")).await.expect(200);
    assert_eq!(page["data"].as_array().unwrap().len(), 1);
    let path = format!("/api/v1/webhooks/{hook}/deliveries/{}", page["data"][0]["id"].as_str().unwrap());
    let delivery = client.get(&path).await.expect(200);
    (delivery["status"].clone(), delivery["attempts"].as_array().unwrap().len())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reclaims_jobs_of_a_frozen_engine_and_rejects_late_results() {
    let store = Store::postgres().await;
    let url = store.url();
    let seconds = format!("PT{}S", lease().as_secs());
    let settings = [("TIDINGS__ENGINE__LEASE", seconds.as_str()), ("TIDINGS__METRICS__TOKEN", METRICS_TOKEN)];
    let first = Server::start(store, &settings);
    let client = first.client();

    // During a delivery, and with runs that continue after a wait.
    let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
    let hook = json!({"url": format!("http://{}/", receiver.local_addr().unwrap()), "events": ["contact.updated"]});
    let hook = client.create("/api/v1/webhooks", &hook).await;
    let definition = json!({"start": "wait", "nodes": [
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "hi"},
        {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
        {"id": "end", "type": "end"}]});
    let flow = client.publish_flow("Hi", &definition).await;
    client.post("/api/v1/contacts", &json!({"external_id": "told"})).await.expect(201);
    client.put("/api/v1/contacts/external_id:told", &json!({"first_name": "Ada"})).await.expect(200);
    let unanswered = taken(&receiver);
    for number in 0..RUNS {
        let contact = client.create("/api/v1/contacts", &json!({"external_id": number.to_string()})).await;
        let start = format!("/api/v1/contacts/{contact}/start-flow");
        client.post(&start, &json!({"flow_id": flow})).await.expect(202);
    }
    let claimed = "SELECT count(*)::text FROM jobs WHERE claimed AND pool <> 'deliveries'";
    until(&url, claimed, TAKEOVER, |count| count > 0).await;
    first.signal("-STOP");
    let frozen = Instant::now();

    let second = first.twin();
    let mut other = receiver.try_clone().unwrap();
    other = tokio::task::spawn_blocking(move || {
        answer(taken(&other));
        other
    })
    .await
    .unwrap();
    assert!(frozen.elapsed() < lease() + TAKEOVER, "{:?}", frozen.elapsed());
    let sent = "SELECT count(*)::text FROM messages WHERE status = 'sent'";
    until(&url, sent, lease() + TAKEOVER, |count| count == RUNS as u64).await;
    let client = second.client();
    client.until(&format!("/api/v1/webhooks/{hook}/deliveries"), |page| page["data"][0]["status"] == "succeeded").await;
    assert_eq!(attempts(&client, &hook).await, (json!("succeeded"), 1));

    first.signal("-CONT");
    answer(unanswered);
    let metrics = first.client().with_key(Some(METRICS_TOKEN));
    let mut patience = Patience::new();
    // Waits for the end of its running jobs.
    while !metrics.get("/metrics").await.text.contains("tidings_pool_running_jobs{pool=\"deliveries\"} 0") {
        assert!(patience.allows(()), "{}", metrics.get("/metrics").await.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    first.client().until_status("/readyz", 200).await;
    until(&url, "SELECT ((SELECT count(*) FROM jobs WHERE claimed) + (SELECT count(*) FROM deliveries WHERE leased_until IS NOT NULL))::text", TAKEOVER, |count| count == 0).await;
    assert_eq!(
        attempts(&client, &hook).await,
        (json!("succeeded"), 1),
        "the late result of the frozen engine changes nothing"
    );
    let runs = "SELECT count(*)::text FROM flow_runs WHERE status = 'completed'";
    until(&url, runs, TAKEOVER, |count| count == RUNS as u64).await;
    let messages = "SELECT count(*)::text FROM messages";
    assert_eq!(texts(&url, messages).await, [RUNS.to_string()], "each run sends one message");
    drop(other);
}
