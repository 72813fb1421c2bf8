//! The built files of the panel, served by the running program to a browser.

use std::io::Read;
use std::time::Duration;

use regex::Regex;

use crate::support::{Client, Reply, Server, Store};

const GZIP: (&str, &str) = ("accept-encoding", "gzip, br");
/// The header of browsers that navigate to a URL.
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

fn unpacked(reply: &Reply) -> String {
    assert_eq!(reply.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(&reply.bytes[..]).read_to_string(&mut text).unwrap();
    text
}

async fn get(client: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    client.send("GET", path, headers, None).await.unwrap()
}

/// Returns the URLs of scripts, styles and pictures that the page requests.
fn named(page: &str) -> Vec<String> {
    let pattern = Regex::new(r#"<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)""#).unwrap();
    let addresses = pattern.captures_iter(page).map(|found| found.get(1).unwrap().as_str().to_owned());
    addresses.filter(|it| !it.starts_with("data:")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serves_the_whole_panel_to_browsers_at_every_address() {
    let server = Server::start(Store::sqlite().await, &[]);
    let nobody = Client::new(&server.base, None);
    let root = get(&nobody, "/", &[GZIP]).await;
    assert_eq!((root.status, root.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(root.header("cache-control"), Some("no-cache"));
    let page = unpacked(&root);
    for path in ["/settings/api-keys", "/login", "/developers/log?status=500", "/join/tdg_token_x"] {
        let reply = get(&nobody, path, &[BROWSER]).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, page.as_str()), "{path}");
        let head = nobody.send("HEAD", path, &[BROWSER], None).await.unwrap();
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        assert_eq!(head.header("content-length"), Some(page.len().to_string().as_str()));
        let post = nobody.send("POST", path, &[BROWSER], None).await.unwrap();
        assert_eq!((post.status, post.code().as_str()), (405, "method_not_allowed"), "{path}");
        let program = get(&nobody, path, &[]).await;
        assert_eq!((program.status, program.code().as_str()), (404, "route_not_found"), "{path}");
    }
    let tag = root.header("etag").unwrap();
    let again = get(&nobody, "/contacts", &[BROWSER, GZIP, ("if-none-match", tag)]).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));

    let policy = root.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("http"), "{policy}");
    for address in named(&page) {
        let (packed, plain) = (get(&nobody, &address, &[GZIP]).await, get(&nobody, &address, &[]).await);
        assert_eq!((packed.status, plain.status), (200, 200), "{address}");
        assert_eq!(plain.header("content-encoding"), None, "{address}");
        match packed.header("content-encoding") {
            Some(_) => assert_eq!(unpacked(&packed), plain.text, "{address}"),
            None => assert_eq!(packed.bytes, plain.bytes, "{address}"),
        }
        assert_eq!(plain.header("content-security-policy"), Some(policy), "{address}");
        let is_kept = plain.header("cache-control") == Some("public, max-age=31536000, immutable");
        assert_eq!(is_kept, address.starts_with("/assets/"), "{address}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_404_outside_of_the_panel() {
    let server = Server::start(Store::sqlite().await, &[]);
    let client = server.client();
    for path in ["/api/v1/nothing", "/auth/nothing", "/platform/nothing", "/assets/missing.js", "/wp-login.php"] {
        let reply = client.get(path).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "route_not_found"), "{path}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{path}");
        assert_eq!(reply.header("content-security-policy"), None, "{path}");
    }
    assert_eq!(client.get("/assets/missing.js").await.header("cache-control"), Some("no-store"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logs_no_address_of_the_panel() {
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__LOG__LEVEL", "trace")]);
    let client = Client::new(&server.base, None);
    let token = "tdg_token_0123456789abcdef";
    let path = format!("/join/{token}");
    assert_eq!(get(&client, &path, &[BROWSER]).await.status, 200);
    assert_eq!(client.send("DELETE", &path, &[BROWSER], None).await.unwrap().status, 405);
    for _ in 0..500 {
        // Log lines are written a few milliseconds later.
        if server.log().matches("/{panel}").count() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(server.log().matches("/{panel}").count(), 2, "{}", server.log());
    assert!(!server.log().contains("0123456789abcdef"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_to_the_documentation_without_the_panel() {
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__PANEL__ENABLED", "false")]);
    let client = Client::new(&server.base, None);
    // The client follows the redirect.
    let root = get(&client, "/", &[]).await;
    assert!(root.status == 200 && root.text.contains("/docs/"), "{}", root.text);
    for path in ["/login", "/settings/api-keys", "/index.html", "/favicon.svg"] {
        let reply = client.get(path).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "route_not_found"), "{path}");
    }
}
