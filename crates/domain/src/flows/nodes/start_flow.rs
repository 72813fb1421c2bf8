//! `start_flow`: ends this run and goes over to another flow, which gets its variables.

use super::kind::{Kind, NodeField};
use crate::flows::definition::{Fields, Mentioned};
use crate::flows::execute::{Done, StepWriter};
use crate::flows::interpret::{Ending, Interpreter, Turn};
use crate::flows::{Effect, Started, Starter};
use crate::ids::{FlowId, TypedId};
use crate::retry::AttemptError;

/// Ends this run and goes over to another flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartFlow {
    /// The other flow's id.
    pub flow_id: String,
}

impl Kind for StartFlow {
    const WORD: &'static str = "start_flow";
    const ABOUT: &'static str = "Ends this run and goes over to another flow.";
    const FIELDS: &'static [NodeField] = &[NodeField::must("flow_id", "The other flow's id.")];
    const HANDS_ON_VARIABLES: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let flow = fields.id_of::<FlowId>(Mentioned::Flow, "flow_id", "flow_01h455vb4pex5vsknk084sn02q")?;
        Some(Self { flow_id: flow })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, _at: &str) -> Turn {
        interpreter.effect(Effect::StartFlow(self.flow_id.clone()));
        Turn::Stop { ending: Ending::Completed, outcome: String::new() }
    }
}

/// Starts the flow to which the run goes over.
pub(super) async fn start(step: &mut StepWriter<'_>, flow: String) -> Result<Done, AttemptError> {
    let starter = Starter { ports: step.ports.clone() };
    let found = match flow.parse() {
        Ok(flow) => starter.plan(step.access, flow, step.contact.id).await?,
        Err(_) => None,
    };
    let Some(mut plan) = found else { return Ok(Done::with("failed: unknown_flow")) };
    let run = &step.context.run;
    if plan.flow == run.flow {
        return Ok(Done::with("failed: a flow does not go over to itself"));
    }
    plan.vars = step.vars.clone();
    plan.channel = step.context.channel.as_ref().map(|channel| channel.id);
    plan.cause = Some(run.id.uuid());
    let started = starter.add(step.access, &plan, None, step.set).await?;
    Ok(Done::with(match started {
        Started::Began(run) => format!("started {}", run.id),
        Started::Lives(run) => format!("lives already: {}", run.id),
        Started::NotActive => "failed: flow_not_active".to_owned(),
        Started::TooOften { .. } => "failed: start_limit".to_owned(),
        Started::TooDeep => "failed: loop_guard".to_owned(),
    }))
}
