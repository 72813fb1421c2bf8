//! What makes a run go on, and what becomes of it at a node.

use crate::flows::caller::Called;
use crate::flows::{Call, RunError, Wait};
use crate::step_outcome::StepOutcome;
use crate::time::Timestamp;

/// What makes a run go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input<'a> {
    /// Its first step is due, or what it waited for did not come by its instant.
    Timer,
    /// The contact said this.
    Reply(&'a str),
    /// This came of its call.
    Called(&'a Called),
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It waits at this node.
    Wait {
        /// The node.
        node: String,
        /// For what.
        wait: Box<Wait>,
    },
    /// It reached its end.
    Completed,
    /// It lived as long as it may.
    Expired,
    /// An error or a guard.
    Failed(RunError),
}

impl Ending {
    /// Notes what came of the call that it waits for; a call that was refused is waited for no longer.
    pub(in crate::flows) fn calls(&mut self, call: Call, now: Timestamp) {
        if let Self::Wait { wait, .. } = self {
            if let Call::Refused(_) = call {
                wait.until = Some(now);
            }
            wait.call = Some(call);
        }
    }
}

/// What becomes of the run after a node was visited.
pub(in crate::flows) enum Turn {
    /// It leaves by this exit.
    Leave { exit: String, outcome: String },
    /// It goes no further for now.
    Stop { ending: Ending, outcome: String },
}

impl Turn {
    /// It leaves by the exit that most kinds of nodes have.
    pub(in crate::flows) fn next(outcome: impl Into<String>) -> Self {
        Self::leave("next", outcome)
    }

    pub(in crate::flows) fn leave(exit: impl Into<String>, outcome: impl Into<String>) -> Self {
        Self::Leave { exit: exit.into(), outcome: outcome.into() }
    }

    /// It waits at the node.
    pub(in crate::flows) fn wait(at: &str, wait: Wait, outcome: impl Into<String>) -> Self {
        Self::Stop { ending: Ending::Wait { node: at.to_owned(), wait: Box::new(wait) }, outcome: outcome.into() }
    }

    pub(in crate::flows) fn failed(code: &str, message: String, at: &str) -> Self {
        let error = RunError { code: code.to_owned(), message, node: Some(at.to_owned()), path: Vec::new() };
        Self::Stop { outcome: StepOutcome::Failed.with(code), ending: Ending::Failed(error) }
    }
}
