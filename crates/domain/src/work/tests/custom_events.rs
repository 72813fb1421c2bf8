//! Tests of flows that react to custom events.

use serde_json::Value;

use super::*;
use crate::contacts::Contact;
use crate::custom_events::{CustomEvent, NewCustomEvent};
use crate::ids::{CustomEventId, TypedId};
use crate::ports::{ContactChange, Job};

impl Bench {
    /// Records a custom event of the contact, as a client does.
    pub(super) fn tells(&self, contact: &Contact, name: &str, data: Value) -> CustomEvent {
        let command = NewCustomEvent { name: name.parse().unwrap(), data: data.as_object().cloned().unwrap() };
        let named = ContactRef::Id(contact.id);
        let recorded = self.tidings.custom_events.record(&self.access, &named, command, None);
        block_on(recorded).unwrap().value
    }
}

/// Returns a flow that thanks for orders above a hundred.
fn thanking() -> Value {
    json!({"triggers": [{"type": "custom_event", "name": "order.paid", "filter": {"all": [
            {"field": "event.data.total", "op": "gt", "value": 100},
            {"field": "event.name", "op": "eq", "value": "order.paid"}]}}],
        "start": "say", "nodes": [
            {"id": "say", "type": "send_message", "next": "end", "message": {"type": "text",
                "text": "{{ event.name }}: {{ event.data.items[0].sku }} for {{ event.data.total }}"}},
            {"id": "end", "type": "end"}]})
}

#[test]
fn a_custom_event_starts_flows_whose_filter_matches() {
    let bench = bench();
    bench.flow("Thanks", thanking());
    let contact = bench.contact();
    for total in [json!(100), json!("many"), json!("200"), json!(null), json!([7])] {
        bench.tells(&contact, "order.paid", json!({"total": total}));
    }
    bench.tells(&contact, "order.paid", json!({}));
    bench.finish_due_work();
    assert_eq!(bench.runs(), [], "values of another type do not match");
    let event = bench.tells(&contact, "order.paid", json!({"total": 120, "items": [{"sku": "A-7"}]}));
    bench.finish_due_work();
    let runs = bench.runs();
    assert_eq!((runs.len(), runs[0].status, runs[0].depth), (1, RunStatus::Completed, 1));
    assert_eq!(runs[0].event, Some(event.in_templates()));
    assert_eq!(bench.texts(&contact), ["order.paid: A-7 for 120"]);
    let told = bench.event_kinds();
    assert_eq!(
        told.iter().filter(|kind| !kind.starts_with("message.")).count(),
        4,
        "no event reports the custom event: {told:?}"
    );
}

#[test]
fn queues_nothing_without_a_trigger_and_starts_a_flow_once() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Thanks", thanking()), bench.contact());
    bench.tells(&contact, "order.sent", json!({}));
    assert_eq!(bench.claimed(), []);
    let event = bench.tells(&contact, "order.paid", json!({"total": 120, "items": [{"sku": "A-7"}]}));
    let jobs = bench.claimed();
    let expected = Job::RelayCustomEvent { event: event.id, depth: 0 };
    assert_eq!(jobs.iter().map(|job| job.job).collect::<Vec<_>>(), [expected]);
    for job in [&jobs[0], &jobs[0]] {
        block_on(bench.tidings.worker.perform(job)).unwrap();
    }
    assert_eq!(bench.runs().iter().map(|run| run.flow).collect::<Vec<_>>(), [flow]);
}

#[test]
fn counts_the_depth_of_causes_through_custom_events() {
    let bench = bench();
    bench.flow("Thanks", thanking());
    let contact = bench.contact();
    let told = bench.tells(&contact, "order.sent", json!({"total": 120, "items": [{"sku": "A-7"}]}));
    let id = CustomEventId::from_uuid(bench.tidings.ports.ids.next());
    let event = CustomEvent { id, name: "order.paid".parse().unwrap(), ..told };
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Contact(ContactChange::RecordEvent { event: Box::new(event), depth: crate::access::MAX_DEPTH }));
    block_on(bench.tidings.ports.ledger.commit(set)).unwrap();
    bench.finish_due_work();
    let run = bench.runs().remove(0);
    assert_eq!((run.status, run.error.unwrap().code.as_str()), (RunStatus::Failed, "loop_guard"));
}

#[test]
fn starts_and_records_nothing_for_a_deleted_contact() {
    let bench = bench();
    bench.flow("Thanks", thanking());
    let contact = bench.contact();
    bench.tells(&contact, "order.paid", json!({"total": 120}));
    let named = ContactRef::Id(contact.id);
    block_on(bench.tidings.contacts.delete(&bench.access, &named, &ExpectedVersion::Any)).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.runs(), []);
    let command = NewCustomEvent { name: "order.paid".parse().unwrap(), data: Map::new() };
    let recorded = block_on(bench.tidings.custom_events.record(&bench.access, &named, command, None));
    assert_eq!(recorded.map(|done| done.value), Err(Error::NotFound));
}
