//! Property tests of the analyser: runs of accepted definitions use no missing name and no value of a wrong type.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono_tz::Tz;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::workspace_tests::acme;
use super::*;
use crate::contacts::Contact;
use crate::flows::definition::Action;
use crate::flows::nodes::{Operation, Source};
use crate::flows::{Input, Run, RunError, RunStatus, StepEnd, StepEnvironment, WaitKind, WorkspaceConditions, advance};
use crate::tags::Tag;
use crate::testing::{a_contact, a_run, cases};
use crate::time::Timestamp;

/// Number of definitions if `PROPTEST_CASES` is not set. At least a fifth of them must be valid.
const TRIED: usize = 2_000;
const MOST_STEPS: usize = 1_200;

fn one_of(values: Vec<Value>) -> impl Strategy<Value = Value> + Clone {
    proptest::sample::select(values)
}

/// Selects mostly valid and sometimes invalid values.
fn mostly(right: Vec<Value>, wrong: Vec<Value>) -> impl Strategy<Value = Value> + Clone {
    prop_oneof![24 => proptest::sample::select(right), 1 => proptest::sample::select(wrong)]
}

fn texts() -> impl Strategy<Value = Value> + Clone {
    mostly(
        [
            "Hi",
            "Hi {{ contact.first_name|default('you') }}",
            "Plan: {{ custom_fields.plan }}, {{ bot_fields.season|upper }}",
            "You said {{ vars.x }} {{ vars.y|default(1) }}",
            "It was {{ event.tag.name|default('nothing') }}",
            "{% if vars.x %}Yes{% else %}No{% endif %}",
            "It is {{ now|date('%d.%m.%Y') }}",
        ]
        .map(Value::from)
        .to_vec(),
        ["Hi {{ contact.nope }}", "Hi {{ x", "{{ custom_fields.nope }}", "{{ '' }}", "{{ event.tag.title }}"]
            .map(Value::from)
            .to_vec(),
    )
}

fn conditions() -> impl Strategy<Value = Value> + Clone {
    let leaf = |field: &str, op: &str, value: Value| json!({"field": field, "op": op, "value": value});
    let leaf = mostly(
        vec![
            leaf("custom_fields.plan", "eq", json!("gold")),
            leaf("custom_fields.age", "between", json!([18, 30])),
            leaf("custom_fields.interests", "has", json!("news")),
            leaf("tags", "has", json!("VIP")),
            leaf("vars.x", "contains", json!("a")),
            leaf("vars.y", "gt", json!(3)),
            leaf("bot_fields.season", "starts_with", json!("s")),
            leaf("event.tag.name", "eq", json!("vip")),
            leaf("event.object.version", "gte", json!(1)),
            leaf("conversation.status", "ne", json!("open")),
            leaf("created_at", "within_last", json!("P1D")),
            json!({"field": "email", "op": "exists"}),
        ],
        vec![
            leaf("custom_fields.nope", "eq", json!("gold")),
            leaf("custom_fields.plan", "eq", json!("brass")),
            leaf("custom_fields.age", "contains", json!("1")),
            leaf("tags", "has", json!("nobody")),
            leaf("event.object.version", "eq", json!("one")),
            leaf("event.nope", "eq", json!(1)),
            json!({"all": 7}),
        ],
    );
    leaf.prop_recursive(2, 4, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({"all": all})),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(|any| json!({"any": any})),
            inner.prop_map(|not| json!({"not": not})),
        ]
    })
}

/// A target with a value that it accepts or rejects.
fn writes() -> impl Strategy<Value = Value> + Clone {
    let set = |field: &str, value: Value| json!({"type": "set_field", "field": field, "value": value});
    let change = |field: &str, operation: &str, value: Value| json!({"type": "set_field", "field": field, "operation": operation, "value": value});
    mostly(
        vec![
            set("vars.x", json!("abc")),
            set("vars.y", json!(7)),
            set("custom_fields.plan", json!("gold")),
            set("custom_fields.plan", json!("{{ vars.x }}")),
            set("custom_fields.age", json!(17)),
            set("custom_fields.remark", Value::Null),
            set("contact.first_name", json!("Zoë")),
            set("contact.email", json!("zoe@example.com")),
            change("vars.y", "increment", json!(1)),
            change("custom_fields.age", "increment", json!(20)),
            change("custom_fields.interests", "append", json!("news")),
            json!({"type": "set_bot_field", "field": "season", "value": "winter"}),
            json!({"type": "add_tag", "tag": "vip"}),
            json!({"type": "remove_tag", "tag": "VIP"}),
            json!({"type": "resolve_conversation"}),
            json!({"type": "assign_conversation", "user_id": "user_00000000000000000000000001"}),
            json!({"type": "enroll_sequence", "sequence": "seq_00000000000000000000000001"}),
        ],
        vec![
            set("custom_fields.plan", json!("brass")),
            set("custom_fields.age", json!(1_000)),
            set("custom_fields.nope", json!(1)),
            set("contact.email", json!("nobody")),
            set("contact.nope", json!("x")),
            change("custom_fields.plan", "increment", json!(1)),
            change("custom_fields.interests", "append", json!("weather")),
            json!({"type": "set_bot_field", "field": "nope", "value": 1}),
            json!({"type": "set_bot_field", "field": "season", "value": 1}),
            json!({"type": "add_tag", "tag": "nobody"}),
            json!({"type": "assign_conversation", "user_id": "user_00000000000000000000000009"}),
            json!({"type": "enroll_sequence", "sequence": "seq_00000000000000000000000009"}),
        ],
    )
}

