//! Tests of the hourly limit of starts.

use super::flows::played::answering;
use super::*;

/// A refused run documents the limit, once an hour.
#[test]
fn ends_a_loop_of_starts_at_ten_per_hour_with_an_error() {
    let bench = bench();
    let mut definition = answering(json!([{"type": "custom_event", "name": "again"}]), "again");
    definition["settings"] = json!({"reentry": "parallel"});
    let (flow, contact) = (bench.flow("Again", definition), bench.contact());
    let seen = |status| bench.runs().into_iter().filter(|run| run.status == status).collect::<Vec<_>>();
    let events = |count| {
        for _ in 0..count {
            bench.tells(&contact, "again", json!({}));
            bench.finish_due_work();
            bench.clock.set(bench.clock.now().plus(Duration::from_secs(60)));
        }
    };
    events(10);
    assert_eq!((seen(RunStatus::Completed).len(), seen(RunStatus::Failed).len()), (10, 0));
    let told = bench.event_kinds().len();
    let first = seen(RunStatus::Completed).iter().map(|run| run.started_at).min().unwrap();
    events(3);
    assert_eq!((seen(RunStatus::Completed).len(), seen(RunStatus::Failed).len()), (10, 1));
    let refused = seen(RunStatus::Failed).remove(0);
    let error = refused.error.unwrap();
    assert_eq!((refused.flow, error.code.as_str()), (flow, "loop_guard"));
    assert!(error.message.contains("10 runs for this contact within an hour"), "{error:?}");
    let until = first.plus(crate::flows::START_RATE_WINDOW);
    assert!(error.message.ends_with(&format!("possible at {until}")), "{error:?}");
    assert_eq!(
        (refused.cause.is_some(), refused.trace.len(), bench.event_kinds().len()),
        (true, 0, told),
        "a refused start causes no event"
    );
    bench.clock.set(until.plus(Duration::from_secs(1)));
    events(1);
    assert_eq!(seen(RunStatus::Completed).len(), 11, "refused starts do not count towards the limit");
}

#[test]
fn a_start_above_the_limit_keeps_the_current_run() {
    let bench = bench();
    let definition = json!({"triggers": [{"type": "custom_event", "name": "again"}], "settings": {"reentry": "restart"},
        "start": "wait", "nodes": [
            {"id": "wait", "type": "delay", "for": "P1D", "next": "end"}, {"id": "end", "type": "end"}]});
    bench.flow("Again", definition);
    let contact = bench.contact();
    for _ in 0..12 {
        bench.tells(&contact, "again", json!({}));
        bench.finish_due_work();
    }
    let with = |status| bench.runs().iter().filter(|run| run.status == status).count();
    let runs = [RunStatus::Waiting, RunStatus::Interrupted, RunStatus::Failed].map(with);
    assert_eq!(runs, [1, 9, 1]);
}
