//! What becomes of work that cannot be done, over the store in memory.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::{Map, json};

use super::{ConversationWaker, DeliveryExecutor, InboundRouter, MessageSender, Relay, Replayer, Sweeper, Worker};
use crate::access::{Access, AccessService, NewWorkspace, Plan};
use crate::contacts::{ContactRef, ContactService, NewContact};
use crate::error::Error;
use crate::flows::{EventTriggers, FlowService, InFlight, NewFlow, RunExecutor, RunStatus, StartFlow, Starter};
use crate::ids::RunId;
use crate::outcome::{Expected, Outcome};
use crate::ports::{
    ClaimRequest, ClaimedJob, Clock, EngineStore, JobKind, MockSealer, MockSecrets, OutboundStore, Pool,
    ReferenceQueries, StoreError, StoreHold,
};
use crate::references::{Deletion, Dependent, LostReference, Referent, Referrer};
use crate::sequences::{EnrollmentExecutor, ExitConditions, SequenceReviewer};
use crate::tags::{NewTagCommand, TagService};
use crate::testing::{CountingIds, FixedClock, FixedRandomness, MemoryStore};
use crate::webhooks::RetrySchedule;
use crate::webhooks::sender::MockWebhookSender;

mod flows;

/// A worker and the use cases that give it work, all over one store.
struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    worker: Worker,
    flows: FlowService,
    contacts: ContactService,
    tags: TagService,
    access: Access,
}

fn bench() -> Bench {
    let (store, clock, ids) =
        (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()), Arc::new(CountingIds::default()));
    let random = Arc::new(FixedRandomness(0.5));
    macro_rules! over_the_store {
        ($type:ident { $($port:ident),* } $($rest:tt)*) => {
            $type { $($port: store.clone(),)* ledger: store.clone(), clock: clock.clone() $($rest)* }
        };
    }
    let accesses = over_the_store!(AccessService { access }, ids: ids.clone(), secrets: Arc::new(MockSecrets::new()));
    let workspace = block_on(accesses.create_workspace(NewWorkspace { name: "Acme".into(), plan: Plan::Pro })).unwrap();
    let deliveries = DeliveryExecutor {
        engine: store.clone(),
        webhooks: store.clone(),
        sender: Arc::new(MockWebhookSender::new()),
        sealer: Arc::new(MockSealer::new()),
        schedule: RetrySchedule::default(),
        ledger: store.clone(),
        clock: clock.clone(),
        random: random.clone(),
        ids: ids.clone(),
    };
    let sender = MessageSender {
        conversations: store.clone(),
        contacts: store.clone(),
        channels: store.clone(),
        connectors: vec![],
        ledger: store.clone(),
        clock: clock.clone(),
        ids: ids.clone(),
    };
    let starter = Starter { flows: store.clone(), clock: clock.clone(), ids: ids.clone() };
    let runs = over_the_store!(
        RunExecutor { access, flows, contacts, tags, fields, channels, conversations },
        ids: ids.clone(),
        enrollments: None
    );
    let inbound = InboundRouter {
        conversations: store.clone(),
        contacts: store.clone(),
        flows: store.clone(),
        runs: runs.clone(),
        starter: starter.clone(),
        ledger: store.clone(),
    };
    let triggers = EventTriggers {
        flows: store.clone(),
        contacts: store.clone(),
        fields: store.clone(),
        tags: store.clone(),
        starter: starter.clone(),
    };
    let worker = Worker {
        relay: over_the_store!(Relay { engine, webhooks }, ids: ids.clone(), reactions: vec![Arc::new(triggers)]),
        inbound,
        waker: over_the_store!(ConversationWaker { conversations }),
        runs,
        enrollments: over_the_store!(
            EnrollmentExecutor { sequences, contacts, fields, channels, conversations, access },
            starter: starter.clone(),
            ids: ids.clone(),
            conditions: ExitConditions { fields: store.clone(), tags: store.clone(), conversations: store.clone() }
        ),
        sequences: over_the_store!(SequenceReviewer { sequences, contacts, access }, ids: ids.clone()),
        sender,
        deliveries,
        replayer: over_the_store!(Replayer { webhooks }, ids: ids.clone()),
        sweeper: over_the_store!(Sweeper { tags, fields, contacts }, ids: ids.clone()),
        outbound: store.clone(),
        ledger: store.clone(),
        clock: clock.clone(),
        random,
    };
    Bench {
        worker,
        flows: over_the_store!(FlowService { flows, tags, fields, channels, contacts, references }, ids: ids.clone(), enrollments: None),
        contacts: over_the_store!(ContactService { contacts, tags, fields, channels }, ids: ids.clone()),
        tags: over_the_store!(TagService { tags, references }, ids),
        access: Access::system(workspace.id),
        store,
        clock,
    }
}

