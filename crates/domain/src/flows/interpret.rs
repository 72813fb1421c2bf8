//! The engine's heart: takes a run from node to node until it waits or ends. Pure.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Action, Definition, Run, RunError, TraceEntry};
use crate::contacts::Contact;
use crate::ids::TagId;
use crate::time::Timestamp;

/// The most nodes that a run visits without a wait between them.
pub const MAX_VISITS_WITHOUT_WAIT: i64 = 100;
/// The most nodes that a run visits at all.
pub const MAX_VISITS: i64 = 1_000;

/// What a run can see.
#[derive(Debug, Clone)]
pub struct World<'a> {
    /// The contact, as it was when the step began.
    pub contact: &'a Contact,
    /// Values of bot fields, by key.
    pub bot_fields: &'a Map<String, Value>,
    /// Which tags the definition's words mean.
    pub tags: &'a BTreeMap<String, TagId>,
    /// The present instant.
    pub now: Timestamp,
}

/// Something to be done, by the node at this place of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Send this text; `trace` is the place in [`Advance::trace`] that waits for its outcome.
    Send {
        /// What to say.
        text: String,
        /// The place in the trace.
        trace: usize,
    },
    /// Put a tag on the contact.
    AddTag {
        /// The tag.
        tag: TagId,
        /// The place in the trace.
        trace: usize,
    },
    /// Take a tag off the contact.
    RemoveTag {
        /// The tag.
        tag: TagId,
        /// The place in the trace.
        trace: usize,
    },
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It goes on at `node`, at that instant.
    Wait {
        /// The node that is next.
        node: String,
        /// When.
        until: Timestamp,
    },
    /// It reached its end.
    Completed,
    /// An error or a guard.
    Failed(RunError),
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advance {
    /// What is to be done, in order.
    pub effects: Vec<Effect>,
    /// The nodes that were visited, in order.
    pub trace: Vec<TraceEntry>,
    /// How it ended.
    pub ending: Ending,
}

/// Takes `run` on from its node until it waits or ends.
pub fn advance(definition: &Definition, run: &Run, world: &World<'_>) -> Advance {
    let mut step = Advance { effects: Vec::new(), trace: Vec::new(), ending: Ending::Completed };
    let mut at = run.node.clone().unwrap_or_else(|| definition.start.clone());
    step.ending = loop {
        let visits = step.trace.len() as i64;
        if visits >= MAX_VISITS_WITHOUT_WAIT || run.nodes_visited + visits >= MAX_VISITS {
            break Ending::Failed(loop_guard(&step.trace, at));
        }
        let Some(node) = definition.nodes.get(&at) else {
            break Ending::Failed(failure("unknown_node", format!("no node has the id {at}"), &at));
        };
        let trace = step.trace.len();
        let entry = TraceEntry {
            node: at.clone(),
            kind: node.action.kind().to_owned(),
            at: world.now,
            outcome: String::new(),
            message: None,
        };
        step.trace.push(entry);
        let outcome = match &node.action {
            Action::SendMessage { text, .. } => match text.render(&context(run, world)) {
                Ok(text) => {
                    step.effects.push(Effect::Send { text, trace });
                    String::new()
                }
                Err(error) => {
                    step.settle(trace, "failed: template_error");
                    break Ending::Failed(failure("template_error", error.to_string(), &at));
                }
            },
            Action::AddTag { tag, .. } | Action::RemoveTag { tag, .. } => {
                let Some(id) = world.tags.get(tag) else {
                    step.settle(trace, "failed: tag_missing");
                    break Ending::Failed(failure("tag_missing", format!("the tag {tag} is gone"), &at));
                };
                let adds = matches!(node.action, Action::AddTag { .. });
                let effect =
                    if adds { Effect::AddTag { tag: *id, trace } } else { Effect::RemoveTag { tag: *id, trace } };
                step.effects.push(effect);
                String::new()
            }
            Action::Delay { duration, next } => {
                let until = world.now.plus(duration.get());
                step.settle(trace, &format!("waits until {until}"));
                break Ending::Wait { node: next.clone(), until };
            }
            Action::End => {
                step.settle(trace, "completed");
                break Ending::Completed;
            }
        };
        step.settle(trace, &outcome);
        match node.action.next() {
            Some(next) => next.clone_into(&mut at),
            None => break Ending::Completed,
        }
    };
    step
}

impl Advance {
    /// Notes what came of the node at this place.
    pub fn settle(&mut self, trace: usize, outcome: &str) {
        if let Some(entry) = self.trace.get_mut(trace) {
            outcome.clone_into(&mut entry.outcome);
        }
    }
}

fn failure(code: &str, message: String, node: &str) -> RunError {
    RunError { code: code.to_owned(), message, node: Some(node.to_owned()), path: Vec::new() }
}

