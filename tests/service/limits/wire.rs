//! HTTP conformance: methods, request IDs, compression, entity tags.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::json;
use tidings_http::routes::ROUTES;

use crate::support::{Server, Store};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paths_report_their_allowed_methods() {
    let server = Server::start(Store::sqlite().await, &[]);
    let nobody = server.client().with_key(None);
    for route in ROUTES {
        let path = route.path.replace(['{', '}'], "");
        let takes: BTreeSet<&str> =
            ROUTES.iter().filter(|it| it.path == route.path).map(|it| it.method.as_str()).collect();
        let options = nobody.call("OPTIONS", &path, None).await;
        assert_eq!((options.status, options.text.as_str()), (204, ""), "{path}");
        let allow = options.header("allow").unwrap().to_owned();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            assert_eq!(allow.split(", ").any(|it| it == method), takes.contains(method), "{method} {path}: {allow}");
            if !takes.contains(method) {
                // The allowed methods are returned before the key is checked.
                let reply = nobody.call(method, &path, None).await;
                assert_eq!((reply.status, reply.code().as_str()), (405, "method_not_allowed"), "{method} {path}");
                assert_eq!(reply.header("allow"), Some(allow.as_str()));
            }
        }
        let odd = nobody.call("BREW", &path, None).await;
        assert_eq!(odd.status, 405, "{path}");
    }
    for path in ["/api/v1", "/api/v1/", "/api/v1/nowhere", "/api/v1/contacts/", "/api/v2/contacts", "/API/v1/tags"] {
        let reply = nobody.get(path).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "route_not_found"), "{path}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    }
}

/// One request for each rule that the tests of `tidings_http` check in detail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_head_compression_request_ids_and_entity_tags() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    let long = json!({"first_name": "A".repeat(100), "avatar_url": format!("https://a.io/{}", "x".repeat(1_500))});
    let made = client.post("/api/v1/contacts", &long).await;
    let path = made.header("location").unwrap().to_owned();
    let (get, head) = (client.get(&path).await, client.call("HEAD", &path, None).await);
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    for name in ["content-type", "content-length", "etag", "vary"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    let tag = get.header("etag").unwrap();
    assert_eq!(made.header("etag"), Some(tag), "the response to POST has the ETag of the object");
    let with = async |name: &str, value: &str| client.send("GET", &path, &[(name, value)], None).await.unwrap();
    assert_eq!(with("if-none-match", tag).await.status, 304);
    assert_eq!(with("accept-encoding", "br, gzip").await.header("content-encoding"), Some("gzip"));
    let repeated = with("x-request-id", "order-17").await;
    assert_eq!(repeated.header("x-client-request-id"), Some("order-17"));
    let form = Regex::new("^req_[0-7][0-9a-hjkmnp-tv-z]{25}$").unwrap();
    assert!(form.is_match(repeated.header("x-request-id").unwrap()));
    assert_ne!(repeated.header("x-request-id"), get.header("x-request-id"));
}
