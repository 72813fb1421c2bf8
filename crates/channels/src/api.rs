//! The exchange with the API of a provider: the bounds of a call, and its response.

use std::time::Duration;

use bytes::Bytes;
use tidings_domain::channels::{RetryScope, SendOutcome};
use tidings_egress::{AnswerBodyError, Bounds, CallError, Egress, EgressError, HeaderMap, StreamedCall};

/// The `User-Agent` of requests that need one.
pub(crate) const USER_AGENT: &str = "Tidings-Channels/1";
/// Maximum number of characters of a provider's description in an error.
pub(crate) const SHOWN: usize = 300;

/// The bounds of a call.
pub(crate) const BOUNDS: Bounds = Bounds {
    head: Duration::from_secs(12),
    idle: Duration::from_secs(12),
    total: Duration::from_secs(15),
    max_body: 256 * 1024,
};

/// Sends a call, and returns the status, the headers and the whole body of the response.
pub(crate) async fn exchange(egress: &Egress, call: StreamedCall) -> Result<(u16, HeaderMap, Bytes), CallError> {
    let answer = egress.call_streamed(call).await?;
    let (status, headers) = (answer.status, answer.headers);
    Ok((status, headers, answer.body.read_rest().await.map_err(cut_off)?))
}

/// Converts the reason why the body of a response did not arrive as a whole.
pub(crate) fn cut_off(error: AnswerBodyError) -> CallError {
    let error = match error {
        AnswerBodyError::TimedOut => EgressError::TimedOut,
        other @ (AnswerBodyError::TooLarge { .. } | AnswerBodyError::Failed(_)) => {
            EgressError::Failed(other.to_string())
        }
    };
    CallError { error, may_have_arrived: true }
}

/// Returns the outcome of a message, or of its part, if the call got no response.
pub(crate) fn unanswered(call: CallError) -> SendOutcome {
    match call {
        CallError { error: EgressError::Forbidden(why), .. } => {
            SendOutcome::Rejected { code: "forbidden_address".to_owned(), message: why.into() }
        }
        CallError { error, may_have_arrived: false } => {
            SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: error.to_string().into() }
        }
        CallError { error, may_have_arrived: true } => SendOutcome::Unknown { message: error.to_string().into() },
    }
}

/// Returns the time to wait until the next call. `None` if the response has no `Retry-After` in seconds.
pub(crate) fn read_retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get("retry-after")?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}