fn loop_guard(trace: &[TraceEntry], next: String) -> RunError {
    let tail = trace.len().saturating_sub(20);
    let path = trace.iter().skip(tail).map(|entry| entry.node.clone()).chain([next.clone()]).collect();
    let message = match i64::try_from(trace.len()) {
        Ok(visits) if visits < MAX_VISITS_WITHOUT_WAIT => format!("stopped after {MAX_VISITS} nodes in all"),
        _ => format!("stopped after {} nodes without a wait: the flow goes round in a circle", trace.len()),
    };
    RunError { code: "loop_guard".to_owned(), message, node: Some(next), path }
}

/// What templates see. Attributes without a value are absent, so that `default` applies to them.
fn context(run: &Run, world: &World<'_>) -> Map<String, Value> {
    let contact = world.contact;
    let mut person = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            person.insert(name.to_owned(), json!(value));
        }
    };
    put("id", Some(contact.id.to_string()));
    put("first_name", contact.first_name.clone());
    put("last_name", contact.last_name.clone());
    put("name", contact.name());
    put("email", contact.email.as_ref().map(ToString::to_string));
    put("phone", contact.phone.as_ref().map(ToString::to_string));
    put("external_id", contact.external_id.as_ref().map(ToString::to_string));
    put("locale", contact.locale.as_ref().map(ToString::to_string));
    put("time_zone", contact.time_zone.as_ref().map(ToString::to_string));
    let mut context = Map::new();
    context.insert("contact".to_owned(), Value::Object(person));
    context.insert("custom_fields".to_owned(), json!(contact.custom_fields));
    context.insert("bot_fields".to_owned(), Value::Object(world.bot_fields.clone()));
    context.insert("vars".to_owned(), Value::Object(run.vars.clone()));
    context.insert("now".to_owned(), json!(world.now));
    context
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{a_contact, a_run};
    use crate::time::Timestamp;

    fn go(definition: Value, tags: &[(&str, u128)]) -> Advance {
        use crate::ids::TypedId;
        let definition = Definition::parse(&definition).expect("a right definition");
        let tags = tags.iter().map(|(word, id)| ((*word).to_owned(), TagId::from_uuid(uuid::Uuid::from_u128(*id))));
        let tags = tags.collect();
        let contact = a_contact().named("Zoë").build();
        let world =
            World { contact: &contact, bot_fields: &Map::new(), tags: &tags, now: Timestamp::from_millis(1_000) };
        advance(&definition, &a_run().of(&contact).build(), &world)
    }

    #[test]
    fn a_run_goes_on_until_it_waits() {
        let step = go(
            json!({"start": "hi", "nodes": [
                {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi {{ contact.first_name }}"}, "next": "tag"},
                {"id": "tag", "type": "add_tag", "tag": "vip", "next": "wait"},
                {"id": "wait", "type": "delay", "for": "PT1S", "next": "end"},
                {"id": "end", "type": "end"}]}),
            &[("vip", 9)],
        );
        let nodes: Vec<&str> = step.trace.iter().map(|entry| entry.node.as_str()).collect();
        assert_eq!(nodes, ["hi", "tag", "wait"]);
        assert!(matches!(&step.effects[0], Effect::Send { text, trace: 0 } if text == "Hi Zoë"));
        assert!(matches!(&step.effects[1], Effect::AddTag { trace: 1, .. }));
        assert_eq!(step.ending, Ending::Wait { node: "end".to_owned(), until: Timestamp::from_millis(2_000) });
    }

    #[test]
    fn a_circle_without_a_wait_trips_the_guard_at_100_nodes() {
        let step = go(
            json!({"start": "a", "nodes": [
                {"id": "a", "type": "add_tag", "tag": "vip", "next": "b"},
                {"id": "b", "type": "remove_tag", "tag": "vip", "next": "a"}]}),
            &[("vip", 9)],
        );
        assert_eq!(step.trace.len(), 100);
        let Ending::Failed(error) = step.ending else { panic!("it must fail") };
        assert_eq!((error.code.as_str(), error.node.as_deref()), ("loop_guard", Some("a")));
        assert_eq!(error.path[..3], ["a", "b", "a"]);
    }

    #[test]
    fn a_template_that_cannot_be_rendered_and_a_tag_that_is_gone_fail_the_run() {
        let send = |text: &str| {
            json!({"start": "a", "nodes": [
                {"id": "a", "type": "send_message", "message": {"type": "text", "text": text}, "next": "b"},
                {"id": "b", "type": "end"}]})
        };
        assert!(
            matches!(go(send("{{ vars.none }}"), &[]).ending, Ending::Failed(error) if error.code == "template_error")
        );
        let gone = json!({"start": "a", "nodes": [{"id": "a", "type": "add_tag", "tag": "x", "next": "a"}]});
        assert!(matches!(go(gone, &[]).ending, Ending::Failed(error) if error.code == "tag_missing"));
    }
}
