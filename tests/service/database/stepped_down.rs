//! A primary that became read-only, and several hosts with a dead one among them.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;
use tidings_storage_suite::databases::{run, texts};

use super::{IN_TIME, reload, until_readiness, until_ready};
use crate::support::cluster::Cluster;
use crate::support::{Client, Reply, Server, Store};

async fn create(client: &Client, name: &str) -> Reply {
    let asked = Instant::now();
    let reply = client.post("/api/v1/tags", &json!({ "name": name })).await;
    assert!(asked.elapsed() < IN_TIME, "{name}: {:?}", asked.elapsed());
    reply
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_and_leaves_a_primary_that_rejects_writes() {
    let cluster = Cluster::start();
    let server =
        Server::start(Store::At(cluster.url.clone()), &[("TIDINGS__METRICS__TOKEN", crate::support::METRICS_TOKEN)]);
    let client = server.client();
    create(&client, "before").await.expect(201);
    until_ready(&client).await;
    let sessions = "SELECT pid::text FROM pg_stat_activity WHERE application_name LIKE 'tidings-%' ORDER BY pid";
    let before = texts(&cluster.url, sessions).await;
    assert!(!before.is_empty());

    // Connections stay open and reads work; writes fail (25006), also on existing connections.
    reload(&cluster, "default_transaction_read_only", "on").await;
    let refused = create(&client, "read-only").await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"), "{}", refused.text);
    let told = until_readiness(&client, 503).await;
    assert!(told.text.contains("the store rejects writes"), "{}", told.text);
    client.get("/api/v1/tags").await.expect(200);
    let metrics = client.with_key(Some(crate::support::METRICS_TOKEN)).get("/metrics").await.text;
    assert!(metrics.contains("tidings_database_writable 0"), "{metrics}");

    // Young connections are closed when they are two seconds old, so the server does not get too many new ones at once.
    let began = Instant::now();
    while texts(&cluster.url, sessions).await.iter().any(|session| before.contains(session)) {
        assert!(began.elapsed() < IN_TIME, "old connections are still open");
        assert_eq!(create(&client, "read-only").await.status, 503);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    reload(&cluster, "default_transaction_read_only", "off").await;
    until_ready(&client).await;
    create(&client, "read-only").await.expect(201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uses_the_host_that_accepts_writes() {
    let store = Store::postgres().await;
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = store.url();
    let (user, place) = url.split_once('@').unwrap();
    let several = format!("{user}@{free},{place}?target_session_attrs=read-write");
    let server = Server::start(Store::At(several), &[]);
    let client = server.client();
    create(&client, "by the second host").await.expect(201);
    client.get("/readyz").await.expect(200);

    // A read-only host is not used.
    let name = texts(&url, "SELECT current_database()::text").await.remove(0);
    run(&url, &format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
    let (_, said) = server.attempt(&["key", "list", "--workspace", &server.workspace], &[]);
    assert!(said.contains("does not allow writes"), "{said}");
}
