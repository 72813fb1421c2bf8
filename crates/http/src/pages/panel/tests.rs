//! Tests of the files and headers of the panel.

use actix_web::http::Method;
use actix_web::test::TestRequest;

use super::*;
use crate::response::compress;
use crate::testing::{Api, Mocks, Reply};

const PAGE: &str = "<!doctype html><title>Tidings</title>";
const SCRIPT: &str = "/assets/index-0a1b2c3d.js";
/// The header that browsers send for a navigation.
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

fn script() -> String {
    "console.log(1);\n".repeat(200)
}

fn file(path: &'static str, content_type: &'static str, bytes: Vec<u8>, gzip: bool) -> PanelFile {
    let bytes = if gzip { compress::gzip_well(&bytes).unwrap() } else { bytes };
    PanelFile { path, content_type, bytes: bytes.leak(), gzip, immutable: path.starts_with("assets/") }
}

fn api() -> Api {
    let panel = Panel::new([
        file("index.html", "text/html; charset=utf-8", PAGE.into(), true),
        file("favicon.svg", "image/svg+xml", b"<svg/>".into(), true),
        file("assets/index-0a1b2c3d.js", "text/javascript; charset=utf-8", script().into(), true),
        file("assets/inter-0a1b2c3d.woff2", "font/woff2", vec![b'w'; 4_000], false),
    ]);
    Mocks { panel: Some(panel), ..Mocks::with_keys() }.serve()
}

async fn ask(api: &Api, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = TestRequest::with_uri(path).method(method);
    api.send(headers.iter().fold(request, |request, (name, value)| request.insert_header((*name, *value)))).await
}

async fn get(api: &Api, path: &str) -> Reply {
    ask(api, Method::GET, path, &[BROWSER]).await
}

