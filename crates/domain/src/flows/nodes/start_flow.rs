//! `start_flow`: replaces the run by a run of another flow, which gets its variables; or, with `next`, calls the other
//! flow and continues afterwards.

use serde_json::{Map, Value};

use super::kind::{Kind, NodeField};
use super::parts::Target;
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::interpret::{Input, Interpreter, NodeOutcome, StepEnd};
use crate::flows::run::{RunStatus, Wait};
use crate::flows::{Call, Effect, MAX_RETURNED};
use crate::ids::FlowId;
use crate::step_outcome::StepOutcome;

/// Starts or calls another flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartFlow {
    /// ID of the other flow.
    pub flow_id: String,
    /// Whether the run waits for the other run and continues; otherwise it ends.
    pub calls: bool,
    /// The variable for the variables of the called run.
    pub save_to: Option<Target>,
}

impl Kind for StartFlow {
    const WORD: &'static str = "start_flow";
    const ABOUT: &'static str =
        "Ends this run and starts another flow. With `next`, calls the other flow and continues when its run ends.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::must("flow_id", "The ID of the other flow."),
        NodeField::exit("next", "The next node if the called run completes."),
        NodeField::may("save_to", "The target of the variables of the called run: `vars.KEY`; only with `next`."),
        NodeField::exit("on_error", "The next node if the called run does not complete; only with `next`."),
    ];
    const HANDS_ON_VARIABLES: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let flow = fields.id_of::<FlowId>(Mentioned::Flow, "flow_id", "flow_01h455vb4pex5vsknk084sn02q");
        let calls = fields.get("next").is_some();
        for name in ["save_to", "on_error"] {
            if !calls && fields.get(name).is_some() {
                let message = "requires `next`; without it the node hands over to the other flow and does not return";
                fields.wrong(name, "not_allowed", message);
            }
        }
        let save_to = if fields.get("save_to").is_some() { Target::variable(fields, "save_to") } else { None };
        Some(Self { flow_id: flow?, calls, save_to })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        if self.calls {
            interpreter.effect(Effect::CallFlow(self.flow_id.clone()));
            return NodeOutcome::wait(at, Wait::for_flow(), "");
        }
        interpreter.effect(Effect::StartFlow(self.flow_id.clone()));
        NodeOutcome::Stop { ending: StepEnd::Completed, outcome: String::new() }
    }

    fn immediate_effects(&self) -> Vec<ImmediateEffect> {
        self.flow_id.parse().map(ImmediateEffect::Flow).into_iter().collect()
    }

    fn resume(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        wait: &Wait,
        _input: Input<'_>,
    ) -> Option<NodeOutcome> {
        let call = wait.call.as_ref().filter(|_| self.calls)?;
        let returned = match call {
            Call::Asked => return None,
            Call::Refused(why) => Err(StepOutcome::NotCalled.with(why)),
            Call::Began(run) => match interpreter.environment.called.filter(|it| it.id == *run) {
                None => Err(StepOutcome::CalledRunMissing.text().to_owned()),
                Some(called) => match called.status {
                    RunStatus::Active | RunStatus::Waiting => return Some(NodeOutcome::wait(at, wait.clone(), "")),
                    RunStatus::Completed => Ok(&called.vars),
                    RunStatus::Interrupted => Err(StepOutcome::CalledRunInterrupted.text().to_owned()),
                    RunStatus::Expired => Err(StepOutcome::CalledRunExpired.text().to_owned()),
                    RunStatus::Failed => Err(match &called.error {
                        Some(error) => {
                            StepOutcome::CalledRunFailedBy.with(format_args!("{}: {}", error.code, error.message))
                        }
                        None => StepOutcome::CalledRunFailed.text().to_owned(),
                    }),
                },
            },
        };
        interpreter.enter(at, Self::WORD, true);
        if let Call::Began(run) = call {
            interpreter.about(*run);
        }
        Some(match returned.and_then(|vars| self.save(interpreter, vars)) {
            Ok(outcome) => NodeOutcome::next(outcome),
            Err(why) if interpreter.has_exit("on_error") => NodeOutcome::leave("on_error", why),
            Err(why) => NodeOutcome::failed("call_failed", why, at),
        })
    }
}

impl StartFlow {
    fn save(&self, interpreter: &mut Interpreter<'_>, vars: &Map<String, Value>) -> Result<String, String> {
        let Some(target) = &self.save_to else { return Ok(StepOutcome::CalledRunCompleted.text().to_owned()) };
        let vars = Value::Object(vars.clone());
        if vars.to_string().len() > MAX_RETURNED {
            return Err(format!("the called run has more than {} KiB of variables", MAX_RETURNED / 1024));
        }
        target.write(interpreter, Some(vars)).map_err(|why| why.to_string())?;
        Ok(StepOutcome::CalledRunSaved.with(target))
    }
}
