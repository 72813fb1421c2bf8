//! Tests of jobs that wait for an event: no job runs while they wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::{Map, json};

use super::DueWork;
use crate::Tidings;
use crate::access::Access;
use crate::broadcasts::{Audience, BroadcastStats, BroadcastStatus, BroadcastZone, NewBroadcast};
use crate::channels::{ChannelType, Connector, Connectors, Outbound, RetryScope, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::Content;
use crate::erasures::ErasureStatus;
use crate::erasures::ErasureView;
use crate::flows::{FlowPatch, FlowStatus, InFlight, NewFlow, StartFlow};
use crate::ids::{BroadcastId, ContactId, FlowId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::{Clock, Ports};
use crate::testing::with_workspace;

const MONTH: Duration = Duration::from_secs(30 * 86_400);

/// Refuses each message temporarily, until it is opened.
struct Provider {
    is_idempotent: bool,
    is_open: AtomicBool,
    taken: AtomicUsize,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        self.is_idempotent
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        if !self.is_open.load(Ordering::Relaxed) {
            return SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "later".into() };
        }
        self.taken.fetch_add(1, Ordering::Relaxed);
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct Bench {
    clock: Arc<FixedClock>,
    provider: Arc<Provider>,
    tidings: Tidings,
    access: Access,
}

impl Bench {
    fn new(is_idempotent: bool) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let provider = Provider { is_idempotent, is_open: AtomicBool::new(false), taken: AtomicUsize::new(0) };
        let provider = Arc::new(provider);
        let connectors = Connectors::one(provider.clone());
        let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store) });
        Self { clock, provider, tidings, access }
    }

    fn contact(&self) -> ContactId {
        block_on(self.tidings.contacts.create(&self.access, NewContact::default(), None)).unwrap().value.id
    }

    /// Sends a broadcast to this many contacts. The provider accepts none of its messages yet.
    fn broadcast(&self, contacts: usize) -> BroadcastId {
        for _ in 0..contacts {
            self.contact();
        }
        let command = NewBroadcast {
            name: "News".to_owned(),
            audience: Audience::Condition(json!({"all": []}).into()),
            message: Content::text("Hi"),
            channel: None,
            scheduled_at: None,
            time_zone: BroadcastZone::Workspace,
            rate_per_minute: None,
        };
        let made = block_on(self.tidings.broadcasts.create(&self.access, command, None)).unwrap();
        let id = made.value.broadcast.id;
        block_on(self.tidings.broadcasts.send(&self.access, id, None, &ExpectedVersion::Any, None)).unwrap();
        self.run();
        id
    }

    /// Starts a flow for a contact. It waits for an hour and then sends a message.
    fn flow(&self, contact: ContactId) -> FlowId {
        let nodes = json!([
            {"id": "wait", "type": "delay", "for": "PT1H", "next": "hi"},
            {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
            {"id": "end", "type": "end"},
        ]);
        let new = NewFlow { name: "Later".into(), definition: json!({"start": "wait", "nodes": nodes}) };
        let flow = block_on(self.tidings.flows.create(&self.access, new, None)).unwrap().value.id;
        block_on(self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
        let start = StartFlow { flow, vars: Map::new(), mode: None };
        block_on(self.tidings.flows.start(&self.access, &ContactRef::Id(contact), start, None)).unwrap();
        self.run();
        flow
    }

    fn becomes(&self, flow: FlowId, status: FlowStatus) {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(self.tidings.flows.update(&self.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    }

    fn run(&self) -> DueWork {
        let work = block_on(self.tidings.run_due(self.clock.now())).unwrap();
        assert_eq!(work.failed, []);
        work
    }

    /// Moves the clock to the next due job, and runs the due jobs.
    fn goes_on(&self) -> DueWork {
        self.clock.set(block_on(self.tidings.next_due()).unwrap().expect("a job is due later"));
        self.run()
    }

    /// Asserts that no job is due later, and that none runs after a month.
    fn rests(&self) {
        assert_eq!(block_on(self.tidings.next_due()).unwrap(), None);
        self.clock.set(self.clock.now().plus(MONTH));
        assert_eq!(self.run().done, 0);
    }

    fn opens(&self) {
        self.provider.is_open.store(true, Ordering::Relaxed);
    }

    fn taken(&self) -> usize {
        self.provider.taken.load(Ordering::Relaxed)
    }

    fn stats(&self, broadcast: BroadcastId) -> (BroadcastStatus, BroadcastStats) {
        let found = block_on(self.tidings.broadcasts.get(&self.access, broadcast)).unwrap();
        (found.broadcast.status, found.stats)
    }
}

#[test]
fn messages_of_a_paused_broadcast_wait_until_it_is_resumed() {
    for is_idempotent in [true, false] {
        let bench = Bench::new(is_idempotent);
        let broadcast = bench.broadcast(3);
        block_on(bench.tidings.broadcasts.pause(&bench.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
        bench.opens();
        assert_eq!(bench.goes_on().done, 3, "each message is checked once");
        bench.rests();
        block_on(bench.tidings.broadcasts.resume(&bench.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
        bench.run();
        assert_eq!((bench.taken(), bench.stats(broadcast).0), (3, BroadcastStatus::Completed));
        bench.rests();
    }
}

#[test]
fn messages_of_a_paused_broadcast_are_suppressed_when_it_is_cancelled() {
    let bench = Bench::new(true);
    let broadcast = bench.broadcast(2);
    block_on(bench.tidings.broadcasts.pause(&bench.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
    bench.goes_on();
    bench.rests();
    block_on(bench.tidings.broadcasts.cancel(&bench.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
    bench.run();
    let (status, stats) = bench.stats(broadcast);
    assert_eq!((status, stats.suppressed, bench.taken()), (BroadcastStatus::Cancelled, 2, 0));
}

#[test]
fn the_next_portion_waits_for_outcomes_of_messages() {
    let bench = Bench::new(true);
    let broadcast = bench.broadcast(400);
    let asked = |it: &BroadcastStats| (it.targeted, it.outcomes());
    assert_eq!(asked(&bench.stats(broadcast).1), (400, 0));
    // Only the created messages are retried: no portion runs in between.
    assert_eq!([bench.goes_on().done, bench.goes_on().done], [300, 300]);
    bench.opens();
    bench.goes_on();
    let (status, stats) = bench.stats(broadcast);
    assert_eq!((status, stats.sent, bench.taken()), (BroadcastStatus::Completed, 400, 400));
    bench.rests();
}

#[test]
fn a_step_of_a_paused_flow_waits_until_the_flow_is_resumed() {
    let bench = Bench::new(true);
    let flow = bench.flow(bench.contact());
    bench.becomes(flow, FlowStatus::Paused);
    bench.opens();
    assert_eq!(bench.goes_on().done, 1, "the step is checked once");
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(7 * 86_400)));
    assert_eq!((bench.run().done, block_on(bench.tidings.next_due()).unwrap()), (0, None));
    bench.becomes(flow, FlowStatus::Active);
    bench.run();
    assert_eq!(bench.taken(), 1);
}

#[test]
fn a_merge_waits_for_a_message_that_a_paused_flow_holds() {
    let bench = Bench::new(true);
    let (gone, stays) = (bench.contact(), bench.contact());
    let flow = bench.flow(gone);
    bench.goes_on();
    bench.becomes(flow, FlowStatus::Paused);
    bench.goes_on();
    let (from, into) = (ContactRef::Id(gone), ContactRef::Id(stays));
    block_on(bench.tidings.merges.merge(&bench.access, &from, &into, None)).unwrap();
    bench.run();
    let merge = || block_on(bench.tidings.ports.merges.get(&bench.access, gone)).unwrap().unwrap();
    assert_eq!(merge().moved_at, None);
    bench.rests();
    bench.becomes(flow, FlowStatus::Active);
    bench.run();
    assert_eq!((merge().moved_at, bench.taken()), (Some(bench.clock.now()), 0));
    bench.rests();
}

#[test]
fn an_erasure_completes_with_the_merge_it_waits_for() {
    let bench = Bench::new(true);
    let (gone, stays) = (bench.contact(), bench.contact());
    let flow = bench.flow(gone);
    bench.goes_on();
    bench.becomes(flow, FlowStatus::Paused);
    bench.goes_on();
    let (from, into) = (ContactRef::Id(gone), ContactRef::Id(stays));
    block_on(bench.tidings.merges.merge(&bench.access, &from, &into, None)).unwrap();
    bench.run();
    let erase = || block_on(bench.tidings.erasures.erase(&bench.access, &into, None)).unwrap().value;
    assert_eq!(ErasureView::from(&erase()).status, ErasureStatus::Erasing);
    let work = bench.run();
    assert!(work.done < 20, "{}", work.done);
    assert_eq!(ErasureView::from(&erase()).status, ErasureStatus::Erased, "no message is left to wait for");
    bench.rests();
}
