//! The interpreter of flows: moves a run from node to node until it waits or ends.
//!
//! It reads no clock, store or random numbers, so production, simulations and tests share it.

mod environment;
mod eval_context;
mod guards;
mod interpreter;
mod node_outcome;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::{Definition, Run, RunError, TraceEntry};
use crate::contacts::Contact;
use crate::time::Timestamp;

pub use environment::{Conditions, StepEnvironment};
pub use eval_context::EvalContext;
pub use guards::{MAX_VISITS, MAX_VISITS_OF_NODE, MAX_VISITS_WITHOUT_WAIT};
pub(super) use interpreter::Interpreter;
pub use interpreter::TracedEffect;
pub(super) use node_outcome::NodeOutcome;
pub use node_outcome::{Input, StepEnd};

/// The result of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepResult {
    /// The effects to carry out, in order.
    pub effects: Vec<TracedEffect>,
    /// The visited nodes, in order.
    pub trace: Vec<TraceEntry>,
    /// The contact afterwards; the ledger sets its version and times.
    pub contact: Contact,
    /// The variables afterwards.
    pub vars: Map<String, Value>,
    /// The ending.
    pub ending: StepEnd,
}

/// Moves `run` from its node until it waits or ends.
pub fn advance(definition: &Definition, run: &Run, input: Input<'_>, environment: &StepEnvironment<'_>) -> StepResult {
    let mut interpreter = Interpreter::new(run, environment);
    let ending = interpreter.go(definition, input);
    let Interpreter { effects, trace, contact, vars, .. } = interpreter;
    StepResult { effects, trace, contact, vars, ending }
}

/// Returns when a run of this flow expires, even if it waits.
pub fn expires_at(definition: &Definition, run: &Run) -> Timestamp {
    run.started_at.plus(definition.settings.expires_after)
}

impl<'a> Interpreter<'a> {
    fn go(&mut self, definition: &'a Definition, input: Input<'_>) -> StepEnd {
        if expires_at(definition, self.run) <= self.environment.now {
            return StepEnd::Expired;
        }
        let mut at = match self.begin(definition, input) {
            Ok(node) => node,
            Err(ending) => return ending,
        };
        loop {
            if let Some(error) = self.guard(&at) {
                return StepEnd::Failed(error);
            }
            let Some(node) = definition.nodes.get(&at) else {
                let message = format!("no node has the ID {at}");
                return StepEnd::Failed(RunError {
                    code: "unknown_node".to_owned(),
                    message,
                    node: Some(at),
                    path: Vec::new(),
                });
            };
            self.exits = &node.exits;
            self.enter(&at, node.action.kind(), false);
            let turn = node.action.visit(self, &at);
            match self.take(turn) {
                Ok(next) => at = next,
                Err(ending) => return ending,
            }
        }
    }

    /// Returns the first node of the step, or its ending if the input changes nothing.
    fn begin(&mut self, definition: &'a Definition, input: Input<'_>) -> Result<String, StepEnd> {
        let at = self.run.node.clone().unwrap_or_else(|| definition.start.clone());
        let (Some(wait), Some(node)) = (&self.run.wait, definition.nodes.get(&at)) else { return Ok(at) };
        self.exits = &node.exits;
        match node.action.resume(self, &at, wait, input) {
            Some(turn) => self.take(turn),
            None => Ok(at),
        }
    }
}
