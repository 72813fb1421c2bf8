//! Keys, preconditions and idempotency keys. The tests of `tidings-http` check every malformed header and each content
//! type.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use super::case::{Case, bare, get, post, put, raw};
use super::setup::Setup;
use crate::support::{Server, Store, keys};

const CONTACTS: &str = "/api/v1/contacts";

pub async fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = credentials(setup);
    cases.extend(preconditions(setup).await);
    cases.extend(idempotency(setup).await);
    cases
}

fn credentials(setup: &Setup) -> Vec<Case> {
    let full = &setup.seed.full;
    let wrong = [
        None,
        Some(keys::mistyped(full)),
        Some(keys::truncated(full)),
        Some(keys::unknown()),
        Some(setup.revoked.clone()),
        Some(full.replacen("live", "test", 1)),
    ];
    let mut cases = Vec::new();
    for key in wrong {
        let ada = json!({"first_name": "Ada"});
        for case in [get(CONTACTS), post(CONTACTS, ada), bare("DELETE", setup.contact())] {
            cases.push(
                case.with_key(key.clone()).earns(401, "unauthorized").answered_with("www-authenticate", "Bearer"),
            );
        }
    }
    cases
}

async fn preconditions(setup: &Setup) -> Vec<Case> {
    let tag = setup.client.get(&setup.contact()).await.header("etag").unwrap().to_owned();
    let rename = || put(setup.contact(), json!({"first_name": "Eve"}));
    let failed = |case: Case| case.earns(412, "precondition_failed");
    let other = "\"99-0\"";
    let field = format!("{}/custom-fields/plan", setup.contact());
    vec![
        failed(rename().header("if-match", other)),
        failed(rename().header("if-match", format!("{other}, \"98-0\""))),
        failed(rename().header("if-none-match", "*")),
        failed(rename().header("if-none-match", tag)),
        failed(raw("PATCH", setup.contact(), r#"{"first_name": "Eve"}"#).header("if-match", other)),
        failed(bare("DELETE", setup.contact()).header("if-match", other)),
        failed(post(format!("{}/tags", setup.contact()), json!({"name": "new"})).header("if-match", other)),
        failed(post(field, json!({"value": "silver"})).header("if-match", other)),
        failed(post(format!("{}/publish", setup.draft()), json!({})).header("if-match", other)),
        failed(bare("DELETE", format!("/api/v1/webhooks/{}", setup.seed.id("hook"))).header("if-match", other)),
        failed(bare("DELETE", format!("/api/v1/custom-fields/{}", setup.seed.id("field"))).header("if-match", other)),
        failed(get(setup.contact()).header("if-match", other)),
        rename().header("if-match", "\"99").earns(400, "invalid_header"),
    ]
}

async fn idempotency(setup: &Setup) -> Vec<Case> {
    let ada = || post(CONTACTS, json!({"first_name": "Ada"}));
    let twice = ada().header("idempotency-key", "one").header("idempotency-key", "two");
    let mut cases = vec![twice.earns(400, "invalid_header")];

    let first = json!({"external_id": "once"}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("idempotency-key", "used")];
    setup.client.send("POST", CONTACTS, &headers, Some(first)).await.unwrap().expect(201);
    for case in [ada(), post(format!("{CONTACTS}?"), json!({"external_id": "other"}))] {
        cases.push(case.header("idempotency-key", "used").earns(422, "idempotency_key_reused"));
    }
    cases
}

/// Sends a chunked body, without a length, that is larger than the route accepts.
pub async fn rejects_a_chunked_body_that_is_too_large(store: Store) {
    let server = Server::start(store, &[]);
    let address = server.base.strip_prefix("http://").unwrap().to_owned();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST {CONTACTS} HTTP/1.1\r\nHost: tidings\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        server.key
    );
    stream.write_all(head.as_bytes()).unwrap();
    let piece = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    for _ in 0..75 {
        // The server may have responded and closed already.
        if stream.write_all(piece.as_bytes()).is_err() {
            break;
        }
    }
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status).unwrap();
    assert!(status.starts_with("HTTP/1.1 413"), "{status}");
    let contacts = server.client().get(CONTACTS).await.expect(200);
    assert_eq!(contacts["data"], json!([]));
}
