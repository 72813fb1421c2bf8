//! Calls of the Graph API, <https://developers.facebook.com/docs/graph-api/overview>.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tidings_domain::channels::{FetchFailure, FetchedMedia};
use tidings_domain::time::Timestamp;
use tidings_egress::{
    Body, Bounds, CallError, Egress, HeaderMap, HeaderName, HeaderValue, Method, SecretUrl, StreamedCall,
};
use url::{Url, form_urlencoded};

use crate::api::{SHOWN, exchange, read_retry_after};
use crate::media::download;

/// The address of the public Graph API.
const BASE_URL: &str = "https://graph.facebook.com";
/// The host of files, which needs the access token.
const MEDIA_HOST: &str = "lookaside.fbsbx.com";

/// The Graph API with an access token. It has no `Debug`, because it contains the token.
pub(crate) struct Graph<'e> {
    egress: &'e Egress,
    bounds: Bounds,
    root: String,
    token: &'e str,
    authorization: HeaderValue,
}

/// A response of the Graph API.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The body; `null` if it is no JSON.
    pub(crate) body: Value,
    /// The error.
    pub(crate) error: Option<GraphError>,
    /// The time to wait until the next call.
    pub(crate) retry_after: Option<Duration>,
}

/// An error of Meta, in a response or in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct GraphError {
    /// The code.
    pub(crate) code: Option<i64>,
    /// The description.
    pub(crate) description: String,
    /// Whether Meta describes the error as temporary.
    pub(crate) is_transient: bool,
}

/// Whether a text can be a segment of a path or a version, such as `106540352242922` or `v25.0`: it must not change the
/// path of a URL.
fn is_segment(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    text.bytes().all(is_allowed) && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

impl<'e> Graph<'e> {
    /// Creates a client. `None` if the token or the version cannot be sent.
    pub(crate) fn new(
        (egress, bounds): (&'e Egress, Bounds),
        base_url: Option<&str>,
        version: &str,
        token: &'e str,
    ) -> Option<Self> {
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        let mut authorization = HeaderValue::from_str(&format!("Bearer {token}")).ok().filter(|_| is_token)?;
        authorization.set_sensitive(true);
        let root = format!("{}/{version}", base_url.unwrap_or(BASE_URL).trim_end_matches('/'));
        Some(Self { egress, bounds, root, token, authorization }).filter(|_| is_segment(version))
    }

    /// Reads an object.
    pub(crate) async fn get(&self, path: &str) -> Result<Reply, CallError> {
        self.call(Method::GET, path, Body::empty()).await
    }

    /// Posts JSON.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Reply, CallError> {
        self.call(Method::POST, path, Body::from(Bytes::from(body.to_string()))).await
    }

    /// Asks for the end of validity of the access token. `None` if the token does not expire, or if Meta does not answer.
    pub(crate) async fn token_expiry(&self) -> Option<Timestamp> {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("input_token", self.token).finish();
        let reply = self.get(&format!("debug_token?{query}")).await.ok().filter(Reply::is_success)?;
        expiry(&reply.body)
    }

    /// Downloads a file of at most `limit` bytes from a URL that Meta returned. Other hosts than Meta's do not get the
    /// access token.
    ///
    /// # Errors
    /// [`FetchFailure`], without the URL and the token.
    pub(crate) async fn download(&self, url: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        let mut call = StreamedCall::new(Method::GET, SecretUrl::new(url));
        if may_see_token(&self.root, url) {
            call.headers.insert(HeaderName::from_static("authorization"), self.authorization.clone());
        }
        call.bounds = self.bounds;
        download(self.egress, call, limit).await
    }

    async fn call(&self, method: Method, path: &str, body: Body) -> Result<Reply, CallError> {
        let mut call = StreamedCall::new(method, format!("{}/{path}", self.root));
        call.headers = HeaderMap::from_iter([
            (HeaderName::from_static("authorization"), self.authorization.clone()),
            (HeaderName::from_static("content-type"), HeaderValue::from_static("application/json")),
        ]);
        call.body = body;
        call.bounds = self.bounds;
        let (status, headers, body) = exchange(self.egress, call).await?;
        Ok(Reply::read(status, &headers, &body, self.token))
    }
}

/// Reads the end of validity of a token, in Unix seconds; 0 is none.
fn expiry(body: &Value) -> Option<Timestamp> {
    let seconds = body.pointer("/data/expires_at")?.as_i64().filter(|seconds| *seconds > 0)?;
    Some(Timestamp::from_millis(seconds.saturating_mul(1_000)))
}

/// Whether a URL is one of the API with this address, or of Meta's host of files.
fn may_see_token(api: &str, url: &str) -> bool {
    let (Ok(api), Ok(url)) = (Url::parse(api), Url::parse(url)) else { return false };
    let is_media_host = url.host_str() == Some(MEDIA_HOST) && url.scheme() == "https" && url.port().is_none();
    is_media_host || url.origin() == api.origin()
}

impl Reply {
    fn read(status: u16, headers: &HeaderMap, body: &[u8], token: &str) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let error = body.get("error").map(|error| GraphError::read(error).without(token));
        Self { status, error, retry_after: read_retry_after(headers), body }
    }

    /// Whether the call succeeded.
    pub(crate) fn is_success(&self) -> bool {
        (200..=299).contains(&self.status) && self.error.is_none()
    }

    /// Whether Meta does not accept the access token.
    pub(crate) fn rejects_the_token(&self) -> bool {
        self.status == 401 || self.code() == Some(190)
    }

    /// Returns the code of the error.
    pub(crate) fn code(&self) -> Option<i64> {
        self.error.as_ref()?.code
    }

    /// Describes the response as a sentence.
    pub(crate) fn sentence(&self) -> String {
        match &self.error {
            None => format!("Meta answered {}.", self.status),
            Some(error) => format!("Meta answered {} with {}", self.status, error.sentence()),
        }
    }
}