#[actix_web::test]
async fn serves_the_page_at_every_panel_address() {
    let api = api();
    for path in [
        "/",
        "/login",
        "/join/tdg_token_0a1b",
        "/contacts/contact_01h455vb4pex5vsknk084sn02q",
        "/settings/api-keys",
        "/developers/log?status=500&key=key_1",
        "/developers/docs",
        "/inbox/",
        "/apis",
    ] {
        let reply = get(&api, path).await;
        assert_eq!((reply.status, &reply.body[..]), (200, PAGE.as_bytes()), "{path}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        assert_eq!(reply.header("vary"), Some("Accept"), "{path}");
    }
}

#[actix_web::test]
async fn answers_404_to_programs_at_panel_addresses() {
    let api = api();
    let probes = "`GET /healthz`";
    let of_api = "`/api/v1/`";
    for (path, hint) in [
        ("/health", probes),
        ("/v1/contacts", of_api),
        ("/contacts", of_api),
        ("/settings/api-keys", "no route at this path"),
        ("/login", "no route at this path"),
    ] {
        for accept in [None, Some("*/*"), Some("application/json, text/plain;q=0.5"), Some("text/htmlx")] {
            for method in [Method::GET, Method::POST] {
                let headers: Vec<_> = accept.map(|value| ("accept", value)).into_iter().collect();
                let reply = ask(&api, method, path, &headers).await;
                assert_eq!(reply.problem(), (404, "route_not_found".into()), "{path} for {accept:?}");
                assert!(reply.json()["detail"].as_str().unwrap().contains(hint), "{path}: {:?}", reply.body);
                assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
            }
        }
        for accept in ["text/html", "application/json;q=0.1, TEXT/HTML;q=0.9"] {
            assert_eq!(ask(&api, Method::GET, path, &[("accept", accept)]).await.status, 200, "{path} for {accept}");
        }
    }
    for path in ["/", "/favicon.svg", SCRIPT] {
        assert_eq!(ask(&api, Method::GET, path, &[]).await.status, 200, "{path} is public");
    }
}

#[actix_web::test]
async fn serves_no_page_at_reserved_paths_and_file_names() {
    let api = api();
    for path in [
        "/api",
        "/api/",
        "/api/v1/nothing",
        "/API/v1/contacts",
        "/auth",
        "/auth/nobody",
        "/platform/login",
        "/inbound",
        "/inbound/a/b",
        "/docs/",
        "/docs/start.css",
        "/healthz/",
        "/readyz/now",
        "/openapi.json/",
        "/openapi.yaml",
        "/metrics/",
        "/assets",
        "/assets/",
        "/assets/login",
        "/robots.txt",
        "/settings/index.php",
        "//",
        "//example.com",
        "/settings//keys",
    ] {
        assert_eq!(get(&api, path).await.problem(), (404, "route_not_found".into()), "{path}");
    }
    assert_eq!(get(&api, "/metrics").await.problem().0, 404);
    assert_eq!(get(&api, "/docs").await.status, 200);
}

#[actix_web::test]
async fn answers_unknown_api_paths_as_without_a_panel() {
    let (with, without) = (api(), Mocks::with_keys().serve());
    for path in ["/api/v1/nothing", "/auth/nobody", "/platform/x"] {
        for method in [Method::GET, Method::POST, Method::OPTIONS] {
            let (with, without) = (ask(&with, method.clone(), path, &[]).await, ask(&without, method, path, &[]).await);
            let other_id = without.header("x-request-id").unwrap().to_owned();
            let body = String::from_utf8(with.body.to_vec()).unwrap();
            assert_eq!(body.replace(with.header("x-request-id").unwrap(), &other_id).as_bytes(), &without.body[..]);
            let names = |reply: &Reply| reply.headers.keys().map(ToString::to_string).collect::<BTreeSet<_>>();
            assert_eq!((with.status, names(&with)), (without.status, names(&without)), "{path}");
        }
    }
}

#[actix_web::test]
async fn caches_assets_for_ever_and_missing_ones_never() {
    let api = api();
    let reply = get(&api, SCRIPT).await;
    assert_eq!((reply.status, &reply.body[..]), (200, script().as_bytes()));
    assert_eq!(reply.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(reply.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let missing = get(&api, "/assets/index-99999999.js").await;
    assert_eq!(missing.problem(), (404, "route_not_found".into()));
    assert_eq!(missing.header("cache-control"), Some("no-store"));
    let icon = get(&api, "/favicon.svg").await;
    assert_eq!((icon.header("content-type"), icon.header("cache-control")), (Some("image/svg+xml"), Some("no-cache")));
}

#[actix_web::test]
async fn serves_gzip_only_if_accepted() {
    let api = api();
    let gzip = [("accept-encoding", "br, gzip")];
    let packed = ask(&api, Method::GET, SCRIPT, &gzip).await;
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), (Some("gzip"), Some("Accept-Encoding")));
    assert_eq!(compress::unpack(&packed.body).unwrap(), script().as_bytes());
    let plain = get(&api, SCRIPT).await;
    assert_eq!((plain.header("content-encoding"), &plain.body[..]), (None, script().as_bytes()));
    assert_ne!(packed.header("etag"), plain.header("etag"));
    // A font is already compressed.
    let font = ask(&api, Method::GET, "/assets/inter-0a1b2c3d.woff2", &gzip).await;
    assert_eq!((font.header("content-encoding"), font.body.len()), (None, 4_000));
}

#[actix_web::test]
async fn answers_304_for_an_unchanged_page() {
    let api = api();
    for encoding in ["gzip", "identity"] {
        let first = ask(&api, Method::GET, "/login", &[BROWSER, ("accept-encoding", encoding)]).await;
        let tag = first.header("etag").unwrap();
        // All addresses have the same page.
        let headers = [BROWSER, ("accept-encoding", encoding), ("if-none-match", tag)];
        let again = ask(&api, Method::GET, "/settings/api-keys", &headers).await;
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)), "{encoding}");
        assert_eq!(again.header("cache-control"), Some("no-cache"));
    }
    let other = ask(&api, Method::GET, "/", &[("if-none-match", r#""1-0000000000000000""#)]).await;
    assert_eq!(other.status, 200);
}

#[actix_web::test]
async fn allows_only_reading_methods() {
    let api = api();
    for path in ["/", "/login", "/join/x", SCRIPT, "/favicon.svg"] {
        let head = ask(&api, Method::HEAD, path, &[BROWSER]).await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        let options = ask(&api, Method::OPTIONS, path, &[BROWSER]).await;
        assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, OPTIONS")), "{path}");
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::TRACE] {
            let reply = ask(&api, method, path, &[BROWSER]).await;
            assert_eq!(reply.problem(), (405, "method_not_allowed".into()), "{path}");
            assert_eq!(reply.header("allow"), Some("GET, HEAD, OPTIONS"));
        }
    }
}

#[actix_web::test]
async fn sends_a_strict_content_security_policy() {
    let api = api();
    for path in ["/", "/login", SCRIPT, "/favicon.svg"] {
        let reply = get(&api, path).await;
        let policy = reply.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self';",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:;",
            "media-src blob:;",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("http") && !policy.contains('*') && !policy.contains("unsafe-eval"), "{policy}");
        for (name, value) in [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        // Scripts do not have these headers.
        let is_page = ["/", "/login"].contains(&path);
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()"),
        ] {
            assert_eq!(reply.header(name), is_page.then_some(value), "{path}");
        }
        assert!(reply.header("x-request-id").is_some());
    }
}

#[actix_web::test]
async fn redirects_to_the_documentation_without_a_panel() {
    let api = Mocks::default().serve();
    let root = get(&api, "/").await;
    assert_eq!((root.status, root.header("location")), (302, Some("/docs")));
    for path in ["/login", "/settings/api-keys", SCRIPT, "/favicon.svg"] {
        let reply = get(&api, path).await;
        assert_eq!(reply.problem(), (404, "route_not_found".into()), "{path}");
        assert_eq!(reply.header("cache-control"), None);
    }
}
