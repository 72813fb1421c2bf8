//! The HTTP server of a provider that a test implements again.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A complete request.
pub struct Request {
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// By name in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Request {
    /// Reads a request with its body; `None` if the client closes the connection.
    pub async fn read(stream: &mut TcpStream) -> Option<Self> {
        let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
        loop {
            let read = stream.read(&mut chunk).await.unwrap();
            if read == 0 {
                return None;
            }
            bytes.extend_from_slice(&chunk[..read]);
            let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else { continue };
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let headers: BTreeMap<String, String> = head
                .lines()
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                .collect();
            let length: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
            if bytes.len() < end + 4 + length {
                continue;
            }
            let mut words = head.split(' ').map(ToOwned::to_owned);
            let (method, path) = (words.next().unwrap(), words.next().unwrap());
            return Some(Self { method, path, headers, body: bytes.split_off(end + 4) });
        }
    }
}

/// Serves each connection in its own task; returns the URL of the server.
pub async fn listen<T>(serve: impl Fn(TcpStream) -> T + Send + 'static) -> String
where
    T: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(serve(stream));
        }
    });
    url
}

/// Responds with JSON, and closes the connection.
pub async fn respond(mut stream: TcpStream, status: u16, body: &Value) {
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await.unwrap();
}

/// Waits until the provider has received this number of items; returns all of them.
pub async fn until<T>(count: usize, received: impl Fn() -> Vec<T>) -> Vec<T> {
    for _ in 0..1_200 {
        let items = received();
        if items.len() >= count {
            return items;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the provider received {} of {count} items", received().len());
}
