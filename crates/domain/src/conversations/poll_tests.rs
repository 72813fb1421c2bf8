use std::collections::VecDeque;
use std::sync::Mutex;

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::channels::{
    ChannelKind, ChannelType, Connectors, HealthProblem, HealthState, Outbound, Polled, SANDBOX, SendOutcome,
};
use crate::contacts::ContactRef;
use crate::conversations::Content;
use crate::memory::{FixedClock, MemoryStore};
use crate::pagination::PageRequest;
use crate::ports::{ClaimRequest, EngineStore, Job, OutboundStore, Pool, Row, StoreHold};
use crate::testing::{an_inbound_message, with_workspace};

const BOT: ChannelType = ChannelType { kind: ChannelKind::Sandbox, registers: true, ..SANDBOX };
/// The body of a request that is not understood.
const BROKEN: &str = "broken";

/// A provider with the results of the next polls; without one, it has no requests. The body of a request is the text of
/// a message.
#[derive(Default)]
struct Provider {
    results: Mutex<VecDeque<Result<Polled, PollFailure>>>,
    /// The numbers after which requests were fetched.
    asked: Mutex<Vec<Option<i64>>>,
    /// The requested waits.
    waits: Mutex<Vec<Duration>>,
    acknowledged: Mutex<Vec<String>>,
    is_called: Mutex<bool>,
}

fn text_of(request: &InboundRequest) -> String {
    String::from_utf8(request.body.clone()).unwrap()
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &BOT
    }

    fn polls(&self, _: &Channel) -> bool {
        !*self.is_called.lock().unwrap()
    }

    async fn poll(&self, _: &Channel, after: Option<i64>, wait: Duration) -> Result<Polled, PollFailure> {
        self.asked.lock().unwrap().push(after);
        self.waits.lock().unwrap().push(wait);
        self.results.lock().unwrap().pop_front().unwrap_or_else(|| Ok(Polled::default()))
    }

    fn parse(&self, _: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        let text = text_of(request);
        if text == BROKEN {
            return Err(Refusal::Malformed { detail: "it is broken".to_owned() });
        }
        let message = an_inbound_message(format!("m-{text}"), "crm-7", Content::text(&text));
        Ok(vec![InboundEvent::Message(Box::new(message))])
    }

    fn acknowledges(&self, request: &InboundRequest) -> bool {
        text_of(request).starts_with("Press")
    }

    async fn acknowledge(&self, _: &Channel, request: &InboundRequest) {
        self.acknowledged.lock().unwrap().push(text_of(request));
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct Bench {
    store: Arc<MemoryStore>,
    tidings: Tidings,
    clock: Arc<FixedClock>,
    provider: Arc<Provider>,
    access: Access,
    channel: Channel,
}

/// A workspace with a connected channel and its first poll, which is due.
fn bench() -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let provider = Arc::new(Provider::default());
    let connectors = Connectors::one(provider.clone());
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store.clone()) });
    let channel = block_on(tidings.ports.channels.default_channel(&access)).unwrap().unwrap();
    let bench = Bench { store, tidings, clock, provider, access, channel };
    bench.queue(0);
    bench
}

impl Bench {
    fn queue(&self, round: i64) {
        let mut set = ChangeSet::new(self.access.workspace());
        set.jobs.push(poll_job(&self.tidings.ports, self.channel.id, round, Duration::ZERO));
        block_on(self.tidings.ports.ledger.commit(set)).unwrap();
    }

    fn answer(&self, requests: &[(i64, &str)], has_more: bool) {
        let request = |(number, text): &(i64, &str)| {
            let request = InboundRequest { body: text.as_bytes().to_vec(), ..InboundRequest::default() };
            PolledRequest { number: *number, request }
        };
        let polled = Polled { requests: requests.iter().map(request).collect(), has_more };
        self.provider.results.lock().unwrap().push_back(Ok(polled));
    }

    fn fail(&self, code: &'static str, ends_sending: bool, after: Option<u64>) {
        let problem = HealthProblem { code, message: "Text.".to_owned(), ends_sending };
        let failure = PollFailure { problem, after: after.map(Duration::from_secs) };
        self.provider.results.lock().unwrap().push_back(Err(failure));
    }

    /// Returns the polls that are due in this many seconds.
    fn claim_after(&self, seconds: u64) -> Vec<ClaimedJob> {
        self.claim_of(Pool::Polls, seconds)
    }

    fn claim_of(&self, pool: Pool, seconds: u64) -> Vec<ClaimedJob> {
        self.clock.set(self.clock.at_rest().plus(Duration::from_secs(seconds)));
        let request = ClaimRequest::new(pool, 20, Duration::from_secs(30), self.clock.at_rest());
        block_on(self.store.claim(request)).unwrap()
    }

