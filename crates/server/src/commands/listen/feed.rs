//! A client of a workspace's feed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use tokio::time::sleep;

use crate::backoff::Backoff;
use crate::failure::{Failure, root_cause};

/// The number of events in a request: the maximum of a page.
const AT_ONCE: u32 = 100;
/// The delay after a page without events.
const PAUSE: Duration = Duration::from_millis(500);
/// The time limit of the first response. Without one, the address is probably wrong.
const FIRST: Duration = Duration::from_secs(5);

/// An event with its position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FeedEvent {
    pub(super) position: i64,
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) timestamp: String,
    /// The envelope, as in a delivery of a webhook.
    pub(super) body: String,
}

impl FeedEvent {
    /// Parses an event of a page.
    fn of(event: &Value) -> Option<Self> {
        let mut envelope: Map<String, Value> = event.as_object()?.clone();
        let position = envelope.shift_remove("position")?.as_i64()?;
        let text = |name: &str| envelope.get(name).and_then(Value::as_str).map(str::to_owned);
        let (id, kind, timestamp) = (text("id")?, text("type")?, text("timestamp")?);
        Some(Self { position, id, kind, timestamp, body: Value::Object(envelope).to_string() })
    }
}

/// A feed that is read over the API.
pub(super) struct Feed {
    pub(super) client: Client,
    /// As `http://127.0.0.1:8080`.
    pub(super) server: String,
    pub(super) key: SecretString,
    /// Types separated by commas; `None` for all.
    pub(super) types: Option<String>,
    /// Whether the server has responded once. From then on, the client waits for restarts.
    pub(super) has_answered: AtomicBool,
}

impl Feed {
    /// Returns the position of the last event. The feed only returns events after a position, so this doubles the
    /// position until there are none, and then bisects.
    ///
    /// # Errors
    /// As [`Feed::events_after`].
    pub(super) async fn head(&self) -> Result<i64, Failure> {
        let (mut below, mut above) = (0, 1);
        while self.reaches(above - 1).await? {
            (below, above) = (above, above.saturating_mul(2));
        }
        while below + 1 < above {
            let middle = below + (above - below) / 2;
            if self.reaches(middle - 1).await? { below = middle } else { above = middle }
        }
        Ok(below)
    }

    async fn reaches(&self, after: i64) -> Result<bool, Failure> {
        let page = self.ask(after, 1).await?;
        Ok(page.pointer("/data").and_then(Value::as_array).is_some_and(|data| !data.is_empty()))
    }

    /// Returns the next events after a position, and the position after them. Waits until there are some.
    ///
    /// # Errors
    /// [`Failure::Refused`] if the server rejects the request permanently.
    pub(super) async fn events_after(&self, mut after: i64) -> Result<(Vec<FeedEvent>, i64), Failure> {
        loop {
            let page = self.ask(after, AT_ONCE).await?;
            let events: Option<Vec<_>> = page
                .pointer("/data")
                .and_then(Value::as_array)
                .map(|data| data.iter().filter_map(FeedEvent::of).collect());
            let (Some(events), Some(next)) = (events, page.pointer("/next_after").and_then(Value::as_i64)) else {
                return Err(Failure::with_advice(format!("{} is not a Tidings server: it has no feed", self.server)));
            };
            after = next;
            if !events.is_empty() {
                return Ok((events, after));
            }
            sleep(PAUSE).await;
        }
    }

    /// Sends a request until it gets a response.
    async fn ask(&self, after: i64, limit: u32) -> Result<Value, Failure> {
        let mut parameters = vec![("after", after.to_string()), ("limit", limit.to_string())];
        parameters.extend(self.types.clone().map(|types| ("types", types)));
        let url = Url::parse_with_params(&format!("{}/api/v1/events", self.server), parameters);
        let url = url.map_err(|error| Failure::with_advice(format!("--url {}: {error}", self.server)))?;
        let mut backoff = Backoff::default();
        let began = Instant::now();
        loop {
            let sent = self.client.get(url.clone()).bearer_auth(self.key.expose_secret()).send().await;
            if sent.is_ok() {
                self.has_answered.store(true, Ordering::Relaxed);
            }
            let why = match sent {
                Ok(answer) => match (answer.status(), answer.text().await) {
                    (StatusCode::OK, Ok(text)) => return Ok(serde_json::from_str(&text).unwrap_or_default()),
                    (status, Ok(text)) if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
                        let reason = problem.pointer("/errors/0/message").or_else(|| problem.get("detail"));
                        let reason = reason.and_then(Value::as_str).unwrap_or(&text);
                        return Err(Failure::with_advice(format!("{}: {status}: {reason}", self.server)));
                    }
                    (status, _) => status.to_string(),
                },
                Err(error) => root_cause(&error),
            };
            if !self.has_answered.load(Ordering::Relaxed) && began.elapsed() >= FIRST {
                return Err(Failure::with_advice(format!(
                    "{} has not answered for {} s ({why}). Start `tidings serve`, or set the address with --url.",
                    self.server,
                    began.elapsed().as_secs()
                )));
            }
            let wait = backoff.next();
            eprintln!("{} does not respond ({why}); retrying in {} s.", self.server, wait.as_secs());
            sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn removes_the_position_from_the_envelope() {
        let envelope = r#"{"id":"evt_1","type":"contact.created","timestamp":"t","data":{"b":1.0,"a":"\u00e9"}}"#;
        let mut told: Value = serde_json::from_str(envelope).unwrap();
        told["position"] = json!(7);
        let event = FeedEvent::of(&told).unwrap();
        assert_eq!((event.position, event.kind.as_str()), (7, "contact.created"));
        assert_eq!(event.body, r#"{"id":"evt_1","type":"contact.created","timestamp":"t","data":{"b":1.0,"a":"é"}}"#);
        assert_eq!(FeedEvent::of(&json!({"id": "evt_1"})), None);
    }
}
