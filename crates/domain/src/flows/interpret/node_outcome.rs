//! Inputs that resume a run, and the results of node visits.

use crate::flows::caller::Called;
use crate::flows::{Call, RunError, Wait};
use crate::step_outcome::StepOutcome;
use crate::time::Timestamp;

/// The input that starts or resumes a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input<'a> {
    /// Its first step is due, or its wait ended by time.
    Timer,
    /// A reply of the contact.
    Reply(&'a str),
    /// The result of its HTTP request.
    Called(&'a Called),
}

/// The end of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepEnd {
    /// It waits at this node.
    Wait {
        /// The node.
        node: String,
        /// The wait.
        wait: Box<Wait>,
    },
    /// It reached its end.
    Completed,
    /// It reached its maximum duration.
    Expired,
    /// An error or a guard.
    Failed(RunError),
}

impl StepEnd {
    /// Records the result of the call that it waits for. A rejected call ends the wait now.
    pub(in crate::flows) fn calls(&mut self, call: Call, now: Timestamp) {
        if let Self::Wait { wait, .. } = self {
            if let Call::Refused(_) = call {
                wait.until = Some(now);
            }
            wait.call = Some(call);
        }
    }
}

/// The result of a node visit.
pub(in crate::flows) enum NodeOutcome {
    /// The run leaves by this exit.
    Leave { exit: String, outcome: String },
    /// The run stops here for now.
    Stop { ending: StepEnd, outcome: String },
}

impl NodeOutcome {
    /// Leaves by the exit `next`.
    pub(in crate::flows) fn next(outcome: impl Into<String>) -> Self {
        Self::leave("next", outcome)
    }

    pub(in crate::flows) fn leave(exit: impl Into<String>, outcome: impl Into<String>) -> Self {
        Self::Leave { exit: exit.into(), outcome: outcome.into() }
    }

    pub(in crate::flows) fn wait(at: &str, wait: Wait, outcome: impl Into<String>) -> Self {
        Self::Stop { ending: StepEnd::Wait { node: at.to_owned(), wait: Box::new(wait) }, outcome: outcome.into() }
    }

    pub(in crate::flows) fn failed(code: &str, message: String, at: &str) -> Self {
        let error = RunError { code: code.to_owned(), message, node: Some(at.to_owned()), path: Vec::new() };
        Self::Stop { outcome: StepOutcome::Failed.with(code), ending: StepEnd::Failed(error) }
    }
}