    fn run(&self, job: &ClaimedJob) {
        let Job::PollChannel { channel, round } = job.job else { panic!("{job:?}") };
        let words = OptOutWords::default();
        let poller = ChannelPoller { ports: Arc::clone(&self.tidings.ports), words };
        block_on(poller.poll(&self.access, job, channel, round)).unwrap();
    }

    /// Runs the polls that are due in this many seconds. Returns their number.
    fn poll_after(&self, seconds: u64) -> usize {
        let claimed = self.claim_after(seconds);
        claimed.iter().for_each(|job| self.run(job));
        claimed.len()
    }

    fn asked(&self) -> Vec<Option<i64>> {
        std::mem::take(&mut *self.provider.asked.lock().unwrap())
    }

    fn waits(&self) -> Vec<u64> {
        std::mem::take(&mut *self.provider.waits.lock().unwrap()).iter().map(Duration::as_secs).collect()
    }

    fn pause(&self, is_restored: bool) {
        let hold = StoreHold { reason: "a test".to_owned(), since: self.clock.at_rest(), is_restored };
        block_on(self.store.hold(hold)).unwrap();
    }

    fn health(&self) -> ChannelHealth {
        block_on(self.tidings.ports.channels.health(&self.access, self.channel.id)).unwrap()
    }

    fn codes(&self) -> Vec<String> {
        self.health().problems.into_iter().map(|it| it.code).collect()
    }

    /// Returns the texts of the stored messages, oldest first.
    fn texts(&self) -> Vec<String> {
        let ports = &self.tidings.ports;
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let contact = ContactRef::ExternalId("crm-7".parse().unwrap());
        let Some(contact) = block_on(ports.contacts.find(&self.access, &contact)).unwrap() else { return Vec::new() };
        let talk = block_on(ports.conversations.between(&self.access, contact.id, self.channel.id)).unwrap().unwrap();
        let messages = block_on(ports.conversations.messages(&self.access, talk.id, page)).unwrap().items;
        messages.into_iter().rev().filter_map(|it| it.content.text).collect()
    }
}

#[test]
fn stores_each_request_and_continues_after_it() {
    let bench = bench();
    bench.answer(&[(5, "One"), (6, "Press")], false);
    assert_eq!(bench.poll_after(0), 1);
    assert_eq!(bench.texts(), ["One", "Press"]);
    assert_eq!(*bench.provider.acknowledged.lock().unwrap(), ["Press"]);
    assert_eq!(bench.health().last_inbound_at, Some(bench.clock.at_rest()));
    assert_eq!((bench.poll_after(0), bench.poll_after(1)), (0, 1), "after requests, the pause is short");
    assert_eq!(bench.asked(), [None, Some(6)]);
    let version = bench.health().version;
    assert_eq!((bench.poll_after(60), bench.poll_after(2), bench.poll_after(1)), (1, 0, 1), "later, it is longer");
    assert_eq!(bench.health().version, version, "a poll without requests changes only its job");
    // Telegram may number updates from another start.
    assert_eq!(bench.poll_after(86_400), 1);
    assert_eq!(bench.asked(), [Some(6), Some(6), None]);
}

#[test]
fn a_full_answer_is_followed_at_once() {
    let bench = bench();
    bench.answer(&[(1, "One")], true);
    bench.answer(&[(2, "Two")], false);
    assert_eq!((bench.poll_after(0), bench.poll_after(0), bench.poll_after(0)), (1, 1, 0));
    assert_eq!((bench.texts(), bench.asked()), (vec!["One".to_owned(), "Two".to_owned()], vec![None, Some(1)]));
}

/// A tenant's own server can claim so always.
#[test]
fn polls_pause_although_each_answer_is_full() {
    let bench = bench();
    for number in 1..=30 {
        bench.answer(&[(number, "One")], true);
    }
    let polls = std::iter::repeat_with(|| bench.poll_after(0)).take_while(|polls| *polls > 0).sum::<usize>();
    assert_eq!((polls, bench.poll_after(1)), (25, 1));
}

/// A worker freezes before its commit. Another one claims the job, and fetches the same requests.
#[test]
fn a_repeated_poll_stores_each_request_once() {
    let bench = bench();
    let frozen = bench.claim_after(0);
    let next = bench.claim_after(31);
    assert_eq!((frozen.len(), next.len()), (1, 1));
    for _ in 0..2 {
        bench.answer(&[(1, "One"), (2, "Two")], false);
    }
    bench.run(&frozen[0]);
    assert_eq!(bench.health().polling.last, None, "the place is committed with the job");
    bench.run(&next[0]);
    assert_eq!((bench.texts(), bench.asked()), (vec!["One".to_owned(), "Two".to_owned()], vec![None, None]));
    assert_eq!(bench.health().polling.last, Some(2));
    assert_eq!(bench.poll_after(1), 1, "one job polls");
}

