use std::io;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use reqwest::header::{HeaderMap, HeaderValue};

use super::*;
use crate::lookup_shares::{LOOKUPS_OF_WORKSPACE, LookupPermit};
use crate::test_resolver::Answers;
use crate::test_server::{Reply, TestServer, acceptor, certificate};

struct NeverAnswers;

impl Resolve for NeverAnswers {
    fn resolve(&self, _: String, _: Option<LookupPermit>) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(std::future::pending())
    }
}

/// A resolver. Its look-ups occupy threads for ever, even after a time-out. It keeps their permits.
#[derive(Default)]
struct Occupied(std::sync::Mutex<Vec<Option<LookupPermit>>>);

impl Resolve for Occupied {
    fn resolve(&self, _: String, permit: Option<LookupPermit>) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.0.lock().unwrap().push(permit);
        Box::pin(std::future::pending())
    }
}

fn development() -> EgressSettings {
    EgressSettings { allow_loopback: true, ..EgressSettings::default() }
}

fn hurried() -> EgressSettings {
    EgressSettings { total_time_out: Duration::from_millis(150), ..development() }
}

fn egress(settings: EgressSettings, resolver: &Arc<Answers>) -> Egress {
    Egress::with_resolver(settings, Arc::clone(resolver) as Arc<dyn Resolve>).unwrap()
}

/// A client that trusts the test server's certificate and nothing else.
fn trusting(resolver: &Arc<Answers>) -> Egress {
    let mut roots = RootCertStore::empty();
    roots.add(certificate()).unwrap();
    Egress::build(development(), Arc::clone(resolver) as Arc<dyn Resolve>, roots).unwrap()
}

fn to(url: impl Into<String>) -> Request {
    Request { url: url.into(), headers: HeaderMap::new(), body: Bytes::from_static(b"{}") }
}

fn is_forbidden(result: Result<Answer, EgressError>) -> bool {
    matches!(result, Err(EgressError::Forbidden(_)))
}

