//! A local server that speaks the Bot API, for tests.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The behaviour after a request was read.
pub(super) enum Act {
    /// Responds with this status and JSON.
    Answer(u16, Value),
    /// Closes the connection.
    BreakOff,
    /// Waits until the caller closes the connection.
    Wait,
}

impl Act {
    pub(super) fn ok(result: Value) -> Self {
        Self::Answer(200, json!({"ok": true, "result": result}))
    }

    pub(super) fn error(status: u16, description: &str) -> Self {
        Self::Answer(status, json!({"ok": false, "error_code": status, "description": description}))
    }
}

/// A call: the path of its URL, and its body.
pub(super) type Call = (String, Value);

pub(super) struct TestApi {
    pub(super) url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl TestApi {
    /// Starts a server. `act` returns its behaviour for a method and a body.
    pub(super) async fn start(act: impl Fn(&str, &Value) -> Act + Send + Sync + 'static) -> Self {
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
    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// Returns the names of the called methods.
    pub(super) fn methods(&self) -> Vec<String> {
        self.calls().into_iter().map(|(path, _)| path.rsplit('/').next().unwrap().to_owned()).collect()
    }
}

async fn serve(mut stream: TcpStream, act: &impl Fn(&str, &Value) -> Act, recorded: &Mutex<Vec<Call>>) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
    let (path, body) = loop {
        let read = stream.read(&mut chunk).await.unwrap();
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            let path = head.split(' ').nth(1).unwrap().to_owned();
            break (path, serde_json::from_str(body).unwrap());
        }
    };
    recorded.lock().unwrap().push((path.clone(), Value::clone(&body)));
    match act(path.rsplit('/').next().unwrap(), &body) {
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
