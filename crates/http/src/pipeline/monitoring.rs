//! Metrics of requests, and the page with all metrics of a process.
//!
//! Labels are route templates, methods and statuses: never a path, an ID or a name.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::CONTENT_TYPE;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpResponse, Responder};
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};

pub(crate) const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Renders all metrics as text.
pub type Render = Arc<dyn Fn() -> String + Send + Sync>;

/// The page with the metrics of a process.
#[derive(Clone)]
pub struct MetricsPage {
    token: Option<SecretString>,
    render: Render,
}

impl MetricsPage {
    /// Creates the page. With a token, the API's address serves it to clients with that token; otherwise only
    /// [`configure_monitoring`](crate::configure_monitoring) does.
    pub fn new(token: Option<SecretString>, render: Render) -> Self {
        Self { token, render }
    }

    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether the value of `Authorization` contains the token. The time it takes reveals nothing about the token.
    pub(crate) fn opens_for(&self, authorization: &str) -> bool {
        let (Some(token), Some(presented)) = (&self.token, authorization.strip_prefix("Bearer ")) else { return false };
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"metrics.token");
        let expected = hmac::sign(&key, token.expose_secret().as_bytes());
        hmac::verify(&key, presented.as_bytes(), expected.as_ref()).is_ok()
    }

    pub(crate) fn render(&self) -> String {
        (self.render)()
    }
}

/// Serves only `/metrics`, without a token, on a port that only operators can reach.
pub(crate) fn configure(config: &mut ServiceConfig, page: &MetricsPage) {
    let page = page.clone();
    let show = move || {
        let text = page.render();
        async move { text.customize().insert_header((CONTENT_TYPE, FORMAT)) }
    };
    config.route("/metrics", web::get().to(show));
    config.default_service(web::to(|| async { HttpResponse::NotFound().finish() }));
}

pub(crate) fn count(method: &Method, template: Option<&'static str>, status: StatusCode, took: Duration) {
    let route = template.unwrap_or("none");
    // Clients can invent methods, and each would create a series.
    let method = match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    };
    let status = status.as_u16().to_string();
    metrics::counter!("tidings_http_requests_total", "route" => route, "method" => method, "status" => status)
        .increment(1);
    metrics::histogram!("tidings_http_request_duration_seconds", "route" => route, "method" => method).record(took);
}
