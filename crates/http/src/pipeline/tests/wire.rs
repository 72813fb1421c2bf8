//! Tests on a socket, including the server library.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tidings_domain::testing::a_contact;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::pipeline::in_time;
use crate::response::answer::Answer;
use crate::response::problem::Code;
use crate::routes::{ROUTES, Route};
use crate::testing::Mocks;
use crate::{ConnectionBounds, ConnectionTimeouts, Listener, TrustedProxies, configure, listen};

/// Starts a server with one contact, which accepts no commits.
fn serve() -> SocketAddr {
    serve_on(Mocks::with_keys())
}

fn serve_on(mut ports: Mocks) -> SocketAddr {
    ports.contacts.expect_find().returning(|_, _| Ok(Some(a_contact().named("Ada").build())));
    let state = ports.serve().state;
    let listener = Listener {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        workers: Some(1),
        bounds: ConnectionBounds { all: 10, of_one_address: 10 },
        timeouts: state.timeouts,
        trusted: TrustedProxies::default(),
        grace: Duration::from_secs(1),
    };
    let routes = Arc::clone(&state);
    let (server, address) = listen(listener, &state, move |config| configure(config, &routes)).unwrap();
    actix_web::rt::spawn(server);
    address
}

/// Sends these bytes and reads until the server closes. Returns head and body.
async fn exchange(address: SocketAddr, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let text = String::from_utf8(answer).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

fn request(line: &str, headers: &str) -> String {
    format!("{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key-3\r\nConnection: close\r\n{headers}\r\n")
}

fn length(head: &str) -> Option<usize> {
    head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()
}

#[actix_web::test]
async fn sends_the_content_length_of_get_with_head() {
    let address = serve();
    let path = "/api/v1/contacts/email:ada@example.com";
    let (get, body) = exchange(address, &request(&format!("GET {path}"), "")).await;
    let (head, nothing) = exchange(address, &request(&format!("HEAD {path}"), "")).await;
    assert_eq!((length(&get), length(&head)), (Some(body.len()), Some(body.len())));
    assert!(body.contains("\"Ada\"") && nothing.is_empty());
}

#[actix_web::test]
async fn sends_no_body_with_204_and_304() {
    let address = serve();
    let (options, body) = exchange(address, &request("OPTIONS /api/v1/tags", "")).await;
    assert!(options.starts_with("http/1.1 204") && options.contains("allow: get, head, post, options"), "{options}");
    assert!(body.is_empty() && length(&options).is_none_or(|length| length == 0));
    let path = "GET /api/v1/contacts/email:ada@example.com";
    let (unchanged, body) = exchange(address, &request(path, "If-None-Match: *\r\n")).await;
    assert!(unchanged.starts_with("http/1.1 304") && body.is_empty(), "{unchanged}");
}

#[actix_web::test]
async fn limits_a_chunked_body_while_it_arrives() {
    let address = serve();
    let chunk = format!("{:x}\r\n{}\r\n", 200_000, "x".repeat(200_000));
    let headers = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let request = format!("{}{chunk}{chunk}0\r\n\r\n", request("POST /api/v1/tags", headers));
    let (head, body) = exchange(address, &request).await;
    assert!(head.starts_with("http/1.1 413"), "{head}");
    assert!(body.contains("\"payload_too_large\""));
}

#[actix_web::test]
async fn answers_400_to_a_broken_body() {
    let address = serve();
    let headers = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let (head, body) = exchange(address, &format!("{}zz\r\n", request("POST /api/v1/tags", headers))).await;
    assert!(head.starts_with("http/1.1 400") && head.contains("application/problem+json"), "{head}");
    assert!(body.contains("\"bad_request\""));
}

#[actix_web::test]
async fn answers_408_if_the_body_does_not_arrive() {
    let timeouts = ConnectionTimeouts { body: Duration::ZERO, ..ConnectionTimeouts::default() };
    let address = serve_on(Mocks { timeouts: Some(timeouts), ..Mocks::with_keys() });
    let headers = "Content-Type: application/json\r\nContent-Length: 10\r\n";
    let (head, body) = exchange(address, &request("POST /api/v1/tags", headers)).await;
    assert!(head.starts_with("http/1.1 408"), "{head}");
    assert!(body.contains("\"request_timeout\""));
}

#[actix_web::test]
async fn answers_503_if_handling_takes_too_long() {
    let timeouts = ConnectionTimeouts { handling: Duration::from_millis(10), ..ConnectionTimeouts::default() };
    let address = serve_on(Mocks { timeouts: Some(timeouts), ..Mocks::with_keys() });
    let headers = "Content-Type: application/json\r\nContent-Length: 10\r\n";
    for (line, code) in [("POST /api/v1/tags", "outcome_unknown"), ("POST /api/v1/contacts/search", "unavailable")] {
        let (head, body) = exchange(address, &request(line, headers)).await;
        assert!(head.starts_with("http/1.1 503") && head.contains("connection: close"), "{line}: {head}");
        assert!(body.contains(code), "{line}: {body}");
    }
}

#[actix_web::test]
async fn exempts_streaming_routes_from_the_time_limit() {
    let plain = ROUTES.iter().find(|route| route.operation_id == "list_events").unwrap();
    let streaming = Route {
        method: plain.method.clone(),
        path: plain.path,
        scope: plain.scope,
        operation_id: "stream_events",
        traits: plain.traits.streams(),
    };
    let limit = Duration::from_millis(1);
    let never = std::future::pending::<Result<_, ()>>();
    let outcome = in_time(Some(plain), limit, never).await.unwrap();
    assert_eq!(outcome.unwrap_err().code(), Code::Unavailable);
    tokio::time::pause();
    let late = async {
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        Ok::<_, ()>(Ok(Answer::no_content()))
    };
    assert!(in_time(Some(&streaming), limit, late).await.unwrap().is_ok());
}
