//! Calls of the bucket, with their time limits and repeats.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use tidings_domain::ports::StoreError;
use tidings_egress::Egress;
use tokio::time::{sleep, timeout};

use super::signed_call::{SignedCall, Signer};

/// The time limit of a call with its repeats.
const PATIENCE: Duration = Duration::from_secs(45);
/// The wait before each repeat of a call that the store did not process.
const WAITS: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

/// The bucket, with the client that calls it.
pub(super) struct BucketClient {
    pub(super) signer: Signer,
    pub(super) egress: Egress,
}

/// A response of the store.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answered {
    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the code of an error, such as `NoSuchKey`.
    pub(super) fn code(&self) -> Option<&str> {
        let text = std::str::from_utf8(&self.body).ok()?;
        let code = text.split_once("<Code>")?.1.split_once("</Code>")?.0;
        let is_word = (1..=64).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_alphanumeric());
        is_word.then_some(code)
    }
}

impl BucketClient {
    /// Returns the name of the bucket for operators.
    pub(super) fn name(&self) -> String {
        format!("the bucket of files {} (media.s3.bucket)", self.signer.bucket.name())
    }

    /// Makes a call, and repeats it if the store did not respond or is overloaded. Every call of the bucket may be
    /// repeated. The response may have any status.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if no complete response arrived.
    pub(super) async fn call(&self, call: &SignedCall) -> Result<Answered, StoreError> {
        let outcome = timeout(PATIENCE, self.attempts(call)).await;
        let outcome = outcome.unwrap_or_else(|_| Err("No complete response arrived in time.".to_owned()));
        outcome.map_err(|why| self.unavailable(&format!("{}: {why}", call.method())))
    }

    /// Makes a call that must succeed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub(super) async fn succeed(&self, call: &SignedCall) -> Result<Answered, StoreError> {
        let answered = self.call(call).await?;
        if answered.is_success() { Ok(answered) } else { Err(self.refused(call, &answered)) }
    }

    async fn attempts(&self, call: &SignedCall) -> Result<Answered, String> {
        let mut waits = WAITS.into_iter();
        loop {
            let outcome = self.attempt(call).await;
            let is_final = outcome.as_ref().is_ok_and(|it| !matches!(it.status, 429 | 500 | 502 | 503 | 504));
            match waits.next() {
                Some(wait) if !is_final => sleep(wait).await,
                Some(_) | None => return outcome,
            }
        }
    }

    async fn attempt(&self, call: &SignedCall) -> Result<Answered, String> {
        let answer = self.egress.call_streamed(call.to_streamed()).await.map_err(|error| error.to_string())?;
        let body = answer.body.read_rest().await.map_err(|error| error.to_string())?;
        Ok(Answered { status: answer.status, headers: answer.headers, body })
    }

    /// Returns the error for a response that the caller cannot use.
    pub(super) fn refused(&self, call: &SignedCall, answered: &Answered) -> StoreError {
        let code = answered.code().map(|code| format!(" {code}")).unwrap_or_default();
        self.unavailable(&format!("{} returned {}{code}", call.method(), answered.status))
    }

    /// Returns an error with the name of the bucket, and logs it.
    pub(super) fn unavailable(&self, why: &str) -> StoreError {
        tracing::warn!(bucket = self.signer.bucket.name(), why, "the bucket of files cannot be used");
        StoreError::Unavailable(format!("{}: {why}", self.name()))
    }
}
