//! Each type of node, each wait and each guard.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono_tz::Tz;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::contacts::Attribute;
use crate::conversations::{Conversation, Handler};
use crate::fields::{BotField, CustomField, FieldKind, Rules};
use crate::flows::{Effect, RunStatus, Wait, WaitKind};
use crate::ids::{BotFieldId, FieldId, TagId, TypedId};
use crate::tags::Tag;
use crate::testing::{a_channel, a_contact, a_run};

/// Conditions that are `true`, `false`, or whether `vars.go` is set.
struct Plain;

impl Conditions for Plain {
    fn holds(&self, condition: &Value, eval: &EvalContext<'_>) -> Result<bool, String> {
        match condition {
            Value::Bool(holds) => Ok(*holds),
            Value::String(variable) => Ok(eval.vars.contains_key(variable)),
            _ => Err("the field is gone".to_owned()),
        }
    }
}

/// A contact, a flow, and the run through it.
struct Stage {
    definition: Definition,
    run: Run,
    contact: Contact,
    fields: Vec<CustomField>,
    bot_fields: Vec<BotField>,
    tags: BTreeMap<String, Tag>,
    taken: BTreeSet<(Attribute, String)>,
    conversation: Option<Conversation>,
    zone: Tz,
    now: Timestamp,
}

const NOW: Timestamp = Timestamp::EPOCH_2026;

