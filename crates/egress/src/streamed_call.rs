//! Calls with streamed bodies and their own bounds.

use std::fmt;

use reqwest::Method;
use reqwest::header::HeaderMap;
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::answer_body::AnswerBody;
use crate::body::Body;
use crate::bounds::Bounds;
use crate::client::Egress;
use crate::failure::{CallError, EgressError};
use crate::redirect;
use crate::secret_url::SecretUrl;

#[cfg(test)]
mod tests;

/// A call of any method. `Debug` shows neither header values nor the path of the URL.
pub struct StreamedCall {
    /// The method.
    pub method: Method,
    /// An absolute URL; checked on every call.
    pub url: SecretUrl,
    /// Headers, in addition to those that HTTP itself needs.
    pub headers: HeaderMap,
    /// The body.
    pub body: Body,
    /// Time limits and the largest response.
    pub bounds: Bounds,
    /// Whether one redirect is followed if this is a `GET` without a body. The target passes the address filter. It is
    /// called without the headers of this call, except `Accept`, `Range` and `User-Agent`. A redirect from `https:`
    /// to another scheme is rejected. A second redirect is returned as the response.
    pub follow_one_redirect: bool,
}

impl StreamedCall {
    /// A call without headers and body that follows no redirect.
    pub fn new(method: Method, url: impl Into<SecretUrl>) -> Self {
        Self {
            method,
            url: url.into(),
            headers: HeaderMap::new(),
            body: Body::empty(),
            bounds: Bounds::default(),
            follow_one_redirect: false,
        }
    }
}

impl fmt::Debug for StreamedCall {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.keys().map(|name| name.as_str()).collect();
        out.debug_struct("StreamedCall")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &headers)
            .field("body", &self.body)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

/// The head of a response, and its body as a stream.
#[derive(Debug)]
pub struct StreamedAnswer {
    /// The HTTP status; 3xx too, if a redirect is not followed.
    pub status: u16,
    /// All headers of the response.
    pub headers: HeaderMap,
    /// The body, never decompressed.
    pub body: AnswerBody,
}

impl Egress {
    /// Checks the URL, makes the call once, and returns when the head of the response arrives.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn call_streamed(&self, call: StreamedCall) -> Result<StreamedAnswer, CallError> {
        let url = self.check(call.url.expose())?;
        let bounds = call.bounds;
        let start = Instant::now();
        let deadline = start + bounds.total;
        let head = deadline.min(start + bounds.head);
        let timed_out = CallError { error: EgressError::TimedOut, may_have_arrived: true };
        let response = timeout_at(head, self.open(call, url)).await.unwrap_or(Err(timed_out))?;
        Ok(StreamedAnswer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: AnswerBody::new(response, bounds, deadline),
        })
    }

    /// Sends the request and follows a redirect if it may.
    async fn open(&self, call: StreamedCall, url: Url) -> Result<reqwest::Response, CallError> {
        let follows = call.follow_one_redirect && call.method == Method::GET && call.body.is_empty();
        let kept = redirect::without_credentials(&call.headers);
        let response = self.send(call.method, url.clone(), call.headers, call.body).await?;
        if !follows {
            return Ok(response);
        }
        let target = redirect::target(&self.address_filter, &url, response.status(), response.headers());
        let arrived = |error: EgressError| CallError { error, may_have_arrived: true };
        match target.map_err(|refused| arrived(refused.into()))? {
            None => Ok(response),
            Some(target) => {
                drop(response);
                let second = self.send(Method::GET, target, kept, Body::empty()).await;
                second.map_err(|failed| arrived(failed.error))
            }
        }
    }
}
