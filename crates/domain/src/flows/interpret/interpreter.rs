//! The state of a step, as nodes use it.

use serde_json::{Map, Value};

use super::{EvalContext, NodeOutcome, StepEnd, StepEnvironment};
use crate::contacts::Contact;
use crate::conversations::Handler;
use crate::fields::BotField;
use crate::flows::definition::Exit;
use crate::flows::{Decision, Effect, Run, Template, TraceEntry};
use crate::ids::RunId;

/// An effect with the node that requested it.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedEffect {
    /// Index in [`StepResult::trace`](super::StepResult::trace) of the node; the effect's outcome is recorded there.
    pub trace: usize,
    /// The effect.
    pub effect: Effect,
}

pub(in crate::flows) struct Interpreter<'a> {
    pub(in crate::flows) run: &'a Run,
    pub(in crate::flows) environment: &'a StepEnvironment<'a>,
    pub(in crate::flows) contact: Contact,
    pub(in crate::flows) bot_fields: Vec<BotField>,
    pub(in crate::flows) vars: Map<String, Value>,
    /// Whether members handle the conversation, including changes of this step: automations are then silent.
    pub(in crate::flows) human: bool,
    pub(in crate::flows) effects: Vec<TracedEffect>,
    pub(super) trace: Vec<TraceEntry>,
    /// The exits of the visited node.
    pub(super) exits: &'a [Exit],
}

impl<'a> Interpreter<'a> {
    pub(super) fn new(run: &'a Run, environment: &'a StepEnvironment<'a>) -> Self {
        Self {
            run,
            environment,
            contact: environment.contact.clone(),
            bot_fields: environment.bot_fields.to_vec(),
            vars: run.vars.clone(),
            human: environment.conversation.is_some_and(|it| it.handler == Handler::Human),
            effects: Vec::new(),
            trace: Vec::new(),
            exits: &[],
        }
    }

    /// Adds a trace entry for a visit; its outcome follows.
    pub(in crate::flows) fn enter(&mut self, at: &str, kind: &str, resumed: bool) {
        self.trace.push(TraceEntry {
            node: at.to_owned(),
            kind: kind.to_owned(),
            at: self.environment.now,
            outcome: String::new(),
            exit: None,
            resumed,
            message: None,
            run: None,
            decision: None,
        });
    }

    /// Records the reason for the exit of the visited node, if reasons are recorded.
    pub(in crate::flows) fn decides_by(&mut self, decision: impl FnOnce(&Self) -> Decision) {
        if self.environment.explains {
            let decision = decision(self);
            if let Some(entry) = self.trace.last_mut() {
                entry.decision = Some(Box::new(decision));
            }
        }
    }

    /// Records the other run that the visit started or called.
    pub(in crate::flows) fn about(&mut self, run: RunId) {
        if let Some(entry) = self.trace.last_mut() {
            entry.run = Some(run);
        }
    }

    /// Records the outcome of the visited node, and returns the next node or the ending.
    pub(super) fn take(&mut self, turn: NodeOutcome) -> Result<String, StepEnd> {
        let (outcome, exit, ending) = match turn {
            NodeOutcome::Leave { exit, outcome } => (outcome, Some(exit), None),
            NodeOutcome::Stop { ending, outcome } => (outcome, None, Some(ending)),
        };
        if let Some(entry) = self.trace.last_mut() {
            entry.outcome = outcome;
            entry.exit.clone_from(&exit);
        }
        if let Some(ending) = ending {
            return Err(ending);
        }
        let leads = exit.and_then(|name| self.exits.iter().find(|exit| exit.name == name));
        leads.map(|exit| exit.to.clone()).ok_or(StepEnd::Completed)
    }

    pub(in crate::flows) fn effect(&mut self, effect: Effect) {
        self.effects.push(TracedEffect { trace: self.trace.len().saturating_sub(1), effect });
    }

    pub(in crate::flows) fn has_exit(&self, name: &str) -> bool {
        self.exits.iter().any(|exit| exit.name == name)
    }

    /// Calls `look` with the current data of the run.
    pub(in crate::flows) fn with_eval_context<T>(&self, look: impl FnOnce(&EvalContext<'_>) -> T) -> T {
        let known = self.bot_fields.iter().filter_map(|field| Some((field.key.clone(), field.value.clone()?)));
        look(&EvalContext {
            contact: &self.contact,
            bot_fields: &known.collect(),
            conversation: self.environment.conversation,
            vars: &self.vars,
            event: self.run.event.as_ref(),
            now: self.environment.now,
            zone: self.environment.zone,
        })
    }

    /// Returns the current values for templates.
    pub(in crate::flows) fn template_values(&self) -> Map<String, Value> {
        self.with_eval_context(|eval| eval.template_values())
    }

    pub(in crate::flows) fn render(&self, template: &Template) -> Result<String, String> {
        template.render(&self.template_values()).map_err(|error| error.to_string())
    }
}
