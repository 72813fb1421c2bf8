//! Responds to the HTTP requests of flows as the script specifies, without network access.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use super::moments::{CallMoment, Moment};
use super::recorder::Recorder;
use super::script::{Answered, CallFailure, CannedAnswer};
use crate::flows::caller::{CallOutcome, HttpCall, HttpCaller, MAX_ANSWER};
use crate::ids::WorkspaceId;
use crate::ports::Clock;

/// Returns the responses of a script.
pub(super) struct CannedCaller {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) recorder: Arc<Recorder>,
    /// The unused responses with their indexes.
    pub(super) answers: Mutex<Vec<(usize, CannedAnswer)>>,
}

impl CannedCaller {
    /// Takes the first matching response; each is used once.
    fn answer(&self, call: &HttpCall) -> Option<(usize, Answered)> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let place = answers.iter().position(|(_, answer)| answer.fits(call))?;
        let (place, answer) = answers.remove(place);
        Some((place, answer.answered))
    }
}

#[async_trait]
impl HttpCaller for CannedCaller {
    async fn call(&self, _: WorkspaceId, call: HttpCall) -> CallOutcome {
        let found = self.answer(&call);
        let status = match &found {
            Some((_, Answered::With { status, .. })) => Some(*status),
            Some((_, Answered::Failed(_))) | None => None,
        };
        self.recorder.add(Moment::Call(CallMoment {
            at: self.clock.now(),
            node_id: call.node.clone(),
            method: call.method.as_str(),
            url: call.url,
            headers: call.headers.into_iter().map(|(name, value)| (name, Value::String(value))).collect(),
            body: call.body,
            answer: found.as_ref().map(|(place, _)| *place),
            status,
        }));
        match found.map(|(_, answered)| answered) {
            Some(Answered::With { status, body }) => {
                let body = bytes(body);
                let body = Some(body).filter(|body| body.len() <= MAX_ANSWER);
                CallOutcome::Answered { status, retry_after: None, body }
            }
            Some(Answered::Failed(CallFailure::Timeout)) => CallOutcome::TimedOut,
            Some(Answered::Failed(CallFailure::Connection)) => {
                CallOutcome::Failed("the connection failed, as the script specifies".to_owned())
            }
            None => CallOutcome::Unanswered(format!(
                "the script has no response left for the node {}; a simulation makes no real calls: add a response \
                 under http",
                call.node
            )),
        }
    }
}

impl CannedAnswer {
    fn fits(&self, call: &HttpCall) -> bool {
        self.node.as_ref().is_none_or(|node| *node == call.node) && self.url.as_ref().is_none_or(|url| *url == call.url)
    }
}

fn bytes(body: Option<Value>) -> Vec<u8> {
    match body {
        None => Vec::new(),
        Some(Value::String(text)) => text.into_bytes(),
        Some(other) => other.to_string().into_bytes(),
    }
}
