//! Tests of node types, waits and guards.

mod calls;
mod guards;
mod http_calls;
mod questions;
mod waits;
mod ways;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono_tz::Tz;
use serde_json::json;
use tidings_tables::Country;

use super::*;
use crate::contacts::Attribute;
use crate::conversations::{Conversation, Handler};
use crate::fields::{BotField, CustomField, FieldKind, Rules};
use crate::flows::{Effect, RunStatus, Wait, WaitKind};
use crate::ids::{BotFieldId, FieldId, TagId, TypedId};
use crate::tags::Tag;
use crate::testing::{a_channel, a_contact, a_run};

/// Evaluates the conditions `true` and `false`; any other holds if `vars.go` is set.
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

/// A contact, a flow and a run.
struct Stage {
    definition: Definition,
    run: Run,
    contact: Contact,
    fields: Vec<CustomField>,
    bot_fields: Vec<BotField>,
    tags: BTreeMap<String, Tag>,
    taken: BTreeSet<(Attribute, String)>,
    conversation: Option<Conversation>,
    called: Option<Run>,
    quick_replies: usize,
    zone: Tz,
    country: Option<Country>,
    now: Timestamp,
}

const NOW: Timestamp = Timestamp::EPOCH_2026;

fn number_field(key: &str) -> CustomField {
    CustomField {
        rules: Rules { max: Some(150.0), ..Rules::default() },
        ..CustomField::new(FieldId::from_uuid(uuid::Uuid::from_u128(5)), key, FieldKind::Number, NOW)
    }
}

impl Stage {
    /// Creates a flow from these nodes and an existing node `end`.
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
                name: "Visits".to_owned(),
                value: Some(json!(7)),
                ..BotField::new(BotFieldId::from_uuid(uuid::Uuid::from_u128(6)), "visits", FieldKind::Number, NOW)
            }],
            tags: [("vip".to_owned(), tag(9))].into(),
            taken: BTreeSet::new(),
            conversation: None,
            called: None,
            quick_replies: 10,
            zone: Tz::UTC,
            country: None,
            now: NOW,
        }
    }

    fn step(&self, input: Input<'_>) -> StepResult {
        let environment = StepEnvironment {
            contact: &self.contact,
            fields: &self.fields,
            bot_fields: &self.bot_fields,
            tags: &self.tags,
            has_channel: true,
            quick_replies: self.quick_replies,
            conversation: self.conversation.as_ref(),
            taken: &self.taken,
            called: self.called.as_ref(),
            conditions: &Plain,
            zone: self.zone,
            country: self.country,
            now: self.now,
            explains: false,
        };
        advance(&self.definition, &self.run, input, &environment)
    }

    /// Takes a step and stores its result, as the ledger would.
    fn play(&mut self, input: Input<'_>) -> StepResult {
        let step = self.step(input);
        self.run.trace.extend(step.trace.clone());
        self.run.nodes_visited += step.trace.iter().filter(|entry| !entry.resumed).count() as i64;
        self.run.vars.clone_from(&step.vars);
        self.contact = step.contact.clone();
        (self.run.wait, self.run.status) = (None, RunStatus::Active);
        if let StepEnd::Wait { node, wait } = &step.ending {
            (self.run.node, self.run.wait) = (Some(node.clone()), Some((**wait).clone()));
        }
        step
    }

    fn later(&mut self, seconds: u64) {
        self.now = self.now.plus(Duration::from_secs(seconds));
    }
}

fn outcomes(step: &StepResult) -> Vec<(&str, &str)> {
    step.trace.iter().map(|entry| (entry.node.as_str(), entry.outcome.as_str())).collect()
}

fn said(step: &StepResult) -> Vec<String> {
    let texts = step.effects.iter().filter_map(|traced| match &traced.effect {
        Effect::Send(content) => content.text.clone(),
        _ => None,
    });
    texts.collect()
}

/// Returns the titles of the quick replies of each message.
fn offered(step: &StepResult) -> Vec<Vec<String>> {
    let replies = step.effects.iter().filter_map(|traced| match &traced.effect {
        Effect::Send(content) => Some(content.quick_replies.iter().map(|reply| reply.title.clone()).collect()),
        _ => None,
    });
    replies.collect()
}

fn failed(step: &StepResult) -> Option<&str> {
    match &step.ending {
        StepEnd::Failed(error) => Some(&error.code),
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
fn a_run_proceeds_to_its_wait_and_continues_after_it() {
    let mut stage = Stage::of(json!([
        say("hi", "Hi {{ contact.first_name }}", "tag"),
        {"id": "tag", "type": "add_tag", "tag": "vip", "next": "again"},
        {"id": "again", "type": "add_tag", "tag": "vip", "next": "wait"},
        {"id": "wait", "type": "delay", "for": "PT1S", "next": "untag"},
        {"id": "untag", "type": "remove_tag", "tag": "vip", "next": "end"}]));
    let step = stage.play(Input::Timer);
    assert_eq!(said(&step), ["Hi Zoë"]);
    let until = NOW.plus(Duration::from_secs(1));
    assert_eq!(outcomes(&step)[1..3], [("tag", "added"), ("again", "already present")]);
    assert_eq!(step.ending, StepEnd::Wait { node: "wait".to_owned(), wait: Box::new(Wait::until(until)) });
    assert!(step.contact.has_tag(TagId::from_uuid(uuid::Uuid::from_u128(9))));
    // A timer that fires early changes nothing.
    assert_eq!(stage.step(Input::Timer).ending, step.ending);
    stage.later(1);
    let step = stage.play(Input::Timer);
    assert_eq!(outcomes(&step), [("wait", "continued"), ("untag", "removed"), ("end", "completed")]);
    assert!(step.trace[0].resumed && step.ending == StepEnd::Completed && step.contact.tags.is_empty());
}
