//! Many connections.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::wire::{address, answer, connect_from, head, metric, until_closed, until_metric};
use crate::support::{METRICS_TOKEN, Server, Store};

/// Returns an address of this machine; on Linux, all of 127.0.0.0/8 are.
fn from(number: u8) -> IpAddr {
    Ipv4Addr::new(127, 0, 0, number).into()
}

/// Opens connections that are accepted and send nothing.
async fn hold(server: &Server, address: IpAddr, count: usize) -> Vec<TcpStream> {
    let mut held = Vec::with_capacity(count);
    for _ in 0..count {
        held.push(connect_from(server, address).await);
    }
    held
}

/// Returns the response to a request on a new connection.
async fn told(server: &Server, address: IpAddr) -> String {
    let mut stream = connect_from(server, address).await;
    stream.write_all(head(server, "GET /api/v1/me", &["Connection: close"]).as_bytes()).await.unwrap();
    until_closed(&mut stream).await.0
}

/// Returns the maximum number of files that this process may open.
fn descriptors() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_connections_beyond_the_descriptors() {
    let settings = [
        ("TIDINGS__HTTP__TIMEOUTS__HEAD", "PT1M"),
        ("TIDINGS__HTTP__TIMEOUTS__KEEP_ALIVE", "PT1M"),
        ("TIDINGS__METRICS__TOKEN", METRICS_TOKEN),
    ];
    let mut server = Server::provision(Store::sqlite().await, &settings);
    // This allows 128 connections, 64 of them from one address.
    server.allow_descriptors(256);
    server.serve();
    let open = "tidings_http_connections";

    let one = hold(&server, from(2), 64).await;
    until_metric(&server, open, |open| open >= 65.0).await;
    let refused = told(&server, from(2)).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("\"unavailable\""), "{refused}");
    assert!(refused.contains("Your address has reached its connection limit"), "{refused}");
    assert!(told(&server, from(3)).await.starts_with("HTTP/1.1 200"), "clients at other addresses can connect");

    // This client is connected before the crowd.
    let mut known = connect_from(&server, from(4)).await;
    known.write_all(head(&server, "GET /healthz", &[]).as_bytes()).await.unwrap();
    answer(&mut known).await;
    let crowd = hold(&server, from(5), 200).await;
    // If many are refused at once, some are closed without a response.
    let refused = async {
        while !told(&server, from(7)).await.contains("The server has reached its connection limit") {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), refused).await.unwrap();
    known.write_all(head(&server, "GET /api/v1/contacts", &[]).as_bytes()).await.unwrap();
    assert!(
        answer(&mut known).await.starts_with("HTTP/1.1 200"),
        "open connections are served, including database requests"
    );

    drop((one, crowd));
    let free = async {
        while !told(&server, from(7)).await.starts_with("HTTP/1.1 200") {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), free).await.unwrap();
    for bound in ["all", "address"] {
        let refused = metric(&server, &format!("tidings_http_connections_refused_total{{bound=\"{bound}\"}}")).await;
        assert!(refused.is_some_and(|refused| refused >= 1.0), "{bound}: {refused:?}");
    }
    assert!(!server.log().contains("ERROR"), "{}", server.log());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_requests_beside_many_silent_connections() {
    let settings = [("TIDINGS__HTTP__TIMEOUTS__HEAD", "PT1M"), ("TIDINGS__METRICS__TOKEN", METRICS_TOKEN)];
    let server = Server::start(Store::sqlite().await, &settings);
    let count = (descriptors() / 3).min(5_000);
    let mut crowd = Vec::new();
    for number in 0..10 {
        crowd.extend(hold(&server, from(10 + number), count / 10).await);
    }
    until_metric(&server, "tidings_http_connections", |open| open >= (count / 10 * 10) as f64).await;
    let began = Instant::now();
    for _ in 0..50 {
        let told = told(&server, from(2)).await;
        assert!(told.starts_with("HTTP/1.1 200"), "{told}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    drop(crowd);
    until_metric(&server, "tidings_http_connections", |open| open <= 2.0).await;
}

/// The docs script has several megabytes. It is in memory once, not once for each slow client.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_a_long_answer_once_for_many_slow_readers() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client().with_key(None);
    assert_eq!(client.get("/docs/scalar-1.72.1.js").await.status, 200);
    let (before, mut readers) = (server.memory(), Vec::new());
    for number in 0..100 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        socket.bind((from(2 + number), 0).into()).unwrap();
        let mut stream = socket.connect(address(&server)).await.unwrap();
        stream.write_all(head(&server, "GET /docs/scalar-1.72.1.js", &[]).as_bytes()).await.unwrap();
        readers.push(stream);
    }
    for stream in &mut readers {
        // Its response has begun.
        assert!(stream.read_u8().await.is_ok());
    }
    let after = server.memory();
    assert!(after < before + (32 << 20), "{before} bytes of memory, then {after}");
}
