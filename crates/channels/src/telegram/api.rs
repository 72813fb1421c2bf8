//! Calls of the Telegram Bot API, <https://core.telegram.org/bots/api>.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use serde_json::{Value, json};
use tidings_egress::{Body, Bounds, CallError, Egress, HeaderMap, HeaderValue, Method, SecretUrl, StreamedCall};

use crate::api::{SHOWN, cut_off, exchange, read_retry_after};

/// The longest wait for a response to a call with a file, which Telegram loads before it responds.
const FILE_TIME: Duration = Duration::from_secs(60);
/// The largest response with updates, in bytes.
pub(super) const UPDATES_BODY: usize = 3 * 1024 * 1024;
/// The address of the public Bot API.
const BASE_URL: &str = "https://api.telegram.org";

/// A bot with its token. It has no `Debug`, because the URL of each call contains the token.
pub(super) struct Bot<'e> {
    pub(super) egress: &'e Egress,
    pub(super) bounds: Bounds,
    pub(super) base_url: Option<&'e str>,
    pub(super) token: String,
}

/// A response of the Bot API.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    /// The HTTP status.
    pub(super) status: u16,
    /// The result, if the call succeeded.
    pub(super) result: Option<Value>,
    /// The description of an error, without the token and control characters.
    pub(super) description: String,
    /// The time to wait until the next call.
    pub(super) retry_after: Option<Duration>,
}

/// A response with updates.
pub(super) enum Updates {
    /// The whole response.
    Whole(Reply),
    /// The beginning of a response that is larger than [`UPDATES_BODY`].
    Cut(BytesMut),
}

impl Bot<'_> {
    /// Calls a method.
    pub(super) async fn call(&self, method: &str, body: &Value) -> Result<Reply, CallError> {
        self.call_within(self.bounds, method, body).await
    }

    /// Calls a method that sends a file by its URL.
    pub(super) async fn call_with_file(&self, method: &str, body: &Value) -> Result<Reply, CallError> {
        self.call_within(Bounds { head: FILE_TIME, total: FILE_TIME, ..self.bounds }, method, body).await
    }

    /// Fetches updates. Their texts can be longer than other responses.
    pub(super) async fn updates(&self, query: &Value) -> Result<Updates, CallError> {
        let bounds = Bounds { max_body: u64::MAX, ..self.bounds };
        let mut answer = self.egress.call_streamed(self.method_call(bounds, "getUpdates", query)).await?;
        let mut read = BytesMut::new();
        while let Some(chunk) = answer.body.chunk().await.map_err(cut_off)? {
            read.extend_from_slice(&chunk);
            if read.len() > UPDATES_BODY {
                return Ok(Updates::Cut(read));
            }
        }
        Ok(Updates::Whole(Reply::read(answer.status, &answer.headers, &read, &self.token)))
    }

    /// Builds the call that downloads the file with this path.
    pub(super) fn file_call(&self, path: &str) -> StreamedCall {
        let mut call =
            StreamedCall::new(Method::GET, SecretUrl::new(format!("{}/file/bot{}/{path}", self.base(), self.token)));
        call.bounds = self.bounds;
        call
    }

    fn base(&self) -> &str {
        self.base_url.unwrap_or(BASE_URL).trim_end_matches('/')
    }

    async fn call_within(&self, bounds: Bounds, method: &str, body: &Value) -> Result<Reply, CallError> {
        let (status, headers, body) = exchange(self.egress, self.method_call(bounds, method, body)).await?;
        Ok(Reply::read(status, &headers, &body, &self.token))
    }

    fn method_call(&self, bounds: Bounds, method: &str, body: &Value) -> StreamedCall {
        let url = SecretUrl::new(format!("{}/bot{}/{method}", self.base(), self.token));
        let mut call = StreamedCall::new(Method::POST, url);
        call.headers = HeaderMap::from_iter([(
            tidings_egress::HeaderName::from_static("content-type"),
            HeaderValue::from_static("application/json"),
        )]);
        call.body = Body::from(Bytes::from(body.to_string()));
        call.bounds = bounds;
        call
    }

    /// Asks for the webhook of the bot.
    pub(super) async fn webhook(&self) -> Result<Reply, CallError> {
        self.call("getWebhookInfo", &json!({})).await
    }
}

impl Reply {
    fn read(status: u16, headers: &HeaderMap, body: &[u8], token: &str) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let is_ok = (200..=299).contains(&status) && body.get("ok") == Some(&Value::Bool(true));
        let description = body.get("description").and_then(Value::as_str).unwrap_or_default();
        // PostgreSQL stores no NUL in texts.
        let description: String = description.chars().filter(|c| !c.is_control()).collect();
        let in_body = body.pointer("/parameters/retry_after").and_then(Value::as_u64);
        Self {
            status,
            result: body.get("result").filter(|_| is_ok).cloned(),
            description: description.replace(token, "(hidden)").chars().take(SHOWN).collect(),
            retry_after: in_body.map(Duration::from_secs).or_else(|| read_retry_after(headers)),
        }
    }

    /// Describes the response as a sentence.
    pub(super) fn sentence(&self) -> String {
        match self.description.is_empty() {
            true => format!("Telegram answered {}.", self.status),
            false => format!("Telegram answered {}: {}.", self.status, self.description.trim_end_matches('.')),
        }
    }

    /// Whether Telegram does not find the chat or the user.
    pub(super) fn has_no_chat(&self) -> bool {
        let description = self.description.to_lowercase();
        ["chat not found", "user not found"].iter().any(|words| description.contains(words))
    }

    /// Whether Telegram does not know the token: it is not valid any more (401), or it has another form (404).
    pub(super) fn rejects_the_token(&self) -> bool {
        matches!(self.status, 401 | 404)
    }
}
