//! PostgreSQL is killed and restarted ten times under load.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;

use super::{IN_TIME, Told, insist};
use crate::support::cluster::Cluster;
use crate::support::{Client, Patience, Receiver, Server, Store};

const RESTARTS: usize = 10;

/// Creates contacts and starts a run for each until `stop`; returns the acknowledged contacts and runs.
async fn start_runs(
    client: Client,
    number: usize,
    flow: String,
    told: Arc<Told>,
    stop: Arc<AtomicBool>,
) -> Vec<(String, String)> {
    let mut made = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let external_id = format!("r{number}-{}", made.len());
        let contact = json!({"external_id": external_id});
        let contact = acknowledged(&client, "/api/v1/contacts", &external_id, contact.to_string(), &told).await;
        let path = format!("/api/v1/contacts/{contact}/start-flow");
        let run = acknowledged(&client, &path, &external_id, json!({"flow_id": flow}).to_string(), &told).await;
        made.push((contact, run));
        told.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
    made
}

/// Repeats a POST until it is acknowledged; every response arrives in time.
async fn acknowledged(client: &Client, path: &str, key: &str, body: String, told: &Told) -> String {
    loop {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        let asked = Instant::now();
        let reply = client.send("POST", path, &headers, Some(body.clone().into_bytes())).await.unwrap();
        assert!(asked.elapsed() < IN_TIME, "{path} took {:?}", asked.elapsed());
        match reply.status {
            200..300 => return reply.json()["id"].as_str().unwrap().to_owned(),
            503 => {
                told.unavailable.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            status => panic!("{path}: {status} {}", reply.text),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn loses_no_run_and_no_delivery_over_ten_database_crashes() {
    let cluster = Cluster::start();
    let receiver = Receiver::start();
    let limits = ("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000");
    let quick = ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT1S,PT1S,PT1S,PT1S,PT1S");
    let server = Server::start(Store::At(cluster.url.clone()), &[limits, quick]);
    let client = server.client();
    let hook = json!({"url": receiver.url, "events": ["contact.created", "flow.completed"]});
    client.post("/api/v1/webhooks", &hook).await.expect(201);
    let definition = json!({"start": "wait", "nodes": [
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "done"}, {"id": "done", "type": "end"}]});
    let flow = client.publish_flow("Wait", &definition).await;

    let (told, stop) = (Arc::new(Told::default()), Arc::new(AtomicBool::new(false)));
    let writers: Vec<_> = (0..3)
        .map(|number| tokio::spawn(start_runs(server.client(), number, flow.clone(), told.clone(), stop.clone())))
        .collect();
    for _ in 0..RESTARTS {
        let goal = told.acknowledged.load(Ordering::SeqCst) + 5;
        let mut patience = Patience::new();
        while told.acknowledged.load(Ordering::SeqCst) < goal {
            assert!(patience.allows(told.acknowledged.load(Ordering::SeqCst)), "the writers make no progress");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let before = told.unavailable.load(Ordering::SeqCst);
        cluster.stop().await;
        let stopped = Instant::now();
        while told.unavailable.load(Ordering::SeqCst) == before {
            assert!(stopped.elapsed() < IN_TIME, "no client notices the outage of the database");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cluster.begin().await;
    }
    stop.store(true, Ordering::SeqCst);
    let made: Vec<_> = join_all(writers).await.into_iter().flat_map(|writer| writer.unwrap()).collect();

    for (_, run) in &made {
        let path = format!("/api/v1/flow-runs/{run}");
        insist(|| client.get(&path)).await.expect(200);
        client.until(&path, |run| run["status"] == "completed").await;
    }
    let wanted: BTreeSet<String> = made.iter().map(|(contact, _)| contact.clone()).collect();
    let delivered = |received: &[crate::support::receiver::Received]| -> BTreeSet<String> {
        let created = received.iter().filter(|it| it.kind() == "contact.created");
        created.map(|it| it.envelope()["data"]["object"]["id"].as_str().unwrap_or_default().to_owned()).collect()
    };
    receiver.until("an event of every contact", |received| delivered(received).is_superset(&wanted)).await;
    let completed = |received: &[crate::support::receiver::Received]| -> BTreeSet<String> {
        let ended = received.iter().filter(|it| it.kind() == "flow.completed");
        ended.map(|it| it.envelope()["id"].as_str().unwrap().to_owned()).collect()
    };
    receiver.until("an event of every run", |received| completed(received).len() >= made.len()).await;
    assert_eq!(completed(&receiver.received()).len(), made.len(), "each run ended once");
    println!("{} runs over {RESTARTS} deaths; 503 came {} times", made.len(), told.unavailable.load(Ordering::SeqCst));
}
