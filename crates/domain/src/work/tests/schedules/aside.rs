//! Tests of dead-lettered firings, and of dead-lettered starts of selected contacts.

use super::*;
use crate::flows::{FlowChange, ScheduleExecutor};
use crate::ports::MockFlowQueries;

/// A ledger that refuses to start this contact.
struct NotFor(Arc<MemoryStore>, ContactId);

#[async_trait::async_trait]
impl Ledger for NotFor {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let takes =
            |it: &Change| matches!(it, Change::Flow(FlowChange::TakeRecipient { contact, .. }) if *contact == self.1);
        match set.changes.iter().any(takes) {
            true => Err(StoreError::Corrupt("a test".to_owned()).into()),
            false => self.0.commit(set).await,
        }
    }
}

#[test]
fn a_failing_contact_delays_no_other_and_is_started_later() {
    let mut bench = bench();
    let flow = bench.flow("Daily", daily());
    let speakers: Vec<ContactId> = (0..130).map(|_| bench.speaker().id).collect();
    let whole = bench.tidings.clone();
    let ports = (*bench.tidings.ports).clone();
    bench.tidings = Tidings::new(ports.through(Arc::new(NotFor(bench.store.clone(), speakers[3]))));
    bench.clock.set(at("2026-01-01T09:00:00Z"));
    bench.fires();
    for left in [31, 1] {
        let portion = bench.claim(Pool::Work, JobKind::StartFrozen);
        block_on(bench.tidings.worker.perform(&portion)).unwrap();
        assert_eq!(bench.frozen(flow), left);
    }
    let portion = bench.claim(Pool::Work, JobKind::StartFrozen);
    assert!(block_on(bench.tidings.worker.perform(&portion)).is_err(), "only the failing contact is left");
    bench.gives_up(portion);
    assert_eq!((bench.frozen(flow), bench.claimed()), (1, vec![]));
    bench.tidings = whole;
    // The next firing also starts the remaining contacts, and so does a retry of the dead letter.
    bench.go_to("2026-01-02T09:00:00Z");
    assert_eq!(bench.frozen(flow), 0);
    let filter = crate::flows::RunFilter { contact: Some(speakers[3]), ..Default::default() };
    let runs = block_on(bench.tidings.flows.runs(&bench.access, &filter, Default::default())).unwrap().items;
    assert_eq!(runs.len(), 2);
    block_on(bench.tidings.jobs.retry(&bench.access, portion.id, None)).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.claimed(), []);
}

#[test]
fn a_dead_lettered_firing_is_skipped_until_the_next_time() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.clock.set(at("2026-01-01T09:00:00Z"));
    let fire = bench.claim(Pool::Work, JobKind::FireSchedule);
    bench.clock.set(at("2026-01-01T14:41:00Z"));
    bench.gives_up(fire);
    let planned = bench.planned(flow);
    assert_eq!((planned.next_at, planned.fired_at), (Some(at("2026-01-02T09:00:00Z")), None));
    let dead = block_on(bench.tidings.jobs.dead(&bench.access, Default::default())).unwrap().items;
    assert_eq!(dead.iter().map(|it| (it.id, it.job)).collect::<Vec<_>>(), [(fire.id, fire.job)]);
    assert!(matches!(block_on(bench.tidings.jobs.retry(&bench.access, fire.id, None)), Err(Error::JobSettled(_))));
    // If the job runs anyway, it does nothing.
    bench.queues(fire.job);
    bench.finish_due_work();
    assert_eq!((bench.days(), bench.planned(flow)), (vec![], planned));
    bench.go_to("2026-01-03T12:00:00Z");
    assert_eq!(bench.days(), ["2026-01-02T09:00", "2026-01-03T09:00"]);
}

#[test]
fn a_firing_that_ends_its_process_five_times_keeps_the_plan() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.clock.set(at("2026-01-01T09:00:00Z"));
    for _ in 0..5 {
        bench.claim(Pool::Work, JobKind::FireSchedule);
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(31)));
    }
    block_on(bench.tidings.run_due(bench.clock.now())).unwrap();
    assert_eq!((bench.days().len(), bench.planned(flow).next_at), (0, Some(at("2026-01-02T09:00:00Z"))));
}

#[test]
fn a_dead_lettered_firing_of_a_paused_flow_plans_nothing() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.clock.set(at("2026-01-01T09:00:00Z"));
    let fire = bench.claim(Pool::Work, JobKind::FireSchedule);
    bench.becomes(flow, FlowStatus::Paused);
    let planned = bench.planned(flow);
    bench.gives_up(fire);
    assert_eq!((bench.planned(flow), planned.next_at), (planned, None));
}

#[test]
fn retries_the_firing_of_an_unreadable_flow_after_an_hour() {
    let bench = bench();
    let flow = bench.flow("Daily", daily());
    let (planned, mut flows) = (bench.planned(flow), MockFlowQueries::new());
    flows.expect_schedule().returning(move |_, _| Ok(Some(planned)));
    flows.expect_get().returning(|_, _| Err(StoreError::Corrupt("a test".to_owned())));
    let ports = Ports { flows: Arc::new(flows), ..(*bench.tidings.ports).clone() };
    let executor = ScheduleExecutor { ports: Arc::new(ports) };
    let mut set = ChangeSet::new(bench.access.workspace());
    block_on(executor.abandon(&bench.access, flow, planned.visit, &mut set)).unwrap();
    let due_at = bench.clock.now().plus(Duration::from_secs(3_600));
    let queued: Vec<_> = set.jobs.iter().map(|it| (it.job, it.due_at)).collect();
    assert_eq!(queued, [(Job::FireSchedule { flow, visit: planned.visit }, due_at)]);
    assert_eq!((set.guards.len(), set.changes.len()), (0, 0));
}
