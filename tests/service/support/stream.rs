//! A client of `GET /api/v1/stream`.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::timeout;

/// The longest wait for an event; the product promises a second.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub id: Option<i64>,
    pub event: String,
    pub data: Value,
}

pub struct EventStream {
    answer: Response,
    text: String,
    /// The last event ID.
    pub last_id: Option<i64>,
    pub comments: usize,
}

impl EventStream {
    /// Requests a stream, from now on or after a position.
    pub async fn ask(base: &str, credential: &str, workspace: Option<&str>, last_id: Option<i64>) -> Response {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
        let mut request = http.get(format!("{base}/api/v1/stream")).bearer_auth(credential);
        if let Some(workspace) = workspace {
            request = request.header("x-workspace-id", workspace);
        }
        if let Some(id) = last_id {
            request = request.header("last-event-id", id.to_string());
        }
        request.send().await.unwrap()
    }

    pub async fn open(base: &str, credential: &str, last_id: Option<i64>) -> Self {
        Self::of(Self::ask(base, credential, None, last_id).await)
    }

    /// Opens a stream, and waits until it is ready.
    pub async fn ready(base: &str, credential: &str) -> Self {
        let mut stream = Self::open(base, credential, None).await;
        assert_eq!(stream.next().await.event, "ready");
        stream
    }

    pub fn of(answer: Response) -> Self {
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Self { answer, text: String::new(), last_id: None, comments: 0 }
    }

    /// Returns the next event; `None` if the stream has ended.
    pub async fn next_or_end(&mut self) -> Option<Told> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(told) = self.read(&block) {
                    return Some(told);
                }
            }
            let chunk = self.answer.chunk().await.unwrap()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    fn read(&mut self, block: &str) -> Option<Told> {
        let mut told = Told { id: None, event: String::new(), data: Value::Null };
        for line in block.split('\n') {
            match line.split_once(':').unwrap() {
                ("", _) => self.comments += 1,
                ("retry", wait) => assert!((2_000..5_000).contains(&wait.trim().parse().unwrap()), "{wait}"),
                ("id", id) => told.id = Some(id.trim().parse().unwrap()),
                ("event", event) => event.trim().clone_into(&mut told.event),
                ("data", data) => told.data = serde_json::from_str(data).unwrap(),
                (other, _) => panic!("{other}"),
            }
        }
        self.last_id = told.id.or(self.last_id);
        (!told.event.is_empty()).then_some(told)
    }

    /// Returns the next event, which must arrive soon.
    pub async fn next(&mut self) -> Told {
        let next = timeout(PATIENCE, self.next_or_end()).await;
        next.unwrap_or_else(|_| panic!("no event arrives")).expect("the stream has ended")
    }

    /// Returns the next matching event.
    pub async fn until(&mut self, wanted: impl Fn(&Told) -> bool) -> Told {
        loop {
            let told = self.next().await;
            if wanted(&told) {
                return told;
            }
            assert_ne!(told.event, "end", "{told:?}");
        }
    }

    /// Waits for a hint about an object of this type.
    pub async fn hint(&mut self, kind: &str) -> Value {
        self.until(|it| it.event == "changed" && it.data["changed"]["type"] == kind).await.data["changed"].clone()
    }

    /// Returns the reason of the stream's end, which must come within `bound`.
    pub async fn reason(&mut self, bound: Duration) -> String {
        let ending = async {
            let mut last = None;
            while let Some(told) = self.next_or_end().await {
                last = Some(told);
            }
            last
        };
        let last = timeout(bound, ending).await.unwrap_or_else(|_| panic!("the stream is still open after {bound:?}"));
        let last = last.expect("the last event has a reason");
        assert_eq!(last.event, "end", "{last:?}");
        last.data["reason"].as_str().unwrap().to_owned()
    }
}