impl GraphError {
    /// Reads an error of a response, or one of a status report.
    pub(crate) fn read(error: &Value) -> Self {
        let text = |pointer: &str| error.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let description = text("/error_data/details").or_else(|| text("/message")).or_else(|| text("/title"));
        Self {
            code: error.get("code").and_then(Value::as_i64),
            description: description.unwrap_or_default().replace('\0', "").chars().take(SHOWN).collect(),
            is_transient: error.get("is_transient") == Some(&Value::Bool(true)),
        }
    }

    /// Removes the access token from the description.
    fn without(self, token: &str) -> Self {
        // Meta repeats a malformed token.
        let description = match self.description.contains(token.get(..16).unwrap_or(token)) {
            true => "(hidden)".to_owned(),
            false => self.description,
        };
        Self { description, ..self }
    }

    /// Describes the error as the end of a sentence.
    pub(crate) fn sentence(&self) -> String {
        let code = self.code.map_or("without a code".to_owned(), |code| code.to_string());
        match self.description.trim_end_matches('.') {
            "" => format!("the error {code}."),
            description => format!("the error {code}: {description}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(status: u16, body: &Value) -> Reply {
        let headers = HeaderMap::from_iter([(HeaderName::from_static("retry-after"), HeaderValue::from_static("7"))]);
        Reply::read(status, &headers, body.to_string().as_bytes(), "EAAB0123456789abcdef0123")
    }

    #[test]
    fn reads_the_error_of_a_response() {
        let details = json!({"details": "The recipient is not a user."});
        let error = json!({"message": "(#131026) Undeliverable", "code": 131_026, "error_data": details});
        let reply = read(400, &json!({"error": error}));
        assert_eq!((reply.code(), reply.is_success()), (Some(131_026), false));
        assert_eq!(reply.sentence(), "Meta answered 400 with the error 131026: The recipient is not a user.");
        assert_eq!(reply.retry_after, Some(Duration::from_secs(7)));
        assert_eq!(read(502, &json!("gateway")).sentence(), "Meta answered 502.");
        assert_eq!(read(400, &json!({"error": {}})).sentence(), "Meta answered 400 with the error without a code.");
        assert!(!read(200, &json!({"error": {"code": 1}})).is_success());
    }

    #[test]
    fn hides_a_repeated_token() {
        for message in ["Malformed access token EAAB0123456789abcdef0123", "Bad token EAAB0123456789ab…"] {
            let reply = read(401, &json!({"error": {"code": 190, "message": message}}));
            assert!(reply.rejects_the_token());
            assert_eq!(reply.sentence(), "Meta answered 401 with the error 190: (hidden).");
        }
    }

    #[test]
    fn reads_the_end_of_a_token() {
        let read = |expires_at: Value| expiry(&json!({"data": {"expires_at": expires_at, "is_valid": true}}));
        assert_eq!(read(json!(1_767_225_600)), Some(Timestamp::EPOCH_2026));
        assert_eq!(read(json!(i64::MAX)), Some(Timestamp::END));
        for none in [json!(0), json!(-1), json!("1767225600"), json!(null)] {
            assert_eq!(read(none.clone()), None, "{none}");
        }
        assert_eq!(expiry(&json!({"error": {"code": 100}})), None);
    }

    #[test]
    fn only_meta_sees_the_token() {
        for (url, expected) in [
            ("https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1", true),
            ("https://graph.facebook.com/v25.0/1", true),
            ("http://lookaside.fbsbx.com/1", false),
            ("https://lookaside.fbsbx.com:8443/1", false),
            ("https://lookaside.fbsbx.com.example/1", false),
            ("https://example.com/?lookaside.fbsbx.com", false),
            ("https://lookaside.fbsbx.com@example.com/1", false),
            ("http://graph.facebook.com/1", false),
            ("lookaside.fbsbx.com", false),
        ] {
            assert_eq!(may_see_token("https://graph.facebook.com/v25.0", url), expected, "{url}");
        }
    }

    #[test]
    fn a_segment_stays_in_its_path() {
        for right in ["106540352242922", "v25.0", "a-b_c"] {
            assert!(is_segment(right), "{right}");
        }
        for wrong in ["", "..", ".", "a/b", "a?b", "a#b", "a b", "ä", "%2e"] {
            assert!(!is_segment(wrong), "{wrong}");
        }
    }
}
