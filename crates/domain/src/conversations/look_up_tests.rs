//! Look-ups of unknown outcomes, over the in-memory store in virtual time.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::channels::{ChannelType, Connectors, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{Content, PartStatus, SendMessage};
use crate::ids::ContactId;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::Outcome;
use crate::ports::{ClaimRequest, Clock, CommitError, Ledger, Pool};
use crate::testing::with_workspace;

const MINUTE: Duration = Duration::from_secs(60);

/// A provider that takes each message in this number of parts, never answers a call, and answers look-ups with these
/// IDs.
struct Provider {
    parts: usize,
    found: Mutex<VecDeque<Option<Vec<&'static str>>>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        vec![content.clone(); self.parts]
    }

    fn look_up_waits(&self) -> &'static [Duration] {
        const WAITS: [Duration; 2] = [MINUTE, Duration::from_secs(300)];
        &WAITS
    }

    async fn look_up(&self, message: &Outbound, began: Timestamp) -> Option<Vec<String>> {
        assert!(began >= message.created_at);
        assert_eq!(message.context.part, 0);
        let found = self.found.lock().unwrap().pop_front().expect("a look-up is expected");
        found.map(|names| names.into_iter().map(str::to_owned).collect())
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Unknown { message: "it broke off".into() }
    }
}

struct Bench {
    clock: Arc<FixedClock>,
    tidings: Tidings,
    access: Access,
    contact: ContactId,
}

fn bench(found: &[Option<&[&'static str]>]) -> Bench {
    bench_in_parts(1, found)
}

fn bench_in_parts(parts: usize, found: &[Option<&[&'static str]>]) -> Bench {
    let found = found.iter().map(|names| names.map(<[&str]>::to_vec)).collect();
    let connectors = Connectors::one(Arc::new(Provider { parts, found: Mutex::new(found) }));
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store) });
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
    Bench { clock, tidings, access, contact }
}

impl Bench {
    fn send(&self) -> MessageId {
        let send = SendMessage::new(Content::text("Hi"));
        let conversations = &self.tidings.conversations;
        block_on(conversations.send(&self.access, &ContactRef::Id(self.contact), send, None)).unwrap().value.id
    }

    /// Runs the due jobs, after this time.
    fn run_after(&self, time: Duration) {
        self.clock.set(self.clock.now().plus(time));
        block_on(self.tidings.run_due(self.clock.now())).unwrap();
    }

    /// Returns the status of a message, the provider's ID and the code of its error.
    fn state(&self, message: MessageId) -> (MessageStatus, Option<String>, Option<String>) {
        let message = block_on(self.tidings.conversations.message(&self.access, message)).unwrap();
        (message.status, message.provider_message_id, message.error.map(|error| error.code))
    }

    fn is_idle(&self) -> bool {
        block_on(self.tidings.next_due()).unwrap().is_none()
    }
}

fn uncertain(code: &str) -> (MessageStatus, Option<String>, Option<String>) {
    (MessageStatus::Uncertain, None, Some(code.to_owned()))
}

#[test]
fn one_match_settles_the_outcome() {
    let bench = bench(&[None, Some(&["p1"])]);
    let message = bench.send();
    bench.run_after(Duration::ZERO);
    bench.run_after(MINUTE);
    assert_eq!(bench.state(message), uncertain("outcome_unknown"));
    bench.run_after(MINUTE * 5);
    assert_eq!(bench.state(message), (MessageStatus::Sent, Some("p1".to_owned()), None));
    assert!(bench.is_idle());
}

#[test]
fn one_match_of_an_earlier_part_ends_the_message() {
    let bench = bench_in_parts(3, &[Some(&["p1"])]);
    let message = bench.send();
    bench.run_after(Duration::ZERO);
    bench.run_after(MINUTE);
    assert_eq!(bench.state(message), (MessageStatus::Failed, None, Some("stopped".to_owned())));
    let settled = block_on(bench.tidings.conversations.message(&bench.access, message)).unwrap();
    let parts = settled.parts.all().iter().map(|part| (part.status, part.provider_message_id.as_deref()));
    let expected = [(PartStatus::Sent, Some("p1")), (PartStatus::Failed, None), (PartStatus::Pending, None)];
    assert_eq!(parts.collect::<Vec<_>>(), expected);
    let why = "Part 2 of 3: the outcome of the part before it was unknown";
    assert_eq!(settled.error.map(|error| error.message).as_deref(), Some(why));
    assert!(bench.is_idle(), "the other parts are not sent");
}

#[test]
fn a_report_on_an_earlier_part_ends_the_message_too() {
    let bench = bench_in_parts(2, &[]);
    let message = bench.send();
    bench.run_after(Duration::ZERO);
    assert_eq!(bench.state(message), uncertain("outcome_unknown"));
    let channel = block_on(bench.tidings.ports.channels.default_channel(&bench.access)).unwrap().unwrap();
    let report = Report::Sent { provider_message_id: "p1".to_owned() };
    let report = StatusReport { provider_message_id: message.to_string(), part: Some(0), report };
    for outcome in [Outcome::Accepted, Outcome::Unchanged] {
        let done = block_on(bench.tidings.inbound.report(&bench.access, &channel, &report)).unwrap();
        assert_eq!(done.outcome, outcome);
        assert_eq!(bench.state(message), (MessageStatus::Failed, None, Some("stopped".to_owned())));
    }
    bench.run_after(MINUTE);
    assert!(bench.is_idle(), "the message is not looked up any more");
}

#[test]
fn no_match_and_several_matches_leave_it_uncertain() {
    let (none, two): (&[&'static str], &[&'static str]) = (&[], &["p1", "p2"]);
    for (found, code) in [(none, "not_found_at_provider"), (two, "ambiguous")] {
        let bench = bench(&[Some(found), Some(found)]);
        let message = bench.send();
        bench.run_after(Duration::ZERO);
        bench.run_after(MINUTE);
        assert_eq!(bench.state(message), uncertain("outcome_unknown"));
        bench.run_after(MINUTE * 5);
        assert_eq!(bench.state(message), uncertain(code));
        assert!(bench.is_idle());
    }
}

#[test]
fn a_message_of_the_provider_settles_only_one_of_ours() {
    let bench = bench(&[Some(&["p1"]), Some(&["p1", "p2"])]);
    let first = bench.send();
    bench.run_after(Duration::ZERO);
    bench.run_after(MINUTE);
    assert_eq!(bench.state(first).1.as_deref(), Some("p1"));
    let second = bench.send();
    bench.run_after(Duration::ZERO);
    bench.run_after(MINUTE);
    assert_eq!(bench.state(second), (MessageStatus::Sent, Some("p2".to_owned()), None));
}

/// A ledger that performs another job before its first commit.
struct Rival {
    ledger: Arc<dyn Ledger>,
    job: Mutex<Option<(Tidings, ClaimedJob)>>,
}

#[async_trait]
impl Ledger for Rival {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let rival = self.job.lock().unwrap().take();
        if let Some((tidings, job)) = rival {
            tidings.worker.perform(&job).await.unwrap();
        }
        self.ledger.commit(set).await
    }
}

