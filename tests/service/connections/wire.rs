//! Raw connections, for clients that do not behave well.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::support::Server;

/// The longest wait in any test.
const PATIENCE: Duration = Duration::from_secs(20);

pub fn address(server: &Server) -> SocketAddr {
    server.base.trim_start_matches("http://").parse().unwrap()
}

pub async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(address(server)).await.unwrap()
}

/// Connects from another address of this machine.
pub async fn connect_from(server: &Server, from: IpAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(from, 0)).unwrap();
    socket.connect(address(server)).await.unwrap()
}

pub fn head(server: &Server, line: &str, headers: &[&str]) -> String {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    format!("{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n{headers}\r\n", server.key)
}

/// Reads until the server closes the connection, by an end or a reset; returns the data and the time.
pub async fn until_closed(stream: &mut TcpStream) -> (String, Duration) {
    let (began, mut answer) = (Instant::now(), Vec::new());
    let ended = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "the connection is still open: {}", String::from_utf8_lossy(&answer));
    (String::from_utf8_lossy(&answer).into_owned(), began.elapsed())
}

/// Reads one response with a `Content-Length`.
pub async fn answer(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let whole = async {
        loop {
            let text = String::from_utf8_lossy(&answer).to_lowercase();
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                    return;
                }
            }
            assert!(stream.read_buf(&mut answer).await.unwrap() > 0, "the connection closed early: {text}");
        }
    };
    timeout(PATIENCE, whole).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends these bytes repeatedly until the server closes; returns the number of bytes sent, and the time.
pub async fn pour(stream: &mut TcpStream, bytes: &[u8], pause: Duration) -> (usize, Duration) {
    let (began, mut taken) = (Instant::now(), 0);
    while stream.write_all(bytes).await.is_ok() {
        taken += bytes.len();
        assert!(began.elapsed() < PATIENCE, "the server still reads after {taken} bytes");
        tokio::time::sleep(pause).await;
    }
    (taken, began.elapsed())
}

/// Returns the metric with this name and these labels, if it exists.
pub async fn metric(server: &Server, name: &str) -> Option<f64> {
    // The connection may end just when it is used, because this server closes idle connections at once.
    let client = server.client().with_key(Some(crate::support::METRICS_TOKEN));
    let text = client.send("GET", "/metrics", &[], None).await.ok()?.text;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

pub async fn until_metric(server: &Server, name: &str, wanted: impl Fn(f64) -> bool) {
    let began = Instant::now();
    loop {
        let value = metric(server, name).await;
        if value.is_some_and(&wanted) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{name} stays {value:?}");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}
