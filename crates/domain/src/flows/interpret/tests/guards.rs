//! Tests of guards and of runs that cannot continue.

use proptest::prelude::*;

use super::*;

#[test]
fn a_cycle_without_a_wait_trips_the_guard_at_100_nodes() {
    let step = Stage::of(json!([
        {"id": "a", "type": "add_tag", "tag": "vip", "next": "b"},
        {"id": "b", "type": "remove_tag", "tag": "vip", "next": "c"},
        {"id": "c", "type": "set_field", "field": "vars.x", "value": 1, "next": "a"}]))
    .step(Input::Timer);
    assert_eq!(step.trace.len(), 100);
    let StepEnd::Failed(error) = step.ending else { panic!("the run fails") };
    assert_eq!((error.code.as_str(), error.node.as_deref()), ("loop_guard", Some("b")));
    assert_eq!(error.path.len(), 21);
}

#[test]
fn a_node_visited_more_than_50_times_trips_the_guard() {
    let mut stage = Stage::of(json!([
        {"id": "d", "type": "delay", "for": "PT1S", "next": "a"},
        {"id": "a", "type": "set_field", "field": "vars.x", "value": 1, "next": "d"}]));
    let failure = (1..=60).find_map(|steps| {
        let step = stage.play(Input::Timer);
        stage.later(1);
        if let StepEnd::Failed(error) = step.ending { Some((steps, error)) } else { None }
    });
    let (steps, error) = failure.expect("the guard ends the run");
    assert_eq!((steps, error.code.as_str()), (51, "loop_guard"));
    assert!(error.message.contains("50 visits"), "{}", error.message);
}

#[test]
fn missing_objects_and_unrenderable_texts_fail_the_run() {
    let failing = |node: Value| failed(&Stage::of(json!([node])).step(Input::Timer)).map(ToOwned::to_owned);
    assert_eq!(failing(say("a", "{{ vars.none }}", "end")).as_deref(), Some("template_error"));
    assert_eq!(
        failing(json!({"id": "a", "type": "add_tag", "tag": "x", "next": "end"})).as_deref(),
        Some("tag_missing")
    );
    // Templates that older releases published and that are rejected now; other failures at run time only leave the
    // value unset.
    for node in [
        say("a", "{{ 'x'|indent(9) }}", "end"),
        json!({"id": "a", "type": "set_field", "field": "vars.x", "value": "{{ 'x'|indent(9) }}", "next": "end"}),
        json!({"id": "a", "type": "set_bot_field", "field": "season", "value": "{{ 'x'|indent(9) }}", "next": "end"}),
        json!({"id": "a", "type": "delay", "until": "{{ 'x'|indent(9) }}", "next": "end"}),
        json!({"id": "a", "type": "note", "text": "{{ 'x'|indent(9) }}", "next": "end"}),
    ] {
        assert_eq!(failing(node.clone()).as_deref(), Some("template_error"), "{node}");
    }
    let unset = json!({"id": "a", "type": "set_field", "field": "vars.x", "value": "{{ 1 // 0 }}", "next": "end"});
    assert_eq!(failing(unset), None);
}

/// A graph of up to eight nodes with arbitrary exits.
fn graphs() -> impl Strategy<Value = Value> {
    let node = (0..8_usize, 0..8_usize, 0..8_usize, any::<bool>());
    proptest::collection::vec(node, 8).prop_map(|nodes| {
        let id = |place: usize| format!("n{place}");
        let nodes = nodes.into_iter().enumerate().map(|(place, (kind, next, other, holds))| {
            let (next, other) = (id(next), id(other));
            match kind {
                0 => json!({"id": id(place), "type": "end"}),
                1 => json!({"id": id(place), "type": "delay", "for": "PT1H", "next": next}),
                2 => json!({"id": id(place), "type": "ask", "message": {"type": "text", "text": "?"}, "expect": "number",
                            "save_to": "vars.n", "timeout": "PT1H", "next": next, "on_timeout": other, "on_invalid": other}),
                3 => json!({"id": id(place), "type": "branch", "branches": [{"when": holds, "next": next}], "otherwise": other}),
                4 => json!({"id": id(place), "type": "add_tag", "tag": "vip", "next": next}),
                5 => json!({"id": id(place), "type": "remove_tag", "tag": "vip", "next": next}),
                6 => json!({"id": id(place), "type": "set_field", "field": "vars.go", "value": holds, "next": next}),
                _ => json!({"id": id(place), "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": next}),
            }
        });
        json!(nodes.collect::<Vec<_>>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_run_ends_or_trips_the_guard(
        graph in graphs(),
        says in proptest::collection::vec(proptest::option::of("[a-z0-9]{0,3}"), 0..40),
    ) {
        let mut stage = Stage::of(graph);
        let mut says = says.into_iter();
        let mut steps = 0;
        loop {
            let step = match (says.next().flatten(), &stage.run.wait) {
                (Some(text), Some(wait)) if wait.kind == WaitKind::Reply => stage.play(Input::Reply(&text)),
                _ => stage.play(Input::Timer),
            };
            steps += 1;
            prop_assert!(step.trace.len() <= MAX_VISITS_WITHOUT_WAIT + 1);
            if !matches!(step.ending, StepEnd::Wait { .. }) {
                break;
            }
            prop_assert!(steps < 12_000, "the run does not end");
            stage.later(3_600);
        }
    }
}
