//! Starts and calls of other flows.

use super::{ActionTrace, StepWriter};
use crate::flows::{Call, Caller, MAX_CALL_DEPTH, Reentry, StartOutcome, StartPlan, Starter};
use crate::ids::{RunId, TypedId};
use crate::retry::AttemptError;
use crate::step_outcome::StepOutcome;

/// Starts the flow that replaces the run.
pub(super) async fn start(step: &mut StepWriter<'_>, flow: String) -> Result<ActionTrace, AttemptError> {
    let Some(mut plan) = plan(step, &flow).await? else {
        return Ok(ActionTrace::with(StepOutcome::Failed.with("unknown_flow")));
    };
    let run = &step.context.run;
    if plan.flow == run.flow {
        return Ok(ActionTrace::with(StepOutcome::Failed.with("recursion")));
    }
    plan.cause = Some(run.id.uuid());
    let started = starter(step).add(step.access, &plan, None, step.set).await?;
    Ok(match begun(started) {
        StartTrace::Anew(run) => ActionTrace { run: Some(run), ..ActionTrace::with(StepOutcome::RunStarted.with(run)) },
        StartTrace::Lives(run) => {
            ActionTrace { run: Some(run), ..ActionTrace::with(StepOutcome::RunAlreadyRunning.with(run)) }
        }
        StartTrace::Not(why) => ActionTrace::with(StepOutcome::Failed.with(why)),
    })
}

/// Starts a run of the flow that the run calls. It is always a parallel run, because it returns its own variables. The
/// step commits once, so it starts once.
pub(super) async fn call(step: &mut StepWriter<'_>, flow: String) -> Result<ActionTrace, AttemptError> {
    let refused = |why: &str| {
        let call = Some(Call::Refused(why.to_owned()));
        Ok(ActionTrace { call, ..ActionTrace::with(StepOutcome::Failed.with(why)) })
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
        StartTrace::Anew(run) => Ok(ActionTrace {
            run: Some(run),
            call: Some(Call::Began(run)),
            ..ActionTrace::with(StepOutcome::RunCalled.with(run))
        }),
        StartTrace::Lives(run) => refused(&format!("already running: {run}")),
        StartTrace::Not(why) => refused(why),
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
enum StartTrace {
    Anew(RunId),
    Lives(RunId),
    Not(&'static str),
}

fn begun(started: StartOutcome) -> StartTrace {
    match started {
        StartOutcome::Began(run) => StartTrace::Anew(run.id),
        StartOutcome::Lives(run) => StartTrace::Lives(run.id),
        StartOutcome::NotActive => StartTrace::Not("flow_not_active"),
        StartOutcome::TooOften { .. } => StartTrace::Not("start_limit"),
        StartOutcome::TooDeep => StartTrace::Not("loop_guard"),
    }
}