fn asks() -> impl Strategy<Value = Value> + Clone {
    let ask =
        |expect: &str, save_to: &str| json!({"type": "ask", "expect": expect, "save_to": save_to, "timeout": "PT2H"});
    let choice = |save_to: &str, options: Value| json!({"type": "ask", "expect": "select", "options": options, "save_to": save_to});
    mostly(
        vec![
            ask("text", "vars.x"),
            ask("number", "vars.y"),
            ask("number", "custom_fields.age"),
            ask("email", "contact.email"),
            ask("text", "custom_fields.plan"),
            choice("custom_fields.plan", json!(["Gold", "Silver"])),
        ],
        vec![
            ask("number", "custom_fields.remark"),
            ask("email", "contact.phone"),
            ask("text", "custom_fields.nope"),
            choice("custom_fields.plan", json!(["Brass"])),
        ],
    )
}

/// A node; `next` leads to the next node, other exits lead to any of `count` nodes.
fn node(place: usize, count: usize) -> impl Strategy<Value = Value> {
    let id = |place: usize| json!(format!("n{place}"));
    let other = one_of((0..count).map(id).chain([json!("end")]).collect());
    let merge = move |mut node: Value, more: Value| {
        let members = more.as_object().cloned().unwrap_or_default();
        if let Some(node) = node.as_object_mut() {
            node.extend(members);
            node.insert("id".to_owned(), id(place));
        }
        node
    };
    let next = if place + 1 < count { id(place + 1) } else { json!("end") };
    let (to, on) = (next.clone(), next.clone());
    let says = texts().prop_map(move |text| {
        merge(json!({"type": "send_message", "message": {"type": "text", "text": text}}), json!({"next": to}))
    });
    let writes = writes().prop_map(move |write| merge(write, json!({"next": on})));
    let (to, on, then) = (next.clone(), next.clone(), next.clone());
    let asks = (asks(), texts(), other.clone()).prop_map(move |(ask, text, other)| {
        merge(ask, json!({"message": {"type": "text", "text": text}, "next": to, "on_timeout": other}))
    });
    let delays = one_of(vec![json!("PT1H"), json!("P1D"), json!("P40D")])
        .prop_map(move |time| merge(json!({"type": "delay", "for": time}), json!({"next": on})));
    let waits = (conditions(), other.clone()).prop_map(move |(filter, other)| {
        let wait = json!({"type": "wait_for_event", "event": "contact.tag_added", "filter": filter, "timeout": "PT3H"});
        merge(wait, json!({"save_to": "vars.x", "next": then, "on_timeout": other}))
    });
    let branches = (conditions(), other).prop_map(move |(when, other)| {
        merge(json!({"type": "branch"}), json!({"branches": [{"when": when, "next": other}], "otherwise": next}))
    });
    prop_oneof![3 => says, 3 => writes, 2 => asks, 1 => delays, 1 => waits, 2 => branches]
}

pub(crate) fn definitions() -> impl Strategy<Value = Value> {
    let nodes = |count: usize| (0..count).map(|place| node(place, count).boxed()).collect::<Vec<_>>();
    let trigger = one_of(vec![
        json!({"type": "event", "event": "contact.tag_added"}),
        json!({"type": "keyword", "keywords": ["hi"]}),
    ]);
    ((1_usize..7).prop_flat_map(nodes), trigger).prop_map(|(mut nodes, trigger)| {
        nodes.push(json!({"id": "end", "type": "end"}));
        json!({"triggers": [trigger], "start": "n0", "nodes": nodes})
    })
}

/// Whether a definition is accepted.
pub(crate) fn is_right(definition: &Value) -> bool {
    analyse(definition, &acme()).is_valid()
}

