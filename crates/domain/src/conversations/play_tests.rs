//! Simulated reactions on a sandbox, over the in-memory store in virtual time.

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::json;

use super::*;
use crate::Tidings;
use crate::channels::{ChannelType, Connector, Connectors, RetryScope, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{MessageStatus, SendMessage, UNSUPPORTED_TEXT};
use crate::flows::{InFlight, NewFlow};
use crate::ids::ContactId;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::Clock;
use crate::testing::with_workspace;

const SECOND: Duration = Duration::from_secs(1);

/// A connector that delays the first attempt, and then has this outcome and these reactions.
struct Stage {
    plays: Vec<ScheduledAct>,
    outcome: SendOutcome,
}

#[async_trait]
impl Connector for Stage {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn plays(&self, _: &Outbound) -> Vec<ScheduledAct> {
        self.plays.clone()
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        match message.attempts {
            0 => {
                SendOutcome::TryLater { after: Some(SECOND * 30), scope: RetryScope::Recipient, message: "slow".into() }
            }
            _ => self.outcome.clone(),
        }
    }
}

struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    tidings: Tidings,
    access: Access,
    contact: ContactId,
}

/// A provider that accepts messages.
fn bench(plays: &[(u64, Act)]) -> Bench {
    bench_of(plays, SendOutcome::Accepted { provider_message_id: None })
}

fn bench_of(plays: &[(u64, Act)], outcome: SendOutcome) -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let plays = plays.iter().map(|(after, act)| ScheduledAct { after: Duration::from_secs(*after), act: act.clone() });
    let connectors = Connectors::one(Arc::new(Stage { plays: plays.collect(), outcome }));
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store.clone()) });
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
    Bench { store, clock, tidings, access, contact }
}

impl Bench {
    fn send(&self, text: &str) -> MessageId {
        let send = SendMessage::new(Content::text(text));
        let conversations = &self.tidings.conversations;
        block_on(conversations.send(&self.access, &ContactRef::Id(self.contact), send, None)).unwrap().value.id
    }

    /// Advances the clock from due time to due time, by this duration in total.
    fn advance(&self, by: Duration) {
        let to = self.clock.now().plus(by);
        loop {
            block_on(self.tidings.run_due(self.clock.now())).unwrap();
            match block_on(self.tidings.next_due()).unwrap().filter(|due| *due <= to) {
                Some(due) => self.clock.set(due),
                None => break,
            }
        }
        self.clock.set(to);
    }

    fn event_kinds(&self) -> Vec<&'static str> {
        let told = self.store.events(self.access.workspace()).into_iter().map(|event| event.kind.as_str());
        told.filter(|kind| kind.starts_with("message.") || *kind == "contact.unsubscribed").collect()
    }

    fn status(&self, message: MessageId) -> MessageStatus {
        block_on(self.tidings.conversations.message(&self.access, message)).unwrap().status
    }
}

#[test]
fn simulates_a_slow_provider_with_late_reports() {
    let bench = bench(&[(30, Act::Deliver), (60, Act::Read)]);
    let message = bench.send("Hi");
    for (status, by) in [
        (MessageStatus::Sending, SECOND * 29),
        (MessageStatus::Sent, SECOND),
        (MessageStatus::Delivered, SECOND * 30),
        (MessageStatus::Read, SECOND * 30),
    ] {
        bench.advance(by);
        assert_eq!(bench.status(message), status);
    }
    assert_eq!(bench.event_kinds(), ["message.sent", "message.delivered", "message.read"]);
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None);
}

#[test]
fn a_late_report_resolves_an_unknown_outcome() {
    let arrives = (Act::Deliver, MessageStatus::Delivered, None, "message.delivered");
    let fails = (Act::Fail("lost".into()), MessageStatus::Failed, Some("provider_failed"), "message.failed");
    for (act, status, code, told) in [arrives, fails] {
        let bench = bench_of(&[(60, act)], SendOutcome::Unknown { message: "it broke off".into() });
        let message = bench.send("Hi");
        for by in [30, 59] {
            bench.advance(SECOND * by);
            assert_eq!(bench.status(message), MessageStatus::Uncertain);
            assert_eq!(bench.event_kinds(), [] as [&str; 0], "no event is emitted while the outcome is unknown");
        }
        bench.advance(SECOND);
        assert_eq!(bench.status(message), status);
        let error = block_on(bench.tidings.conversations.message(&bench.access, message)).unwrap().error;
        assert_eq!(error.as_ref().map(|error| error.code.as_str()), code);
        assert_eq!(bench.event_kinds(), [told]);
        assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None, "no job is left");
    }
}

