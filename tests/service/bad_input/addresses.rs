//! Webhooks to private addresses. The tests of `tidings_egress` check every spelling of an address.

use serde_json::json;

use crate::support::{Server, Store};

/// One URL for each kind of spelling that a parser, a name server or a kernel might accept.
const PRIVATE: [&str; 12] = [
    "https://127.0.0.1:8080/hook",
    "https://2130706433/hook",
    "https://0x7f.1/hook",
    "https://①②⑦.0.0.1/hook",
    "https://a.localhost/hook",
    "https://10.0.0.1/hook",
    "https://169.254.169.254/hook",
    "https://[::ffff:127.0.0.1]/hook",
    "http://[fd00:ec2::254]/hook",
    "http://example.com/",
    "https://user@example.com/",
    "example.com",
];

pub async fn rejects_private_webhook_addresses(store: Store) {
    let server = Server::start(store, &[("TIDINGS__EGRESS__ALLOW_LOOPBACK", "false")]);
    let client = server.client();
    for url in PRIVATE {
        let reply = client.post("/api/v1/webhooks", &json!({"url": url, "events": ["*"]})).await;
        assert_eq!(reply.status, 422, "{url}: {}", reply.text);
        let problem = reply.json();
        assert_eq!(problem["errors"][0]["pointer"], "/url", "{url}: {problem}");
        assert_eq!(problem["errors"][0]["code"], "forbidden_address", "{url}: {problem}");
    }
    let long = format!("https://example.com/{}", "x".repeat(2_048));
    let reply = client.post("/api/v1/webhooks", &json!({"url": long, "events": ["*"]})).await;
    assert_eq!(reply.expect(422)["errors"][0]["pointer"], "/url");
    assert_eq!(client.get("/api/v1/webhooks").await.expect(200)["data"], json!([]), "no webhook was stored");

    // A public URL is accepted, so the rejections above are not general.
    let fine = json!({"url": "https://example.com/hook", "events": ["contact.deleted"]});
    client.post("/api/v1/webhooks", &fine).await.expect(201);
}
