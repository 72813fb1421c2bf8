use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::channels::{
    ChannelKind, ChannelService, ChannelType, Config, Connectors, DisconnectedMode, FirstCheckPlanner, HealthState,
    Outbound, SANDBOX, SendOutcome, SetupFailure, WhileDisconnected,
};
use crate::contacts::{ContactService, NewContact};
use crate::conversations::{Content, MessageSender, MessageStatus, Recipient};
use crate::events::Event;
use crate::ids::MessageId;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::{ClaimRequest, EngineStore, JobKind, Pool};
use crate::testing::new_workspace;

const BOT: ChannelType = ChannelType { kind: ChannelKind::Sandbox, registers: true, ..SANDBOX };

/// A provider that answers each check with these problems.
#[derive(Default)]
struct Provider(Mutex<Vec<(&'static str, bool)>>);

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &BOT
    }

    async fn connect(&self, _: &Channel, _: &str) -> Result<Config, SetupFailure> {
        Ok(Config::new())
    }

    async fn health(&self, _: &Channel) -> Health {
        let problems = self.0.lock().unwrap().clone();
        problems.into_iter().fold(Health::default(), |health, (code, ends)| health.with_problem(code, "Text.", ends))
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::ChannelFailed { code: "invalid_token", after: None, message: "No.".into() }
    }
}

struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    ports: Arc<Ports>,
    provider: Arc<Provider>,
    access: Access,
    channel: Channel,
}

/// A workspace with a connected channel and its first check, due in 15 minutes.
fn bench() -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let provider = Arc::new(Provider::default());
    let connectors = Connectors::one(provider.clone());
    let ports = Arc::new(Ports { clock: clock.clone(), connectors, ..Ports::of(store.clone()) });
    let access = new_workspace(&ports);
    let channel = block_on(ports.channels.default_channel(&access)).unwrap().unwrap();
    let mut set = ChangeSet::new(access.workspace());
    set.jobs.extend(first_check(&ports, &channel, 0));
    block_on(ports.ledger.commit(set)).unwrap();
    Bench { store, clock, ports, provider, access, channel }
}

impl Bench {
    /// Runs the checks that are due in this many seconds. Returns their number.
    fn check_after(&self, seconds: u64) -> usize {
        self.clock.set(self.clock.at_rest().plus(Duration::from_secs(seconds)));
        let claimed = self.claim(JobKind::CheckChannel);
        for job in &claimed {
            let Job::CheckChannel { channel, round } = job.job else { panic!("{job:?}") };
            let checker = ChannelChecker { ports: self.ports.clone() };
            block_on(checker.check(&self.access, job, channel, round)).unwrap();
        }
        claimed.len()
    }

    fn claim(&self, kind: JobKind) -> Vec<ClaimedJob> {
        let request = ClaimRequest::new(Pool::Sends, 20, Duration::from_secs(30), self.clock.at_rest());
        let claimed = block_on(self.store.claim(request)).unwrap();
        assert!(claimed.iter().all(|job| job.job.kind() == kind), "{claimed:?}");
        claimed
    }

    /// Queues a message to a new contact.
    fn queue(&self) -> MessageId {
        let contacts = ContactService { ports: self.ports.clone() };
        let contact = block_on(contacts.create(&self.access, NewContact::default(), None)).unwrap().value;
        let mut set = ChangeSet::new(self.access.workspace());
        let to = Recipient { contact: &contact, channel: &self.now(), conversation: None };
        let sent = to.add_message(&mut set, Content::text("Hi"), &self.access, &*self.clock, &*self.ports.ids);
        block_on(self.ports.ledger.commit(set)).unwrap();
        sent.message.id
    }

    /// Sends the due messages. Returns their number.
    fn send_due(&self) -> usize {
        let claimed = self.claim(JobKind::SendMessage);
        for job in &claimed {
            let Job::SendMessage { message, depth, .. } = job.job else { panic!("{job:?}") };
            let sender = MessageSender { ports: self.ports.clone() };
            block_on(sender.send(&self.access, job, message, depth)).unwrap();
        }
        claimed.len()
    }

    /// Lets the messages wait, and disconnects the channel.
    fn lose_the_token(&self) {
        let mut channel = self.now();
        channel.while_disconnected = WhileDisconnected::new(DisconnectedMode::Wait, Some("PT2H".to_owned()));
        channel.touch(self.clock.at_rest());
        let mut set = ChangeSet::new(self.access.workspace());
        set.change(Change::Update(Row::Channel(channel)));
        block_on(self.ports.ledger.commit(set)).unwrap();
        self.report(&[("invalid_token", true)]);
        assert_eq!((self.check_after(900), self.check_after(30)), (1, 1));
        assert_eq!(self.now().waits_until, Some(self.clock.at_rest().plus(Duration::from_secs(7_200))));
    }

