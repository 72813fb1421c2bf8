//! Tests of jobs that fail, over the memory store.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::{Map, json};

use crate::Tidings;
use crate::access::Access;
use crate::channels::Connectors;
use crate::contacts::{ContactRef, NewContact};
use crate::error::Error;
use crate::flows::caller::HttpCaller;
use crate::flows::{InFlight, NewFlow, RunStatus, StartFlow, Starter};
use crate::ids::RunId;
use crate::memory::{FixedClock, MemoryStore, WillingService};
use crate::outcome::{ExpectedVersion, Outcome};
use crate::ports::{
    Change, ChangeSet, ClaimRequest, ClaimedJob, Clock, CommitError, Conflict, EngineStore, JobKind, Ledger,
    OutboundStore, Pool, Ports, ReferenceQueries, StoreError, StoreHold, TagChange,
};
use crate::references::{Deletion, Dependent, LostReference, Referent, Referrer};
use crate::tags::NewTagCommand;
use crate::testing::with_workspace;

mod aside;
mod calls;
mod custom_events;
mod event_waits;
mod flow_calls;
mod flows;
mod previews;
mod relays;
mod schedules;
mod start_limit;

/// A worker and the use cases that queue its jobs, over one store.
struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    tidings: Tidings,
    access: Access,
}

fn bench() -> Bench {
    bench_calling(Arc::new(WillingService))
}

/// Returns a bench with this service for the HTTP calls of flows.
fn bench_calling(caller: Arc<dyn HttpCaller>) -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let (tidings, access) = with_workspace(Ports {
        clock: clock.clone(),
        caller,
        connectors: Connectors::default(),
        ..Ports::of(store.clone())
    });
    Bench { tidings, access, store, clock }
}

impl Bench {
    /// Starts a flow that says hello and adds a tag, for a new contact.
    fn started(&self) -> RunId {
        let hi = json!({"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "tag"});
        self.started_through(vec![hi])
    }

    /// Starts a flow for a new contact. It runs these nodes and then adds a tag.
    fn started_through(&self, mut nodes: Vec<serde_json::Value>) -> RunId {
        let vip = NewTagCommand { name: "vip".into(), color: None, description: None };
        block_on(self.tidings.tags.create(&self.access, vip, None)).unwrap();
        nodes.push(json!({"id": "tag", "type": "add_tag", "tag": "vip", "next": "end"}));
        nodes.push(json!({"id": "end", "type": "end"}));
        let definition = json!({"start": nodes[0]["id"], "nodes": nodes});
        let flow = NewFlow { name: "Welcome".into(), definition };
        let flow = block_on(self.tidings.flows.create(&self.access, flow, None)).unwrap().value;
        block_on(self.tidings.flows.publish(&self.access, flow.id, InFlight::Pin, &ExpectedVersion::Any, None))
            .unwrap();
        let contact = block_on(self.tidings.contacts.create(&self.access, NewContact::default(), None)).unwrap().value;
        let start = StartFlow { flow: flow.id, vars: Map::new(), mode: None };
        block_on(self.tidings.flows.start(&self.access, &ContactRef::Id(contact.id), start, None)).unwrap().value.id
    }

    fn claim(&self, pool: Pool, kind: JobKind) -> ClaimedJob {
        let lease = Duration::from_secs(30);
        let request = ClaimRequest::new(pool, 100, lease, self.clock.now());
        let claimed = block_on(self.store.claim(request)).unwrap();
        claimed.into_iter().find(|job| job.job.kind() == kind).expect("a job of this kind is due")
    }

    fn a_tag(&self) -> crate::ids::TagId {
        block_on(self.tidings.tags.list(&self.access, &Default::default(), Default::default())).unwrap().items[0].id
    }

    fn event_kinds(&self) -> Vec<&'static str> {
        self.store.events(self.access.workspace()).iter().map(|event| event.kind.as_str()).collect()
    }
}

#[test]
fn a_dead_lettered_step_fails_its_run() {
    let bench = bench();
    let run = bench.started_through(vec![json!({"id": "wait", "type": "delay", "for": "PT1H", "next": "tag"})]);
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(3_600)));
    let job = ClaimedJob { attempts: 11, ..bench.claim(Pool::Work, JobKind::StepRun) };
    block_on(bench.tidings.worker.give_back(&job, &Error::Store(StoreError::Corrupt("a test".into())))).unwrap();
    let run = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap();
    assert_eq!((run.status, run.error.map(|error| error.code)), (RunStatus::Failed, Some("internal".into())));
    assert!(run.ended_at.is_some(), "the ended run allows another start");
    assert_eq!(bench.event_kinds().last(), Some(&"flow.failed"));
}

#[test]
fn a_step_that_ends_its_process_five_times_fails_its_run() {
    let bench = bench();
    let run = bench.started_through(vec![json!({"id": "wait", "type": "delay", "for": "PT1H", "next": "tag"})]);
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(3_600)));
    for _ in 0..5 {
        bench.claim(Pool::Work, JobKind::StepRun);
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(31)));
    }
    let work = block_on(bench.tidings.run_due(bench.clock.now())).unwrap();
    assert_eq!((work.done, work.failed.len()), (0, 0));
    let run = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap();
    assert_eq!((run.status, run.error.map(|error| error.code)), (RunStatus::Failed, Some("internal".into())));
    assert_eq!(bench.event_kinds().last(), Some(&"flow.failed"));
}

