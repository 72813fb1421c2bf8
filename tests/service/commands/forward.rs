//! `tidings listen --forward-to URL`: a program on this machine receives events in the form of a webhook.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use serde_json::Value;
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_webhook_sender::{SigningSecret, verify};

use super::{Place, Running, ask, said, with_key};

/// Accepts one request, responds with this status, and returns its headers and body.
fn take(listener: &TcpListener, status: u16) -> (BTreeMap<String, String>, Vec<u8>) {
    let (stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream);
    let (mut line, mut headers) = (String::new(), BTreeMap::new());
    reader.read_line(&mut line).unwrap();
    assert!(line.starts_with("POST /hooks "), "{line}");
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let mut stream = reader.into_inner();
    write!(stream, "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").unwrap();
    (headers, body)
}

#[test]
fn forwards_events_in_order_once_the_target_responds() {
    let place = Place::new("forward");
    let server = place.serve();
    let made: Value = serde_json::from_str(&server.first_line).unwrap();
    let address = made["address"].as_str().unwrap();
    let [(name, value)] = with_key(&made["key"]);
    let contact = |body: &str| {
        let headers = [(name, value.as_str()), ("Content-Type", "application/json")];
        assert_eq!(ask(address, "POST /api/v1/contacts", &headers, body).0, 201);
    };
    contact(r#"{"first_name": "Before"}"#);
    // The event is in the feed a moment later.
    while !ask(address, "GET /api/v1/events", &[(name, &value)], "").1.contains("Before") {
        std::thread::yield_now();
    }

    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let target = format!("http://{free}/hooks");
    let options = ["listen", "--forward-to", &target, "--url", address, "--types", "contact.created", "--json"];
    let forwarder = Running::of(place.command(&options), |child| Box::new(child.stdout.take().unwrap()));
    let begin: Value = serde_json::from_str(&forwarder.first_line).unwrap();
    let secret = SigningSecret::parse(begin["secret"].as_str().unwrap()).unwrap();
    assert_eq!((begin["forwarding_to"].as_str(), begin["after"].as_i64()), (Some(target.as_str()), Some(1)), "{begin}");

    contact(r#"{"first_name": "Ada"}"#);
    contact(r#"{"first_name": "Grace"}"#);
    let listener = TcpListener::bind(free).unwrap();
    let mut seen = Vec::new();
    for status in [500, 204] {
        let (headers, body) = take(&listener, status);
        let header = |name: &str| headers.get(name).map(String::as_str);
        verify(&secret, header, &body, SystemClock.now()).unwrap();
        let event: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((header("x-service-event"), header("webhook-id")), (event["type"].as_str(), event["id"].as_str()));
        assert!(header("x-service-delivery").unwrap().starts_with("dlv_"));
        assert_eq!(event.get("position"), None, "the body is that of a webhook");
        seen.push(event["data"]["object"]["first_name"].as_str().unwrap().to_owned());
    }
    assert_eq!(seen, ["Ada", "Grace"], "events arrive in order, and answered ones are not repeated");
    assert!(forwarder.stop(), "the command exits successfully on request");
}

#[test]
fn explains_why_forwarding_cannot_start() {
    let place = Place::new("forward-wrong");
    let without = place.run(&["listen", "--forward-to", "http://127.0.0.1:1/"]);
    assert_eq!(without.status.code(), Some(1));
    assert!(said(&without).contains("TIDINGS_API_KEY"), "{}", said(&without));
    let scheme = place.run(&["listen", "--forward-to", "localhost:3000"]);
    assert!(said(&scheme).contains("http://127.0.0.1:3000/hooks"), "{}", said(&scheme));
    let both = place.run(&["listen", "--forward-to", "http://127.0.0.1:1/", "--port", "1"]);
    assert_eq!(both.status.code(), Some(2));

    let server = place.serve();
    let made: Value = serde_json::from_str(&server.first_line).unwrap();
    let address = made["address"].as_str().unwrap();
    let mut command = place.command(&["listen", "--forward-to", "http://127.0.0.1:1/", "--url", address]);
    let refused = command.env("TIDINGS_API_KEY", "tdg_live_wrong").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("401"), "{}", said(&refused));
}
