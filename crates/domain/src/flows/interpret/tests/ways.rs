//! Which way a run goes, and what it writes on it.

use super::*;

#[test]
fn branches_go_the_first_way_that_holds() {
    let branch = |whens: &[Value]| {
        let branches: Vec<Value> = whens.iter().map(|when| json!({"when": when, "next": "yes"})).collect();
        Stage::of(
            json!([{"id": "b", "type": "branch", "branches": branches, "otherwise": "end"}, say("yes", "Yes", "end")]),
        )
        .play(Input::Timer)
    };
    assert_eq!(branch(&[json!(false), json!(true)]).trace[0].exit.as_deref(), Some("branches/1"));
    assert_eq!(branch(&[json!(false)]).trace[0].exit.as_deref(), Some("otherwise"));
    assert_eq!(failed(&branch(&[json!(7)])), Some("condition_error"));
}

#[test]
fn a_split_sends_a_run_one_way_and_tells_which() {
    let mut stage = Stage::of(json!([
        {"id": "s", "type": "split", "arms": [{"weight": 1, "next": "a"}, {"weight": 1, "next": "b"}]},
        say("a", "A", "end"), say("b", "B", "end")]));
    let mut taken = BTreeSet::new();
    for number in 0..16 {
        stage.run.id = crate::ids::RunId::from_uuid(uuid::Uuid::from_u128(number));
        let step = stage.step(Input::Timer);
        assert_eq!(step, stage.step(Input::Timer), "the same run goes the same way");
        let [split, next, _] = &step.trace[..] else { panic!("{:?}", step.trace) };
        let (exit, outcome) = if next.node == "a" { ("arms/0", "arm 0") } else { ("arms/1", "arm 1") };
        assert_eq!((split.exit.as_deref(), split.outcome.ends_with(outcome)), (Some(exit), true), "{split:?}");
        taken.insert(next.node.clone());
    }
    assert_eq!(taken.len(), 2, "runs go both ways");
}

#[test]
fn fields_are_written_and_seen_at_once() {
    let step = Stage::of(json!([
        {"id": "v", "type": "set_field", "field": "vars.go", "value": true, "next": "f"},
        {"id": "f", "type": "set_field", "field": "custom_fields.age", "value": "{{ 40 + 2 }}", "next": "n"},
        {"id": "n", "type": "set_field", "field": "contact.first_name", "value": "Ada", "next": "w"},
        {"id": "w", "type": "set_field", "field": "custom_fields.age", "value": "very", "next": "z"},
        {"id": "z", "type": "set_field", "field": "contact.time_zone", "value": "Mars/Base", "next": "bot"},
        {"id": "bot", "type": "set_bot_field", "field": "visits", "value": "{{ bot_fields.visits + 1 }}", "next": "b"},
        {"id": "b", "type": "branch", "branches": [{"when": "go", "next": "say"}], "otherwise": "end"},
        say("say", "{{ contact.first_name }} is {{ custom_fields.age }}, visit {{ bot_fields.visits }}", "end")]))
    .play(Input::Timer);
    assert_eq!(said(&step), ["Ada is 42, visit 8"]);
    assert!(outcomes(&step)[3].1.starts_with("not set"), "{:?}", outcomes(&step)[3]);
    assert!(outcomes(&step)[4].1.starts_with("not set"));
    assert!(
        step.effects.iter().any(|traced| matches!(&traced.effect, Effect::SetBotField(field) if field.version == 2))
    );
    let gone =
        Stage::of(json!([{"id": "f", "type": "set_field", "field": "custom_fields.gone", "value": 1, "next": "end"}]));
    assert_eq!(failed(&gone.step(Input::Timer)), Some("field_missing"));
}

#[test]
fn an_empty_template_and_null_clear() {
    let mut stage = Stage::of(json!([
        {"id": "a", "type": "set_field", "field": "contact.first_name", "value": "{{ vars.none }}", "next": "b"},
        {"id": "b", "type": "set_field", "field": "custom_fields.age", "value": null, "next": "end"}]));
    stage.contact.custom_fields.insert("age".to_owned(), json!(7));
    let step = stage.play(Input::Timer);
    assert_eq!((step.contact.first_name, step.contact.custom_fields.get("age")), (None, None));
}
