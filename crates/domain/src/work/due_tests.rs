//! Tests of running due work, over the memory store, with a scripted provider.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::{Map, json};

use crate::Tidings;
use crate::access::Access;
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::flows::{InFlight, NewFlow, RunStatus, StartFlow};
use crate::ids::RunId;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::{Clock, JobKind, OutboundStore, Ports, StoreHold};
use crate::testing::with_workspace;

/// Accepts each message. It panics once if it is set to fail.
#[derive(Default)]
struct Provider {
    breaks: AtomicBool,
    taken: AtomicUsize,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        assert!(!self.breaks.swap(false, Ordering::SeqCst), "the test makes the provider panic");
        self.taken.fetch_add(1, Ordering::SeqCst);
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    provider: Arc<Provider>,
    tidings: Tidings,
    access: Access,
}

fn bench() -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let provider = Arc::new(Provider::default());
    let connectors = Connectors::one(provider.clone());
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store.clone()) });
    Bench { store, clock, provider, tidings, access }
}

impl Bench {
    /// Starts a flow that says hello, waits an hour and says hello again.
    fn started(&self) -> RunId {
        let say = |id: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": next});
        let wait = json!({"id": "wait", "type": "delay", "for": "PT1H", "next": "again"});
        let nodes = json!([say("hi", "wait"), wait, say("again", "end"), {"id": "end", "type": "end"}]);
        let new = NewFlow { name: "Twice".into(), definition: json!({"start": "hi", "nodes": nodes}) };
        let flow = block_on(self.tidings.flows.create(&self.access, new, None)).unwrap().value.id;
        block_on(self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
        let contact =
            block_on(self.tidings.contacts.create(&self.access, NewContact::default(), None)).unwrap().value.id;
        let start = StartFlow { flow, vars: Map::new(), mode: None };
        block_on(self.tidings.flows.start(&self.access, &ContactRef::Id(contact), start, None)).unwrap().value.id
    }

    fn taken(&self) -> usize {
        self.provider.taken.load(Ordering::SeqCst)
    }

    fn run_due(&self) -> super::DueWork {
        block_on(self.tidings.run_due(self.clock.now())).unwrap()
    }
}

#[test]
fn runs_all_due_work_and_its_follow_ups_only() {
    let bench = bench();
    let run = bench.started();
    let work = bench.run_due();
    assert_eq!(
        (work.done, work.failed.len()),
        (1, 0),
        "only the message was left; the start ran the first step: {work:?}"
    );
    assert_eq!(bench.taken(), 1, "the second message is due in an hour");
    assert_eq!(bench.run_due(), super::DueWork::default(), "no due work is left");
    let feed = block_on(bench.tidings.feed.read(&bench.access, 0, vec![], 100)).unwrap();
    assert_eq!(feed.events.len(), bench.store.events(bench.access.workspace()).len(), "each event is in the feed");

    let next = block_on(bench.tidings.next_due()).unwrap().unwrap();
    assert_eq!(next, bench.clock.now().plus(Duration::from_secs(3_600)));
    assert_eq!(
        block_on(bench.tidings.run_due(next)).unwrap().done,
        0,
        "nothing is due before the clock reaches the time"
    );
    bench.clock.set(next);
    bench.run_due();
    assert_eq!(bench.taken(), 2);
    assert_eq!(block_on(bench.tidings.flows.run(&bench.access, run)).unwrap().status, RunStatus::Completed);
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None);
}

#[test]
fn reports_a_panicking_job_and_retries_it_later() {
    let bench = bench();
    bench.started();
    bench.started();
    bench.provider.breaks.store(true, Ordering::SeqCst);
    let work = bench.run_due();
    let [(job, failed)] = work.failed.as_slice() else { panic!("{work:?}") };
    assert_eq!((job.job.kind(), failed.panicked), (JobKind::SendMessage, true));
    assert_eq!((work.done, bench.taken()), (1, 1), "the other message is sent");

    let now = bench.clock.now();
    assert_eq!(bench.run_due(), super::DueWork::default(), "the failed job is not due yet");
    let again = block_on(bench.tidings.next_due()).unwrap().unwrap();
    let [soonest, latest] = [8, 12].map(|seconds| now.plus(Duration::from_secs(seconds)));
    assert!((soonest..=latest).contains(&again), "{again}");
    bench.clock.set(again);
    let work = bench.run_due();
    assert_eq!((work.done, work.failed.len(), bench.taken()), (1, 0, 2));
}

#[test]
fn sends_nothing_while_outbound_traffic_is_paused() {
    let bench = bench();
    bench.started();
    block_on(bench.store.hold(StoreHold { reason: "a test".into(), since: bench.clock.now(), is_restored: false }))
        .unwrap();
    assert!(bench.run_due().failed.is_empty());
    assert_eq!(bench.taken(), 0);
    block_on(bench.store.lift()).unwrap();
    bench.run_due();
    assert_eq!(bench.taken(), 1);
}

#[test]
fn the_next_due_time_skips_sends_while_outbound_traffic_is_paused() {
    let bench = bench();
    bench.started();
    let now = bench.clock.now();
    bench.provider.breaks.store(true, Ordering::SeqCst);
    bench.run_due();
    let next = || block_on(bench.tidings.next_due()).unwrap().unwrap();
    assert!(next() < now.plus(Duration::from_secs(60)), "the failed message is retried");
    block_on(bench.store.hold(StoreHold { reason: "a test".into(), since: now, is_restored: false })).unwrap();
    assert_eq!(next(), now.plus(Duration::from_secs(3_600)), "only the step of the flow is due");
}
