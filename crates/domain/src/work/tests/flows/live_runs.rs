//! Tests of changes to live runs: cancellations, archived and deleted flows, second starts and new versions.

use super::super::*;
use super::played::asking;
use crate::contacts::Contact;
use crate::flows::{FlowPatch, FlowStatus};
use crate::pagination::PageRequest;

#[test]
fn cancelling_a_run_or_archiving_its_flow_interrupts_it() {
    let bench = bench();
    let flow = bench.flow("Ask", asking());
    let contact = bench.contact();
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let cancelled = block_on(bench.tidings.flows.cancel(&bench.access, run.id, None)).unwrap();
    assert_eq!((cancelled.outcome, cancelled.value.status), (Outcome::Changed, RunStatus::Interrupted));
    let again = block_on(bench.tidings.flows.cancel(&bench.access, run.id, None)).unwrap();
    assert_eq!(again.outcome, Outcome::Unchanged);
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let told = bench.event_kinds();
    let patch = FlowPatch { status: Some(FlowStatus::Archived), ..FlowPatch::default() };
    let archived = block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!((archived.stats.interrupted, archived.stats.waiting), (2, 0));
    assert_eq!(block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap().status, RunStatus::Interrupted);
    assert_eq!(bench.event_kinds(), told, "an interruption is no event");
    bench.ends_silently(&contact, 2);
}

#[test]
fn deleting_a_flow_interrupts_its_live_runs() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    block_on(bench.tidings.flows.delete(&bench.access, flow, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    assert_eq!(block_on(bench.tidings.flows.get(&bench.access, flow)), Err(Error::NotFound));
    let run = block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap();
    assert_eq!((run.status, run.ended_at), (RunStatus::Interrupted, Some(bench.clock.now())));
    bench.ends_silently(&contact, 1);
}

impl Bench {
    /// Asserts that neither a reply nor the timeout continues an interrupted run that asked `questions` times.
    fn ends_silently(&self, contact: &Contact, questions: usize) {
        self.hears(contact, "ada@example.com");
        self.finish_due_work();
        self.clock.set(self.clock.now().plus(Duration::from_secs(3_600)));
        self.finish_due_work();
        assert_eq!(self.texts(contact), vec!["Your e-mail?"; questions]);
    }
}

#[test]
fn a_second_start_is_skipped_parallel_or_a_restart_by_its_mode() {
    use crate::flows::Reentry;
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    let start = |mode| {
        let start = StartFlow { flow, vars: Map::new(), mode };
        block_on(bench.tidings.flows.start(&bench.access, &ContactRef::Id(contact.id), start, None)).unwrap()
    };
    let first = start(None);
    bench.finish_due_work();
    let skipped = start(Some(Reentry::Skip));
    assert_eq!((skipped.outcome, skipped.value.id), (Outcome::Unchanged, first.value.id));
    let beside = start(Some(Reentry::Parallel));
    let anew = start(Some(Reentry::Restart));
    let status = |run| block_on(bench.tidings.flows.run(&bench.access, run)).unwrap().status;
    assert_eq!(status(first.value.id), RunStatus::Interrupted);
    assert!(status(beside.value.id).is_live() && status(anew.value.id).is_live());
}

#[test]
fn publishing_pins_migrates_or_cancels_active_runs() {
    for (running, expected) in [
        (InFlight::Pin, (1, RunStatus::Waiting)),
        (InFlight::Migrate, (2, RunStatus::Waiting)),
        (InFlight::Cancel, (1, RunStatus::Interrupted)),
    ] {
        let bench = bench();
        let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
        let run = bench.start(flow, &contact).unwrap();
        bench.finish_due_work();
        let mut definition = asking();
        definition["nodes"][1]["message"]["text"] = json!("Thank you");
        let patch = FlowPatch { definition: Some(definition), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
        block_on(bench.tidings.flows.publish(&bench.access, flow, running, &ExpectedVersion::Any, None)).unwrap();
        let run = block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap();
        assert_eq!((run.flow_version, run.status), expected);
        if run.status == RunStatus::Waiting {
            bench.hears(&contact, "ada@example.com");
            bench.finish_due_work();
            let thanks = if running == InFlight::Pin { "Thanks" } else { "Thank you" };
            assert_eq!(bench.texts(&contact).last().map(String::as_str), Some(thanks));
        }
        let (_, versions) =
            block_on(bench.tidings.flows.versions(&bench.access, flow, PageRequest::default())).unwrap();
        assert_eq!(versions.items.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 1]);
        let restored =
            block_on(bench.tidings.flows.restore(&bench.access, flow, 1, &ExpectedVersion::Any, None)).unwrap().value;
        assert!(restored.has_unpublished_changes && restored.definition == asking());
    }
}
