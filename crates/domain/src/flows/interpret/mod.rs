//! The engine's heart: takes a run from node to node until it waits or ends. Pure.
//!
//! Nothing here reads a clock, a store or chance: the same function serves production, simulation
//! and tests.

mod conversation;
mod eval_context;
mod guards;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use serde_json::{Map, Value};

use super::{Definition, Effect, Run, RunError, Template, TraceEntry, Wait};
use crate::contacts::{Attribute, Contact};
use crate::conversations::Conversation;
use crate::fields::{BotField, CustomField};
use crate::tags::Tag;
use crate::time::Timestamp;

pub use eval_context::EvalContext;
pub use guards::{MAX_VISITS, MAX_VISITS_OF_NODE, MAX_VISITS_WITHOUT_WAIT};

/// What makes a run go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input<'a> {
    /// Its first step is due, or what it waited for did not come by its instant.
    Timer,
    /// The contact said this.
    Reply(&'a str),
}

/// What a run can see.
#[derive(Clone, Copy)]
pub struct StepEnvironment<'a> {
    /// The contact, as it was when the step began.
    pub contact: &'a Contact,
    /// The custom fields of the workspace.
    pub fields: &'a [CustomField],
    /// The bot fields of the workspace, as they were when the step began.
    pub bot_fields: &'a [BotField],
    /// Which tags the definition's words mean.
    pub tags: &'a BTreeMap<String, Tag>,
    /// Whether there is a channel on which the run can talk.
    pub has_channel: bool,
    /// The conversation in which the run talks, once there is one.
    pub conversation: Option<&'a Conversation>,
    /// Which identifiers other contacts have: where the run would write one, it may not.
    pub taken: &'a BTreeSet<(Attribute, String)>,
    /// Tells whether conditions hold.
    pub conditions: &'a dyn Conditions,
    /// The workspace's zone.
    pub zone: Tz,
    /// The present instant.
    pub now: Timestamp,
}

/// Tells whether conditions hold.
pub trait Conditions: Send + Sync {
    /// Whether the condition, as it was written, holds for what the run sees.
    ///
    /// # Errors
    /// Why it cannot be told, such as a field that is gone.
    fn holds(&self, condition: &Value, eval: &EvalContext<'_>) -> Result<bool, String>;
}

/// Something to be done, by the node at this place of [`Advance::trace`].
#[derive(Debug, Clone, PartialEq)]
pub struct TracedEffect {
    /// The place in the trace that waits for its outcome, where there is one to wait for.
    pub trace: usize,
    /// What is to be done.
    pub effect: Effect,
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It waits at this node.
    Wait {
        /// The node.
        node: String,
        /// For what.
        wait: Wait,
    },
    /// It reached its end.
    Completed,
    /// It lived as long as it may.
    Expired,
    /// An error or a guard.
    Failed(RunError),
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub struct Advance {
    /// What is to be done, in order.
    pub effects: Vec<TracedEffect>,
    /// The nodes that were visited, in order.
    pub trace: Vec<TraceEntry>,
    /// The contact afterwards; version and times are the ledger's to write.
    pub contact: Contact,
    /// The variables afterwards.
    pub vars: Map<String, Value>,
    /// How it ended.
    pub ending: Ending,
}

/// What becomes of the run after a node was visited.
pub(super) enum Turn {
    /// It leaves by this exit.
    Leave { exit: String, outcome: String },
    /// It goes no further for now.
    Stop { ending: Ending, outcome: String },
}

impl Turn {
    /// It leaves by the exit that most kinds of nodes have.
    pub(super) fn next(outcome: impl Into<String>) -> Self {
        Self::leave("next", outcome)
    }

    pub(super) fn leave(exit: impl Into<String>, outcome: impl Into<String>) -> Self {
        Self::Leave { exit: exit.into(), outcome: outcome.into() }
    }

    /// It waits at the node.
    pub(super) fn wait(at: &str, wait: Wait, outcome: impl Into<String>) -> Self {
        Self::Stop { ending: Ending::Wait { node: at.to_owned(), wait }, outcome: outcome.into() }
    }

