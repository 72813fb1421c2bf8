//! A local server that speaks the Graph API, for tests.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The behaviour after a request was read.
pub(crate) enum Act {
    /// Responds with this status and JSON.
    Answer(u16, Value),
    /// Closes the connection.
    BreakOff,
    /// Waits until the caller closes the connection.
    Wait,
}

impl Act {
    pub(crate) fn ok(body: Value) -> Self {
        Self::Answer(200, body)
    }

    pub(crate) fn error(status: u16, code: i64) -> Self {
        Self::Answer(status, json!({"error": {"message": "It failed.", "type": "OAuthException", "code": code}}))
    }
}

/// A call: the method and the URL, its headers, and its body (`null` if it has none).
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct TestApi {
    pub(crate) url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl TestApi {
    /// Starts a server. `act` returns its behaviour for a call, such as `POST /v25.0/1/messages`, and its body.
    pub(crate) async fn start(act: impl Fn(&str, &Value) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let calls = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&calls);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                serve(stream, &act, &recorded).await;
            }
        });
        Self { url, calls }
    }

    /// Returns the calls so far.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// Returns the methods and URLs of the calls.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.calls().into_iter().map(|call| call.line).collect()
    }
}

async fn serve(mut stream: TcpStream, act: &impl Fn(&str, &Value) -> Act, recorded: &Mutex<Vec<Call>>) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
    let call = loop {
        let read = stream.read(&mut chunk).await.unwrap();
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            let line = head.split(' ').take(2).collect::<Vec<_>>().join(" ");
            break Call { line, head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() };
        }
    };
    recorded.lock().unwrap().push(call.clone());
    match act(&call.line, &call.body) {
        Act::Answer(status, body) => {
            let body = body.to_string();
            let length = body.len();
            let head = format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        }
        Act::BreakOff => {}
        Act::Wait => {
            let _ = stream.read(&mut chunk).await;
        }
    }
}