impl Bench {
    /// Starts a flow that tags and says hello, for a new contact.
    fn started(&self) -> RunId {
        let vip = NewTagCommand { name: "vip".into(), color: None, description: None };
        block_on(self.tags.create(&self.access, vip, None)).unwrap();
        let definition = json!({"start": "hi", "nodes": [
            {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "tag"},
            {"id": "tag", "type": "add_tag", "tag": "vip", "next": "end"},
            {"id": "end", "type": "end"}]});
        let flow = NewFlow { name: "Welcome".into(), definition };
        let flow = block_on(self.flows.create(&self.access, flow, None)).unwrap().value;
        block_on(self.flows.publish(&self.access, flow.id, InFlight::Pin, &Expected::Any, None)).unwrap();
        let contact = block_on(self.contacts.create(&self.access, NewContact::default(), None)).unwrap().value;
        let start = StartFlow { flow: flow.id, vars: Map::new(), mode: None };
        block_on(self.flows.start(&self.access, &ContactRef::Id(contact.id), start, None)).unwrap().value.id
    }

    fn claim(&self, pool: Pool, kind: JobKind) -> ClaimedJob {
        let lease = Duration::from_secs(30);
        let request = ClaimRequest::new(pool, 100, lease, self.clock.now());
        let claimed = block_on(self.store.claim(request)).unwrap();
        claimed.into_iter().find(|job| job.kind == kind).expect("a job of this kind is due")
    }

    fn told(&self) -> Vec<&'static str> {
        self.store.events(self.access.workspace()).iter().map(|event| event.kind.as_str()).collect()
    }
}

#[test]
fn a_step_that_can_never_be_taken_ends_its_run() {
    let bench = bench();
    let run = bench.started();
    let job = ClaimedJob { attempts: 11, ..bench.claim(Pool::Work, JobKind::StepRun) };
    block_on(bench.worker.give_back(&job, &Error::Store(StoreError::Corrupt("a test".into())))).unwrap();
    let run = block_on(bench.flows.run(&bench.access, run)).unwrap();
    assert_eq!((run.status, run.error.map(|error| error.code)), (RunStatus::Failed, Some("internal".into())));
    assert!(run.ended_at.is_some(), "another start is possible");
    assert_eq!(bench.told().last(), Some(&"flow.failed"));
}

#[test]
fn a_message_that_can_never_be_sent_fails_after_twelve_attempts_and_not_before() {
    let bench = bench();
    bench.started();
    let step = bench.claim(Pool::Work, JobKind::StepRun);
    block_on(bench.worker.perform(&step)).unwrap();
    let job = bench.claim(Pool::Sends, JobKind::SendMessage);
    // No connector serves the channel.
    let error = block_on(bench.worker.perform(&job)).unwrap_err();
    block_on(bench.worker.give_back(&job, &error)).unwrap();
    assert!(!bench.told().contains(&"message.failed"));
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(60)));
    let job = ClaimedJob { attempts: 11, ..bench.claim(Pool::Sends, JobKind::SendMessage) };
    block_on(bench.worker.give_back(&job, &error)).unwrap();
    assert_eq!(bench.told().last(), Some(&"message.failed"));
}

#[test]
fn a_tag_that_was_made_anew_is_published_anew() {
    let bench = bench();
    let run = bench.started();
    let flow = block_on(bench.flows.run(&bench.access, run)).unwrap().flow;
    let publish = || block_on(bench.flows.publish(&bench.access, flow, InFlight::Pin, &Expected::Any, None)).unwrap();
    assert_eq!(publish().outcome, Outcome::Unchanged);
    let vip = block_on(bench.tags.list(&bench.access, Default::default())).unwrap().items[0].id;
    let delete = |deletion| block_on(bench.tags.delete(&bench.access, vip, deletion, &Expected::Any));
    let Err(Error::InUse(dependents)) = delete(Deletion::IfUnused) else { panic!("a flow names it") };
    assert_eq!(dependents, [Dependent::new(Referrer::Flow(flow), "Welcome".into())]);
    delete(Deletion::ByForce).unwrap();
    let lost = block_on(bench.store.lost(&bench.access, Referrer::Flow(flow))).unwrap();
    assert_eq!(lost, [LostReference { target: Referent::Tag(vip), name: "vip".into(), at: bench.clock.now() }]);
    let again = NewTagCommand { name: "vip".into(), color: None, description: None };
    block_on(bench.tags.create(&bench.access, again, None)).unwrap();
    let done = publish();
    assert_eq!((done.outcome, done.value.version_published), (Outcome::Changed, Some(2)));
    assert_eq!(block_on(bench.store.lost(&bench.access, Referrer::Flow(flow))).unwrap(), [], "it has all it names");
}

#[test]
fn what_was_claimed_before_everything_was_held_goes_back_as_it_was() {
    let bench = bench();
    bench.started();
    let step = bench.claim(Pool::Work, JobKind::StepRun);
    block_on(bench.worker.perform(&step)).unwrap();
    let job = bench.claim(Pool::Sends, JobKind::SendMessage);
    let hold = StoreHold { reason: "a test".into(), since: bench.clock.now() };
    block_on(bench.store.hold(hold)).unwrap();
    block_on(bench.worker.perform(&job)).unwrap();
    let claim = || {
        let request = ClaimRequest::new(Pool::Sends, 100, Duration::from_secs(30), bench.clock.now());
        block_on(bench.store.claim(request)).unwrap()
    };
    assert_eq!(claim(), [], "it waits");
    block_on(bench.store.lift()).unwrap();
    let again = claim();
    assert_eq!(again.iter().map(|it| (it.id, it.attempts)).collect::<Vec<_>>(), [(job.id, 0)]);
    assert!(!bench.told().contains(&"message.failed"));
}