    pub(super) fn failed(code: &str, message: String, at: &str) -> Self {
        let error = RunError { code: code.to_owned(), message, node: Some(at.to_owned()), path: Vec::new() };
        Self::Stop { outcome: format!("failed: {code}"), ending: Ending::Failed(error) }
    }
}

/// A run on its way.
pub(super) struct Interpreter<'a> {
    definition: &'a Definition,
    pub(super) run: &'a Run,
    pub(super) environment: &'a StepEnvironment<'a>,
    pub(super) contact: Contact,
    pub(super) bot_fields: Vec<BotField>,
    pub(super) vars: Map<String, Value>,
    /// Whether an effect of this step handed the conversation to people, or back.
    pub(super) human: bool,
    pub(super) effects: Vec<TracedEffect>,
    trace: Vec<TraceEntry>,
}

/// Takes `run` on from its node until it waits or ends.
pub fn advance(definition: &Definition, run: &Run, input: Input<'_>, environment: &StepEnvironment<'_>) -> Advance {
    let mut interpreter = Interpreter {
        definition,
        run,
        environment,
        contact: environment.contact.clone(),
        bot_fields: environment.bot_fields.to_vec(),
        vars: run.vars.clone(),
        human: conversation::is_with_people(environment.conversation),
        effects: Vec::new(),
        trace: Vec::new(),
    };
    let ending = interpreter.go(input);
    let Interpreter { effects, trace, contact, vars, .. } = interpreter;
    Advance { effects, trace, contact, vars, ending }
}

/// When a run of this flow ends, whatever it waits for.
pub fn expires_at(definition: &Definition, run: &Run) -> Timestamp {
    run.started_at.plus(definition.settings.expires_after)
}

impl Interpreter<'_> {
    fn go(&mut self, input: Input<'_>) -> Ending {
        if expires_at(self.definition, self.run) <= self.environment.now {
            return Ending::Expired;
        }
        let mut at = match self.begin(input) {
            Ok(node) => node,
            Err(ending) => return ending,
        };
        loop {
            if let Some(error) = self.guard(&at) {
                return Ending::Failed(error);
            }
            let Some(node) = self.definition.nodes.get(&at) else {
                let message = format!("no node has the id {at}");
                return Ending::Failed(RunError {
                    code: "unknown_node".to_owned(),
                    message,
                    node: Some(at),
                    path: Vec::new(),
                });
            };
            self.enter(&at, node.action.kind(), false);
            let turn = node.action.visit(self, &at);
            match self.take(&at, turn) {
                Ok(next) => at = next,
                Err(ending) => return ending,
            }
        }
    }

    /// The first node of the step, or its ending where what came changes nothing.
    fn begin(&mut self, input: Input<'_>) -> Result<String, Ending> {
        let at = self.run.node.clone().unwrap_or_else(|| self.definition.start.clone());
        let (Some(wait), Some(node)) = (&self.run.wait, self.definition.nodes.get(&at)) else { return Ok(at) };
        match node.action.resume(self, &at, wait, input) {
            Some(turn) => self.take(&at, turn),
            None => Ok(at),
        }
    }

    /// Notes that a node is visited; its outcome follows.
    pub(super) fn enter(&mut self, at: &str, kind: &str, resumed: bool) {
        self.trace.push(TraceEntry {
            node: at.to_owned(),
            kind: kind.to_owned(),
            at: self.environment.now,
            outcome: String::new(),
            exit: None,
            resumed,
            message: None,
        });
    }

    /// Notes what came of the node, and finds the one that follows.
    fn take(&mut self, at: &str, turn: Turn) -> Result<String, Ending> {
        let (outcome, exit, ending) = match turn {
            Turn::Leave { exit, outcome } => (outcome, Some(exit), None),
            Turn::Stop { ending, outcome } => (outcome, None, Some(ending)),
        };
        if let Some(entry) = self.trace.last_mut() {
            entry.outcome = outcome;
            entry.exit.clone_from(&exit);
        }
        if let Some(ending) = ending {
            return Err(ending);
        }
        let leads = exit.and_then(|exit| self.definition.nodes.get(at)?.exit(&exit).map(ToOwned::to_owned));
        leads.ok_or(Ending::Completed)
    }

    /// Has something done by the node that is visited.
    pub(super) fn effect(&mut self, effect: Effect) {
        self.effects.push(TracedEffect { trace: self.trace.len().saturating_sub(1), effect });
    }

    /// Whether an exit of the node leads anywhere.
    pub(super) fn has_exit(&self, at: &str, name: &str) -> bool {
        self.definition.nodes.get(at).is_some_and(|node| node.exit(name).is_some())
    }

    pub(super) fn render(&self, template: &Template) -> Result<String, String> {
        self.with_eval_context(|eval| template.render(&eval.template_values())).map_err(|error| error.to_string())
    }
}

impl Advance {
    /// Notes what came of the node at this place.
    pub fn set_outcome(&mut self, trace: usize, outcome: &str) {
        if let Some(entry) = self.trace.get_mut(trace) {
            outcome.clone_into(&mut entry.outcome);
        }
    }
}
