//! Tests of the pages.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::test::TestRequest;

use crate::pipeline::monitoring::MetricsPage;
use crate::testing::{Api, Mocks};

fn without_gzip(path: &str) -> TestRequest {
    TestRequest::with_uri(path)
}

#[actix_web::test]
async fn redirects_the_root_to_the_documentation() {
    let reply = Mocks::default().serve().send(TestRequest::with_uri("/")).await;
    assert_eq!((reply.status, reply.header("location"), reply.body.len()), (302, Some("/docs"), 0));
}

#[actix_web::test]
async fn serves_every_script_of_the_page() {
    let api = Mocks::default().serve();
    let page = api.send(without_gzip("/docs")).await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    assert!(!html.contains("://"), "{html}");
    let scripts: Vec<_> = html.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(scripts.len(), 2);
    for script in scripts {
        let reply = api.send(without_gzip(script)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
        assert_eq!(reply.header("content-encoding"), None);
        assert!(reply.body.len() > 1_000, "{script}");
    }
}

#[actix_web::test]
async fn limits_the_page_to_this_server() {
    let reply = Mocks::default().serve().send(without_gzip("/docs")).await;
    let policy = reply.header("content-security-policy").unwrap();
    for part in ["default-src 'none'", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("http") && !policy.contains('*') && !policy.contains("unsafe-eval"), "{policy}");
}

#[actix_web::test]
async fn serves_the_large_script_as_stored() {
    let api = Mocks::default().serve();
    let script = "/docs/scalar-1.72.1.js";
    let packed = api.send(without_gzip(script).insert_header(("accept-encoding", "gzip, br"))).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.body, &include_bytes!("../../assets/docs/scalar.js.gz")[..]);
    assert!(packed.header("cache-control").unwrap().contains("immutable"));
    let plain = api.send(without_gzip(script)).await;
    assert!(plain.body.len() > 3 * packed.body.len() && plain.body.starts_with(b"(function"));
}

#[actix_web::test]
async fn answers_options_post_and_head_as_the_api_does() {
    let api = Mocks::default().serve();
    let options = api.send(TestRequest::with_uri("/docs").method(Method::OPTIONS)).await;
    assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, OPTIONS")));
    let post = api.send(TestRequest::with_uri("/docs").method(Method::POST)).await;
    assert_eq!(post.problem(), (405, "method_not_allowed".into()));
    let head = api.send(TestRequest::with_uri("/docs").method(Method::HEAD)).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

fn with_metrics(token: Option<&str>) -> Api {
    let page = MetricsPage::new(token.map(Into::into), Arc::new(|| "up 1\n".to_owned()));
    Mocks { metrics: Some(page), ..Mocks::default() }.serve()
}

#[actix_web::test]
async fn requires_the_token_for_metrics() {
    let asked = |token: &str| TestRequest::with_uri("/metrics").insert_header(("authorization", token.to_owned()));
    let api = with_metrics(Some("let me see"));
    let reply = api.send(asked("Bearer let me see")).await;
    assert_eq!((reply.status, &reply.body[..]), (200, &b"up 1\n"[..]));
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for wrong in ["Bearer let me se", "Bearer let me seee", "Bearer ", "let me see", "Bearer key-3"] {
        assert_eq!(api.send(asked(wrong)).await.problem(), (401, "unauthorized".into()), "{wrong}");
    }
    // Without a token, they have their own port or are disabled.
    for api in [with_metrics(None), Mocks::default().serve()] {
        assert_eq!(api.send(asked("Bearer ")).await.problem(), (404, "route_not_found".into()));
    }
}

#[actix_web::test]
async fn serves_a_page_at_the_type_of_a_problem() {
    let api = Mocks::default().serve();
    let problem = api.send(without_gzip("/no/such/path")).await.json();
    let address = problem["type"].as_str().unwrap();
    assert_eq!(address, "/problems/route_not_found");
    let page = api.send(without_gzip(address)).await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.header("cache-control").unwrap().contains("public"));
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    assert!(html.contains("<h1>Route not found</h1>"), "{html}");
    let packed = api.send(without_gzip(address).insert_header(("accept-encoding", "gzip"))).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(api.send(without_gzip("/problems/nonsense")).await.problem(), (404, "route_not_found".into()));
    assert_eq!(api.send(without_gzip("/problems/").insert_header(("accept", "*/*"))).await.status, 404);
}

#[actix_web::test]
async fn prefixes_problem_types_with_the_public_origin() {
    let ports = Mocks { public_origin: "https://tidings.example".parse().ok(), ..Mocks::default() };
    let problem = ports.serve().send(without_gzip("/no/such/path")).await.json();
    assert_eq!(problem["type"], "https://tidings.example/problems/route_not_found");
}

/// Returns a server whose guide has a table of contents and one page.
fn with_guide() -> Api {
    let page = |address: &str| matches!(address, "" | "how-to/upgrade").then(|| format!("page {address}"));
    let search = |query: &str| format!("results of {query}");
    Mocks { guide: Some(crate::Guide { page, search, style: "p {}" }), ..Mocks::default() }.serve()
}

#[actix_web::test]
async fn serves_the_guide_and_its_search_without_scripts() {
    let api = with_guide();
    for (path, body) in [
        ("/docs/guide", "page "),
        ("/docs/guide/how-to/upgrade", "page how-to/upgrade"),
        ("/docs/guide?q=rotate+a%20key", "results of rotate a key"),
        ("/docs/guide?other=1&q=%C3%A4", "results of ä"),
    ] {
        let reply = api.send(TestRequest::with_uri(path)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/html; charset=utf-8")), "{path}");
        assert_eq!(reply.body, body.as_bytes(), "{path}");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("script-src"),
            "{policy}"
        );
        assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    }
    let style = api.send(TestRequest::with_uri("/docs/guide/style.css")).await;
    assert_eq!((style.status, style.header("content-type")), (200, Some("text/css; charset=utf-8")));
}

#[actix_web::test]
async fn answers_404_for_a_missing_page_of_the_guide() {
    let api = with_guide();
    for path in
        ["/docs/guide/no", "/docs/guide/how-to/no", "/docs/guide/how-to/upgrade/x", "/docs/%67uide", "/docs/guide/"]
    {
        let reply = api.send(TestRequest::with_uri(path)).await;
        assert_eq!(reply.problem(), (404, "route_not_found".into()), "{path}");
    }
    let reply = Mocks::default().serve().send(TestRequest::with_uri("/docs/guide")).await;
    assert_eq!(reply.problem(), (404, "route_not_found".into()), "without a guide");
    let reply = api.send(TestRequest::with_uri("/docs/guide").method(Method::POST)).await;
    assert_eq!(reply.problem(), (405, "method_not_allowed".into()));
}
