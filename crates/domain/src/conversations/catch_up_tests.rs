use std::sync::Mutex;

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::conversations::{Content, InboundMessage};
use crate::memory::{FixedClock, MemoryStore};
use crate::pagination::PageRequest;
use crate::testing::{an_inbound_message, with_workspace};

/// A provider with a list of received messages; without one, it does not answer.
#[derive(Default)]
struct Provider {
    listed: Mutex<Option<Vec<InboundMessage>>>,
    /// The times since which it was asked.
    asked: Mutex<Vec<Timestamp>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn catches_up(&self) -> bool {
        true
    }

    async fn received_since(&self, _: &Channel, since: Timestamp) -> Option<Vec<InboundMessage>> {
        self.asked.lock().unwrap().push(since);
        self.listed.lock().unwrap().clone()
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct Bench {
    tidings: Tidings,
    clock: Arc<FixedClock>,
    provider: Arc<Provider>,
    access: Access,
    channel: Channel,
}

/// A workspace with a connected channel that was created now.
fn bench() -> Bench {
    let (store, clock, provider) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()), Arc::default());
    let connectors = Connectors::one(Arc::<Provider>::clone(&provider));
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store) });
    let channel = block_on(tidings.ports.channels.default_channel(&access)).unwrap().unwrap();
    Bench { tidings, clock, provider, access, channel }
}

fn a_message(id: &str, text: &str) -> InboundMessage {
    an_inbound_message(id, "crm-7", Content::text(text))
}

impl Bench {
    fn list(&self, messages: &[InboundMessage]) {
        *self.provider.listed.lock().unwrap() = Some(messages.to_vec());
    }

    fn catch_up(&self, round: i64) {
        let words = OptOutWords::default();
        let executor = CatchUp { ports: Arc::clone(&self.tidings.ports), words };
        block_on(executor.catch_up(&self.access, self.channel.id, round)).unwrap();
    }

    fn pass(&self, seconds: u64) {
        self.clock.set(self.clock.at_rest().plus(Duration::from_secs(seconds)));
    }

    /// Returns the texts of the stored messages, oldest first.
    fn texts(&self) -> Vec<String> {
        let ports = &self.tidings.ports;
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let contact = crate::contacts::ContactRef::ExternalId("crm-7".parse().unwrap());
        let Some(contact) = block_on(ports.contacts.find(&self.access, &contact)).unwrap() else { return Vec::new() };
        let talk = block_on(ports.conversations.between(&self.access, contact.id, self.channel.id)).unwrap().unwrap();
        let messages = block_on(ports.conversations.messages(&self.access, talk.id, page)).unwrap().items;
        messages.into_iter().rev().filter_map(|it| it.content.text).collect()
    }

    fn asked(&self) -> Vec<Timestamp> {
        std::mem::take(&mut *self.provider.asked.lock().unwrap())
    }
}

#[test]
fn stores_each_missed_message_once() {
    let bench = bench();
    let [one, two, three] = [("m1", "One"), ("m2", "Two"), ("m3", "Three")].map(|(id, text)| a_message(id, text));
    block_on(bench.tidings.inbound.receive(&bench.access, &bench.channel, one.clone())).unwrap();
    bench.pass(1);
    bench.list(&[one.clone(), two.clone()]);
    bench.catch_up(0);
    bench.pass(1);
    bench.list(&[one, two.clone(), three]);
    bench.catch_up(0);
    // The provider delivers a message late.
    block_on(bench.tidings.inbound.receive(&bench.access, &bench.channel, two)).unwrap();
    assert_eq!(bench.texts(), ["One", "Two", "Three"]);
}

#[test]
fn reads_messages_since_the_last_time() {
    let bench = bench();
    let created = bench.channel.created_at;
    bench.pass(900);
    bench.catch_up(0);
    assert_eq!(bench.asked(), [created], "the provider does not answer");
    bench.list(&[]);
    bench.pass(900);
    bench.catch_up(0);
    bench.pass(900);
    bench.catch_up(0);
    let minutes = |minutes: u64| created.plus(Duration::from_secs(60 * minutes));
    assert_eq!(bench.asked(), [created, minutes(30 - 5)], "some minutes are read again");
    bench.pass(60 * 60 * 48);
    bench.catch_up(0);
    assert_eq!(bench.asked(), [bench.clock.at_rest().minus(LONGEST)], "at most a day is read");
}

#[test]
fn asks_only_for_connected_channels_and_in_the_current_round() {
    let bench = bench();
    bench.catch_up(1);
    assert_eq!(bench.asked(), []);
    let mut channel = bench.channel.clone();
    channel.status = ChannelStatus::Disconnected;
    channel.touch(bench.clock.at_rest());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Update(crate::ports::Row::Channel(channel)));
    block_on(bench.tidings.ports.ledger.commit(set)).unwrap();
    bench.catch_up(0);
    assert_eq!(bench.asked(), []);
}