#[test]
fn a_request_that_is_not_understood_stops_no_other() {
    let bench = bench();
    bench.answer(&[(1, BROKEN), (2, "Two")], false);
    assert_eq!((bench.poll_after(0), bench.texts()), (1, vec!["Two".to_owned()]));
    let page = PageRequest { limit: 10, ..PageRequest::default() };
    let kept = block_on(bench.tidings.ports.channels.unparsed(&bench.access, bench.channel.id, page)).unwrap().items;
    assert_eq!(
        kept.iter().map(|it| (it.body.as_str(), it.reason.as_str())).collect::<Vec<_>>(),
        [(BROKEN, "it is broken")]
    );
    assert_eq!(bench.health().polling.last, Some(2));
}

#[test]
fn waits_longer_after_each_failure_and_recovers() {
    let bench = bench();
    for _ in 0..2 {
        bench.fail("webhook_taken", false, None);
    }
    bench.fail("provider_unavailable", false, Some(50));
    assert_eq!((bench.poll_after(0), bench.codes().len()), (1, 0), "one failure passes");
    assert_eq!((bench.poll_after(2), bench.poll_after(1)), (0, 1));
    assert_eq!((bench.codes(), bench.health().state()), (vec!["webhook_taken".to_owned()], HealthState::Failing));
    assert_eq!((bench.poll_after(5), bench.poll_after(1)), (0, 1));
    assert_eq!(bench.codes(), ["provider_unavailable"]);
    bench.answer(&[(1, "One")], false);
    assert_eq!((bench.poll_after(49), bench.poll_after(1)), (0, 1), "the provider asked to wait");
    assert_eq!((bench.codes().len(), bench.health().failing_since, bench.texts()), (0, None, vec!["One".to_owned()]));
}

#[test]
fn a_rejected_credential_checks_the_channel_at_once() {
    let bench = bench();
    for _ in 0..3 {
        bench.fail("invalid_token", true, None);
    }
    assert_eq!((bench.poll_after(0), bench.poll_after(3), bench.poll_after(6)), (1, 1, 1));
    let due = bench.claim_of(Pool::Sends, 0);
    let checked: Vec<Job> = due.iter().map(|it| it.job).collect();
    assert_eq!(checked, [Job::CheckChannel { channel: bench.channel.id, round: bench.health().round }]);
}

#[test]
fn polls_only_connected_channels_in_the_current_series() {
    let bench = bench();
    bench.queue(1);
    assert_eq!(bench.poll_after(0), 2);
    assert_eq!((bench.asked().len(), bench.poll_after(3)), (1, 1), "the job of another series queues none");

    *bench.provider.is_called.lock().unwrap() = true;
    assert_eq!((bench.poll_after(3), bench.poll_after(900)), (1, 0), "the provider calls the server");
    *bench.provider.is_called.lock().unwrap() = false;
    bench.queue(0);
    let mut channel = bench.channel.clone();
    channel.status = ChannelStatus::Disconnected;
    channel.touch(bench.clock.at_rest());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Update(Row::Channel(channel)));
    block_on(bench.tidings.ports.ledger.commit(set)).unwrap();
    bench.asked();
    assert_eq!((bench.poll_after(0), bench.poll_after(900), bench.asked()), (1, 0, vec![]));
}

#[test]
fn polls_while_outbound_sending_is_paused() {
    let bench = bench();
    bench.pause(false);
    bench.answer(&[(1, "One")], false);
    assert_eq!((bench.poll_after(0), bench.texts()), (1, vec!["One".to_owned()]));
}

/// The original of a restored store may still run, and would not get the requests.
#[test]
fn a_restored_store_fetches_nothing_until_it_is_resumed() {
    let bench = bench();
    bench.pause(true);
    bench.answer(&[(1, "One")], false);
    assert_eq!((bench.poll_after(0), bench.poll_after(9), bench.poll_after(1)), (1, 0, 1));
    assert!(bench.asked().is_empty());
    block_on(bench.store.lift()).unwrap();
    assert_eq!((bench.poll_after(10), bench.texts()), (1, vec!["One".to_owned()]));
}

#[test]
fn some_polls_wait_to_notice_another_program() {
    let bench = bench();
    bench.answer(&[(1, "One")], false);
    assert_eq!((bench.poll_after(0), bench.poll_after(1), bench.poll_after(1)), (1, 1, 1));
    assert_eq!(bench.waits(), [5, 5, 0], "requests do not show whether another program waits for them");
    bench.fail("webhook_taken", false, None);
    assert_eq!((bench.poll_after(60), bench.poll_after(3), bench.poll_after(60)), (1, 1, 1));
    assert_eq!(bench.waits(), [0, 5, 0]);
    assert_eq!((bench.poll_after(900), bench.waits()), (1, vec![5]));
}
