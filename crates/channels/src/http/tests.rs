use std::sync::Arc;

use tidings_domain::channels::{Endpoint, PlainSecrets, SendContext};
use tidings_domain::conversations::Content;
use tidings_domain::ids::{ChannelId, MessageId, TypedId};
use tidings_domain::memory::FixedClock;
use tidings_domain::time::Timestamp;
use tidings_egress::EgressSettings;
use tidings_egress::signing::verify;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::*;
use crate::test_channel::sealer;

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const NOW: Timestamp = Timestamp::EPOCH_2026;

fn connector() -> HttpConnector {
    connector_with(EgressSettings::default())
}

fn connector_with(settings: EgressSettings) -> HttpConnector {
    let settings = EgressSettings { allow_loopback: true, ..settings };
    HttpConnector::new(Egress::new(settings).unwrap(), Arc::new(FixedClock::default()), Arc::new(sealer()))
}

fn a_message(url: &str) -> Outbound {
    let endpoint = Endpoint {
        config: [("url".to_owned(), url.into())].into_iter().collect(),
        secrets: SECRET.as_bytes().to_vec(),
        secret_hints: PlainSecrets::new(),
        inbound_token: vec![],
        inbound_digest: [0; 32],
    };
    let channel = Channel::sandbox(ChannelId::from_uuid(Uuid::from_u128(1)), false, NOW);
    Outbound {
        channel: Channel { kind: HTTP.kind, endpoint: Some(endpoint), ..channel },
        message: MessageId::from_uuid(Uuid::from_u128(2)),
        address: "+4930".to_owned(),
        external_id: None,
        content: Content::text("Zoë 🦀"),
        created_at: NOW,
        attempts: 0,
        context: SendContext::default(),
    }
}

/// Reads one complete request, sends `reply` and closes; returns the request's bytes.
async fn provider(reply: &'static str) -> (String, tokio::task::JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/messages", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut request, mut chunk) = (Vec::new(), [0; 4_096]);
        loop {
            let read = stream.read(&mut chunk).await.unwrap();
            request.extend_from_slice(&chunk[..read]);
            let text = String::from_utf8_lossy(&request).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) || read == 0 {
                break;
            }
        }
        if reply == "silence" {
            // Waits until the caller disconnects.
            let _ = stream.read(&mut chunk).await;
        } else {
            stream.write_all(reply.as_bytes()).await.unwrap();
        }
        request
    });
    (url, task)
}

async fn answered(reply: &'static str) -> SendOutcome {
    let (url, provider) = provider(reply).await;
    // Only a call without a response ends soon, because a busy machine can need long for a response.
    let hurried = EgressSettings { total_time_out: Duration::from_millis(500), ..EgressSettings::default() };
    let connector = if reply == "silence" { connector_with(hurried) } else { connector() };
    let outcome = connector.send(a_message(&url)).await;
    provider.await.unwrap();
    outcome
}

#[tokio::test]
async fn sends_a_signed_message_and_returns_the_provider_id() {
    let (url, provider) =
        provider("HTTP/1.1 202 Accepted\r\ncontent-length: 29\r\n\r\n{\"provider_message_id\": \"p1\"}").await;
    let outcome = connector().send(a_message(&url)).await;
    assert_eq!(outcome, SendOutcome::Accepted { provider_message_id: Some("p1".to_owned()) });
    let request = String::from_utf8(provider.await.unwrap()).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /messages HTTP/1.1"));
    let header = |name: &str| {
        head.lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(it, _)| it.eq_ignore_ascii_case(name))
            .map(|it| it.1)
    };
    let secret = SigningSecret::parse(SECRET).unwrap();
    assert_eq!(verify(&secret, header, body.as_bytes(), NOW.unix_seconds()), Ok(()));
    let message = a_message(&url).message.to_string();
    assert_eq!(header("webhook-id"), Some(message.as_str()));
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&body["type"], &body["to"]), (&json!("message"), &json!({"address": "+4930"})));
    assert_eq!((&body["message"]["id"], &body["message"]["text"]), (&json!(message), &json!("Zoë 🦀")));
}

#[tokio::test]
async fn maps_each_response_status_to_an_outcome() {
    let none = SendOutcome::Accepted { provider_message_id: None };
    assert_eq!(answered("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await, none);
    let later = answered("HTTP/1.1 429 Slow\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n").await;
    assert!(matches!(later, SendOutcome::TryLater { after: Some(after), .. } if after.as_secs() == 7));
    let later = answered("HTTP/1.1 503 Away\r\ncontent-length: 0\r\n\r\n").await;
    let SendOutcome::TryLater { after: None, message, .. } = later else { panic!("{later:?}") };
    assert_eq!((message.provider_code, message.http_status), (None, Some(503)));
    for (reply, expected) in [
        ("HTTP/1.1 401 Who\r\ncontent-length: 0\r\n\r\n", "provider_unauthorized"),
        ("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n", "provider_gone"),
        ("HTTP/1.1 422 No\r\ncontent-length: 0\r\n\r\n", "provider_rejected"),
        ("HTTP/1.1 302 There\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n", "provider_rejected"),
    ] {
        let outcome = answered(reply).await;
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == expected), "{outcome:?}");
    }
}

