//! Tests of calls of other flows and their results.

use super::*;
use crate::flows::Call;
use crate::ids::RunId;

const FLOW: &str = "flow_01h455vb4pex5vsknk084sn02q";

fn calling(more: Value) -> Stage {
    let mut node = json!({"id": "call", "type": "start_flow", "flow_id": FLOW, "next": "yes"});
    node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
    let mut stage = Stage::of(json!([node, say("yes", "{{ vars.back.plan }}", "end"), say("no", "No", "end")]));
    stage.play(Input::Timer);
    stage
}

/// Returns a stage that called a flow; `describe` sets the state of the called run.
fn called(more: Value, describe: impl FnOnce(&mut Run)) -> Stage {
    let mut stage = calling(more);
    let mut run = a_run().build();
    run.id = RunId::from_uuid(uuid::Uuid::from_u128(77));
    stage.run.wait.as_mut().expect("the run waits").call = Some(Call::Began(run.id));
    describe(&mut run);
    stage.called = Some(run);
    stage
}

fn last(step: &StepResult) -> (&str, Option<&str>) {
    let entry = step.trace.iter().find(|entry| entry.resumed).expect("the trace has a resumed entry");
    (entry.outcome.as_str(), entry.exit.as_deref())
}

#[test]
fn a_call_waits_for_the_end_of_the_called_run() {
    let stage = Stage::of(json!([{"id": "call", "type": "start_flow", "flow_id": FLOW, "next": "end"}]));
    let step = stage.step(Input::Timer);
    assert_eq!(step.ending, StepEnd::Wait { node: "call".to_owned(), wait: Box::new(Wait::for_flow()) });
    assert!(matches!(&step.effects[..], [TracedEffect { effect: Effect::CallFlow(flow), .. }] if flow == FLOW));

    let stage = called(json!({}), |run| run.status = RunStatus::Waiting);
    let step = stage.step(Input::Timer);
    let StepEnd::Wait { node, wait } = &step.ending else { panic!("{step:?}") };
    assert_eq!((node.as_str(), Some(&**wait)), ("call", stage.run.wait.as_ref()));
    assert_eq!(
        (step.trace.len(), step.effects.len()),
        (0, 0),
        "a step without progress leaves no trace and no effects"
    );
}

#[test]
fn a_start_without_next_completes_the_run() {
    let stage = Stage::of(json!([{"id": "go", "type": "start_flow", "flow_id": FLOW}]));
    let step = stage.step(Input::Timer);
    assert_eq!(step.ending, StepEnd::Completed);
    assert!(matches!(&step.effects[..], [TracedEffect { effect: Effect::StartFlow(flow), .. }] if flow == FLOW));
}

#[test]
fn a_call_saves_the_variables_of_the_called_run() {
    let done = |run: &mut Run| {
        run.status = RunStatus::Completed;
        run.vars.insert("plan".to_owned(), json!("gold"));
    };
    let mut stage = called(json!({"save_to": "vars.back"}), done);
    let step = stage.play(Input::Timer);
    assert_eq!(last(&step), ("the called run completed, saved to vars.back", Some("next")));
    assert_eq!((said(&step), &step.vars["back"]), (vec!["gold".to_owned()], &json!({"plan": "gold"})));
    assert_eq!(step.trace[0].run, Some(RunId::from_uuid(uuid::Uuid::from_u128(77))));
    let step = called(json!({}), done).play(Input::Timer);
    assert_eq!((last(&step), step.vars.len()), (("the called run completed", Some("next")), 0));
}

#[test]
fn an_incomplete_call_takes_on_error_or_fails_the_run() {
    let failed_with = |run: &mut Run| {
        run.status = RunStatus::Failed;
        let (code, message) = ("no_channel".to_owned(), "there is none".to_owned());
        run.error = Some(RunError { code, message, node: None, path: vec![] });
    };
    type End = fn(&mut Run);
    let ends: [(End, &str); 4] = [
        (failed_with, "the called run failed: no_channel: there is none"),
        (|run| run.status = RunStatus::Interrupted, "the called run was interrupted"),
        (|run| run.status = RunStatus::Expired, "the called run expired"),
        (|run| run.id = RunId::from_uuid(uuid::Uuid::from_u128(78)), "the called run no longer exists"),
    ];
    for (end, why) in ends {
        let step = called(json!({"on_error": "no"}), end).play(Input::Timer);
        assert_eq!((last(&step), said(&step)), ((why, Some("on_error")), vec!["No".to_owned()]));
        let step = called(json!({}), end).play(Input::Timer);
        let StepEnd::Failed(error) = &step.ending else { panic!("{step:?}") };
        assert_eq!((error.code.as_str(), error.message.as_str()), ("call_failed", why));
        assert_eq!(error.node.as_deref(), Some("call"));
    }
}

#[test]
fn a_refused_call_reports_the_reason() {
    let mut stage = calling(json!({"on_error": "no"}));
    stage.run.wait.as_mut().expect("the run waits").call = Some(Call::Refused("start_limit".to_owned()));
    let step = stage.play(Input::Timer);
    assert_eq!(last(&step), ("the flow was not called: start_limit", Some("on_error")));
}

#[test]
fn a_call_that_returns_more_than_64_kib_takes_on_error() {
    let much = |bytes: usize| {
        let step = called(json!({"save_to": "vars.back", "on_error": "no"}), |run| {
            run.status = RunStatus::Completed;
            run.vars.insert("a".to_owned(), json!("x".repeat(bytes)));
        })
        .play(Input::Timer);
        last(&step).1.map(ToOwned::to_owned)
    };
    let frame = json!({"a": ""}).to_string().len();
    assert_eq!(much(64 * 1024 - frame).as_deref(), Some("next"));
    assert_eq!(much(64 * 1024 - frame + 1).as_deref(), Some("on_error"));
}

#[test]
fn visits_a_node_again_whose_type_changed_by_a_migration() {
    let mut stage = called(json!({}), |run| run.status = RunStatus::Completed);
    let other = json!({"start": "call", "nodes": [
        {"id": "call", "type": "delay", "for": "PT1H", "next": "end"}, {"id": "end", "type": "end"}]});
    stage.definition = Definition::parse(&other).expect("the definition is valid");
    let step = stage.step(Input::Timer);
    assert!(matches!(&step.ending, StepEnd::Wait { wait, .. } if wait.kind == WaitKind::Until), "{step:?}");
    let over = json!({"start": "call", "nodes": [{"id": "call", "type": "start_flow", "flow_id": FLOW}]});
    stage.definition = Definition::parse(&over).expect("the definition is valid");
    let step = stage.step(Input::Timer);
    assert!(matches!(&step.effects[..], [TracedEffect { effect: Effect::StartFlow(_), .. }]), "{step:?}");
}
