//! Tests over the memory store: queued messages of a paused flow wait, and are sent once.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use futures::future::BoxFuture;
use serde_json::{Map, json};

use super::DueWork;
use crate::Tidings;
use crate::access::{Access, Actor};
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{Content, Message, MessageStatus, SendMessage};
use crate::flows::{FlowPatch, FlowStatus, InFlight, NewFlow, StartFlow, StatisticsRequest};
use crate::ids::{ContactId, FlowId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::{ChannelQueries, ClaimRequest, ClaimedJob, Clock, ConversationQueries, EngineStore, Pool, Ports};
use crate::references::Deletion;
use crate::testing::with_workspace;

/// Accepts each message, and can run a future during the call.
struct Provider {
    is_idempotent: bool,
    taken: Mutex<Vec<String>>,
    meanwhile: Mutex<Option<BoxFuture<'static, ()>>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        self.is_idempotent
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some(meanwhile) = meanwhile {
            meanwhile.await;
        }
        self.taken.lock().unwrap().push(message.content.text.unwrap_or_default());
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    provider: Arc<Provider>,
    tidings: Tidings,
    access: Access,
    flow: FlowId,
    contact: ContactId,
}

/// Returns a bench with a flow that said hello twice to a contact. Its messages are queued.
fn bench(is_idempotent: bool) -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let provider = Provider { is_idempotent, taken: Mutex::default(), meanwhile: Mutex::default() };
    let provider = Arc::new(provider);
    let connectors = Connectors::one(provider.clone());
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store.clone()) });
    let say = |id: &str, text: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next});
    let nodes = json!([say("hi", "Hi", "again"), say("again", "Again", "end"), {"id": "end", "type": "end"}]);
    let new = NewFlow { name: "Twice".into(), definition: json!({"start": "hi", "nodes": nodes}) };
    let flow = block_on(tidings.flows.create(&access, new, None)).unwrap().value.id;
    block_on(tidings.flows.publish(&access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
    let start = StartFlow { flow, vars: Map::new(), mode: None };
    block_on(tidings.flows.start(&access, &ContactRef::Id(contact), start, None)).unwrap();
    Bench { store, clock, provider, tidings, access, flow, contact }
}

impl Bench {
    fn becomes(&self, status: FlowStatus) {
        block_on(self.turns(status));
    }

    async fn turns(&self, status: FlowStatus) {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        self.tidings.flows.update(&self.access, self.flow, patch, &ExpectedVersion::Any).await.unwrap();
    }

    fn run_due(&self) -> DueWork {
        block_on(self.tidings.run_due(self.clock.now())).unwrap()
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.provider.taken.lock().unwrap())
    }

    fn claimed(&self) -> ClaimedJob {
        let request = ClaimRequest::new(Pool::Sends, 10, Duration::from_secs(30), self.clock.now());
        let mut claimed = block_on(self.store.claim(request)).unwrap();
        assert_eq!(claimed.len(), 1);
        claimed.remove(0)
    }

    fn perform(&self, job: &ClaimedJob) {
        block_on(self.tidings.worker.perform(job)).unwrap();
    }

    fn messages(&self) -> Vec<Message> {
        let channel = block_on(self.store.default_channel(&self.access)).unwrap().unwrap();
        let conversation = block_on(self.store.between(&self.access, self.contact, channel.id)).unwrap().unwrap();
        let mut list = block_on(self.store.messages(&self.access, conversation.id, Default::default())).unwrap().items;
        list.reverse();
        list
    }
}

