//! The sender: signs a delivery attempt, sends it through the address filter and returns the outcome.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use secrecy::ExposeSecret;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::Clock;
use tidings_domain::webhooks::sender::{AddressPolicy, AttemptOutcome, AttemptResult, DeliveryAttempt, WebhookSender};
use tidings_egress::{Answer, Egress, EgressError, HeaderMap, HeaderName, HeaderValue, Request};

use crate::under_way::UnderWay;
use crate::{InvalidSecret, SigningSecret, sign};
use crate::{answer, headers, retry_after};

#[cfg(test)]
mod tests;

/// Sends deliveries over HTTP. A clone shares the connections of its original.
#[derive(Clone)]
pub struct HttpWebhookSender {
    egress: Egress,
    clock: Arc<dyn Clock>,
    under_way: UnderWay,
}

impl HttpWebhookSender {
    /// Creates a sender that sends through `egress` and signs with the time of `clock`.
    pub fn new(egress: Egress, clock: Arc<dyn Clock>) -> Self {
        Self { egress, clock, under_way: UnderWay::default() }
    }

    async fn exchange(&self, attempt: DeliveryAttempt) -> Result<Answer, EgressError> {
        let url = attempt.url.clone();
        let headers = self.signed_headers(&attempt)?;
        let egress = self.egress.for_workspace(attempt.workspace.uuid().as_u128());
        egress.post(Request { url, headers, body: Bytes::from(attempt.body) }).await
    }

    fn signed_headers(&self, attempt: &DeliveryAttempt) -> Result<HeaderMap, EgressError> {
        let secrets = read_secrets(attempt)?;
        let timestamp = self.clock.now().unix_seconds();
        let signatures = sign(&secrets, &attempt.event_id, timestamp, attempt.body.as_bytes());
        let mut map = HeaderMap::new();
        for (name, value) in &attempt.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).ok();
            let value = HeaderValue::from_str(value).ok();
            let (Some(name), Some(mut value)) = (name, value) else {
                return Err(EgressError::Failed("A header of the webhook could not be written.".to_owned()));
            };
            // The value may be a secret, so it is hidden from debug output.
            value.set_sensitive(true);
            map.append(name, value);
        }
        for (name, value) in [
            ("content-type", "application/json"),
            ("user-agent", headers::USER_AGENT),
            (headers::SERVICE_SIGNATURE, &signatures.service),
            (headers::WEBHOOK_ID, &attempt.event_id),
            (headers::WEBHOOK_TIMESTAMP, &timestamp.to_string()),
            (headers::WEBHOOK_SIGNATURE, &signatures.standard),
            (headers::SERVICE_EVENT, attempt.event_kind),
            (headers::SERVICE_DELIVERY, &attempt.delivery_id),
            (headers::SERVICE_ATTEMPT, &attempt.number.to_string()),
        ] {
            let value = HeaderValue::from_str(value)
                .map_err(|_| EgressError::Failed(format!("The header {name} could not be written.")))?;
            map.insert(name, value);
        }
        Ok(map)
    }

    fn outcome(&self, result: &Result<Answer, EgressError>) -> AttemptOutcome {
        match result {
            Ok(answer) => {
                let value = answer.headers.get("retry-after").and_then(|value| value.to_str().ok());
                let retry_after = value.and_then(|value| retry_after::parse(value, self.clock.now()));
                AttemptOutcome::Answered { status: answer.status, retry_after }
            }
            Err(EgressError::TimedOut) => AttemptOutcome::TimedOut,
            Err(EgressError::Failed(sentence)) => AttemptOutcome::Failed(sentence.clone()),
            Err(EgressError::Forbidden(sentence)) => AttemptOutcome::Forbidden(sentence.clone()),
        }
    }
}

/// Returns a metrics label for an outcome. It contains nothing from the receiver.
fn word(outcome: &AttemptOutcome) -> &'static str {
    match outcome {
        AttemptOutcome::Answered { status: 200..300, .. } => "succeeded",
        AttemptOutcome::Answered { .. } => "refused",
        AttemptOutcome::TimedOut => "timed_out",
        AttemptOutcome::Failed(_) => "failed",
        AttemptOutcome::Forbidden(_) => "forbidden",
    }
}

/// Parses the signing secrets. A failure is not final: rotating the secret repairs the delivery before its next
/// attempt.
fn read_secrets(attempt: &DeliveryAttempt) -> Result<Vec<SigningSecret>, EgressError> {
    let failed = |sentence: &str| EgressError::Failed(sentence.to_owned());
    if attempt.secrets.is_empty() {
        return Err(failed("The webhook has no secret to sign with. Rotate its secret."));
    }
    let secrets: Result<_, InvalidSecret> =
        attempt.secrets.iter().map(|secret| SigningSecret::parse(secret.expose_secret())).collect();
    secrets.map_err(|_| failed("The webhook's stored secret cannot be used to sign. Rotate it."))
}

#[async_trait]
impl WebhookSender for HttpWebhookSender {
    async fn send(&self, attempt: DeliveryAttempt) -> AttemptResult {
        let place = match attempt.in_turn {
            Some(webhook) => Some(self.under_way.acquire(webhook).await),
            None => None,
        };
        let started = Instant::now();
        let result = self.exchange(attempt).await;
        let duration = started.elapsed();
        drop(place);
        let outcome = self.outcome(&result);
        metrics::counter!("tidings_delivery_attempts_total", "outcome" => word(&outcome)).increment(1);
        metrics::histogram!("tidings_delivery_attempt_duration_seconds").record(duration);
        let (response_headers, response_body) = match &result {
            Ok(answer) => (answer::headers(&answer.headers), answer::text(&answer.body)),
            Err(_) => (Vec::new(), String::new()),
        };
        AttemptResult { outcome, duration, response_headers, response_body }
    }
}

impl AddressPolicy for HttpWebhookSender {
    fn check(&self, url: &str) -> Result<(), String> {
        self.egress.check(url).map(drop).map_err(|refused| refused.to_string())
    }
}
