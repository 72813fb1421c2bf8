//! Webhooks to private addresses, in every spelling that a parser, a name server or a kernel might accept.

use serde_json::json;

use crate::support::{Server, Store};

const LOOPBACK: [&str; 29] = [
    "127.0.0.1",
    "127.0.0.1:8080",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "2130706433.",
    "0x7f000001",
    "0x7F.0.0.1",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "0177.0x0.1",
    "00000177.0.0.1",
    "127.0.0.1.",
    "127%2e0%2e0%2e1",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost..",
    "a.localhost",
    "a.b.LocalHost.",
    "ｌocalhost",
    "%6cocalhost",
    "0",
];

const PRIVATE: [&str; 30] = [
    "0.0.0.0",
    "0x0",
    "10.0.0.1",
    "10.1",
    "167772161",
    "012.0.0.1",
    "0xa.1",
    "100.64.0.1",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "3232235521",
    "192.168.257",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.1",
    "192.88.99.1",
    "168.63.129.16",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    "0xffffffff",
];

const IPV6: [&str; 30] = [
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:0001]",
    "[0:0:0:0:0:ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::10.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2002:0a00:0001::]",
    "[2001::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[100::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[5f00::1]",
    "[4000::1]",
    "[1::1]",
];

/// URLs that are rejected whatever their host is.
const FORMS: [&str; 22] = [
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "unix:///run/docker.sock",
    "https://",
    "https:///",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com:0/",
    "https://example.com:99999/",
    "https://exa mple.com/",
    "https://[::1/",
    "https://[fe80::1%25eth0]/",
    "//example.com/",
    "example.com",
    "https",
    "https://256.256.256.256/",
    "https://1.2.3.4.5/",
];

pub async fn rejects_private_webhook_addresses(store: Store) {
    let server = Server::start(store, &[("TIDINGS__EGRESS__ALLOW_LOOPBACK", "false")]);
    let client = server.client();
    let hosts = LOOPBACK.iter().chain(&PRIVATE).chain(&IPV6);
    let urls = hosts.flat_map(|host| [format!("https://{host}/hook"), format!("http://{host}/hook")]);
    let urls: Vec<String> = urls.chain(FORMS.map(ToOwned::to_owned)).collect();
    for url in &urls {
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
    println!("{} addresses were refused", urls.len() + 1);
}
