//! A local server that plays the API of a provider, for tests.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tidings_egress::Bounds;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::form_urlencoded;

/// The behaviour after a request was read.
pub(crate) enum Act {
    /// Responds with this status and JSON.
    Answer(u16, Value),
    /// As `Answer`, with this `Retry-After`.
    AnswerLater(u16, Value, u64),
    /// Responds with a file of this media type.
    File(&'static str, Vec<u8>),
    /// Redirects to this URL.
    Redirect(String),
    /// Closes the connection.
    BreakOff,
    /// Waits until the caller closes the connection.
    Wait,
}

impl Act {
    /// Returns the bounds of a call to a provider with this behaviour. Only a call without a response ends soon, because
    /// a busy machine can need long for a response.
    pub(crate) fn bounds(&self, usual: Bounds) -> Bounds {
        match self {
            Self::Wait => Bounds { head: Duration::from_millis(300), ..usual },
            Self::Answer(..) | Self::AnswerLater(..) | Self::File(..) | Self::Redirect(_) | Self::BreakOff => usual,
        }
    }
}

/// A call: the method, the path with the query, the values of `Host`, `Authorization` and `User-Agent`, and the body,
/// read as JSON (`null` if it is none) and as a form.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) host: String,
    pub(crate) authorization: String,
    pub(crate) user_agent: String,
    pub(crate) body: Value,
    pub(crate) form: Vec<(String, String)>,
}

impl Call {
    /// Returns a member of the form.
    pub(crate) fn member(&self, name: &str) -> Option<&str> {
        self.form.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns the method and the path with the query.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Returns the method and the last segment of the path without the query.
    pub(crate) fn name(&self) -> String {
        let path = self.path.split('?').next().unwrap();
        format!("{} {}", self.method, path.rsplit('/').next().unwrap())
    }
}

pub(crate) struct TestApi {
    pub(crate) url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl TestApi {
    /// Starts a server. `act` returns its behaviour for a call.
    pub(crate) async fn start(act: impl Fn(&Call) -> Act + Send + Sync + 'static) -> Self {
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

    /// Returns the lines of the calls so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.calls().iter().map(Call::line).collect()
    }

    /// Returns the names of the calls so far.
    pub(crate) fn names(&self) -> Vec<String> {
        self.calls().iter().map(Call::name).collect()
    }
}

async fn serve(mut stream: TcpStream, act: &impl Fn(&Call) -> Act, recorded: &Mutex<Vec<Call>>) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
    let call = loop {
        let read = stream.read(&mut chunk).await.unwrap();
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let header = |name: &str| {
            let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
            line.map(|line| line[name.len() + 2..].to_owned())
        };
        let length = header("content-length").map_or(0, |length| length.parse().unwrap());
        if body.len() >= length {
            let mut words = head.split(' ');
            break Call {
                method: words.next().unwrap().to_owned(),
                path: words.next().unwrap().to_owned(),
                host: header("host").unwrap_or_default(),
                authorization: header("authorization").unwrap_or_default(),
                user_agent: header("user-agent").unwrap_or_default(),
                body: serde_json::from_str(body).unwrap_or_default(),
                form: form_urlencoded::parse(body.as_bytes()).into_owned().collect(),
            };
        }
    };
    recorded.lock().unwrap().push(call.clone());
    let json = |body: Value| body.to_string().into_bytes();
    let (status, body, header) = match act(&call) {
        Act::Answer(status, body) => (status, json(body), String::new()),
        Act::AnswerLater(status, body, seconds) => (status, json(body), format!("retry-after: {seconds}\r\n")),
        Act::File(media_type, bytes) => (200, bytes, format!("content-type: {media_type}\r\n")),
        Act::Redirect(url) => (307, Vec::new(), format!("location: {url}\r\n")),
        Act::BreakOff => return,
        Act::Wait => {
            let _ = stream.read(&mut chunk).await;
            return;
        }
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {length}\r\n{header}\r\n");
    // A caller closes the connection if the response is too large.
    let _ = stream.write_all(&[head.into_bytes(), body].concat()).await;
}
