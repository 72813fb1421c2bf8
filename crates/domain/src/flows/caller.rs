//! The port that makes the HTTP requests of `http_request` nodes.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

use crate::ids::WorkspaceId;

/// Maximum size of a response body in bytes.
pub const MAX_ANSWER: usize = 64 * 1_024;

/// An HTTP method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "RFC 9110, section 9.3, and RFC 5789")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// All words.
    pub const WORDS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

    /// Returns the word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Returns the method with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete].into_iter().find(|it| it.as_str() == word)
    }
}

/// An HTTP request. Any part of it may contain secrets, so its `Debug` output shows only the method.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpCall {
    /// The method.
    pub method: Method,
    /// The absolute URL.
    pub url: String,
    /// All headers except those that the connection itself needs.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<String>,
    /// The node that makes the request. Simulated responses are chosen by it.
    pub node: String,
}

impl fmt::Debug for HttpCall {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("HttpCall").field("method", &self.method).finish_non_exhaustive()
    }
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// Status, headers and body arrived in time.
    Answered {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, as a time from now.
        retry_after: Option<Duration>,
        /// The body; `None` if it is longer than [`MAX_ANSWER`].
        body: Option<Vec<u8>>,
    },
    /// The response did not arrive completely in time.
    TimedOut,
    /// DNS lookup, connection, TLS or transfer failed. The text is for the flow's author.
    Failed(String),
    /// This service must never call the URL. Not retried.
    Forbidden(String),
    /// No response is defined for the request. Only in simulations; not retried.
    Unanswered(String),
}

/// Makes HTTP requests. An implementation enforces the address rules, follows no redirects, and limits a request to 15
/// s and [`MAX_ANSWER`]. Every failure is an outcome, not an error. It logs neither URL nor headers nor body.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait HttpCaller: Send + Sync {
    /// Makes this request of a workspace once.
    async fn call(&self, workspace: WorkspaceId, call: HttpCall) -> CallOutcome;
}

/// The result of a request for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// It succeeded.
    Saved {
        /// The status of the answer.
        status: u16,
        /// Variables to set; `None` removes the variable.
        vars: Vec<(String, Option<Value>)>,
    },
    /// It failed and is not retried.
    Failed {
        /// Error code.
        code: &'static str,
        /// For the flow's author; contains no secrets.
        message: String,
    },
}

impl Called {
    /// Creates a failure.
    pub fn failed(code: &'static str, message: impl Into<String>) -> Self {
        Self::Failed { code, message: message.into() }
    }
}
