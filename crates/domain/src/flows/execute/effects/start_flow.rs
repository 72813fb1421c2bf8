//! Starts and calls of other flows.

use super::{Done, StepWriter};
use crate::flows::{Call, Caller, MAX_CALL_DEPTH, Reentry, StartPlan, Started, Starter};
use crate::ids::{RunId, TypedId};
use crate::retry::AttemptError;
use crate::step_outcome::StepOutcome;

/// Starts the flow that replaces the run.
pub(super) async fn start(step: &mut StepWriter<'_>, flow: String) -> Result<Done, AttemptError> {
    let Some(mut plan) = plan(step, &flow).await? else {
        return Ok(Done::with(StepOutcome::Failed.with("unknown_flow")));
    };
    let run = &step.context.run;
    if plan.flow == run.flow {
        return Ok(Done::with(StepOutcome::Failed.with("recursion")));
    }
    plan.cause = Some(run.id.uuid());
    let started = starter(step).add(step.access, &plan, None, step.set).await?;
    Ok(match begun(started) {
        Begun::Anew(run) => Done { run: Some(run), ..Done::with(StepOutcome::RunStarted.with(run)) },
        Begun::Lives(run) => Done { run: Some(run), ..Done::with(StepOutcome::RunAlreadyRunning.with(run)) },
        Begun::Not(why) => Done::with(StepOutcome::Failed.with(why)),
    })
}

/// Starts a run of the flow that the run calls. It is always a parallel run, because it returns its own variables. The
/// step commits once, so it starts once.
pub(super) async fn call(step: &mut StepWriter<'_>, flow: String) -> Result<Done, AttemptError> {
    let refused = |why: &str| {
        let call = Some(Call::Refused(why.to_owned()));
        Ok(Done { call, ..Done::with(StepOutcome::Failed.with(why)) })
    };
    let Some(mut plan) = plan(step, &flow).await? else { return refused("unknown_flow") };
    let run = &step.context.run;
    if plan.flow == run.flow {
        return refused("recursion");
    }
    let Some(caller) = Caller::next(run.id, run.caller) else {
        return refused(&format!("call_depth: calls are already nested {MAX_CALL_DEPTH} levels deep"));
    };
    plan.caller = Some(caller);
    let started = starter(step).add(step.access, &plan, Some(Reentry::Parallel), step.set).await?;
    match begun(started) {
        Begun::Anew(run) => {
            Ok(Done { run: Some(run), call: Some(Call::Began(run)), ..Done::with(StepOutcome::RunCalled.with(run)) })
        }
        Begun::Lives(run) => refused(&format!("already running: {run}")),
        Begun::Not(why) => refused(why),
    }
}

fn starter(step: &StepWriter<'_>) -> Starter {
    Starter { ports: step.ports.clone() }
}

/// Creates a start with the run's variables and channel; `None` if the flow does not exist.
async fn plan(step: &StepWriter<'_>, flow: &str) -> Result<Option<StartPlan>, AttemptError> {
    let Ok(flow) = flow.parse() else { return Ok(None) };
    let Some(plan) = starter(step).plan(step.access, flow, step.contact.id).await? else { return Ok(None) };
    let channel = step.context.channel.as_ref().map(|channel| channel.id);
    Ok(Some(StartPlan { vars: step.vars.clone(), channel, ..plan }))
}

/// The result of a start, for the trace.
enum Begun {
    Anew(RunId),
    Lives(RunId),
    Not(&'static str),
}

fn begun(started: Started) -> Begun {
    match started {
        Started::Began(run) => Begun::Anew(run.id),
        Started::Lives(run) => Begun::Lives(run.id),
        Started::NotActive => Begun::Not("flow_not_active"),
        Started::TooOften { .. } => Begun::Not("start_limit"),
        Started::TooDeep => Begun::Not("loop_guard"),
    }
}