fn failure(result: Result<Answer, EgressError>) -> String {
    match result {
        Err(EgressError::Failed(sentence)) => sentence,
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[tokio::test]
async fn posts_headers_and_body_and_returns_the_response() {
    let server =
        TestServer::start(Reply::text("HTTP/1.1 418 No\r\nx-tea: pot\r\ncontent-length: 5\r\n\r\nshort")).await;
    let resolver = Answers::new(&[&["127.0.0.1"]]);
    let mut request = to(server.url("receiver.test"));
    request.headers.insert("x-colour", HeaderValue::from_static("red"));
    let answer = egress(development(), &resolver).post(request).await.unwrap();
    assert_eq!(
        (answer.status, &answer.body[..], &answer.headers["x-tea"]),
        (418, &b"short"[..], &"pot".parse().unwrap())
    );
    let requests = server.requests();
    assert!(requests[0].starts_with("POST /hook HTTP/1.1\r\n"), "{requests:?}");
    assert!(requests[0].contains("x-colour: red\r\n"), "{requests:?}");
    assert!(requests[0].ends_with("\r\n\r\n{}"), "{requests:?}");
    assert_eq!(resolver.questions(), ["receiver.test"]);
}

#[tokio::test]
async fn rejects_a_name_that_resolves_to_a_forbidden_address() {
    let canary = TestServer::start(Reply::ok()).await;
    let resolver = Answers::new(&[&["127.0.0.1"]]);
    let url = canary.url("rebind.test").replace("http:", "https:");
    let result = egress(EgressSettings::default(), &resolver).post(to(url)).await;
    let sentence = "rebind.test resolves to an address that is never called.";
    assert_eq!(result.unwrap_err(), EgressError::Forbidden(sentence.to_owned()));
    assert_eq!(resolver.questions(), ["rebind.test"]);
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn rejects_a_name_with_one_forbidden_address() {
    let canary = TestServer::start(Reply::ok()).await;
    for answer in [["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"], ["127.0.0.1", "64:ff9b::7f00:1"]] {
        let resolver = Answers::new(&[&answer]);
        assert!(is_forbidden(egress(development(), &resolver).post(to(canary.url("mixed.test"))).await), "{answer:?}");
        assert_eq!(resolver.questions().len(), 1);
    }
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn connects_only_to_the_addresses_that_it_checked() {
    // The receiver closes after each answer, so every call opens a connection and looks the name up again.
    let close = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok";
    let receiver = TestServer::start(Reply::text(close)).await;
    let port = receiver.address.port();
    let canary = TestServer::start_at(&format!("127.0.0.2:{port}"), Reply::ok(), None).await;
    let settings = EgressSettings { own_addresses: vec![canary.address.ip()], ..development() };

    let resolver = Answers::new(&[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"], &["127.0.0.2"]]);
    let egress = egress(settings, &resolver);
    for round in 0..2 {
        assert_eq!(egress.post(to(receiver.url("rebind.test"))).await.unwrap().status, 200, "{round}");
        assert!(is_forbidden(egress.post(to(receiver.url("rebind.test"))).await), "{round}");
    }
    assert_eq!(resolver.questions().len(), 4, "each call resolves the name once");
    assert_eq!(receiver.connections_before_probe().await, 2);
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn rejects_a_forbidden_literal_address_at_each_call() {
    let canary = TestServer::start(Reply::ok()).await;
    let port = canary.address.port();
    let resolver = Answers::new(&[]);
    let egress = egress(EgressSettings::default(), &resolver);
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:7f00:1]", "localhost", "0"] {
        assert!(is_forbidden(egress.post(to(format!("https://{host}:{port}/"))).await), "{host}");
    }
    assert!(resolver.questions().is_empty());
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn returns_a_redirect_without_following_it() {
    let canary = TestServer::start(Reply::ok()).await;
    for status in [301, 302, 303, 307, 308] {
        let location = canary.url("127.0.0.1");
        let redirect = format!("HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let server = TestServer::start(Reply::text(&redirect)).await;
        let egress = egress(development(), &Answers::new(&[]));
        assert_eq!(egress.post(to(server.url("127.0.0.1"))).await.unwrap().status, status);
    }
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn limits_the_total_time_of_a_slow_body() {
    let server = TestServer::start(Reply::Drip).await;
    let result = egress(hurried(), &Answers::new(&[])).post(to(server.url("127.0.0.1"))).await;
    assert_eq!(result.unwrap_err(), EgressError::TimedOut);
    assert_eq!(server.requests().len(), 1);
    server.hung_up().await;
}

#[tokio::test]
async fn times_out_if_the_receiver_is_silent() {
    let server = TestServer::start(Reply::Silence).await;
    let result = egress(hurried(), &Answers::new(&[])).post(to(server.url("127.0.0.1"))).await;
    assert_eq!(result.unwrap_err(), EgressError::TimedOut);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn times_out_if_the_name_server_is_silent() {
    let settings = EgressSettings { lookup_time_out: Duration::from_millis(50), ..development() };
    let egress = Egress::with_resolver(settings, Arc::new(NeverAnswers)).unwrap();
    let started = std::time::Instant::now();
    assert_eq!(egress.post(to("https://silent.test/")).await.unwrap_err(), EgressError::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(3), "the connect and total time-outs are longer");
}

#[tokio::test(start_paused = true)]
async fn limits_the_lookups_of_a_workspace() {
    let resolver = Arc::new(Occupied::default());
    let egress = Egress::with_resolver(development(), Arc::clone(&resolver) as Arc<dyn Resolve>).unwrap();
    let [busy, other] = [1, 2].map(|workspace| egress.for_workspace(workspace));
    let url = |number: usize| to(format!("https://hook.domain{number}.test/"));
    let calls = (0..LOOKUPS_OF_WORKSPACE).map(|number| busy.post(url(number)));
    for outcome in futures::future::join_all(calls).await {
        assert_eq!(outcome.unwrap_err(), EgressError::TimedOut);
    }
    let failed = busy.call(url(LOOKUPS_OF_WORKSPACE)).await.unwrap_err();
    assert!(!failed.may_have_arrived);
    let sentence = "Too many host names of this workspace are being looked up. Their name servers respond slowly.";
    assert_eq!(failed.error, EgressError::Failed(sentence.to_owned()));
    assert_eq!(other.post(url(0)).await.unwrap_err(), EgressError::TimedOut, "it is looked up");
    assert_eq!(resolver.0.lock().unwrap().len(), LOOKUPS_OF_WORKSPACE + 1);
    resolver.0.lock().unwrap().clear();
    assert_eq!(busy.post(url(0)).await.unwrap_err(), EgressError::TimedOut, "its look-ups have ended");
}

#[tokio::test]
async fn limits_a_tls_handshake_to_the_connect_time_out() {
    let server = TestServer::start(Reply::Silence).await;
    let settings = EgressSettings { connect_time_out: Duration::from_millis(100), ..development() };
    let started = std::time::Instant::now();
    let url = server.url("127.0.0.1").replace("http:", "https:");
    let result = egress(settings, &Answers::new(&[])).post(to(url)).await;
    assert_eq!(result.unwrap_err(), EgressError::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(10), "the total time-out is longer");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn truncates_a_huge_body_and_closes_the_connection() {
    let server = TestServer::start(Reply::Endless).await;
    let answer = egress(development(), &Answers::new(&[])).post(to(server.url("127.0.0.1"))).await.unwrap();
    assert_eq!((answer.status, answer.body.len()), (200, 4096));
    server.hung_up().await;
}

#[tokio::test]
async fn truncates_a_longer_body_and_keeps_the_connection() {
    let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{}", "y".repeat(9000));
    let server = TestServer::start(Reply::text(&reply)).await;
    let resolver = Answers::new(&[&["127.0.0.1"]]);
    let egress = egress(development(), &resolver);
    for _ in 0..3 {
        assert_eq!(egress.post(to(server.url("receiver.test"))).await.unwrap().body.len(), 4096);
    }
    assert_eq!((server.requests().len(), server.connections(), resolver.questions().len()), (3, 1, 3));
}

#[tokio::test]
async fn reuses_a_connection() {
    let server = TestServer::start(Reply::ok()).await;
    let resolver = Answers::new(&[&["127.0.0.1"]]);
    let egress = egress(development(), &resolver);
    for _ in 0..5 {
        egress.clone().post(to(server.url("receiver.test"))).await.unwrap();
    }
    assert_eq!((server.requests().len(), server.connections(), resolver.questions().len()), (5, 1, 5));
}

#[tokio::test]
async fn closes_an_idle_connection() {
    assert!(EgressSettings::default().keep_idle < Duration::from_secs(5));
    let server = TestServer::start(Reply::ok()).await;
    let settings = EgressSettings { keep_idle: Duration::from_millis(100), ..development() };
    let egress = egress(settings, &Answers::new(&[]));
    for connections in 1..=2 {
        egress.post(to(server.url("127.0.0.1"))).await.unwrap();
        assert_eq!(server.connections(), connections);
        server.hung_up().await;
    }
}

#[tokio::test]
async fn does_not_reuse_a_connection_for_a_forbidden_name() {
    let server = TestServer::start(Reply::ok()).await;
    let resolver = Answers::new(&[&["127.0.0.1"], &["127.0.0.1", "10.0.0.1"], &["127.0.0.1"]]);
    let egress = egress(development(), &resolver);
    assert!(egress.post(to(server.url("receiver.test"))).await.is_ok());
    assert!(is_forbidden(egress.post(to(server.url("receiver.test"))).await));
    assert!(egress.post(to(server.url("receiver.test"))).await.is_ok());
    assert_eq!((server.requests().len(), server.connections()), (2, 1));
}

#[test]
fn ignores_proxies_of_the_environment() {
    let canary = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("http://{}", canary.local_addr().unwrap());
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "client::tests::reuses_a_connection"]);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        child.env(name, &proxy);
    }
    let output = child.env_remove("no_proxy").env_remove("NO_PROXY").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
    canary.set_nonblocking(true).unwrap();
    assert_eq!(canary.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
}

#[tokio::test]
async fn neither_requests_nor_decompresses_compressed_bodies() {
    let reply = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\u{1f}raw";
    let server = TestServer::start(Reply::text(reply)).await;
    let answer = egress(development(), &Answers::new(&[])).post(to(server.url("127.0.0.1"))).await.unwrap();
    assert_eq!(&answer.body[..], b"\x1fraw");
    assert!(!server.requests()[0].contains("accept-encoding"));
}

#[tokio::test]
async fn describes_the_cause_of_a_failure() {
    let resolver = Answers::new(&[]);
    let egress = egress(development(), &resolver);
    assert_eq!(failure(egress.post(to("https://missing.test/")).await), "The host name was not found.");

    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    assert_eq!(failure(egress.post(to(format!("http://{closed}/"))).await), "The connection was refused.");

    let cut = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec();
    let server = TestServer::start(Reply::Cut(cut)).await;
    let sentence = failure(egress.post(to(server.url("127.0.0.1"))).await);
    assert!(sentence.starts_with("The connection was closed"), "{sentence}");

    for broken in ["SMTP ready\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n"] {
        let server = TestServer::start(Reply::text(broken)).await;
        let sentence = failure(egress.post(to(server.url("127.0.0.1"))).await);
        assert!(sentence.contains("not valid HTTP"), "{sentence}");
    }
}

#[tokio::test]
async fn trusts_only_known_authorities_without_a_global_provider() {
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
    let server = TestServer::start_tls().await;
    let resolver = Answers::new(&[&["127.0.0.1"]]);
    let url = |host: &str| server.url(host).replace("http:", "https:");

    let sentence = failure(egress(development(), &resolver).post(to(url("receiver.test"))).await);
    assert!(sentence.contains("not from a known authority"), "{sentence}");
    assert!(server.requests().is_empty());

    let trusting = trusting(&resolver);
    assert_eq!(trusting.post(to(url("receiver.test"))).await.unwrap().status, 200);
    assert_eq!(server.requests().len(), 1);
    let sentence = failure(trusting.post(to(url("other.test"))).await);
    assert_eq!(sentence, "The TLS certificate is for another host name.");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn uses_http_2_if_it_is_offered_and_limits_the_body() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://receiver.test:{}/", listener.local_addr().unwrap().port());
    let receiver = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let stream = acceptor(&[b"h2"]).accept(stream).await.unwrap();
        let mut connection = h2::server::handshake(stream).await.unwrap();
        // Bodies are kept: dropping one would reset its stream.
        let (mut versions, mut bodies) = (Vec::new(), Vec::new());
        while let Some(Ok((request, mut respond))) = connection.accept().await {
            versions.push(request.version());
            let mut body = respond.send_response(http::Response::new(()), false).unwrap();
            body.send_data(Bytes::from(vec![b'x'; 60_000]), false).unwrap();
            bodies.push(body);
        }
        versions
    });
    let egress = trusting(&Answers::new(&[&["127.0.0.1"]]));
    for _ in 0..2 {
        let answer = egress.post(to(url.as_str())).await.unwrap();
        assert_eq!((answer.status, answer.body.len()), (200, 4096));
    }
    drop(egress);
    assert_eq!(receiver.await.unwrap(), [http::Version::HTTP_2; 2]);
}

#[tokio::test]
async fn resolves_names_with_the_operating_system_by_default() {
    let server = TestServer::start(Reply::ok()).await;
    let egress = Egress::new(development()).unwrap();
    assert_eq!(egress.post(to(server.url("localhost"))).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_name_may_resolve_only_to_allowed_networks() {
    let settings = EgressSettings {
        allowed_networks: vec!["10.0.0.0/8".parse().unwrap()],
        connect_time_out: Duration::from_millis(50),
        total_time_out: Duration::from_millis(100),
        ..EgressSettings::default()
    };
    for (answer, is_refused) in [
        (["10.255.255.77"].as_slice(), false),
        (&["10.255.255.77", "169.254.169.254"], true),
        (&["10.255.255.77", "192.168.1.1"], true),
        (&["fd00:ec2::254"], true),
    ] {
        let resolver = Answers::new(&[answer]);
        let called = egress(settings.clone(), &resolver).post(to("https://backend.internal/")).await;
        assert_eq!(matches!(called, Err(EgressError::Forbidden(_))), is_refused, "{answer:?}: {called:?}");
    }
}
