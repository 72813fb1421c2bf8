//! Clients that keep the server waiting.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;

use super::wire::{address, answer, connect, head, metric, pour, until_closed, until_metric};
use crate::support::{METRICS_TOKEN, Server, Store};

/// Starts a server with these values of `http.timeouts` instead of the defaults.
async fn with_times(times: &[(&str, &str)]) -> Server {
    let times: Vec<_> = times.iter().map(|(name, time)| (format!("TIDINGS__HTTP__TIMEOUTS__{name}"), *time)).collect();
    let mut settings: Vec<_> = times.iter().map(|(name, time)| (name.as_str(), *time)).collect();
    settings.push(("TIDINGS__METRICS__TOKEN", METRICS_TOKEN));
    Server::start(Store::sqlite().await, &settings)
}

/// Longer than the timeouts below, and shorter than every default.
const SOON: Duration = Duration::from_secs(4);
const A_LITTLE: Duration = Duration::from_millis(50);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closes_connections_with_a_missing_or_slow_head() {
    let server = with_times(&[("HEAD", "PT1S")]).await;
    let silent = async {
        let (told, after) = until_closed(&mut connect(&server).await).await;
        assert!(told.starts_with("HTTP/1.1 408") && after < SOON, "{after:?} {told}");
    };
    let slow_head = async {
        let mut stream = connect(&server).await;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nX-Slow: ").await.unwrap();
        let (_, after) = pour(&mut stream, b"x", A_LITTLE).await;
        assert!(after < SOON, "{after:?}");
    };
    let slow_second_head = async {
        let mut stream = connect(&server).await;
        stream.write_all(head(&server, "GET /healthz", &[]).as_bytes()).await.unwrap();
        answer(&mut stream).await;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nX-Slow: ").await.unwrap();
        let (_, after) = pour(&mut stream, b"x", A_LITTLE).await;
        assert!(after < SOON, "{after:?}");
    };
    tokio::join!(silent, slow_head, slow_second_head);
    until_metric(&server, "tidings_http_connections_cut_total{reason=\"head\"}", |cut| cut >= 1.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closes_idle_connections() {
    let server = with_times(&[("KEEP_ALIVE", "PT1S")]).await;
    let mut stream = connect(&server).await;
    stream.write_all(head(&server, "GET /healthz", &[]).as_bytes()).await.unwrap();
    assert!(answer(&mut stream).await.starts_with("HTTP/1.1 200"));
    assert!(until_closed(&mut stream).await.1 < SOON);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_408_to_a_slow_body_in_both_encodings() {
    let server = with_times(&[("BODY", "PT0.5S"), ("UNREAD", "PT0.5S")]).await;
    let json = "Content-Type: application/json";
    let drip = async |form: &str, bytes: &[u8]| {
        let mut stream = connect(&server).await;
        stream.write_all(head(&server, "POST /api/v1/tags", &[json, form]).as_bytes()).await.unwrap();
        let (mut reader, mut writer) = stream.split();
        let dripping = async {
            while writer.write_all(bytes).await.is_ok() {
                tokio::time::sleep(A_LITTLE).await;
            }
        };
        let mut told = Vec::new();
        let reading = tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut told);
        let ended = tokio::time::timeout(SOON, async { tokio::join!(dripping, reading) }).await;
        let told = String::from_utf8_lossy(&told).to_lowercase();
        assert!(ended.is_ok(), "{form}: {told}");
        assert!(told.starts_with("http/1.1 408") && told.contains("connection: close"), "{form}: {told}");
        assert!(told.contains("\"request_timeout\""), "{form}: {told}");
    };
    tokio::join!(drip("Content-Length: 100000", b" "), drip("Transfer-Encoding: chunked", b"1\r\n \r\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closes_a_connection_with_an_endless_unread_body() {
    let server = with_times(&[("UNREAD", "PT0.5S")]).await;
    let chunk = format!("{:x}\r\n{}\r\n", 64 * 1024, "x".repeat(64 * 1024));
    let flood = async |form: &str, bytes: &[u8], pause: Duration| {
        let mut stream = connect(&server).await;
        // A route without a body: the response is sent before the body arrives.
        stream.write_all(head(&server, "GET /api/v1/me", &[form]).as_bytes()).await.unwrap();
        let told = answer(&mut stream).await.to_lowercase();
        assert!(told.starts_with("http/1.1 200") && told.contains("connection: close"), "{form}: {told}");
        let (taken, after) = pour(&mut stream, bytes, pause).await;
        assert!(after < SOON, "{form}: {after:?}");
        taken
    };
    let (length, chunked) = ("Content-Length: 10000000000", "Transfer-Encoding: chunked");
    let (now, bytes) = (Duration::ZERO, chunk.as_bytes());
    let (one, two, _, _) = tokio::join!(
        flood(length, bytes, now),
        flood(chunked, bytes, now),
        flood(length, b"x", A_LITTLE),
        flood(chunked, b"1\r\nx\r\n", A_LITTLE),
    );
    // The limit is 16 MiB; the kernels at both ends buffer some more.
    assert!(one.max(two) < 64 * 1024 * 1024, "{one} and {two} bytes were taken");
    until_metric(&server, "tidings_http_connections_cut_total{reason=\"unread_body\"}", |cut| cut == 4.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_413_to_a_client_that_sends_the_whole_body_first() {
    let server = with_times(&[]).await;
    for form in ["Content-Length: 2000000", "Transfer-Encoding: chunked"] {
        // A client that reads then does not have to wait until the connection closes.
        let mut stream = connect(&server).await;
        let json = "Content-Type: application/json";
        stream.write_all(head(&server, "POST /api/v1/tags", &[json, form]).as_bytes()).await.unwrap();
        let body = "x".repeat(2_000_000);
        let sent = match form.starts_with("Content") {
            true => body,
            false => format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()),
        };
        stream.write_all(sent.as_bytes()).await.unwrap();
        let told = answer(&mut stream).await;
        assert!(told.starts_with("HTTP/1.1 413") && told.contains("\"payload_too_large\""), "{form}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closes_a_connection_that_does_not_read_its_answer() {
    let server = with_times(&[("WRITE", "PT0.5S")]).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(address(&server)).await.unwrap();
    // Together larger than the kernel's buffers.
    let many = head(&server, "GET /docs/scalar-1.72.1.js", &[]).repeat(16);
    stream.write_all(many.as_bytes()).await.unwrap();
    until_metric(&server, "tidings_http_connections_cut_total{reason=\"unread_answer\"}", |cut| cut >= 1.0).await;
    // Only the connection that reads the metrics is left.
    until_metric(&server, "tidings_http_connections", |open| open <= 2.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keeps_the_connection_of_a_well_behaved_client() {
    let server = with_times(&[]).await;
    let mut stream = connect(&server).await;
    let json = "Content-Type: application/json";
    for number in 0..20 {
        let body = json!({"name": format!("tag {number}")}).to_string();
        let length = format!("Content-Length: {}", body.len());
        let (form, body) = match number % 2 {
            0 => (length.as_str(), body),
            _ => ("Transfer-Encoding: chunked", format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len())),
        };
        stream.write_all((head(&server, "POST /api/v1/tags", &[json, form]) + &body).as_bytes()).await.unwrap();
        let told = answer(&mut stream).await.to_lowercase();
        assert!(told.starts_with("http/1.1 201") && !told.contains("connection: close"), "{told}");
        // A body that the route does not need, completely sent.
        stream.write_all((head(&server, "DELETE /api/v1/tags/tag_0", &[json, form]) + &body).as_bytes()).await.unwrap();
        let told = answer(&mut stream).await.to_lowercase();
        assert!(told.starts_with("http/1.1 404") && !told.contains("connection: close"), "{told}");
    }
    assert_eq!(metric(&server, "tidings_http_connections_cut_total{reason=\"unread_body\"}").await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logs_no_error_for_an_unreadable_request() {
    let server = with_times(&[]).await;
    for nonsense in ["NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "\u{16}\u{3}\u{1}"] {
        let mut stream = connect(&server).await;
        stream.write_all(nonsense.as_bytes()).await.unwrap();
        let (told, _) = until_closed(&mut stream).await;
        assert!(told.starts_with("HTTP/1.1 40"), "{nonsense}: {told}");
    }
    assert!(!server.log().contains("ERROR"), "{}", server.log());
}
