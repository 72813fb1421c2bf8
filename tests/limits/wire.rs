//! HTTP conformance: methods, request IDs, compression, entity tags.

use std::collections::BTreeSet;
use std::io::Read;

use flate2::read::GzDecoder;
use regex::Regex;
use serde_json::json;
use tidings_http::routes::ROUTES;

use crate::support::{Reply, Server, Store};

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_head_with_the_headers_of_get() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    let made = client.post("/api/v1/contacts", &json!({"first_name": "Ada"})).await.expect(201);
    let contact = format!("/api/v1/contacts/{}", made["id"].as_str().unwrap());
    for path in [contact.as_str(), "/api/v1/contacts", "/api/v1/tags/x", "/api/v1/me", "/healthz", "/openapi.json"] {
        let (get, head) = (client.get(path).await, client.call("HEAD", path, None).await);
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
        for name in ["content-type", "content-length", "etag", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
        assert_eq!(get.header("content-length"), Some(get.bytes.len().to_string().as_str()), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_a_request_id_and_echoes_that_of_the_client() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    let form = Regex::new("^req_[0-7][0-9a-hjkmnp-tv-z]{25}$").unwrap();
    let mut seen = BTreeSet::new();
    let mut note = |reply: &Reply| {
        let id = reply.header("x-request-id").unwrap().to_owned();
        assert!(form.is_match(&id), "{id}");
        assert!(seen.insert(id), "an ID was used twice");
    };
    for (method, path) in [("GET", "/api/v1/me"), ("GET", "/nowhere"), ("POST", "/healthz"), ("OPTIONS", "/api/v1/me")]
    {
        note(&client.call(method, path, None).await);
    }
    note(&client.with_key(None).get("/api/v1/me").await);
    note(&client.post("/api/v1/contacts", &json!({"nobody": 1})).await);

    let (longest, too_long) = ("a".repeat(128), "a".repeat(129));
    for (id, repeated) in [
        ("order-17:try_2.a", true),
        (longest.as_str(), true),
        (too_long.as_str(), false),
        ("a b", false),
        ("<script>", false),
        ("", false),
    ] {
        let reply = client.send("GET", "/api/v1/me", &[("x-request-id", id)], None).await.unwrap();
        assert_eq!(reply.header("x-client-request-id"), Some(id).filter(|_| repeated), "{id}");
        note(&reply);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn compresses_long_answers_if_accepted_but_never_secrets() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    let long =
        json!({"first_name": "A".repeat(100), "tags": (0..30).map(|it| format!("tag {it}")).collect::<Vec<_>>()});
    let made = client.post("/api/v1/contacts", &long).await.expect(201);
    let contact = format!("/api/v1/contacts/{}", made["id"].as_str().unwrap());
    let accepting = async |path: &str, codings: &str| {
        client.send("GET", path, &[("accept-encoding", codings)], None).await.unwrap()
    };

    let plain = client.get(&contact).await;
    let packed = accepting(&contact, "br, gzip").await;
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    let mut unpacked = Vec::new();
    GzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert!(packed.bytes.len() < plain.bytes.len() && unpacked == plain.bytes);
    for reply in [&plain, &packed] {
        assert_eq!(reply.header("vary"), Some("Accept-Encoding"));
    }
    let (tag, packed_tag) = (plain.header("etag").unwrap(), packed.header("etag").unwrap());
    assert_eq!(packed_tag, format!("{}-gzip\"", tag.trim_end_matches('"')));
    for tag in [tag, packed_tag] {
        let reply = client.send("GET", &contact, &[("if-none-match", tag)], None).await.unwrap();
        assert_eq!(reply.status, 304, "{tag} matches in either encoding");
    }
    for codings in ["", "identity", "br", "gzip;q=0", "*;q=0"] {
        assert_eq!(accepting(&contact, codings).await.header("content-encoding"), None, "{codings}");
    }
    assert_eq!(
        accepting("/api/v1/me", "gzip").await.header("content-encoding"),
        None,
        "short answers are not compressed"
    );

    let hook = json!({"url": format!("https://example.com/{}", "x".repeat(1_500)), "events": ["*"]}).to_string();
    let headers = [("content-type", "application/json"), ("accept-encoding", "gzip")];
    let secret = client.send("POST", "/api/v1/webhooks", &headers, Some(hook.into_bytes())).await.unwrap();
    assert!(secret.expect(201)["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!((secret.header("content-encoding"), secret.header("cache-control")), (None, Some("no-store")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_304_for_an_unchanged_object() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    let made = client.post("/api/v1/tags", &json!({"name": "vip"})).await;
    let path = made.header("location").unwrap().to_owned();
    let tag = client.get(&path).await.header("etag").unwrap().to_owned();
    assert_eq!(made.header("etag"), Some(tag.as_str()), "the response to POST has the ETag of the object");
    assert!(Regex::new("^\"1-[0-9A-Za-z_-]+\"$").unwrap().is_match(&tag), "{tag}");
    let asking = async |value: &str| client.send("GET", &path, &[("if-none-match", value)], None).await.unwrap();
    for value in [tag.clone(), format!("\"0-x\", {tag}"), format!("W/{tag}"), "*".to_owned()] {
        let reply = asking(&value).await;
        assert_eq!((reply.status, reply.text.as_str()), (304, ""), "{value}");
        assert_eq!(reply.header("etag"), Some(tag.as_str()));
    }
    let headers = [("content-type", "application/merge-patch+json"), ("if-match", tag.as_str())];
    let red = br##"{"color": "#ff0000"}"##.to_vec();
    let changed = client.send("PATCH", &path, &headers, Some(red)).await.unwrap();
    assert_eq!(changed.expect(200)["version"], 2);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
    assert_eq!(asking(&tag).await.expect(200)["color"], "#ff0000");
}