#[test]
fn a_paused_flow_holds_its_messages_and_not_those_of_others() {
    for is_idempotent in [true, false] {
        let bench = bench(is_idempotent);
        bench.becomes(FlowStatus::Paused);
        bench.run_due();
        assert_eq!(bench.taken().len(), 0, "a paused flow sends nothing");
        assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None, "no job is due while the flow is paused");
        let other = bench.access.acting_as(Actor::system());
        let content = SendMessage::new(Content::text("A person"));
        block_on(bench.tidings.conversations.send(&other, &ContactRef::Id(bench.contact), content, None)).unwrap();
        bench.run_due();
        assert_eq!(bench.taken(), ["A person"]);
        assert!(bench.messages()[..2].iter().all(|it| it.status == MessageStatus::Queued), "the messages stay queued");

        for _ in 0..2 {
            bench.becomes(FlowStatus::Active);
        }
        bench.run_due();
        assert_eq!(bench.taken(), ["Hi", "Again"], "the messages are sent at once and in order");
        bench.becomes(FlowStatus::Paused);
        bench.becomes(FlowStatus::Active);
        assert_eq!(bench.run_due().done, 0, "each message is sent once");
    }
}

#[test]
fn a_claimed_message_of_a_paused_flow_waits() {
    for is_idempotent in [true, false] {
        let bench = bench(is_idempotent);
        let job = bench.claimed();
        bench.becomes(FlowStatus::Paused);
        // The worker with the claim dies. The next worker finds the flow paused, and the old claim has no effect.
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(31)));
        bench.run_due();
        bench.perform(&job);
        assert_eq!(bench.taken().len(), 0);

        bench.becomes(FlowStatus::Active);
        let job = bench.claimed();
        bench.becomes(FlowStatus::Paused);
        bench.becomes(FlowStatus::Active);
        bench.perform(&job);
        bench.run_due();
        assert_eq!(bench.taken(), ["Hi", "Again"]);
        assert_eq!(bench.run_due(), DueWork::default());
    }
}

#[test]
fn a_send_in_progress_completes_during_a_pause() {
    for is_idempotent in [true, false] {
        let bench = Arc::new(bench(is_idempotent));
        let pausing = bench.clone();
        let pause = async move { pausing.turns(FlowStatus::Paused).await };
        *bench.provider.meanwhile.lock().unwrap() = Some(Box::pin(pause));
        bench.run_due();
        assert_eq!(bench.taken(), ["Hi"]);
        let statuses: Vec<_> = bench.messages().iter().map(|it| it.status).collect();
        assert_eq!(statuses, [MessageStatus::Sent, MessageStatus::Queued]);
        bench.becomes(FlowStatus::Active);
        bench.run_due();
        assert_eq!(bench.taken(), ["Again"]);
    }
}

#[test]
fn suppresses_queued_messages_of_an_archived_or_deleted_flow() {
    for (is_idempotent, is_deleted) in [(true, false), (false, false), (true, true), (false, true)] {
        let bench = bench(is_idempotent);
        bench.becomes(FlowStatus::Paused);
        bench.run_due();
        if is_deleted {
            let (flows, how) = (&bench.tidings.flows, Deletion::IfUnused);
            block_on(flows.delete(&bench.access, bench.flow, how, &ExpectedVersion::Any)).unwrap();
        } else {
            bench.becomes(FlowStatus::Archived);
        }
        bench.run_due();
        let found = bench.messages();
        assert_eq!((bench.taken().len(), found.len()), (0, 2));
        for message in found {
            let why = message.error.map(|it| it.code);
            assert_eq!((message.status, why.as_deref()), (MessageStatus::Suppressed, Some("flow_archived")));
        }
    }
}

#[test]
fn counts_each_step_once_at_its_nodes() {
    let bench = bench(true);
    bench.run_due();
    let request = StatisticsRequest::default();
    let told = block_on(bench.tidings.flows.statistics(&bench.access, bench.flow, request)).unwrap();
    let nodes: Vec<_> =
        told.nodes.iter().map(|it| (it.id.as_str(), it.entered, it.left.get("next").copied())).collect();
    assert_eq!(nodes, [("again", 1, Some(1)), ("end", 1, None), ("hi", 1, Some(1))]);
    assert_eq!(told.as_of, bench.clock.now());
}
