//! Tests of runs that wait for an HTTP request.

use super::*;
use crate::flows::caller::Called;

fn calling(more: Value) -> Stage {
    let mut call = json!({"id": "call", "type": "http_request", "method": "GET", "url": "https://api.example.com/",
        "save": {"plan": "body.plan", "old": "body.old"}, "next": "yes"});
    call.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
    Stage::of(json!([call, say("yes", "You have {{ vars.plan }}", "end"), say("no", "Later", "end")]))
}

fn answered() -> Called {
    Called::Saved { status: 200, vars: vec![("plan".to_owned(), Some(json!("gold"))), ("old".to_owned(), None)] }
}

#[test]
fn a_run_waits_for_its_call_and_saves_the_response() {
    let mut stage = calling(json!({}));
    stage.run.vars.insert("old".to_owned(), json!("of an earlier answer"));
    let begun = stage.play(Input::Timer);
    let StepEnd::Wait { node, wait } = &begun.ending else { panic!("{begun:?}") };
    assert_eq!((node.as_str(), wait.kind, wait.until, wait.attempt), ("call", WaitKind::Http, Some(NOW), 1));
    assert_eq!(outcomes(&begun), [("call", "calls")]);
    assert_eq!(stage.step(Input::Reply("hello")).ending, begun.ending, "a reply does not end the wait for a call");
    let step = stage.play(Input::Called(&answered()));
    assert_eq!(said(&step), ["You have gold"]);
    assert_eq!(step.trace[0].outcome, "answered 200; saved vars.plan; no value for vars.old");
    assert!(step.trace[0].resumed && !step.vars.contains_key("old"));
}

#[test]
fn a_failed_call_takes_on_error_or_fails_the_run() {
    let failed_call = Called::failed("call_refused", "answered 404");
    let mut stage = calling(json!({"on_error": "no"}));
    stage.play(Input::Timer);
    let step = stage.step(Input::Called(&failed_call));
    assert_eq!((said(&step), step.trace[0].exit.as_deref()), (vec!["Later".to_owned()], Some("on_error")));
    assert_eq!(step.trace[0].outcome, "call_refused: answered 404");
    let mut stage = calling(json!({}));
    stage.play(Input::Timer);
    let step = stage.step(Input::Called(&failed_call));
    assert_eq!((failed(&step), step.trace[0].outcome.as_str()), (Some("call_refused"), "failed: call_refused"));
}

#[test]
fn limits_the_total_size_of_variables() {
    let mut stage = calling(json!({"on_error": "no"}));
    stage.run.vars.insert("much".to_owned(), json!("x".repeat(256 * 1_024)));
    stage.play(Input::Timer);
    let step = stage.step(Input::Called(&answered()));
    assert_eq!(step.trace[0].exit.as_deref(), Some("on_error"));
    assert!(!step.vars.contains_key("plan"));
}