#[test]
fn suppresses_messages_after_a_simulated_opt_out() {
    let bench = bench(&[(1, Act::Leave)]);
    bench.send("Hi");
    bench.advance(SECOND * 31);
    assert_eq!(bench.event_kinds(), ["message.sent", "message.received", "contact.unsubscribed"]);
    let second = bench.send("Are you there?");
    assert_eq!(bench.status(second), MessageStatus::Suppressed);
}

#[test]
fn answers_once_even_if_its_job_runs_again() {
    let bench = bench(&[(1, Act::Say("ok".to_owned()))]);
    let message = bench.send("Hi");
    bench.advance(SECOND * 31);
    assert_eq!(bench.event_kinds(), ["message.sent", "message.received"]);
    let mut set = ChangeSet::new(bench.access.workspace());
    let again = Job::PlayContact { message, act: 0 };
    let id = JobId::from_uuid(bench.tidings.ports.ids.next());
    set.jobs.push(NewJob::new(id, again, bench.clock.now()));
    let beyond = Job::PlayContact { message, act: 7 };
    let id = JobId::from_uuid(bench.tidings.ports.ids.next());
    set.jobs.push(NewJob::new(id, beyond, bench.clock.now()));
    block_on(bench.tidings.ports.ledger.commit(set)).unwrap();
    bench.advance(SECOND);
    assert_eq!(bench.event_kinds(), ["message.sent", "message.received"]);
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None, "both jobs are finished");
}

#[test]
fn skips_later_acts_of_a_deleted_contact() {
    let bench = bench(&[(1, Act::Say("ok".to_owned())), (1, Act::Deliver)]);
    bench.send("Hi");
    bench.advance(SECOND * 30);
    let whom = ContactRef::Id(bench.contact);
    block_on(bench.tidings.contacts.delete(&bench.access, &whom, &ExpectedVersion::Any)).unwrap();
    bench.advance(SECOND * 30);
    assert_eq!(bench.event_kinds(), ["message.sent"]);
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None);
}

#[test]
fn stops_a_contact_and_a_flow_that_answer_each_other() {
    let bench = bench(&[(1, Act::Say("ok".to_owned()))]);
    let say = |id: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": "Well?"}, "next": next});
    let nodes = json!([say("a", "b"), say("b", "c"), say("c", "end"), {"id": "end", "type": "end"}]);
    let definition = json!({"start": "a", "nodes": nodes, "settings": {"reentry": "parallel"},
        "triggers": [{"type": "keyword", "match": "exact", "keywords": ["ok"]}]});
    let new = NewFlow { name: "Echo".into(), definition };
    let flow = block_on(bench.tidings.flows.create(&bench.access, new, None)).unwrap().value.id;
    block_on(bench.tidings.flows.publish(&bench.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
    bench.send("Hi");
    let said = || bench.event_kinds().into_iter().filter(|kind| *kind == "message.received").count();
    bench.advance(HOUR);
    assert_eq!(said(), MOST_SAID, "the contact stops answering at its hourly limit");
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None, "no job is left");
    bench.send("And now?");
    bench.advance(SECOND * 31);
    assert!(said() > MOST_SAID, "the contact answers again after an hour");
}

#[test]
fn a_message_of_an_unsupported_type_starts_no_flow() {
    for (said, is_taken) in [(UNSUPPORTED_TEXT, false), ("unsupported message", true)] {
        let bench = bench(&[(1, Act::Say(said.to_owned()))]);
        let nodes = json!([
            {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Yes?"}, "next": "end"},
            {"id": "end", "type": "end"},
        ]);
        let definition = json!({"start": "say", "nodes": nodes,
            "triggers": [{"type": "keyword", "match": "contains", "keywords": ["unsupported message"]}]});
        let new = NewFlow { name: "Echo".into(), definition };
        let flow = block_on(bench.tidings.flows.create(&bench.access, new, None)).unwrap().value.id;
        block_on(bench.tidings.flows.publish(&bench.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
        bench.send("Hi");
        bench.advance(HOUR);
        let sent = bench.event_kinds().into_iter().filter(|kind| *kind == "message.sent").count();
        assert_eq!(sent > 1, is_taken, "{said}");
    }
}
