//! What a handler answers, before it is known how it travels.

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

use crate::connections::left;
use crate::etag::EntityTag;
use crate::held::{Coding, Held};
use crate::problem::{Code, Problem};

/// Says that an answer was given before under the same idempotency key, and how it was made.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const RENDERED: &str = "rendered";

/// An answer of the API.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) body: Bytes,
    pub(crate) etag: Option<EntityTag>,
    pub(crate) location: Option<String>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// How far the body is coded already.
    pub(crate) coding: Coding,
    /// Where the body is held in all its forms, if it is.
    held: Option<Arc<Held>>,
    /// What makes the body while it is taken, if it is not there yet.
    pub(crate) stream: Option<Streamed>,
}

/// What a body is made of, part by part.
type Parts = BoxStream<'static, Result<Bytes, BrokenOff>>;

/// A body that is made while it is taken, once.
#[derive(Clone)]
pub(crate) struct Streamed(Arc<Mutex<Option<Parts>>>);

impl Streamed {
    /// The body, for who asks first.
    pub(crate) fn take(&self) -> Option<Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl std::fmt::Debug for Streamed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Streamed")
    }
}

/// A body could not be made to its end: the connection ends without one, too.
#[derive(Debug, thiserror::Error)]
#[error("the response was interrupted")]
pub(crate) struct BrokenOff;

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
            held: None,
            stream: None,
        }
    }

    /// 200 with a body that is made while the client takes it. The route's trait `streams` gives it the time.
    pub(crate) fn streamed(
        content_type: &'static str,
        body: impl Stream<Item = Result<Bytes, BrokenOff>> + Send + 'static,
    ) -> Self {
        let stream = Some(Streamed(Arc::new(Mutex::new(Some(body.boxed())))));
        Self { stream, ..Self::of_type(content_type, Bytes::new()) }
    }

    /// The same; a body that is made while it is taken breaks off when the client closes its side.
    pub(crate) fn until_gone(self, mut gone: watch::Receiver<bool>) -> Self {
        let Some(parts) = self.stream.as_ref().and_then(Streamed::take) else { return self };
        let is_gone = gone.clone();
        let end = stream::once(async move { is_gone.borrow().then_some(Err(BrokenOff)) });
        let parts = parts.take_until(async move { left(Some(&mut gone)).await }).chain(end.filter_map(ready));
        Self { stream: Some(Streamed(Arc::new(Mutex::new(Some(parts.boxed()))))), ..self }
    }

    /// 200 with a body of another type.
    pub(crate) fn of_type(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self { content_type, body: body.into(), ..Self::of(StatusCode::OK, Vec::new()) }
    }

    /// With another status.
    pub(crate) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// 200 with a body that is held: the client gets the form that it takes.
    pub(crate) fn held(content_type: &'static str, held: &Arc<Held>) -> Self {
        Self { held: Some(Arc::clone(held)), ..Self::of_type(content_type, held.given().clone()) }
    }

    /// With this entity tag.
    pub(crate) fn tagged(self, tag: EntityTag) -> Self {
        Self { etag: Some(tag), ..self }
    }

    /// With the body for a client that takes gzip, or does not.
    ///
    /// # Errors
    /// 500 where what is held is broken.
    pub(crate) fn in_form(mut self, gzip: bool) -> Result<Self, Problem> {
        if let Some(held) = self.held.take() {
            (self.body, self.coding) = held.form(gzip).ok_or_else(|| Problem::new(Code::Internal))?;
        }
        Ok(self)
    }

    /// 200 with this body. Views have strings as keys and finite numbers only, so writing one
    /// cannot fail.
    pub fn json(view: &impl Serialize) -> Self {
        Self::of(StatusCode::OK, serde_json::to_vec(view).unwrap_or_default())
    }

    /// 200 with an object and its entity tag.
    pub fn object(view: &impl Serialize, version: i64) -> Self {
        let mut answer = Self::json(view);
        answer.etag = Some(EntityTag::of(version, &answer.body));
        answer
    }

    /// 204.
    pub fn no_content() -> Self {
        Self::of(StatusCode::NO_CONTENT, Vec::new())
    }

    /// An answer given again, from its idempotency record.
    pub(crate) fn repeated(status: u16, body: Vec<u8>, etag: Option<&str>, location: Option<String>) -> Self {
        let mut answer = Self::of(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), body);
        answer.etag = etag.and_then(EntityTag::parse);
        answer.location = location;
        answer.with(REPLAYED, "true")
    }

    /// An answer to a request that was answered before, by the object as it is now.
    pub(crate) fn rendered_again(self) -> Self {
        self.with(REPLAYED, RENDERED)
    }

    /// Whether it shows an object as it is now, not as the first answer did.
    pub(crate) fn is_rendered_again(&self) -> bool {
        self.headers.iter().any(|(name, value)| name == REPLAYED && value == RENDERED)
    }

    /// With the status that goes with this outcome.
    pub fn outcome(mut self, outcome: Outcome) -> Self {
        self.status = match outcome {
            Outcome::Created => StatusCode::CREATED,
            Outcome::Accepted => StatusCode::ACCEPTED,
            Outcome::Changed | Outcome::Unchanged => StatusCode::OK,
        };
        self
    }

    /// With the address of the object.
    pub fn located(mut self, location: String) -> Self {
        self.location = Some(location);
        self
    }

    /// With one more header; a value that no header may have is left out.
    pub fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// The answer that tells of a problem, by a page of the server at `origin`.
    pub(crate) fn problem(problem: &Problem, origin: &str, instance: Option<&str>, request_id: &str) -> Self {
        let body = problem.body_at(origin, instance, Some(request_id));
        let mut answer = Self::of(problem.code().status(), body.into_bytes());
        answer.content_type = "application/problem+json";
        answer.headers = problem.headers().to_vec();
        answer
    }
}
