//! `tidings listen`, which prints webhooks.

use std::fs;
use std::io::{BufRead, BufReader};

use serde_json::Value;
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_webhook_sender::{SigningSecret, sign};

use super::{Place, Running, ask, said};

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

#[test]
fn listen_stops_if_the_server_never_answers() {
    let place = Place::new("no-server");
    fs::write(place.file("key"), "tdg_live_none").unwrap();
    let listen = ["listen", "--forward-to", "http://127.0.0.1:9/", "--key-file", "key", "--url", "http://127.0.0.1:1"];
    let output = place.run(&listen);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("http://127.0.0.1:1 has not answered for "), "{}", said(&output));
}

#[test]
fn listen_prints_signed_events_and_rejects_others() {
    let place = Place::new("listen");
    let mut command = place.command(&["listen", "--port", "0", "--json"]);
    command.env("TIDINGS_LISTEN_SECRET", SECRET);
    let mut receiver = Running::of(command, |child| Box::new(child.stderr.take().unwrap()));
    let address = receiver.first_line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
    let address = address.trim_end_matches(';').to_owned();

    let body = r#"{"id":"evt_1","type":"contact.created"}"#;
    let now = SystemClock.now().unix_seconds();
    let signed = sign(&[SigningSecret::parse(SECRET).unwrap()], "evt_1", now, body.as_bytes());
    let timestamp = now.to_string();
    let headers = |service: &str| {
        [
            ("X-Service-Signature", service.to_owned()),
            ("webhook-id", "evt_1".to_owned()),
            ("webhook-timestamp", timestamp.clone()),
            ("webhook-signature", signed.standard.clone()),
            ("X-Service-Attempt", "1".to_owned()),
        ]
    };
    let post = |service: &str| {
        let headers = headers(service);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        ask(&address, "POST /any/path", &headers, body).0
    };
    assert_eq!(post(&signed.service), 204);
    assert_eq!(post(&signed.service.replace("v1=", "v1=0")), 400);

    let mut lines = BufReader::new(receiver.child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let (first, second) = (next(), next());
    assert_eq!((&first["verified"], &first["event"]["type"]), (&true.into(), &"contact.created".into()));
    assert_eq!((&second["verified"], second.get("event")), (&false.into(), None));

    let without = place.run(&["listen"]);
    assert!(said(&without).contains("TIDINGS_LISTEN_SECRET"), "{}", said(&without));
}
