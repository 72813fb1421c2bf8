//! Look-ups of unknown outcomes, over the in-memory store in virtual time.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::access::{NewWorkspace, Plan};
use crate::channels::{ChannelType, Connectors, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{Content, SendMessage};
use crate::ids::ContactId;
use crate::memory::{FixedClock, MemoryStore};
use crate::ports::{ClaimRequest, Clock, CommitError, Ledger, Pool};
use crate::trial::TestAnswer;

const MINUTE: Duration = Duration::from_secs(60);

/// A provider that never answers a message, and answers look-ups with these IDs.
struct Provider {
    found: Mutex<VecDeque<Option<Vec<&'static str>>>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        false
    }

    fn look_up_waits(&self) -> &'static [Duration] {
        const WAITS: [Duration; 2] = [MINUTE, Duration::from_secs(300)];
        &WAITS
    }

    async fn look_up(&self, message: &Outbound, began: Timestamp) -> Option<Vec<String>> {
        assert!(began >= message.created_at);
        let found = self.found.lock().unwrap().pop_front().expect("a look-up is expected");
        found.map(|names| names.into_iter().map(str::to_owned).collect())
    }

    async fn test(&self, _: &Channel) -> TestAnswer {
        TestAnswer::default()
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Unknown { message: "it broke off".to_owned() }
    }
}

struct Bench {
    clock: Arc<FixedClock>,
    tidings: Tidings,
    access: Access,
    contact: ContactId,
}

fn bench(found: &[Option<&[&'static str]>]) -> Bench {
    let found = found.iter().map(|names| names.map(<[&str]>::to_vec)).collect();
    let connectors = Connectors::one(Arc::new(Provider { found: Mutex::new(found) }));
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, ..Ports::of(store) });
    let new = NewWorkspace { name: "Acme".into(), plan: Plan::Pro };
    let access = Access::system(block_on(tidings.access.create_workspace(new)).unwrap().id);
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
    Bench { clock, tidings, access, contact }
}

impl Bench {
    fn send(&self) -> MessageId {
        let send = SendMessage { content: Content::text("Hi"), channel: None };
        let conversations = &self.tidings.conversations;
        block_on(conversations.send(&self.access, &ContactRef::Id(self.contact), send, None)).unwrap().value.id
    }

    /// Runs what is due, after this time.
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
