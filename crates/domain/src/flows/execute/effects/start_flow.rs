//! Another flow, to which the run goes over.

use super::{Done, StepWriter};
use crate::flows::{Started, Starter};
use crate::ids::TypedId;
use crate::retry::AttemptError;

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
