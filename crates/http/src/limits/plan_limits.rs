//! The response headers of the plan's rate limit.

use actix_web::http::header::{HeaderName, HeaderValue};
use tidings_domain::access::limiter::{Decision, RATE_WINDOW_SECONDS};

/// Returns the headers of every authenticated response (draft-ietf-httpapi-ratelimit-headers, and the older form that
/// most clients know).
pub(crate) fn headers(decision: &Decision) -> Vec<(HeaderName, HeaderValue)> {
    let Decision { limit, remaining, reset_seconds, .. } = decision;
    let pairs = [
        ("ratelimit-policy", format!("\"plan\";q={limit};w={RATE_WINDOW_SECONDS}")),
        ("ratelimit", format!("\"plan\";r={remaining};t={reset_seconds}")),
        ("x-ratelimit-limit", limit.to_string()),
        ("x-ratelimit-remaining", remaining.to_string()),
        ("x-ratelimit-reset", reset_seconds.to_string()),
    ];
    let header = |(name, value): (&'static str, String)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
    };
    pairs.into_iter().filter_map(header).collect()
}