fn number_field(key: &str) -> CustomField {
    CustomField {
        id: FieldId::from_uuid(uuid::Uuid::from_u128(5)),
        key: key.to_owned(),
        name: key.to_owned(),
        kind: FieldKind::Number,
        options: vec![],
        rules: Rules { max: Some(150.0), ..Rules::default() },
        retired: vec![],
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

impl Stage {
    /// Nodes that lead on to a node `end`, which is there.
    fn of(nodes: Value) -> Self {
        let mut nodes = nodes.as_array().cloned().expect("a list");
        nodes.push(json!({"id": "end", "type": "end"}));
        let start = nodes[0]["id"].clone();
        let definition = json!({"start": start, "nodes": nodes});
        let definition = Definition::parse(&definition).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let contact = a_contact().named("Zoë").build();
        let tag = |id| Tag::new(TagId::from_uuid(uuid::Uuid::from_u128(id)), "vip", NOW);
        Self {
            definition,
            run: a_run().of(&contact).build(),
            contact,
            fields: vec![number_field("age")],
            bot_fields: vec![BotField {
                id: BotFieldId::from_uuid(uuid::Uuid::from_u128(6)),
                key: "visits".to_owned(),
                name: "Visits".to_owned(),
                kind: FieldKind::Number,
                value: Some(json!(7)),
                created_at: NOW,
                updated_at: NOW,
                version: 1,
            }],
            tags: [("vip".to_owned(), tag(9))].into(),
            taken: BTreeSet::new(),
            conversation: None,
            zone: Tz::UTC,
            now: NOW,
        }
    }

    fn step(&self, input: Input<'_>) -> Advance {
        let environment = StepEnvironment {
            contact: &self.contact,
            fields: &self.fields,
            bot_fields: &self.bot_fields,
            tags: &self.tags,
            has_channel: true,
            conversation: self.conversation.as_ref(),
            taken: &self.taken,
            conditions: &Plain,
            zone: self.zone,
            now: self.now,
        };
        advance(&self.definition, &self.run, input, &environment)
    }

    /// Takes a step and keeps what it did, as the ledger would.
    fn play(&mut self, input: Input<'_>) -> Advance {
        let step = self.step(input);
        self.run.trace.extend(step.trace.clone());
        self.run.nodes_visited += step.trace.iter().filter(|entry| !entry.resumed).count() as i64;
        self.run.vars.clone_from(&step.vars);
        self.contact = step.contact.clone();
        (self.run.wait, self.run.status) = (None, RunStatus::Active);
        if let Ending::Wait { node, wait } = &step.ending {
            (self.run.node, self.run.wait) = (Some(node.clone()), Some(wait.clone()));
        }
        step
    }

    fn later(&mut self, seconds: u64) {
        self.now = self.now.plus(Duration::from_secs(seconds));
    }
}

fn outcomes(step: &Advance) -> Vec<(&str, &str)> {
    step.trace.iter().map(|entry| (entry.node.as_str(), entry.outcome.as_str())).collect()
}

fn said(step: &Advance) -> Vec<String> {
    let texts = step.effects.iter().filter_map(|traced| match &traced.effect {
        Effect::Send(content) => content.text.clone(),
        _ => None,
    });
    texts.collect()
}

fn failed(step: &Advance) -> Option<&str> {
    match &step.ending {
        Ending::Failed(error) => Some(&error.code),
        _ => None,
    }
}

fn say(id: &str, text: &str, next: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
}

fn ask(more: Value) -> Value {
    let mut node = json!({"id": "ask", "type": "ask", "message": {"type": "text", "text": "Your e-mail?"},
        "expect": "email", "save_to": "contact.email", "next": "thanks"});
    node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
    node
}

fn asking(more: Value) -> Stage {
    Stage::of(json!([ask(more), say("thanks", "Thanks, {{ contact.email }}", "end"), say("never", "No?", "end")]))
}

#[test]
fn a_run_goes_on_until_it_waits_and_then_goes_on() {
    let mut stage = Stage::of(json!([
        say("hi", "Hi {{ contact.first_name }}", "tag"),
        {"id": "tag", "type": "add_tag", "tag": "vip", "next": "again"},
        {"id": "again", "type": "add_tag", "tag": "vip", "next": "wait"},
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "untag"},
        {"id": "untag", "type": "remove_tag", "tag": "vip", "next": "end"}]));
    let step = stage.play(Input::Timer);
    assert_eq!(said(&step), ["Hi Zoë"]);
    let until = NOW.plus(Duration::from_secs(1));
    assert_eq!(outcomes(&step)[1..3], [("tag", "added"), ("again", "already there")]);
    assert_eq!(step.ending, Ending::Wait { node: "wait".to_owned(), wait: Wait::until(until) });
    assert!(step.contact.has_tag(TagId::from_uuid(uuid::Uuid::from_u128(9))));
    // Too early, nothing moves.
    assert_eq!(stage.step(Input::Timer).ending, step.ending);
    stage.later(1);
    let step = stage.play(Input::Timer);
    assert_eq!(outcomes(&step), [("wait", "went on"), ("untag", "removed"), ("end", "completed")]);
    assert!(step.trace[0].resumed && step.ending == Ending::Completed && step.contact.tags.is_empty());
}

#[test]
fn a_question_waits_for_its_answer_and_saves_it() {
    let mut stage = asking(json!({"timeout": "PT24H"}));
    let step = stage.play(Input::Timer);
    assert_eq!(said(&step), ["Your e-mail?"]);
    let Ending::Wait { wait, .. } = &step.ending else { panic!("{:?}", step.ending) };
    assert_eq!((wait.kind, wait.until), (WaitKind::Reply, Some(NOW.plus(Duration::from_secs(86_400)))));
    stage.later(60);
    let step = stage.play(Input::Reply(" Zoe@Example.com "));
    assert_eq!(outcomes(&step)[0], ("ask", "saved to contact.email"));
    assert_eq!(said(&step), ["Thanks, zoe@example.com"], "what was saved is seen at once");
    assert_eq!(step.contact.email.as_ref().map(ToString::to_string).as_deref(), Some("zoe@example.com"));
    assert_eq!(step.ending, Ending::Completed);
}

#[test]
fn wrong_answers_are_asked_again_and_end_at_on_invalid() {
    let mut stage = asking(
        json!({"attempts": 2, "on_invalid": "never", "invalid_message": {"type": "text", "text": "An e-mail, please"}}),
    );
    stage.play(Input::Timer);
    let step = stage.play(Input::Reply("my mail"));
    assert_eq!(said(&step), ["An e-mail, please"]);
    assert!(matches!(&step.ending, Ending::Wait { wait, .. } if wait.attempt == 2), "{:?}", step.ending);
    let step = stage.play(Input::Reply("no"));
    assert_eq!(said(&step), ["No?"]);
    assert_eq!(step.trace[0].exit.as_deref(), Some("on_invalid"));
    assert_eq!(step.contact.email, None);
}

#[test]
fn an_address_that_another_contact_has_is_no_answer() {
    let mut stage = asking(json!({"attempts": 1, "on_invalid": "never"}));
    stage.play(Input::Timer);
    stage.taken.insert((Attribute::Email, "zoe@example.com".to_owned()));
    let step = stage.play(Input::Reply("zoe@example.com"));
    assert_eq!(outcomes(&step)[0], ("ask", "not valid: another contact has this email"));
    assert_eq!(step.contact.email, None);
}

#[test]
fn no_answer_in_time_leaves_by_on_timeout_or_else_by_next() {
    for (more, expected) in
        [(json!({"timeout": "PT1H", "on_timeout": "never"}), "never"), (json!({"timeout": "PT1H"}), "thanks")]
    {
        let mut stage = asking(more);
        stage.play(Input::Timer);
        stage.later(3_599);
        assert!(matches!(stage.step(Input::Timer).ending, Ending::Wait { .. }), "it is not over yet");
        stage.later(1);
        let step = stage.play(Input::Timer);
        assert_eq!(step.trace[1].node, expected);
    }
}

#[test]
fn answers_are_read_as_their_types() {
    let answer = |expect: &str, options: Value, text: &str| {
        let mut more = json!({"expect": expect, "save_to": "vars.x", "attempts": 1});
        if expect == "select" {
            more["options"] = options;
        }
        let mut stage = asking(more);
        stage.play(Input::Timer);
        stage.play(Input::Reply(text)).vars.get("x").cloned()
    };
    let none = Value::Null;
    assert_eq!(answer("text", none.clone(), " Hello "), Some(json!("Hello")));
    assert_eq!(answer("number", none.clone(), "12"), Some(json!(12)));
    assert_eq!(answer("number", none.clone(), "1.5"), Some(json!(1.5)));
    assert_eq!(answer("number", none.clone(), "many"), None);
    assert_eq!(answer("number", none.clone(), "inf"), None);
    assert_eq!(answer("boolean", none.clone(), "YES"), Some(json!(true)));
    assert_eq!(answer("date", none.clone(), "2024-02-29"), Some(json!("2024-02-29")));
    assert_eq!(answer("date", none.clone(), "2023-02-29"), None);
    assert_eq!(answer("phone", none.clone(), "+49 30 1234567"), Some(json!("+49301234567")));
    assert_eq!(answer("select", json!(["Red", "Green"]), "red "), Some(json!("Red")));
    assert_eq!(answer("select", json!(["Red", "Green"]), "blue"), None);
}

#[test]
fn answers_to_fields_obey_the_fields_rules() {
    let mut stage = asking(json!({"expect": "text", "save_to": "custom_fields.age", "attempts": 3}));
    stage.play(Input::Timer);
    assert!(outcomes(&stage.play(Input::Reply("old")))[0].1.starts_with("not valid"));
    assert!(outcomes(&stage.play(Input::Reply("151")))[0].1.starts_with("not valid"));
    let step = stage.play(Input::Reply("42"));
    assert_eq!(step.contact.custom_fields.get("age"), Some(&json!(42)));
}

#[test]
fn while_people_have_the_conversation_nothing_is_waited_for() {
    let mut stage = asking(json!({}));
    let channel = a_channel();
    let id = crate::ids::ConversationId::from_uuid(uuid::Uuid::from_u128(1));
    let mut conversation = Conversation::new(id, stage.contact.id, channel.id, NOW);
    conversation.handler = Handler::Human;
    stage.conversation = Some(conversation);
    let step = stage.play(Input::Timer);
    assert_eq!(step.ending, Ending::Completed, "it goes on by next");
    assert_eq!(said(&step).len(), 2, "each message is made, to be suppressed with its reason");
}

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

#[test]
fn waits_keep_to_the_contacts_hours_even_after_a_time_without_service() {
    let mut stage = Stage::of(json!([
        {"id": "d", "type": "delay", "for": "P1D", "window": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "18:00"}, "next": "end"}]));
    stage.contact.time_zone = "Europe/Berlin".parse().ok();
    // The first of January 2026 is a Thursday; a day later it is Friday, at one o'clock in Berlin.
    let step = stage.play(Input::Timer);
    let until = |step: &Advance| match &step.ending {
        Ending::Wait { wait, .. } => wait.until.map(|until| until.to_string()),
        other => panic!("{other:?}"),
    };
    assert_eq!(until(&step).as_deref(), Some("2026-01-02T08:00:00.000Z"));
    // The service was away until Friday evening.
    stage.now = "2026-01-02T18:30:00Z".parse().expect("a time");
    let step = stage.play(Input::Timer);
    assert_eq!(until(&step).as_deref(), Some("2026-01-05T08:00:00.000Z"));
    stage.now = "2026-01-05T08:00:00Z".parse().expect("a time");
    assert_eq!(stage.play(Input::Timer).ending, Ending::Completed);
}

