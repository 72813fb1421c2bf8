//! Tests of runs that wait for an event, and of its races.

use serde_json::Value;

use super::*;
use crate::contacts::{Contact, NewTag, TagRef};
use crate::flows::{FlowPatch, FlowStatus, Run, WaitKind};
use crate::ids::FlowId;
use crate::tags::NewTagCommand;

/// Returns a flow that waits a day for an order above a hundred.
fn waiting() -> Value {
    json!({"start": "wait", "nodes": [
        {"id": "wait", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D",
         "filter": {"all": [{"field": "event.data.total", "op": "gt", "value": 100},
            {"field": "subscribed", "op": "eq", "value": true}]},
         "save_to": "vars.order", "next": "thanks", "on_timeout": "late"},
        say("thanks", "Thanks for {{ vars.order.total }}"), say("late", "Nothing?"), {"id": "end", "type": "end"}]})
}

fn say(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": "end"})
}

impl Bench {
    fn waits(&self, definition: Value) -> (FlowId, Contact, Run) {
        let (flow, contact) = (self.flow("Wait", definition), self.contact());
        let run = self.start(flow, &contact).unwrap();
        self.finish_due_work();
        (flow, contact, self.run_of(run.id))
    }

    fn run_of(&self, run: RunId) -> Run {
        block_on(self.tidings.flows.run(&self.access, run)).unwrap()
    }

    fn tag(&self, contact: &Contact) {
        let tag = NewTag { tag: TagRef::Name("vip".to_owned()), pointer: String::new() };
        let named = ContactRef::Id(contact.id);
        block_on(self.tidings.contacts.add_tag(&self.access, &named, tag, &ExpectedVersion::Any, None)).unwrap();
    }
}

#[test]
fn a_run_continues_at_the_first_event_that_matches() {
    let bench = bench();
    let (_, contact, run) = bench.waits(waiting());
    let wait = run.wait.unwrap();
    assert_eq!((run.status, wait.kind), (RunStatus::Waiting, WaitKind::Event));
    let somebody = bench.contact();
    bench.tells(&somebody, "order.paid", json!({"total": 500}));
    bench.tells(&contact, "order.sent", json!({"total": 500}));
    bench.tells(&contact, "order.paid", json!({"total": "500"}));
    bench.tells(&contact, "order.paid", json!({"total": 20}));
    bench.finish_due_work();
    assert_eq!(bench.run_of(run.id).status, RunStatus::Waiting);
    bench.tells(&contact, "order.paid", json!({"total": 120}));
    bench.tells(&contact, "order.paid", json!({"total": 300}));
    bench.finish_due_work();
    let run = bench.run_of(run.id);
    assert_eq!((run.status, &run.vars["order"]), (RunStatus::Completed, &json!({"total": 120})));
    assert_eq!(bench.texts(&contact), ["Thanks for 120"]);
    assert_eq!(run.trace[1].outcome, "event received, saved to vars.order");
}

#[test]
fn ignores_events_recorded_before_the_wait_began() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Wait", waiting()), bench.contact());
    bench.tells(&contact, "order.paid", json!({"total": 500}));
    let run = bench.start(flow, &contact).unwrap();
    assert_eq!(run.status, RunStatus::Waiting, "the wait begins before the event is routed");
    bench.finish_due_work();
    assert_eq!(bench.run_of(run.id).status, RunStatus::Waiting);
    bench.tells(&contact, "order.paid", json!({"total": 120}));
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Thanks for 120"]);
}

#[test]
fn ignores_events_caused_by_the_waiting_step() {
    let bench = bench();
    let vip = NewTagCommand { name: "vip".into(), color: None, description: None };
    block_on(bench.tidings.tags.create(&bench.access, vip, None)).unwrap();
    let (_, contact, run) = bench.waits(json!({"start": "tag", "nodes": [
        {"id": "tag", "type": "add_tag", "tag": "vip", "next": "wait"},
        {"id": "wait", "type": "wait_for_event", "event": "contact.tag_added", "timeout": "P1D",
         "filter": {"field": "event.tag.name", "op": "eq", "value": "vip"}, "save_to": "vars.tag",
         "next": "say", "on_timeout": "end"},
        say("say", "{{ vars.tag.tag.name }}"), {"id": "end", "type": "end"}]}));
    assert_eq!(bench.run_of(run.id).status, RunStatus::Waiting);
    let named = ContactRef::Id(contact.id);
    let vip = TagRef::Name("vip".to_owned());
    block_on(bench.tidings.contacts.remove_tag(&bench.access, &named, &vip, &ExpectedVersion::Any)).unwrap();
    bench.tag(&contact);
    bench.finish_due_work();
    assert_eq!((bench.run_of(run.id).status, bench.texts(&contact)), (RunStatus::Completed, vec!["vip".to_owned()]));
}

#[test]
fn either_the_event_or_the_timeout_moves_the_run() {
    for event_is_first in [true, false] {
        let bench = bench();
        let (_, contact, run) = bench.waits(waiting());
        bench.tells(&contact, "order.paid", json!({"total": 120}));
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(86_400)));
        let mut jobs = bench.claimed();
        let timer = jobs.iter().position(|job| job.job == run.next_step()).unwrap();
        let timer = jobs.remove(timer);
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        jobs.insert(usize::from(event_is_first), timer);
        for job in &jobs {
            block_on(bench.tidings.worker.perform(job)).unwrap();
        }
        bench.finish_due_work();
        let expected = if event_is_first { "Thanks for 120" } else { "Nothing?" };
        assert_eq!(bench.texts(&contact), [expected]);
        let run = bench.run_of(run.id);
        assert_eq!((run.status, run.trace.len()), (RunStatus::Completed, 4));
    }
}

#[test]
fn queues_nothing_for_an_event_that_no_flow_waits_for() {
    let bench = bench();
    let contact = bench.contact();
    bench.tells(&contact, "order.paid", json!({"total": 120}));
    bench.tag(&contact);
    assert_eq!(bench.claimed(), []);
    let flow = bench.flow("Wait", waiting());
    bench.tag(&bench.contact());
    bench.tells(&contact, "order.sent", json!({}));
    assert_eq!(bench.claimed(), []);
    bench.tells(&contact, "order.paid", json!({}));
    assert_eq!(bench.claimed().len(), 1);
    block_on(bench.tidings.flows.delete(&bench.access, flow, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    bench.tells(&contact, "order.paid", json!({}));
    assert_eq!(bench.claimed(), []);
}

#[test]
fn runs_of_an_earlier_version_still_receive_their_event() {
    let bench = bench();
    let (flow, contact, run) = bench.waits(waiting());
    let definition = json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]});
    let patch = FlowPatch { definition: Some(definition), ..FlowPatch::default() };
    block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    block_on(bench.tidings.flows.publish(&bench.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
    bench.tells(&contact, "order.paid", json!({"total": 120}));
    bench.finish_due_work();
    assert_eq!(bench.run_of(run.id).status, RunStatus::Completed);
}

#[test]
fn an_event_during_a_pause_moves_the_run_after_the_resume() {
    let bench = bench();
    let (flow, contact, run) = bench.waits(waiting());
    let set = |status| {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    };
    set(FlowStatus::Paused);
    bench.tells(&contact, "order.paid", json!({"total": 120}));
    bench.finish_due_work();
    assert!(bench.run_of(run.id).status.is_live());
    set(FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Thanks for 120"]);
}
