//! The port that carries one call of an `http_request` to where it goes.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

/// The most bytes of an answer that are read.
pub const MAX_ANSWER: usize = 64 * 1_024;

/// What a call asks for.
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
    /// The words of all.
    pub const WORDS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// The method with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete].into_iter().find(|it| it.as_str() == word)
    }
}

/// A call, ready to go. Secrets may stand in all of it, so it shows nothing but its method when it is printed.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpCall {
    /// What it asks for.
    pub method: Method,
    /// Where to: an absolute address.
    pub url: String,
    /// All its headers but those that the connection itself needs.
    pub headers: Vec<(String, String)>,
    /// The body, where there is one.
    pub body: Option<String>,
    /// The node that makes it: who answers in place of the outside may go by it.
    pub node: String,
}

impl fmt::Debug for HttpCall {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("HttpCall").field("method", &self.method).finish_non_exhaustive()
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// Status, headers and body arrived in time.
    Answered {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, already turned into a time from now.
        retry_after: Option<Duration>,
        /// The body; `None` where it is longer than [`MAX_ANSWER`].
        body: Option<Vec<u8>>,
    },
    /// Nothing, or too little, arrived in time.
    TimedOut,
    /// Name look-up, connection, TLS or transfer failed. The text is for the flow's author.
    Failed(String),
    /// The address is one that this service must never call: final.
    Forbidden(String),
    /// Nothing is called, and nobody said what would be answered: final. Only where flows are tried out.
    Unanswered(String),
}

/// Makes calls. An implementation goes through the address wall, follows no redirect, keeps to 15 s and [`MAX_ANSWER`], and
/// never fails as a call: every end is an outcome. It logs neither address nor headers nor body.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait HttpCaller: Send + Sync {
    /// Makes this call, once.
    async fn call(&self, call: HttpCall) -> CallOutcome;
}

/// What a run gets of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// It succeeded.
    Saved {
        /// The status of the answer.
        status: u16,
        /// What becomes of variables; those of `None` are not there afterwards.
        vars: Vec<(String, Option<Value>)>,
    },
    /// It did not, and is not made again.
    Failed {
        /// Error code.
        code: &'static str,
        /// For the flow's author; without secrets.
        message: String,
    },
}

impl Called {
    /// A failure.
    pub fn failed(code: &'static str, message: impl Into<String>) -> Self {
        Self::Failed { code, message: message.into() }
    }
}