#[test]
fn a_message_fails_after_twelve_attempts_and_not_before() {
    let bench = bench();
    bench.started();
    let job = bench.claim(Pool::Sends, JobKind::SendMessage);
    // The channel has no connector.
    let error = block_on(bench.tidings.worker.perform(&job)).unwrap_err();
    block_on(bench.tidings.worker.give_back(&job, &error)).unwrap();
    assert!(!bench.event_kinds().contains(&"message.failed"));
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(60)));
    let job = ClaimedJob { attempts: 11, ..bench.claim(Pool::Sends, JobKind::SendMessage) };
    block_on(bench.tidings.worker.give_back(&job, &error)).unwrap();
    assert_eq!(bench.event_kinds().last(), Some(&"message.failed"));
}

#[test]
fn a_start_runs_a_short_first_step_and_queues_a_long_one() {
    let bench = bench();
    let run = bench.started();
    let run = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap();
    assert_eq!((run.status, run.version, run.trace.len()), (RunStatus::Completed, 1, 3));
    let told = ["flow.started", "contact.tag_added", "conversation.created", "flow.completed"];
    assert_eq!(bench.event_kinds()[bench.event_kinds().len() - 4..], told);
    let note = |place: usize| json!({"id": format!("n{place}"), "type": "note", "text": "Hi", "next": if place == 20 { "tag".to_owned() } else { format!("n{}", place + 1) }});
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(60)));
    block_on(bench.tidings.tags.delete(&bench.access, bench.a_tag(), Deletion::ByForce, &ExpectedVersion::Any))
        .unwrap();
    let long = bench.started_through((0..21).map(note).collect());
    let long = || block_on(bench.tidings.flows.run(&bench.access, long)).unwrap();
    assert_eq!((long().status, long().trace.len()), (RunStatus::Active, 0));
    block_on(bench.tidings.run_due(bench.clock.now())).unwrap();
    assert_eq!((long().status, long().trace.len()), (RunStatus::Completed, 23));
}

/// A ledger that refuses to link tags.
struct NoTags(Arc<MemoryStore>);

#[async_trait::async_trait]
impl Ledger for NoTags {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        match set.changes.iter().any(|change| matches!(change, Change::Tag(TagChange::Link { .. }))) {
            true => Err(Conflict::NoLink.into()),
            false => self.0.commit(set).await,
        }
    }
}

#[test]
fn a_first_step_that_cannot_be_committed_does_not_fail_the_start() {
    let mut bench = bench();
    let ports = (*bench.tidings.ports).clone();
    bench.tidings = Tidings::new(ports.through(Arc::new(NoTags(bench.store.clone()))));
    let run = bench.started();
    let run = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap();
    assert_eq!((run.status, run.trace.len()), (RunStatus::Active, 0));
    assert_eq!(bench.claim(Pool::Work, JobKind::StepRun).job, run.next_step());
}

#[test]
fn a_recreated_tag_can_be_published_after_the_draft_is_saved() {
    let bench = bench();
    let run = bench.started();
    let flow = block_on(bench.tidings.flows.run(&bench.access, run)).unwrap().flow;
    let publish =
        || block_on(bench.tidings.flows.publish(&bench.access, flow, InFlight::Pin, &ExpectedVersion::Any, None));
    assert_eq!(publish().unwrap().outcome, Outcome::Unchanged);
    let vip = bench.a_tag();
    let delete = |deletion| block_on(bench.tidings.tags.delete(&bench.access, vip, deletion, &ExpectedVersion::Any));
    let Err(Error::InUse(dependents)) = delete(Deletion::IfUnused) else { panic!("a flow uses the tag") };
    assert_eq!(dependents, [Dependent::new(Referrer::Flow(flow), "Welcome".into())]);
    delete(Deletion::ByForce).unwrap();
    let lost = block_on(bench.store.lost_references(&bench.access, Referrer::Flow(flow))).unwrap();
    assert_eq!(lost, [LostReference::deleted(Referent::Tag(vip), "vip".into(), bench.clock.now())]);
    let again = NewTagCommand { name: "vip".into(), color: None, description: None };
    block_on(bench.tidings.tags.create(&bench.access, again, None)).unwrap();
    assert!(matches!(publish(), Err(Error::Invalid(wrong)) if wrong[0].code == "lost_reference"));
    let definition = Some(block_on(bench.tidings.flows.get(&bench.access, flow)).unwrap().definition);
    let patch = crate::flows::FlowPatch { definition, ..Default::default() };
    block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    let done = publish().unwrap();
    assert_eq!((done.outcome, done.value.version_published), (Outcome::Changed, Some(2)));
    assert_eq!(
        block_on(bench.store.lost_references(&bench.access, Referrer::Flow(flow))).unwrap(),
        [],
        "no reference is lost"
    );
}

#[test]
fn a_pause_of_outbound_traffic_returns_claimed_jobs_unchanged() {
    let bench = bench();
    bench.started();
    let job = bench.claim(Pool::Sends, JobKind::SendMessage);
    let hold = StoreHold { reason: "a test".into(), since: bench.clock.now(), is_restored: false };
    block_on(bench.store.hold(hold)).unwrap();
    block_on(bench.tidings.worker.perform(&job)).unwrap();
    let claim = || {
        let request = ClaimRequest::new(Pool::Sends, 100, Duration::from_secs(30), bench.clock.now());
        block_on(bench.store.claim(request)).unwrap()
    };
    assert_eq!(claim(), [], "the job waits");
    block_on(bench.store.lift()).unwrap();
    let again = claim();
    assert_eq!(again.iter().map(|it| (it.id, it.attempts)).collect::<Vec<_>>(), [(job.id, 0)]);
    assert!(!bench.event_kinds().contains(&"message.failed"));
}