#[tokio::test]
async fn only_failures_after_the_request_have_an_unknown_outcome() {
    assert!(matches!(answered("").await, SendOutcome::Unknown { .. }), "closed without an answer");
    assert!(matches!(answered("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{").await, SendOutcome::Unknown { .. }));
    assert!(matches!(answered("silence").await, SendOutcome::Unknown { .. }), "no answer in time");
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", nobody.local_addr().unwrap());
    drop(nobody);
    assert!(matches!(connector().send(a_message(&url)).await, SendOutcome::TryLater { .. }), "no server listens");
    let outcome = connector().send(a_message("http://10.0.0.1/")).await;
    assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "forbidden_address"), "{outcome:?}");
}

#[test]
fn a_provider_drops_repeats_if_its_channel_says_so() {
    let drops = |value: Option<Value>| {
        let mut channel = a_message("https://example.com").channel;
        let config = channel.endpoint.as_mut().map(|it| &mut it.config).unwrap();
        config.extend(value.map(|value| (IDEMPOTENT.to_owned(), value)));
        connector().drops_repeats(&channel)
    };
    assert_eq!([None, Some(json!(false)), Some(json!(true))].map(drops), [false, false, true]);
    let sandbox = Channel { endpoint: None, ..a_message("https://example.com").channel };
    assert!(!connector().drops_repeats(&sandbox));
}

#[tokio::test]
async fn fetches_a_file_of_a_contact_without_a_signature() {
    let png = "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 3\r\n\r\npng";
    let (url, provider) = provider(png).await;
    let channel = a_message(&url).channel;
    let fetched = connector().fetch_media(&channel, &url, 3).await.unwrap();
    assert_eq!((fetched.bytes.as_slice(), fetched.mime_type.as_deref()), (b"png".as_slice(), Some("image/png")));
    let request = String::from_utf8(provider.await.unwrap()).unwrap();
    assert!(request.starts_with("GET /messages HTTP/1.1\r\n"), "{request}");
    assert!(!request.to_lowercase().contains("webhook-signature"), "{request}");
    let private = connector().fetch_media(&channel, "http://10.0.0.1/", 3).await;
    assert!(matches!(private, Err(FetchFailure::Gone(_))), "{private:?}");
}

#[tokio::test]
async fn a_connection_test_reports_the_error() {
    let (url, provider) = provider("HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n").await;
    let wrong = connector().test(&a_message(&url).channel).await;
    assert_eq!(
        (wrong.status, wrong.error.as_deref()),
        (Some(404), Some("The provider answered 404, expected 200 to 299."))
    );
    assert!(String::from_utf8(provider.await.unwrap()).unwrap().contains("\"type\":\"test\""));
}

#[tokio::test]
async fn a_connection_test_shows_a_limited_part_of_the_headers() {
    let headers: String = (10..80).map(|number| format!("x-{number}: {}\r\n", "v".repeat(1_100))).collect();
    let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n{headers}\r\n").leak();
    let (url, provider) = provider(reply).await;
    let tried = connector().test(&a_message(&url).channel).await;
    assert_eq!((tried.status, tried.headers.len()), (Some(200), 64));
    assert!(tried.headers.iter().all(|(_, value)| value.len() <= 1_024));
    provider.await.unwrap();
}

const OTHER: &str = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

/// Returns a request signed with `SECRET` at `NOW`.
fn an_inbound_request(id: &str, body: &[u8]) -> InboundRequest {
    let seconds = NOW.unix_seconds();
    let signature = sign(&[SigningSecret::parse(SECRET).unwrap()], id, seconds, body).standard;
    let headers = [(WEBHOOK_ID, id), (WEBHOOK_TIMESTAMP, &seconds.to_string()), (WEBHOOK_SIGNATURE, &signature)];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    InboundRequest { headers, body: body.to_vec(), ..InboundRequest::default() }
}

#[test]
fn counts_calls_for_their_workspace() {
    let connector = connector();
    let workspace = WorkspaceId::from_uuid(Uuid::from_u128(7));
    assert!(connector.for_workspace(workspace).is_some());
    assert!(format!("{:?}", connector.egress).contains("workspace: None"));
    assert!(format!("{:?}", connector.limited_to(workspace).egress).contains("workspace: Some(7)"));
}

#[test]
fn verifies_the_secret_id_time_and_body_of_a_request() {
    let (connector, channel) = (connector(), a_message("https://example.com").channel);
    let request = an_inbound_request("m1", b"{}");
    assert!(connector.is_signed(&request));
    assert_eq!(connector.verify(&channel, &request), Ok(()));
    let refused = Err(Unverified::Signature);
    assert_eq!(connector.verify(&channel, &InboundRequest { body: b"{ }".to_vec(), ..request.clone() }), refused);
    let mut other_id = request.clone();
    other_id.headers[0].1 = "m2".to_owned();
    assert_eq!(connector.verify(&channel, &other_id), refused);
    let with_secret = |secret: &str| {
        let endpoint = channel.endpoint.clone().map(|it| Endpoint { secrets: secret.as_bytes().to_vec(), ..it });
        Channel { endpoint, ..channel.clone() }
    };
    assert_eq!(connector.verify(&with_secret(OTHER), &request), refused);
    assert_eq!(connector.verify(&with_secret("no secret"), &request), refused);
    assert_eq!(connector.verify(&Channel { endpoint: None, ..channel.clone() }, &request), refused);
    let late = HttpConnector { clock: Arc::new(FixedClock::at(NOW.plus(Duration::from_secs(301)))), ..connector };
    assert_eq!(late.verify(&channel, &request), refused);
}

#[test]
fn a_request_without_one_of_the_headers_is_unsigned() {
    let request = an_inbound_request("m1", b"{}");
    for left_out in 0..3 {
        let mut request = request.clone();
        request.headers.remove(left_out);
        assert!(!connector().is_signed(&request), "{left_out}");
    }
}