/// Inputs of a run: replies, or `None` for the timer.
pub(crate) fn scripts() -> impl Strategy<Value = Vec<Option<&'static str>>> {
    let replies = vec!["gold", "Silver", "7", "ada@example.com", "a", "", "1000"];
    proptest::collection::vec(proptest::option::of(proptest::sample::select(replies)), 0..12)
}

/// A run of an accepted definition.
struct Walk {
    known: KnownObjects,
    analysis: Analysis,
    contact: Contact,
    run: Run,
    now: Timestamp,
}

impl Walk {
    fn of(known: KnownObjects, analysis: Analysis) -> Self {
        let contact = a_contact().named("Zoë").build();
        let event = json!({"type": "contact.tag_added", "tag": {"name": "vip"}, "object": {"version": 3}});
        let run = Run { event: Some(event), ..a_run().of(&contact).build() };
        Self { known, analysis, contact, run, now: Timestamp::EPOCH_2026 }
    }

    /// Runs it; returns the error, if any, and the outcomes of the nodes.
    fn play(&mut self, script: Vec<Option<&'static str>>) -> (Option<RunError>, Vec<(String, String)>) {
        let definition = self.analysis.definition.clone().expect("the definition was accepted");
        let tags: BTreeMap<String, Tag> = (self.analysis.tags.iter())
            .filter_map(|(word, id)| Some((word.clone(), self.known.tags.iter().find(|tag| tag.id == *id)?.clone())))
            .collect();
        let (fields, bot_fields) = (self.known.fields.clone(), self.known.bot_fields.clone());
        let conditions = WorkspaceConditions::new(&fields, &bot_fields, &self.known.tags, &self.analysis.tags);
        let (mut script, mut came) = (script.into_iter(), Vec::new());
        for _ in 0..MOST_STEPS {
            let environment = StepEnvironment {
                contact: &self.contact,
                fields: &fields,
                bot_fields: &bot_fields,
                tags: &tags,
                has_channel: true,
                quick_replies: 10,
                conversation: None,
                taken: &BTreeSet::new(),
                conditions: &conditions,
                zone: Tz::UTC,
                country: None,
                now: self.now,
                explains: false,
                called: None,
            };
            let waits_for = self.run.wait.as_ref().map(|wait| wait.kind);
            let input = match script.next().flatten().filter(|_| waits_for == Some(WaitKind::Reply)) {
                Some(text) => Input::Reply(text),
                None => Input::Timer,
            };
            let step = advance(&definition, &self.run, input, &environment);
            came.extend(step.trace.iter().map(|entry| (entry.node.clone(), entry.outcome.clone())));
            self.run.nodes_visited += step.trace.iter().filter(|entry| !entry.resumed).count() as i64;
            self.run.trace.extend(step.trace);
            (self.run.vars, self.contact) = (step.vars, step.contact);
            (self.run.wait, self.run.status) = (None, RunStatus::Active);
            match step.ending {
                StepEnd::Wait { node, wait } => (self.run.node, self.run.wait) = (Some(node), Some(*wait)),
                StepEnd::Failed(error) => return (Some(error), came),
                StepEnd::Completed | StepEnd::Expired => return (None, came),
            }
            self.now = self.now.plus(Duration::from_secs(3_600));
        }
        panic!("the run does not end");
    }
}

#[test]
fn accepted_flows_meet_no_missing_names_or_wrong_types() {
    let (known, mut runner) = (acme(), TestRunner::deterministic());
    let (definitions, scripts) = (definitions(), scripts());
    let (tried, mut accepted) = (cases(TRIED), 0);
    for _ in 0..tried {
        let definition = definitions.new_tree(&mut runner).expect("the strategy yields a value").current();
        let script = scripts.new_tree(&mut runner).expect("the strategy yields a value").current();
        let analysis = analyse(&definition, &known);
        assert_eq!(analysis.is_valid(), analysis.definition.is_some());
        let Some(graph) = analysis.definition.clone() else { continue };
        accepted += 1;
        let (error, came) = Walk::of(known.clone(), analysis).play(script);
        if let Some(RunError { code, message, .. }) = error {
            let empty = code == "template_error" && message.contains("the text is empty");
            assert!(empty || code == "loop_guard", "{code}: {message}: {definition:#}");
        }
        for (id, outcome) in came {
            let Some(node) = graph.nodes.get(&id) else { continue };
            let literal = match &node.action {
                Action::SetField(set) => matches!(set.operation, Operation::Set(Source::Literal(_))),
                Action::SetBotField(set) => matches!(set.value, Source::Literal(_)),
                _ => false,
            };
            assert!(!literal || !outcome.starts_with("not set"), "{id}: {outcome}: {definition:#}");
        }
    }
    assert!((tried / 5..tried).contains(&accepted), "{accepted} of {tried} were accepted");
}
