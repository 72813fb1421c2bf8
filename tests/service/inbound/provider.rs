//! The provider of an `http` channel.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::support::provider::Request;

#[derive(Clone, Copy)]
pub(super) enum Conduct {
    /// Responds with 202 and the provider ID `p-` and a number.
    Takes,
    /// Responds with this status and `Retry-After: 0` once, then as usual.
    AnswersOnce(u16),
    /// Reads the request and closes the connection.
    BreaksOff,
}

/// A provider: a socket with just enough HTTP to misbehave.
pub(super) struct Provider {
    pub(super) url: String,
    pub(super) got: mpsc::UnboundedReceiver<Request>,
}

impl Provider {
    pub(super) async fn start(conduct: Conduct) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/messages", listener.local_addr().unwrap());
        let (tell, got) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut number = 0;
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let Some(request) = Request::read(&mut stream).await else { continue };
                number += 1;
                let answer = match conduct {
                    Conduct::BreaksOff => String::new(),
                    Conduct::AnswersOnce(status) if number == 1 => {
                        format!(
                            "HTTP/1.1 {status} No\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                        )
                    }
                    Conduct::Takes | Conduct::AnswersOnce(_) => {
                        let body = json!({"provider_message_id": format!("p-{number}")}).to_string();
                        let length = body.len();
                        format!("HTTP/1.1 202 Accepted\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
                    }
                };
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = tell.send(request);
            }
        });
        Self { url, got }
    }

    pub(super) async fn next(&mut self) -> Request {
        let waiting = tokio::time::timeout(Duration::from_secs(60), self.got.recv());
        waiting.await.expect("the provider received no request").unwrap()
    }
}
