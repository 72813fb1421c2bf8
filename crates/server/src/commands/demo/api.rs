//! A client of the REST API that survives restarts of the server.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::PATIENCE;
use crate::failure::{Failure, root_cause};

/// The time limit of the first response. A wrong address is reported soon.
const FIRST: Duration = Duration::from_secs(5);
/// The delay before a retry.
const PAUSE: Duration = Duration::from_millis(200);

/// The receivers of the demo listen on this machine.
const HINT: &str = "\nThe demo listens on this machine, and the server refuses to call this machine. For development, \
                    set TIDINGS__EGRESS__ALLOW_LOOPBACK=true (egress.allow_loopback).";

/// A server that has responded.
pub(super) struct Server {
    client: Client,
    /// Its address, without a trailing slash.
    base: String,
}

impl Server {
    /// Checks that a server responds at this address, without retries.
    ///
    /// # Errors
    /// [`Failure::Refused`] if it does not respond within five seconds.
    pub(super) async fn reach(base: String) -> Result<Self, Failure> {
        let base = base.trim_end_matches('/').to_owned();
        let client = client()?;
        let why = match client.get(format!("{base}/healthz")).timeout(FIRST).send().await {
            Ok(answer) if answer.status().is_success() => return Ok(Self { client, base }),
            Ok(answer) => format!("no Tidings server responds at {base}: its /healthz returns {}", answer.status()),
            Err(error) if error.is_builder() => {
                let why = root_cause(&error);
                return Err(Failure::with_advice(format!(
                    "--url {base}: expected a URL such as http://127.0.0.1:8080 ({why})"
                )));
            }
            Err(error) if error.is_timeout() => {
                format!("no server responds at {base}: no response within {} s", FIRST.as_secs())
            }
            Err(error) => format!("no server responds at {base}: {}", root_cause(&error)),
        };
        Err(Failure::with_advice(format!("{why}. Start `tidings serve`, or set its URL with --url.")))
    }
}

#[expect(clippy::disallowed_methods, reason = "the operator's own server is called, at the address of the settings")]
fn client() -> Result<Client, Failure> {
    let client = Client::builder().timeout(Duration::from_secs(15)).no_proxy().build();
    client.map_err(|error| Failure::with_advice(format!("cannot create an HTTP client: {error}")))
}

pub(super) struct Api {
    client: Client,
    base: String,
    key: SecretString,
    /// A description of the database that contains the key.
    database: String,
    requests: std::sync::atomic::AtomicU64,
}

impl Api {
    /// Creates the client. The key was created in this database.
    pub(super) fn new(server: Server, key: SecretString, database: String) -> Self {
        let Server { client, base } = server;
        Self { client, base, key, database, requests: std::sync::atomic::AtomicU64::new(0) }
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.call(Method::GET, path, None, &[]).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Result<Value, Failure> {
        self.call(Method::POST, path, Some(body.to_string()), &[]).await
    }

    /// Posts a signed request of a provider, without a key.
    pub(super) async fn inbound(&self, path: &str, body: String, headers: &[(&str, String)]) -> Result<Value, Failure> {
        self.call(Method::POST, path, Some(body), headers).await
    }

    /// Sends a request until it gets a response. Retries connection errors, 429 and 5xx.
    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        signed: &[(&str, String)],
    ) -> Result<Value, Failure> {
        let number = self.requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
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
                        return serde_json::from_str(&text).map_err(|_| {
                            Failure::with_advice(format!("{method} {path}: the response is not JSON: {text}"))
                        });
                    }
                    (StatusCode::UNAUTHORIZED, _) if signed.is_empty() => return Err(self.unknown()),
                    (status, Ok(text)) if !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                        let hint = if is_forbidden_address(&text) { HINT } else { "" };
                        return Err(Failure::with_advice(format!("{method} {path}: {status} {text}{hint}")));
                    }
                    (status, _) => status.to_string(),
                },
                Err(error) => error.to_string(),
            };
            if Instant::now() >= ends {
                let base = &self.base;
                return Err(Failure::with_advice(format!(
                    "{base} does not respond ({problem}). Is `tidings serve` running?"
                )));
            }
            sleep(PAUSE).await;
        }
    }

    /// Returns the failure if the server does not know the key.
    fn unknown(&self) -> Failure {
        Failure::with_advice(format!(
            "the server at {} does not know the key that was just created in {}: it uses another database. Run this \
             command in the folder of that server, or set storage.url (TIDINGS__STORAGE__URL) to its database.",
            self.base, self.database
        ))
    }
}

/// The members of a problem that name its errors.
#[derive(Default, Deserialize)]
struct ProblemErrors {
    #[serde(default)]
    errors: Vec<ProblemError>,
}

#[derive(Deserialize)]
struct ProblemError {
    code: String,
}

/// Whether a problem reports an address that the server may not call.
fn is_forbidden_address(problem: &str) -> bool {
    let ProblemErrors { errors } = serde_json::from_str(problem).unwrap_or_default();
    errors.iter().any(|error| error.code == "forbidden_address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_a_forbidden_address_by_its_code() {
        let errors = r#"[{"pointer":"/name","code":"required"},{"pointer":"/url","code":"forbidden_address"}]"#;
        assert!(is_forbidden_address(&format!(r#"{{"code":"invalid_request","errors":{errors}}}"#)));
        for other in
            [r#"{"code":"not_found"}"#, r#"{"errors":[{"code":"required","message":"forbidden_address"}]}"#, ""]
        {
            assert!(!is_forbidden_address(other), "{other}");
        }
    }
}