#[test]
fn look_ups_that_end_at_once_settle_one_message() {
    let bench = bench(&[Some(&["p1"]), Some(&["p1"]), Some(&["p1"])]);
    bench.send();
    bench.send();
    bench.run_after(Duration::ZERO);
    bench.clock.set(bench.clock.now().plus(MINUTE));
    let ports = &bench.tidings.ports;
    let request = ClaimRequest::new(Pool::Sends, 10, MINUTE, bench.clock.now());
    let claimed = block_on(ports.engine.claim(request)).unwrap();
    let [outer, rival] = claimed[..] else { panic!("two look-ups are due: {claimed:?}") };
    let [second, first] = [outer, rival].map(|it| match it.job {
        Job::LookUpMessage { message, .. } => message,
        other => panic!("no look-up: {other:?}"),
    });
    let job = Mutex::new(Some((bench.tidings.clone(), rival)));
    let ledger = Arc::new(Rival { ledger: ports.ledger.clone(), job });
    let racing = Tidings::new(Ports { ledger, ..(**ports).clone() });
    block_on(racing.worker.perform(&outer)).unwrap();
    assert_eq!(bench.state(first), (MessageStatus::Sent, Some("p1".to_owned()), None));
    assert_eq!(bench.state(second), uncertain("outcome_unknown"));
    bench.run_after(MINUTE * 5);
    assert_eq!(bench.state(second), uncertain("not_found_at_provider"));
}
