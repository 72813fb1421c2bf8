//! Results of tests of channels and webhooks.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::events::EventKind;
use crate::ids::EventId;

/// The response to a test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestAnswer {
    /// HTTP status of the response, if there was one.
    pub status: Option<i32>,
    /// Headers of the response.
    pub headers: Vec<(String, String)>,
    /// The first 4 KiB of the response.
    pub body: String,
    /// The error, as a sentence for an admin; `None` on success.
    pub error: Option<String>,
}

impl TestAnswer {
    /// Returns the result of a test without a response.
    pub fn failed(error: impl Into<String>) -> Self {
        Self { error: Some(error.into()), ..Self::default() }
    }
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TestOutcome))]
#[non_exhaustive]
pub struct TrialView {
    /// Whether the receiver accepted the request.
    pub succeeded: bool,
    /// For a webhook: ID of the sample event.
    pub event_id: Option<EventId>,
    /// For a webhook: type of the sample event.
    pub event_type: Option<&'static str>,
    /// HTTP status of the response; `null` if there was none.
    pub status: Option<i32>,
    /// Duration in milliseconds.
    pub duration_ms: i64,
    /// Headers of the response.
    pub headers: BTreeMap<String, String>,
    /// The first 4 KiB of the response.
    pub body: String,
    /// The error; `null` on success.
    pub error: Option<String>,
}

impl TrialView {
    /// Returns the view of a result, with its duration and the sample event, if one was sent.
    pub fn new(it: &TestAnswer, took: Duration, sample: Option<(EventId, EventKind)>) -> Self {
        Self {
            succeeded: it.error.is_none(),
            event_id: sample.map(|(id, _)| id),
            event_type: sample.map(|(_, kind)| kind.as_str()),
            status: it.status,
            duration_ms: i64::try_from(took.as_millis()).unwrap_or(i64::MAX),
            headers: it.headers.iter().cloned().collect(),
            body: it.body.clone(),
            error: it.error.clone(),
        }
    }
}
