//! The response of a handler, independent of how it is transferred.

use std::sync::{Arc, Mutex, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use bytes::Bytes;
use futures::future::ready;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};
use serde::Serialize;
use tidings_domain::outcome::Outcome;
use tokio::sync::watch;

use crate::connections::client_gone;
use crate::request::etag::EntityTag;
use crate::response::problem::{Code, Problem};
use crate::response::static_body::{Coding, StaticBody};

/// Header of a response that repeats an earlier one of the same idempotency key: `true`, or `rendered` if it shows the
/// current object.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const RENDERED: &str = "rendered";

/// A response of the API.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) body: Bytes,
    pub(crate) etag: Option<EntityTag>,
    pub(crate) location: Option<String>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// The coding that the body already has.
    pub(crate) coding: Coding,
    /// The forms of the body, if it is static.
    static_body: Option<Arc<StaticBody>>,
    pub(crate) stream: Option<Streamed>,
    /// The length of a streamed body in bytes, if it is known.
    pub(crate) length: Option<u64>,
}

type Parts = BoxStream<'static, Result<Bytes, AbortedBody>>;

/// A streamed body. It can be taken once.
#[derive(Clone)]
pub(crate) struct Streamed(Arc<Mutex<Option<Parts>>>);

impl Streamed {
    /// Returns the body to the first caller, and `None` to later ones.
    pub(crate) fn take(&self) -> Option<Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl std::fmt::Debug for Streamed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Streamed")
    }
}

/// The error of a streamed body that ends early. The connection then closes without an end of the body.
#[derive(Debug, thiserror::Error)]
#[error("the response was interrupted")]
pub(crate) struct AbortedBody;

impl Answer {
    fn of(status: StatusCode, body: Vec<u8>) -> Self {
        Self {
            status,
            content_type: "application/json",
            body: body.into(),
            etag: None,
            location: None,
            headers: Vec::new(),
            coding: Coding::Plain,
            static_body: None,
            stream: None,
            length: None,
        }
    }

    /// Returns 200 with a streamed body. The route needs the trait `streams`, which lifts the time limit.
    pub(crate) fn streamed(
        content_type: &'static str,
        body: impl Stream<Item = Result<Bytes, AbortedBody>> + Send + 'static,
    ) -> Self {
        let stream = Some(Streamed(Arc::new(Mutex::new(Some(body.boxed())))));
        Self { stream, ..Self::of_type(content_type, Bytes::new()) }
    }

    /// Sets the length of a streamed body, for `Content-Length`.
    pub(crate) fn sized(self, length: u64) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Ends a streamed body with an error when the client closes its side.
    pub(crate) fn until_gone(self, mut gone: watch::Receiver<bool>) -> Self {
        let Some(parts) = self.stream.as_ref().and_then(Streamed::take) else { return self };
        let is_gone = gone.clone();
        let end = stream::once(async move { is_gone.borrow().then_some(Err(AbortedBody)) });
        let parts = parts.take_until(async move { client_gone(Some(&mut gone)).await }).chain(end.filter_map(ready));
        Self { stream: Some(Streamed(Arc::new(Mutex::new(Some(parts.boxed()))))), ..self }
    }

    /// Returns 200 with a body of another media type.
    pub(crate) fn of_type(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self { content_type, body: body.into(), ..Self::of(StatusCode::OK, Vec::new()) }
    }

    pub(crate) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Returns 200 with a static body. The client gets the form that it accepts.
    pub(crate) fn static_body(content_type: &'static str, body: &Arc<StaticBody>) -> Self {
        Self { static_body: Some(Arc::clone(body)), ..Self::of_type(content_type, body.original().clone()) }
    }

    pub(crate) fn tagged(self, tag: EntityTag) -> Self {
        Self { etag: Some(tag), ..self }
    }

    /// Selects the form of the body: with or without gzip.
    ///
    /// # Errors
    /// 500 if the static body is corrupt.
    pub(crate) fn in_form(mut self, gzip: bool) -> Result<Self, Problem> {
        if let Some(body) = self.static_body.take() {
            (self.body, self.coding) = body.form(gzip).ok_or_else(|| Problem::new(Code::Internal))?;
        }
        Ok(self)
    }

    /// Returns 200 with this JSON body. Serializing a view cannot fail: its keys are strings and its numbers are
    /// finite.
    pub fn json(view: &impl Serialize) -> Self {
        Self::of(StatusCode::OK, serde_json::to_vec(view).unwrap_or_default())
    }

    /// Returns 200 with an object and its entity tag.
    pub fn object(view: &impl Serialize, version: i64) -> Self {
        let mut answer = Self::json(view);
        answer.etag = Some(EntityTag::of(version, &answer.body));
        answer
    }

    /// Returns 204.
    pub fn no_content() -> Self {
        Self::of(StatusCode::NO_CONTENT, Vec::new())
    }

    /// Returns the stored response of an idempotency key.
    pub(crate) fn repeated(status: u16, body: Vec<u8>, etag: Option<&str>, location: Option<String>) -> Self {
        let mut answer = Self::of(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), body);
        answer.etag = etag.and_then(EntityTag::parse);
        answer.location = location;
        answer.with(REPLAYED, "true")
    }

    /// Marks a response to a repeated request that shows the current object.
    pub(crate) fn rendered_again(self) -> Self {
        self.with(REPLAYED, RENDERED)
    }

    /// Whether the response shows the current object instead of the first response.
    pub(crate) fn is_rendered_again(&self) -> bool {
        self.headers.iter().any(|(name, value)| name == REPLAYED && value == RENDERED)
    }

    /// Sets the status of this outcome.
    pub fn outcome(mut self, outcome: Outcome) -> Self {
        self.status = match outcome {
            Outcome::Created => StatusCode::CREATED,
            Outcome::Accepted => StatusCode::ACCEPTED,
            Outcome::Changed | Outcome::Unchanged => StatusCode::OK,
        };
        self
    }

    /// Sets the address of the object, for `Location`.
    pub fn located(mut self, location: String) -> Self {
        self.location = Some(location);
        self
    }

    /// Adds a header. An invalid value is skipped.
    pub fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// Returns the response for a problem. Its `type` is a page of the server at `origin`.
    pub(crate) fn problem(problem: &Problem, origin: &str, instance: Option<&str>, request_id: &str) -> Self {
        let body = problem.body_at(origin, instance, Some(request_id));
        let mut answer = Self::of(problem.code().status(), body.into_bytes());
        answer.content_type = "application/problem+json";
        answer.headers = problem.headers().to_vec();
        answer
    }
}