#[test]
fn a_wait_until_a_local_time_goes_by_the_contacts_clock() {
    let until = |until: &str, zone: &str| {
        let mut stage = Stage::of(json!([{"id": "d", "type": "delay", "until": until, "next": "end"}]));
        stage.contact.time_zone = zone.parse().ok();
        stage.zone = Tz::Europe__London;
        stage.run.vars.insert("when".to_owned(), json!("2026-07-01T09:00"));
        match stage.play(Input::Timer).ending {
            Ending::Wait { wait, .. } => wait.until.expect("a time").to_string(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(until("2026-07-01T09:00", "Europe/Berlin"), "2026-07-01T07:00:00.000Z");
    assert_eq!(until("{{ vars.when }}", "America/New_York"), "2026-07-01T13:00:00.000Z");
    assert_eq!(until("2026-07-01T09:00:00+02:00", "Asia/Tokyo"), "2026-07-01T07:00:00.000Z");
    assert_eq!(
        until("2026-07-01T09:00", ""),
        "2026-07-01T08:00:00.000Z",
        "without a zone, the workspace's clock counts"
    );
    assert_eq!(until("2025-07-01T09:00", "Asia/Tokyo"), "Completed", "what is past is not waited for");
    assert!(until("{{ vars.none }}x", "Asia/Tokyo").contains("template_error"));
}

#[test]
fn a_run_expires_whatever_it_waits_for() {
    let mut stage = asking(json!({}));
    stage.play(Input::Timer);
    stage.later(30 * 86_400 - 1);
    assert!(matches!(stage.step(Input::Timer).ending, Ending::Wait { .. }));
    stage.later(1);
    assert_eq!(stage.step(Input::Timer).ending, Ending::Expired);
    assert_eq!(stage.step(Input::Reply("zoe@example.com")).ending, Ending::Expired);
}

#[test]
fn a_circle_without_a_wait_trips_the_guard_at_100_nodes() {
    let step = Stage::of(json!([
        {"id": "a", "type": "add_tag", "tag": "vip", "next": "b"},
        {"id": "b", "type": "remove_tag", "tag": "vip", "next": "c"},
        {"id": "c", "type": "set_field", "field": "vars.x", "value": 1, "next": "a"}]))
    .step(Input::Timer);
    assert_eq!(step.trace.len(), 100);
    let Ending::Failed(error) = step.ending else { panic!("it must fail") };
    assert_eq!((error.code.as_str(), error.node.as_deref()), ("loop_guard", Some("b")));
    assert_eq!(error.path.len(), 21);
}

#[test]
fn one_node_is_visited_50_times_however_long_it_takes() {
    let mut stage = Stage::of(json!([
        {"id": "d", "type": "delay", "for": "PT1S", "next": "a"},
        {"id": "a", "type": "set_field", "field": "vars.x", "value": 1, "next": "d"}]));
    let mut steps = 0;
    let error = loop {
        let step = stage.play(Input::Timer);
        stage.later(1);
        steps += 1;
        if let Ending::Failed(error) = step.ending {
            break error;
        }
    };
    assert_eq!((steps, error.code.as_str()), (51, "loop_guard"));
    assert!(error.message.contains("50 visits"), "{}", error.message);
}

#[test]
fn what_is_gone_and_what_cannot_be_rendered_fail_the_run() {
    let failing = |node: Value| failed(&Stage::of(json!([node])).step(Input::Timer)).map(ToOwned::to_owned);
    assert_eq!(failing(say("a", "{{ vars.none }}", "end")).as_deref(), Some("template_error"));
    assert_eq!(
        failing(json!({"id": "a", "type": "add_tag", "tag": "x", "next": "end"})).as_deref(),
        Some("tag_missing")
    );
    // What was published before it was refused; what fails by chance is only not set.
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

/// A graph of up to eight nodes that lead anywhere.
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
    #[test]
    fn every_run_ends_or_trips_whatever_the_graph_and_the_contact_say(
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
            if !matches!(step.ending, Ending::Wait { .. }) {
                break;
            }
            prop_assert!(steps < 12_000, "it goes on for ever");
            stage.later(3_600);
        }
    }
}
