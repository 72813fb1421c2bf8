//! Pages of other origins that may call the API: the CORS protocol of the Fetch standard.
//!
//! Such a page sends its own token or key. Cookies are never allowed: a browser neither sends nor stores them here.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderName, HeaderValue,
    ORIGIN, VARY,
};

use crate::auth::origin::{NoOrigin, Origin};

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
/// The request headers that it can send.
const SENT: &str =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Workspace-Id";
/// The response headers that it can read, in addition to those that every page can.
const SHOWN: &str = "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, \
                     X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Idempotency-Replayed";
/// The lifetime of a cached preflight response, in seconds.
const REMEMBERED_SECONDS: &str = "3600";

/// The origins of pages that may call the API.
#[derive(Debug, Clone, Default)]
pub struct CorsOrigins(Arc<[Origin]>);

impl CorsOrigins {
    /// Reads origins.
    ///
    /// # Errors
    /// If a text is not an origin; `*` is not one.
    pub fn read<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, NoOrigin> {
        Ok(Self(texts.into_iter().map(|text| Origin::of_url(text.trim())).collect::<Result<_, _>>()?))
    }

    /// Returns the CORS part of a response; `None` if no other origin is allowed on the path.
    pub(crate) fn answer_to(&self, request: &HttpRequest, template: Option<&str>) -> Option<CrossOrigin> {
        let is_api =
            template.is_some_and(|path| ["/api/", "/auth/", "/platform/"].iter().any(|it| path.starts_with(it)));
        if self.0.is_empty() || !is_api {
            return None;
        }
        let headers = request.headers();
        let mut stated = headers.get_all(ORIGIN);
        let origin = stated.next().filter(|_| stated.next().is_none()).filter(|value| self.has(value)).cloned();
        let is_preflight = request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        Some(CrossOrigin { origin, is_preflight })
    }

    fn has(&self, value: &HeaderValue) -> bool {
        let origin = value.to_str().ok().and_then(|text| text.parse::<Origin>().ok());
        origin.is_some_and(|origin| self.0.contains(&origin))
    }
}

/// The CORS part of a response.
pub(crate) struct CrossOrigin {
    /// The origin, if it is allowed.
    origin: Option<HeaderValue>,
    is_preflight: bool,
}

impl CrossOrigin {
    pub(crate) fn headers(self) -> Vec<(HeaderName, HeaderValue)> {
        // A cache must not give the response for one page to another.
        let mut headers = vec![(VARY, HeaderValue::from_static("Origin"))];
        let Some(origin) = self.origin else { return headers };
        headers.push((ACCESS_CONTROL_ALLOW_ORIGIN, origin));
        if self.is_preflight {
            headers.push((ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS)));
            headers.push((ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(SENT)));
            headers.push((ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(REMEMBERED_SECONDS)));
        } else {
            headers.push((ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(SHOWN)));
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::testing::{FULL, Mocks, Reply, request};

    const PAGE: &str = "https://app.example";

    async fn send(request: TestRequest, origins: &[&str]) -> Reply {
        let cors = CorsOrigins::read(origins.iter().copied()).unwrap();
        Mocks { cors, ..Mocks::with_keys() }.serve().send(request).await
    }

    fn preflight(path: &str, origin: &str) -> TestRequest {
        let request = TestRequest::with_uri(path).method(Method::OPTIONS).insert_header(("origin", origin));
        let request = request.insert_header(("access-control-request-method", "PATCH"));
        request.insert_header(("access-control-request-headers", "authorization,if-match"))
    }

    #[actix_web::test]
    async fn answers_preflights_of_listed_origins_without_a_key() {
        for path in ["/api/v1/contacts", "/auth/login", "/platform/workspaces"] {
            let reply = send(preflight(path, PAGE), &["https://other.example", PAGE]).await;
            assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, Some(PAGE)), "{path}");
            assert!(reply.header("access-control-allow-methods").unwrap().contains("PATCH"));
            let sent = reply.header("access-control-allow-headers").unwrap();
            for name in ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "X-Workspace-Id"] {
                assert!(sent.contains(name), "{sent}");
            }
            assert_eq!(reply.header("access-control-max-age"), Some("3600"));
            assert_eq!(reply.header("access-control-allow-credentials"), None, "cookies are not allowed");
        }
    }

    #[actix_web::test]
    async fn exposes_answers_and_problems_to_listed_origins() {
        for (key, status) in [(FULL, 200), ("no-key", 401)] {
            let asked = request(Method::GET, "/api/v1/me", key).insert_header(("origin", PAGE));
            let reply = send(asked, &[PAGE]).await;
            assert_eq!((reply.status, reply.header("access-control-allow-origin")), (status, Some(PAGE)));
            let shown = reply.header("access-control-expose-headers").unwrap();
            for name in ["ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-Id"] {
                assert!(shown.split(", ").any(|it| it == name), "{shown}");
            }
            let varies: Vec<_> = reply.headers.get_all("vary").map(|it| it.to_str().unwrap()).collect();
            assert!(varies.contains(&"Origin") && varies.contains(&"Accept-Encoding"), "{varies:?}");
            assert_eq!(reply.header("access-control-allow-credentials"), None);
        }
    }

    #[actix_web::test]
    async fn sends_no_headers_for_other_origins_and_paths() {
        for origin in ["https://app.example.evil", "http://app.example", "https://app.example:8443", "null", "*"] {
            let reply = send(preflight("/api/v1/contacts", origin), &[PAGE]).await;
            assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, None), "{origin}");
            assert_eq!(reply.header("access-control-allow-methods"), None);
            assert_eq!(reply.header("vary"), Some("Origin"), "caches store a response per origin");
        }
        for path in ["/docs", "/openapi.json", "/inbound/x", "/nowhere"] {
            let reply = send(preflight(path, PAGE), &[PAGE]).await;
            assert_eq!(reply.header("access-control-allow-origin"), None, "{path}");
        }
        let reply = send(preflight("/api/v1/contacts", PAGE), &[]).await;
        assert_eq!(
            (reply.header("access-control-allow-origin"), reply.header("vary")),
            (None, None),
            "no origin is allowed by default"
        );
    }

    #[test]
    fn accepts_only_origins_in_the_list() {
        for text in ["*", "app.example", "https://app.example/path", "null", ""] {
            assert!(CorsOrigins::read([text]).is_err(), "{text}");
        }
        assert!(CorsOrigins::read(["https://app.example/", "http://localhost:5173"]).is_ok());
    }
}
