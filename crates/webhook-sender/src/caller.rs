//! The adapter of [`HttpCaller`]: makes the HTTP calls of flows.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use tidings_domain::flows::caller::{CallOutcome, HttpCall, HttpCaller, MAX_ANSWER, Method};
use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::Clock;
use tidings_egress::{Call, Egress, EgressError, HeaderMap, HeaderName, HeaderValue, Method as Verb};

use crate::retry_after;

/// Makes calls over HTTP. A clone shares the connections of its original.
#[derive(Clone)]
pub struct FlowCaller {
    egress: Egress,
    clock: Arc<dyn Clock>,
}

impl FlowCaller {
    /// Creates a caller that sends through `egress` and reads dates relative to `clock`.
    pub fn new(egress: Egress, clock: Arc<dyn Clock>) -> Self {
        Self { egress, clock }
    }

    async fn exchange(&self, workspace: WorkspaceId, call: HttpCall) -> Result<CallOutcome, EgressError> {
        let egress = self.egress.for_workspace(workspace.uuid().as_u128());
        let answer = egress.fetch(read(call)?).await.map_err(|failed| failed.error)?;
        let value = answer.headers.get("retry-after").and_then(|value| value.to_str().ok());
        let retry_after = value.and_then(|value| retry_after(value, self.clock.now()));
        Ok(CallOutcome::Answered { status: answer.status, retry_after, body: answer.body.map(Vec::from) })
    }
}

/// Converts a call into a client request. Every header may contain a secret, so all are marked sensitive.
fn read(call: HttpCall) -> Result<Call, EgressError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &call.headers {
        let read = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_str(value).ok());
        let Some((name, mut value)) = read else {
            return Err(EgressError::Failed("A header of the call could not be written.".to_owned()));
        };
        value.set_sensitive(true);
        headers.append(name, value);
    }
    let method = match call.method {
        Method::Get => Verb::GET,
        Method::Post => Verb::POST,
        Method::Put => Verb::PUT,
        Method::Patch => Verb::PATCH,
        Method::Delete => Verb::DELETE,
    };
    Ok(Call { method, url: call.url, headers, body: call.body.map(Bytes::from), most: MAX_ANSWER })
}

/// Returns a metrics label for an outcome. It contains nothing from the receiver.
fn word(outcome: &CallOutcome) -> &'static str {
    match outcome {
        CallOutcome::Answered { status: 200..300, .. } => "succeeded",
        CallOutcome::Answered { .. } => "refused",
        CallOutcome::TimedOut => "timed_out",
        CallOutcome::Failed(_) => "failed",
        CallOutcome::Forbidden(_) => "forbidden",
        CallOutcome::Unanswered(_) => "unanswered",
    }
}

#[async_trait]
impl HttpCaller for FlowCaller {
    async fn call(&self, workspace: WorkspaceId, call: HttpCall) -> CallOutcome {
        let started = Instant::now();
        let outcome = self.exchange(workspace, call).await.unwrap_or_else(|error| match error {
            EgressError::TimedOut => CallOutcome::TimedOut,
            EgressError::Failed(sentence) => CallOutcome::Failed(sentence),
            EgressError::Forbidden(sentence) => CallOutcome::Forbidden(sentence),
        });
        metrics::counter!("tidings_flow_calls_total", "outcome" => word(&outcome)).increment(1);
        metrics::histogram!("tidings_flow_call_duration_seconds").record(started.elapsed());
        outcome
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::time::Timestamp;
    use tidings_egress::EgressSettings;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;

    use super::*;

    struct StoppedClock;

    impl Clock for StoppedClock {
        fn now(&self) -> Timestamp {
            Timestamp::EPOCH_2026
        }
    }

    fn caller(allow_loopback: bool) -> FlowCaller {
        let settings = EgressSettings { allow_loopback, ..EgressSettings::default() };
        FlowCaller::new(Egress::new(settings).unwrap(), Arc::new(StoppedClock))
    }

    fn a_workspace() -> WorkspaceId {
        WorkspaceId::from_uuid(uuid::Uuid::from_u128(7))
    }

    /// Accepts one request without a body, sends `answer` and returns the request's head.
    async fn service(answer: String) -> (String, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/orders", listener.local_addr().unwrap());
        let task = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            // The client may close the connection early if the answer is too long.
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.read_u8().await;
            String::from_utf8(head).unwrap()
        });
        (url, task)
    }

    fn get(url: String) -> HttpCall {
        let headers = vec![("X-Tenant".to_owned(), "7".to_owned()), ("idempotency-key".to_owned(), "k".to_owned())];
        HttpCall { method: Method::Get, url, headers, body: None, node: String::new() }
    }

    #[tokio::test]
    async fn sends_a_call_unchanged_and_returns_the_response() {
        let answer = "HTTP/1.1 429 Slow down\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\n{}";
        let (url, task) = service(answer.to_owned()).await;
        let caller = caller(true);
        let outcome = caller.call(a_workspace(), get(url)).await;
        drop(caller);
        let retry_after = Some(std::time::Duration::from_secs(7));
        assert_eq!(outcome, CallOutcome::Answered { status: 429, retry_after, body: Some(b"{}".to_vec()) });
        let head = task.await.unwrap();
        assert!(head.starts_with("GET /orders HTTP/1.1\r\n"), "{head}");
        assert!(head.contains("x-tenant: 7\r\n") && head.contains("idempotency-key: k\r\n"), "{head}");
    }

    #[tokio::test]
    async fn reads_a_response_up_to_its_size_limit() {
        for (length, is_read) in [(MAX_ANSWER, true), (MAX_ANSWER + 1, false)] {
            let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{}", "x".repeat(length));
            let (url, _task) = service(answer).await;
            let CallOutcome::Answered { status: 200, body, .. } = caller(true).call(a_workspace(), get(url)).await
            else {
                panic!("expected a response")
            };
            assert_eq!(body.map(|body| body.len()), is_read.then_some(length));
        }
    }

    #[tokio::test]
    async fn rejects_calls_to_forbidden_addresses() {
        for url in [
            "https://127.0.0.1/",
            "https://169.254.169.254/latest",
            "http://example.com/",
            "https://[::1]/",
            "ftp://a/",
        ] {
            let outcome = caller(false).call(a_workspace(), get(url.to_owned())).await;
            assert!(matches!(outcome, CallOutcome::Forbidden(_)), "{url}: {outcome:?}");
        }
    }
}
