//! Two servers with one PostgreSQL and one Redis: the requests admitted to all clients together, from the clients' log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;

use crate::support::redis::Redis;
use crate::support::{Client, Server, Store};

const LIMIT: usize = 200;
const MINUTE: Duration = Duration::from_secs(60);

/// Sends requests repeatedly; returns when each admitted request was sent and answered.
async fn hammer(client: Client, stop: Arc<AtomicBool>) -> Vec<(Instant, Instant)> {
    let mut admitted = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let sent = Instant::now();
        let reply = client.get("/api/v1/me").await;
        match reply.status {
            200 => admitted.push((sent, Instant::now())),
            429 => {
                let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
                assert!((1..=130).contains(&wait), "{wait}");
                // Far more often than allowed, but without overloading the machine.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            status => panic!("{status} {}", reply.text),
        }
    }
    admitted
}

/// Returns the most requests certainly admitted within 60 seconds: sent after the first was sent, and answered within
/// 60 seconds of that.
fn most_in_a_minute(log: &[(Instant, Instant)]) -> usize {
    let within = |start: Instant| log.iter().filter(|(sent, told)| *sent >= start && *told < start + MINUTE).count();
    log.iter().map(|(sent, _)| within(*sent)).max().unwrap_or(0)
}

async fn checks(server: &Server) -> Vec<(String, String)> {
    let ready = server.client().with_key(None).get("/readyz").await.expect(200);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    ready["checks"].as_array().unwrap().iter().map(|it| (text(&it["name"]), text(&it["status"]))).collect()
}

async fn until_limits_are(server: &Server, status: &str) {
    let began = Instant::now();
    while !checks(server).await.contains(&("limits".to_owned(), status.to_owned())) {
        assert!(began.elapsed() < Duration::from_secs(20), "limits are not {status}: {:?}", checks(server).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Runs for more than a minute, with a Redis that is killed and restarted empty.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_share_one_limit_in_every_rolling_minute() {
    let mut redis = Redis::start();
    let limit = LIMIT.to_string();
    let settings = [
        ("TIDINGS__REDIS__URL", redis.url()),
        ("TIDINGS__LIMITS__INSTANCES", "2".to_owned()),
        ("TIDINGS__LIMITS__PLANS__BUSINESS", limit),
    ];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let first = Server::start(Store::postgres().await, &settings);
    let second = first.twin();
    for server in [&first, &second] {
        until_limits_are(server, "ok").await;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let began = Instant::now();
    let clients = [first.client(), second.client(), first.client(), second.client()];
    let hammers: Vec<_> = clients.map(|client| tokio::spawn(hammer(client, stop.clone()))).into_iter().collect();

    tokio::time::sleep(Duration::from_secs(15)).await;
    redis.kill();
    until_limits_are(&first, "warning").await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    redis.begin();
    for server in [&first, &second] {
        until_limits_are(server, "ok").await;
    }
    tokio::time::sleep(Duration::from_secs(75).saturating_sub(began.elapsed())).await;
    stop.store(true, Ordering::SeqCst);
    let log: Vec<_> = join_all(hammers).await.into_iter().flat_map(|it| it.unwrap()).collect();

    let most = most_in_a_minute(&log);
    let early = log.iter().filter(|(_, told)| told.duration_since(began) < Duration::from_secs(10)).count();
    println!(
        "{} admitted in {:?}, at most {most} of {LIMIT} within a minute, {early} at once",
        log.len(),
        began.elapsed()
    );
    assert!(most <= LIMIT, "{most} requests were admitted within a minute");
    assert_eq!(early, LIMIT, "the whole limit can be used at once");
    assert!(log.len() > LIMIT, "the next minute admits further requests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_without_redis_report_a_warning() {
    let first = Server::start(Store::postgres().await, &[]);
    until_limits_are(&first, "ok").await;
    let second = first.twin();
    for server in [&first, &second] {
        until_limits_are(server, "warning").await;
    }
}