    fn status(&self, message: MessageId) -> (MessageStatus, Option<String>) {
        let message = block_on(self.ports.conversations.message(&self.access, message)).unwrap().unwrap();
        (message.status, message.error.map(|error| error.code))
    }

    fn switch(&self, to: ChannelStatus) {
        let public_url = "https://tidings.example".to_owned();
        let channels = ChannelService { ports: self.ports.clone(), public_url, templates: Default::default() };
        let (channel, any) = (self.channel.id, ExpectedVersion::Any);
        let done = match to {
            ChannelStatus::Connected => block_on(channels.connect(&self.access, channel, &any, None)),
            ChannelStatus::Connecting | ChannelStatus::Disconnected => {
                block_on(channels.disconnect(&self.access, channel, &any, None))
            }
        };
        assert_eq!(done.unwrap().value.channel.status, to);
    }

    fn report(&self, problems: &[(&'static str, bool)]) {
        *self.provider.0.lock().unwrap() = problems.to_vec();
    }

    fn health(&self) -> ChannelHealth {
        block_on(self.ports.channels.health(&self.access, self.channel.id)).unwrap()
    }

    fn now(&self) -> Channel {
        block_on(self.ports.channels.get(&self.access, self.channel.id)).unwrap().unwrap()
    }

    fn reasons(&self) -> Vec<String> {
        let events = self.store.events(self.access.workspace());
        let of_channel = events.iter().filter(|event| event.kind == EventKind::ChannelDisconnected);
        let reason = |event: &Event| {
            let envelope: serde_json::Value = serde_json::from_str(&event.full).unwrap();
            envelope["data"]["reason"].as_str().unwrap().to_owned()
        };
        of_channel.map(reason).collect()
    }
}

#[test]
fn checks_a_connected_channel_every_fifteen_minutes() {
    let bench = bench();
    assert_eq!((bench.check_after(899), bench.health().state()), (0, HealthState::Unknown));
    assert_eq!((bench.check_after(1), bench.health().state()), (1, HealthState::Ok));
    bench.report(&[("webhook_taken", false)]);
    assert_eq!((bench.check_after(900), bench.health().state()), (1, HealthState::Failing));
    assert_eq!(bench.health().problems[0].code, "webhook_taken");
    assert_eq!((bench.check_after(900), bench.now().status), (1, ChannelStatus::Connected));
    bench.report(&[]);
    assert_eq!((bench.check_after(900), bench.health().state()), (1, HealthState::Ok));
    assert_eq!(bench.now().version, bench.channel.version, "the health is not part of the channel");
}

#[test]
fn a_problem_that_ends_the_sending_disconnects_when_it_is_seen_again() {
    let bench = bench();
    bench.report(&[("invalid_token", true)]);
    bench.check_after(900);
    assert_eq!((bench.now().status, bench.reasons()), (ChannelStatus::Connected, vec![]));
    assert_eq!(bench.check_after(30), 1);
    let now = bench.now();
    assert_eq!((now.status, now.last_error.as_deref()), (ChannelStatus::Disconnected, Some("Text.")));
    assert_eq!(bench.reasons(), ["invalid_token"]);
    assert_eq!((bench.check_after(10_000), bench.reasons().len()), (0, 1), "a disconnected channel is not checked");
}

#[test]
fn plans_one_check_of_a_channel_that_was_never_checked() {
    let bench = bench();
    let planner = FirstCheckPlanner { ports: bench.ports.clone() };
    for _ in 0..2 {
        assert_eq!(block_on(planner.plan(None, 100)), Ok(None));
        assert_eq!((bench.health().round, bench.health().state()), (1, HealthState::Unknown));
    }
    // The other job is the first check that was queued with the channel.
    assert_eq!((bench.check_after(900), bench.health().round), (2, 2));
    assert_eq!(bench.health().state(), HealthState::Ok);
    assert_eq!(block_on(planner.plan(None, 100)), Ok(None));
    assert_eq!((bench.check_after(900), bench.health().round), (1, 3), "each round has one job");
}

#[test]
fn plans_checks_in_portions_and_only_of_connected_channels() {
    let bench = bench();
    let planner = FirstCheckPlanner { ports: bench.ports.clone() };
    let place = (bench.access.workspace(), bench.channel.id);
    assert_eq!(block_on(planner.plan(Some(place), 1)), Ok(None));
    assert_eq!(bench.health().round, 0, "the channel is not after itself");
    assert_eq!(block_on(planner.plan(None, 1)), Ok(Some(place)));
    assert_eq!(bench.health().round, 1);

    let (off, bench) = (ChannelStatus::Disconnected, self::bench());
    bench.switch(off);
    let (planner, before) = (FirstCheckPlanner { ports: bench.ports.clone() }, bench.health());
    assert_eq!(block_on(planner.plan(None, 100)), Ok(None));
    assert_eq!(bench.health(), before);
}

#[test]
fn a_job_of_an_earlier_round_does_nothing() {
    let bench = bench();
    let mut set = ChangeSet::new(bench.access.workspace());
    let health = Box::new(ChannelHealth::default().connected(bench.clock.at_rest()));
    set.change(Change::Channel(ChannelChange::UpdateHealth { channel: bench.channel.id, health }));
    block_on(bench.ports.ledger.commit(set)).unwrap();
    let before = bench.health();
    assert_eq!((bench.check_after(900), bench.health()), (1, before));
    assert_eq!(bench.check_after(900), 0);
}

#[test]
fn the_third_refused_send_asks_the_provider_at_once() {
    let bench = bench();
    for _ in 0..4 {
        bench.queue();
    }
    bench.report(&[("invalid_token", true)]);
    assert_eq!(bench.send_due(), 4);
    let health = bench.health();
    assert_eq!((health.refusals, health.state()), (3, HealthState::Failing));
    assert_eq!(bench.now().status, ChannelStatus::Connected);
    assert_eq!(bench.check_after(0), 1);
    assert_eq!((bench.now().status, bench.reasons()), (ChannelStatus::Disconnected, vec!["invalid_token".to_owned()]));
}

#[test]
fn messages_wait_until_the_channel_is_connected_again() {
    let bench = bench();
    bench.lose_the_token();
    let message = bench.queue();
    assert_eq!((bench.send_due(), bench.status(message)), (1, (MessageStatus::Queued, None)));
    assert_eq!((bench.send_due(), bench.reasons().len()), (0, 1), "the message is held");
    bench.switch(ChannelStatus::Connected);
    assert_eq!((bench.now().waits_until, bench.now().last_error), (None, None));
    assert_eq!(bench.health().state(), HealthState::Ok);
    assert_eq!(bench.send_due(), 1);
    assert_eq!(bench.status(message).0, MessageStatus::Sending, "the provider was asked");
}

#[test]
fn a_channel_connected_by_the_previous_release_sends_its_messages_after_the_wait() {
    let bench = bench();
    bench.lose_the_token();
    let message = bench.queue();
    assert_eq!((bench.send_due(), bench.send_due()), (1, 0), "the message is held");
    bench.report(&[]);
    let mut channel = bench.now();
    channel.status = ChannelStatus::Connected;
    channel.touch(bench.clock.at_rest());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Update(Row::Channel(channel)));
    block_on(bench.ports.ledger.commit(set)).unwrap();
    assert_eq!(bench.check_after(7_200), 1);
    assert_eq!((bench.now().status, bench.now().waits_until), (ChannelStatus::Connected, None));
    assert_eq!((bench.send_due(), bench.status(message).0), (1, MessageStatus::Sending));
}

#[test]
fn messages_are_suppressed_after_the_longest_wait() {
    let bench = bench();
    bench.lose_the_token();
    let message = bench.queue();
    assert_eq!(bench.send_due(), 1);
    assert_eq!((bench.check_after(7_199), bench.check_after(1)), (0, 1));
    let now = bench.now();
    assert_eq!((now.status, now.waits_until), (ChannelStatus::Disconnected, None));
    assert_eq!(bench.send_due(), 1);
    let suppressed = (MessageStatus::Suppressed, Some("channel_disconnected".to_owned()));
    assert_eq!(bench.status(message), suppressed);
    assert_eq!(bench.status(bench.queue()), suppressed);
}

#[test]
fn a_member_who_switches_the_channel_off_ends_the_wait() {
    let bench = bench();
    bench.lose_the_token();
    let message = bench.queue();
    assert_eq!(bench.send_due(), 1);
    bench.switch(ChannelStatus::Disconnected);
    assert_eq!(bench.send_due(), 1);
    assert_eq!(bench.status(message).0, MessageStatus::Suppressed);
    assert_eq!(bench.reasons(), ["invalid_token"], "the channel was disconnected once");
    assert_eq!(bench.check_after(7_200), 1);
}

#[test]
fn messages_of_other_channels_are_suppressed_at_once() {
    let bench = bench();
    bench.report(&[("invalid_token", true)]);
    assert_eq!((bench.check_after(900), bench.check_after(30)), (1, 1));
    assert_eq!(bench.now().waits_until, None);
    assert_eq!(bench.status(bench.queue()).0, MessageStatus::Suppressed);
}
