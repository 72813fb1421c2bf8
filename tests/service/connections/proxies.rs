//! Requests through trusted proxies, and from clients that only claim to be one.

use std::net::IpAddr;

use serde_json::json;

use crate::support::{Client, Reply, Server, Store};

/// Sends a request from an address, of a trusted proxy or of another host.
async fn ask(server: &Server, from: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let address: IpAddr = from.parse().unwrap();
    let client = Client::from_address(&server.base, Some(&server.key), Some(address));
    client.send("GET", path, headers, None).await.unwrap()
}

const PROXY: &str = "127.0.0.1";
const STRANGER: &str = "127.0.0.2";

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trusts_forwarding_headers_only_of_trusted_proxies() {
    let settings = [
        ("TIDINGS__HTTP__TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8"),
        ("TIDINGS__LIMITS__PAGES", "3"),
        ("TIDINGS__AUTH__ATTEMPTS_PER_MINUTE", "2"),
    ];
    let server = Server::start(Store::sqlite().await, &settings);
    let page = async |from: &str, headers: &[(&str, &str)]| ask(&server, from, "/docs", headers).await;

    for number in 0..3 {
        let header = format!("192.0.2.{number}, 198.51.100.1, 10.0.0.7");
        assert_eq!(page(PROXY, &[("x-forwarded-for", &header)]).await.status, 200);
    }
    let refused = page(PROXY, &[("forwarded", "for=198.51.100.1;proto=https")]).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"));
    let seconds: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=61).contains(&seconds), "{seconds}");
    assert_eq!(page(PROXY, &[("forwarded", "for=198.51.100.2")]).await.status, 200, "another client");

    for number in 0..3 {
        assert_eq!(page(STRANGER, &[("x-forwarded-for", &format!("198.51.100.{number}"))]).await.status, 200);
    }
    assert_eq!(
        page(STRANGER, &[("x-forwarded-for", "198.51.100.9")]).await.status,
        429,
        "headers of an untrusted peer are ignored"
    );
    let lost = ask(&server, STRANGER, "/api/v3/nowhere", &[]).await;
    assert_eq!(lost.status, 429, "requests for unknown paths are counted");
    for path in ["/healthz", "/readyz", "/api/v1/me"] {
        assert_eq!(ask(&server, STRANGER, path, &[]).await.status, 200, "{path} is not counted");
    }

    let log_in = async |client: &str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", client)];
        let body = json!({"email": "nobody@example.com", "password": "a wrong password"}).to_string().into_bytes();
        server.client().send("POST", "/auth/login", &headers, Some(body)).await.unwrap().status
    };
    let tries = [log_in("198.51.100.1").await, log_in("198.51.100.1").await, log_in("198.51.100.1").await];
    assert_eq!(tries[2], 429, "{tries:?}");
    assert_ne!(log_in("203.0.113.1, 198.51.100.2").await, 429, "sign-ins are counted by client address");
}
