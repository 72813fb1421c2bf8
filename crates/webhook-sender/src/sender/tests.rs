use std::collections::HashMap;
use std::time::Duration;

use secrecy::SecretString;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::time::Timestamp;
use tidings_egress::EgressSettings;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::*;
use crate::vectors::{self, BODY, ID, SECRET_A, SECRET_B, TIMESTAMP};
use crate::verify;

struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(TIMESTAMP * 1000 + 999)
    }
}

fn sender(settings: EgressSettings) -> HttpWebhookSender {
    HttpWebhookSender::new(Egress::new(settings).unwrap(), Arc::new(StoppedClock))
}

fn development() -> HttpWebhookSender {
    sender(EgressSettings { allow_loopback: true, ..EgressSettings::default() })
}

fn an_attempt(url: &str) -> DeliveryAttempt {
    DeliveryAttempt {
        workspace: WorkspaceId::from_uuid(uuid::Uuid::from_u128(7)),
        url: url.to_owned(),
        in_turn: None,
        secrets: vec![SecretString::from(SECRET_A), SecretString::from(SECRET_B)],
        event_id: ID.to_owned(),
        event_kind: "contact.tag_added",
        delivery_id: "dlv_1".to_owned(),
        number: 3,
        headers: vec![("X-Tenant".to_owned(), "7".to_owned()), ("user-agent".to_owned(), "mine".to_owned())],
        body: BODY.to_owned(),
    }
}

struct Received {
    request_line: String,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

/// Accepts one request, sends `reply` (nothing if empty) and keeps the connection open until the sender closes it.
async fn receiver(reply: &'static [u8]) -> (String, JoinHandle<Received>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.lines().map(str::to_owned);
        let request_line = lines.next().unwrap();
        let pairs =
            lines.filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())));
        let headers: HashMap<_, _> = pairs.collect();
        let mut body = vec![0; headers["content-length"].parse().unwrap()];
        stream.read_exact(&mut body).await.unwrap();
        stream.write_all(reply).await.unwrap();
        let _ = stream.read_u8().await;
        Received { request_line, headers, body }
    });
    (url, task)
}

async fn deliver(reply: &'static [u8]) -> AttemptResult {
    let (url, _task) = receiver(reply).await;
    development().send(an_attempt(&url)).await
}

#[tokio::test]
async fn sends_the_documented_headers_and_the_exact_body() {
    let (url, task) = receiver(b"HTTP/1.1 200 OK\r\nx-id: 7\r\ncontent-length: 5\r\n\r\nthank").await;
    let sender = development();
    let result = sender.send(an_attempt(&url)).await;
    drop(sender);
    assert_eq!(result.outcome, AttemptOutcome::Answered { status: 200, retry_after: None });
    assert_eq!(result.response_body, "thank");
    assert!(result.response_headers.contains(&("x-id".to_owned(), "7".to_owned())), "{:?}", result.response_headers);
    assert!(result.duration > Duration::ZERO);

    let received = task.await.unwrap();
    assert_eq!(received.request_line, "POST /hook HTTP/1.1");
    assert_eq!(received.body, BODY.as_bytes());
    for (name, value) in [
        ("content-type", "application/json"),
        ("user-agent", "Tidings-Webhooks/1"),
        ("webhook-id", ID),
        ("webhook-timestamp", "1767225600"),
        ("webhook-signature", vectors::STANDARD_SIGNATURE),
        ("x-service-signature", vectors::SERVICE_SIGNATURE),
        ("x-service-event", "contact.tag_added"),
        ("x-service-delivery", "dlv_1"),
        ("x-service-attempt", "3"),
    ] {
        assert_eq!(received.headers[name], value, "{name}");
    }
    for secret in [vectors::secret_a(), vectors::secret_b()] {
        let header = |name: &str| received.headers.get(name).map(String::as_str);
        assert_eq!(verify(&secret, header, &received.body, StoppedClock.now()), Ok(()));
    }
}

#[tokio::test]
async fn returns_every_status_and_reads_retry_after() {
    let soon = Some(Duration::from_secs(90));
    for (reply, status, retry_after) in [
        (&b"HTTP/1.1 204 No\r\n\r\n"[..], 204, None),
        (b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", 302, None),
        (b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n", 410, None),
        (b"HTTP/1.1 429 Slow\r\nretry-after: 90\r\ncontent-length: 0\r\n\r\n", 429, soon),
        (b"HTTP/1.1 503 Down\r\nretry-after: later\r\ncontent-length: 0\r\n\r\n", 503, None),
    ] {
        assert_eq!(deliver(reply).await.outcome, AttemptOutcome::Answered { status, retry_after });
    }
    // 91 s after the whole second; the clock is 999 ms past it.
    let dated = b"HTTP/1.1 503 Down\r\nretry-after: Thu, 01 Jan 2026 00:01:31 GMT\r\ncontent-length: 0\r\n\r\n";
    let retry_after = Some(Duration::from_millis(90_001));
    assert_eq!(deliver(dated).await.outcome, AttemptOutcome::Answered { status: 503, retry_after });
}

#[tokio::test]
async fn returns_the_response_as_text_that_every_store_accepts() {
    let result = deliver(b"HTTP/1.1 500 No\r\nx-odd: \xff\r\ncontent-length: 3\r\n\r\n\xff\0x").await;
    assert_eq!(result.response_body, "\u{fffd}\u{fffd}x");
    assert!(result.response_headers.contains(&("x-odd".to_owned(), "\u{fffd}".to_owned())));
}

#[tokio::test]
async fn times_out_if_the_receiver_is_silent() {
    let (url, task) = receiver(b"").await;
    let total_time_out = Duration::from_millis(150);
    let sender = sender(EgressSettings { allow_loopback: true, total_time_out, ..EgressSettings::default() });
    let result = sender.send(an_attempt(&url)).await;
    assert_eq!(result.outcome, AttemptOutcome::TimedOut);
    assert!(result.duration >= total_time_out);
    assert_eq!(task.await.unwrap().body, BODY.as_bytes());
}

#[tokio::test]
async fn reports_a_closed_port_as_a_failure() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let result = development().send(an_attempt(&format!("http://{closed}/"))).await;
    assert_eq!(result.outcome, AttemptOutcome::Failed("The connection was refused.".to_owned()));
}

#[tokio::test]
async fn rejects_forbidden_and_invalid_addresses() {
    let sender = sender(EgressSettings::default());
    for url in ["https://127.0.0.1/", "https://localhost/", "http://example.com/", "nonsense", ""] {
        let outcome = sender.send(an_attempt(url)).await.outcome;
        let AttemptOutcome::Forbidden(sentence) = outcome else { panic!("{url}: {outcome:?}") };
        assert_eq!(sender.check(url), Err(sentence));
    }
    assert_eq!(sender.check("https://example.com/hook"), Ok(()));
}

#[tokio::test]
async fn sends_nothing_with_an_invalid_secret() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let mut attempt = an_attempt(&format!("http://{}/", listener.local_addr().unwrap()));
    for secrets in [vec![], vec!["whsec_short"], vec![SECRET_A, "plain"]] {
        attempt.secrets = secrets.into_iter().map(SecretString::from).collect();
        let outcome = development().send(attempt.clone()).await.outcome;
        let AttemptOutcome::Failed(sentence) = outcome else { panic!("{outcome:?}") };
        assert!(sentence.contains("secret") && !sentence.contains("whsec_"), "{sentence}");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}
