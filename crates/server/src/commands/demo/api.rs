//! A client of the REST API that outlives restarts of the server.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::PATIENCE;
use crate::failure::Failure;

/// How long is waited before a request is repeated.
const PAUSE: Duration = Duration::from_millis(200);

/// The world outside of the story listens on this machine.
const HINT: &str = "\nThe demo listens on this machine, which the server refuses to call. For development, serve with \
                    TIDINGS__EGRESS__ALLOW_LOOPBACK=true (egress.allow_loopback).";

/// The REST API of one workspace.
pub(super) struct Api {
    client: Client,
    base: String,
    key: SecretString,
    asked: std::sync::atomic::AtomicU64,
}

impl Api {
    /// # Errors
    /// [`Failure::Refused`] where no client can be made.
    #[allow(clippy::disallowed_methods, reason = "the operator's own server is called, at the address of the settings")]
    pub(super) fn new(base: String, key: SecretString) -> Result<Self, Failure> {
        let client = Client::builder().timeout(Duration::from_secs(15)).no_proxy().build();
        let client = client.map_err(|error| Failure::refused(format!("no HTTP client can be made: {error}")))?;
        Ok(Self { client, base, key, asked: std::sync::atomic::AtomicU64::new(0) })
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.call(Method::GET, path, None, &[]).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Result<Value, Failure> {
        self.call(Method::POST, path, Some(body.to_string()), &[]).await
    }

    /// Posts what a provider posts: signed, without a key.
    pub(super) async fn inbound(&self, path: &str, body: String, headers: &[(&str, String)]) -> Result<Value, Failure> {
        self.call(Method::POST, path, Some(body), headers).await
    }

    /// Asks until it is answered: again after every break, every 429 and every 5xx.
    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        signed: &[(&str, String)],
    ) -> Result<Value, Failure> {
        let number = self.asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let ends = Instant::now() + PATIENCE;
        loop {
            let mut request = self.client.request(method.clone(), format!("{}{path}", self.base));
            if signed.is_empty() {
                request = request.bearer_auth(self.key.expose_secret());
                if method == Method::POST {
                    request = request.header("Idempotency-Key", format!("demo-{number}"));
                }
            }
            for (name, value) in signed {
                request = request.header(*name, value);
            }
            if let Some(body) = &body {
                request = request.header("Content-Type", "application/json").body(body.clone());
            }
            let problem = match request.send().await {
                Ok(answer) => match (answer.status(), answer.text().await) {
                    (status, Ok(text)) if status.is_success() => {
                        return serde_json::from_str(&text)
                            .map_err(|_| Failure::refused(format!("{method} {path}: the answer is not JSON: {text}")));
                    }
                    (status, Ok(text)) if !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                        let hint = if text.contains("\"forbidden_address\"") { HINT } else { "" };
                        return Err(Failure::refused(format!("{method} {path}: {status} {text}{hint}")));
                    }
                    (status, _) => status.to_string(),
                },
                Err(error) => error.to_string(),
            };
            if Instant::now() >= ends {
                let base = &self.base;
                return Err(Failure::refused(format!(
                    "{base} does not answer ({problem}). Is `tidings serve` running?"
                )));
            }
            sleep(PAUSE).await;
        }
    }
}
