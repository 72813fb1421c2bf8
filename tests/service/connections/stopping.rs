//! Shutdown with open connections.

use std::net::TcpListener;
use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::wire::{answer, connect, head, until_closed};
use crate::support::{Client, METRICS_TOKEN, Server, Store};

const REQUESTS: usize = 1_000;

/// Returns an address that was free a moment ago.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_all_requests_during_the_drain() {
    // Longer than the test; a second signal ends the drain after all responses.
    let mut server = Server::start(Store::sqlite().await, &[("TIDINGS__SHUTDOWN__DRAIN", "PT1M")]);
    let client = server.client();
    let mut last = 0;
    for number in 0..REQUESTS {
        if number == REQUESTS / 3 {
            assert_eq!(client.get("/readyz").await.status, 200);
            server.terminate();
            client.until_status("/readyz", 503).await;
            last = number;
        }
        let reply = client.get("/healthz").await;
        assert_eq!(reply.status, 200, "request {number}");
        assert_eq!(reply.header("connection"), (last > 0).then_some("close"), "request {number}");
    }
    assert_eq!(client.get("/api/v1/me").await.status, 200, "all routes are served during the drain");
    server.terminate();
    assert!(server.wait(), "a second signal ends the server at once and successfully");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_started_requests_after_the_drain() {
    let settings = [("TIDINGS__SHUTDOWN__DRAIN", "PT0.1S"), ("TIDINGS__HTTP__TIMEOUTS__KEEP_ALIVE", "PT1M")];
    let mut server = Server::start(Store::sqlite().await, &settings);
    let (mut idle, mut busy) = (connect(&server).await, connect(&server).await);
    idle.write_all(head(&server, "GET /healthz", &[]).as_bytes()).await.unwrap();
    answer(&mut idle).await;
    // In progress: the head has arrived, but not the body.
    let headers = ["Content-Type: application/json", "Content-Length: 15", "Expect: 100-continue"];
    busy.write_all(head(&server, "POST /api/v1/tags", &headers).as_bytes()).await.unwrap();
    assert!(answer(&mut busy).await.starts_with("HTTP/1.1 100"));
    server.terminate();
    assert_eq!(until_closed(&mut idle).await.0, "");
    busy.write_all(br#"{"name":"late"}"#).await.unwrap();
    let (told, _) = until_closed(&mut busy).await;
    assert!(told.starts_with("HTTP/1.1 201") && told.to_lowercase().contains("connection: close"), "{told}");
    assert!(server.wait());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_serves_health_readiness_and_metrics() {
    let address = free_address();
    let settings = [("TIDINGS__METRICS__ADDRESS", address.as_str()), ("TIDINGS__METRICS__TOKEN", METRICS_TOKEN)];
    let server = Server::provision(Store::postgres().await, &settings);
    let mut engine = server.begin(&["serve", "--role", "engine"]);
    let client = Client::new(&format!("http://{address}"), None);
    let there = async {
        while client.send("GET", "/healthz", &[], None).await.is_err() {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), there).await.unwrap();
    let ready = client.until_status("/readyz", 200).await.json();
    let checks: Vec<_> = ready["checks"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert!(checks.contains(&"engine".into()) && checks.contains(&"storage".into()), "{ready}");
    assert!(client.get("/metrics").await.text.contains("tidings_uptime_seconds"));
    assert_eq!(client.get("/api/v1/me").await.status, 404, "the engine serves no API routes");
    engine.kill().unwrap();
    engine.wait().unwrap();
}
