//! Tests of exits and of the values that nodes write.

use super::*;

#[test]
fn a_branch_takes_the_first_exit_whose_condition_matches() {
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
fn a_split_sends_a_run_to_one_arm_and_traces_it() {
    let mut stage = Stage::of(json!([
        {"id": "s", "type": "split", "arms": [{"weight": 1, "next": "a"}, {"weight": 1, "next": "b"}]},
        say("a", "A", "end"), say("b", "B", "end")]));
    let mut taken = BTreeSet::new();
    for number in 0..16 {
        stage.run.id = crate::ids::RunId::from_uuid(uuid::Uuid::from_u128(number));
        let step = stage.step(Input::Timer);
        assert_eq!(step, stage.step(Input::Timer), "the same run takes the same arm");
        let [split, next, _] = &step.trace[..] else { panic!("{:?}", step.trace) };
        let (exit, outcome) = if next.node == "a" { ("arms/0", "arm 0") } else { ("arms/1", "arm 1") };
        assert_eq!((split.exit.as_deref(), split.outcome.ends_with(outcome)), (Some(exit), true), "{split:?}");
        taken.insert(next.node.clone());
    }
    assert_eq!(taken.len(), 2, "runs take both arms");
}

#[test]
fn written_fields_are_visible_to_later_nodes() {
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
fn an_empty_template_or_null_clears_a_field() {
    let mut stage = Stage::of(json!([
        {"id": "a", "type": "set_field", "field": "contact.first_name", "value": "{{ vars.none }}", "next": "b"},
        {"id": "b", "type": "set_field", "field": "custom_fields.age", "value": null, "next": "end"}]));
    stage.contact.custom_fields.insert("age".to_owned(), json!(7));
    let step = stage.play(Input::Timer);
    assert_eq!((step.contact.first_name, step.contact.custom_fields.get("age")), (None, None));
}

/// Runs nodes that change fields, one after another. Returns their outcomes and the last step.
fn changed(fields: Vec<CustomField>, nodes: &[(&str, &str, Value)], vars: Value) -> (Vec<String>, StepResult) {
    let node = |(place, (field, operation, value)): (usize, &(&str, &str, Value))| {
        let next = if place + 1 == nodes.len() { "end".to_owned() } else { (place + 1).to_string() };
        let mut node =
            json!({"id": place.to_string(), "type": "set_field", "field": field, "operation": operation, "next": next});
        if !value.is_null() {
            node["value"] = value.clone();
        }
        node
    };
    let mut stage = Stage::of(json!(nodes.iter().enumerate().map(node).collect::<Vec<_>>()));
    stage.fields = fields;
    stage.run.vars = vars.as_object().cloned().expect("an object");
    let step = stage.play(Input::Timer);
    (outcomes(&step).into_iter().take(nodes.len()).map(|(_, outcome)| outcome.to_owned()).collect(), step)
}

#[test]
fn operations_change_the_previous_value() {
    let field = |key: &str, kind, options: &[&str]| CustomField {
        id: FieldId::from_uuid(uuid::Uuid::from_u128(key.len() as u128)),
        kind,
        options: options.iter().map(ToString::to_string).collect(),
        rules: Rules::default(),
        ..number_field(key)
    };
    let fields = vec![
        number_field("age"),
        field("colours", FieldKind::MultiSelect, &["Red", "Green"]),
        field("glad", FieldKind::Boolean, &[]),
    ];
    let none = Value::Null;
    let (outcomes, step) = changed(
        fields,
        &[
            ("custom_fields.age", "increment", json!(40)),
            ("custom_fields.age", "increment", json!("{{ vars.n }}")),
            ("custom_fields.age", "increment", json!(1000)),
            ("vars.n", "increment", json!(-0.5)),
            ("vars.text", "increment", json!(1)),
            ("custom_fields.colours", "append", json!("red")),
            ("custom_fields.colours", "append", json!("{{ 'Gr' ~ 'een' }}")),
            ("custom_fields.colours", "append", json!("Red")),
            ("custom_fields.colours", "append", json!("Blue")),
            ("vars.list", "append", json!("a")),
            ("vars.list", "append", json!("a")),
            ("vars.n", "append", json!("a")),
            ("custom_fields.glad", "toggle", none.clone()),
            ("vars.go", "toggle", none.clone()),
            ("vars.go", "toggle", none.clone()),
            ("vars.list", "toggle", none.clone()),
            ("custom_fields.glad", "increment", json!(1)),
            ("contact.first_name", "append", json!("!")),
            ("vars.big", "increment", json!(1)),
            ("vars.none", "append", json!("{{ vars.nothing }}")),
        ],
        json!({"n": 2, "text": "41", "big": u64::MAX}),
    );
    let expected = [
        "increased",
        "increased",
        "not set: must be at most 150",
        "increased",
        "increased",
        "added",
        "added",
        "already present",
        "not set: expected one of: Red, Green",
        "added",
        "added",
        "not set: vars.n is not a list",
        "toggled",
        "toggled",
        "toggled",
        "not set: vars.list is neither true nor false",
        "not set: custom_fields.glad has the type boolean, but increment requires the type number",
        "not set: contact.first_name is a text; only set is supported",
        "not set: the sum is too large",
        "not set: the value to add is empty",
    ];
    assert_eq!(outcomes, expected);
    let of_contact = &step.contact.custom_fields;
    assert_eq!(of_contact.get("age"), Some(&json!(42)));
    assert_eq!(of_contact.get("colours"), Some(&json!(["Red", "Green"])));
    assert_eq!(of_contact.get("glad"), Some(&json!(true)));
    assert_eq!(json!(step.vars), json!({"n": 1.5, "text": 42, "list": ["a", "a"], "go": false, "big": u64::MAX}));
    let gone = Stage::of(json!([
        {"id": "f", "type": "set_field", "field": "custom_fields.gone", "operation": "toggle", "next": "end"}]));
    assert_eq!(failed(&gone.step(Input::Timer)), Some("field_missing"));
}

#[test]
fn a_list_variable_has_at_most_100_elements() {
    let full: Vec<usize> = (0..100).collect();
    let (outcomes, step) = changed(vec![], &[("vars.list", "append", json!(7))], json!({"list": full}));
    assert_eq!(outcomes, ["not set: vars.list already has 100 elements"]);
    assert_eq!(step.vars["list"].as_array().map(Vec::len), Some(100));
}
