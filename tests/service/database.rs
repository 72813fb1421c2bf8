//! PostgreSQL in operation and in failure: restricted roles, TLS, a primary that is demoted, a machine that freezes.

mod frozen_engine;
mod pooler;
mod roles;
mod stepped_down;
mod tls;

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use tidings_storage_suite::databases::{run, texts};

use crate::support::cluster::Cluster;
use crate::support::{Client, Reply, Server, Store};

/// The longest response time and recovery time.
const IN_TIME: Duration = Duration::from_secs(10);

/// Waits until the server reports that it is ready.
async fn until_ready(client: &Client) {
    until_readiness(client, 200).await;
}

async fn until_readiness(client: &Client, status: u16) -> Reply {
    let began = Instant::now();
    loop {
        let reply = client.get("/readyz").await;
        if reply.status == status {
            return reply;
        }
        assert!(began.elapsed() < IN_TIME, "still {}", reply.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Changes a setting of the cluster, and waits until it is in effect.
async fn reload(cluster: &Cluster, setting: &str, value: &str) {
    // This also works on a read-only cluster.
    run(&cluster.url, &format!("ALTER SYSTEM SET {setting} = {value}")).await;
    run(&cluster.url, "SELECT pg_reload_conf()").await;
    let began = Instant::now();
    while texts(&cluster.url, &format!("SHOW {setting}")).await != [value] {
        assert!(began.elapsed() < IN_TIME, "{setting} is not {value}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn signal(signal: &str, processes: &[String]) {
    // A process that ended in the meantime needs no signal.
    let _ = Command::new("kill").arg(signal).args(processes).output().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_a_frozen_database_in_time_and_recovers() {
    let cluster = Cluster::start();
    let server = Server::start(Store::At(cluster.url.clone()), &[]);
    let client = server.client();
    client.post("/api/v1/tags", &json!({"name": "before"})).await.expect(201);

    // Connections stay open and new ones are accepted, but no query is answered.
    let mut frozen = texts(&cluster.url, "SELECT pid::text FROM pg_stat_activity").await;
    frozen.extend(texts(&cluster.url, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)").await);
    signal("-STOP", &frozen);
    let asked = Instant::now();
    let body = || Some(json!({"name": "frozen"}).to_string().into_bytes());
    let headers = [("content-type", "application/json"), ("idempotency-key", "frozen")];
    let replies = futures::future::join_all([
        client.send("GET", "/api/v1/tags", &[], None),
        client.send("POST", "/api/v1/tags", &headers[..1], body()),
        client.send("POST", "/api/v1/tags", &headers, body()),
        client.send("GET", "/readyz", &[], None),
    ]);
    let replies = replies.await;
    let took = asked.elapsed();
    signal("-CONT", &frozen);
    for reply in replies {
        let reply = reply.unwrap();
        assert_eq!(reply.status, 503, "{}", reply.text);
    }
    assert!(took < IN_TIME, "{took:?}");
    until_ready(&client).await;
    client.get("/api/v1/tags").await.expect(200);
}
