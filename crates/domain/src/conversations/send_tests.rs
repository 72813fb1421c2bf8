//! Messages in several parts that a provider does not accept, over the in-memory store in virtual time.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::channels::{
    Channel, ChannelType, Connectors, DegradedFeature, PaceLimit, SANDBOX, SegmentEncoding, Segments, SendPace,
};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{Content, SendMessage};
use crate::memory::{FixedClock, MemoryStore};
use crate::ports::{Clock, OutboundStore, PacedCall, RefusedCall, SendPacer, StoreHold, Urgency};
use crate::testing::new_workspace;
use crate::time::Timestamp;

const DAY: Duration = Duration::from_secs(86_400);

/// A provider that takes each message in this number of parts, and accepts only the first one.
struct Provider {
    parts: usize,
    called: Mutex<Vec<usize>>,
    /// The store. An operator pauses outbound sending in it during the first call.
    pauses: Option<Arc<MemoryStore>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        vec![content.clone(); self.parts]
    }

    fn segments(&self, parts: &[Content]) -> Option<Segments> {
        Some(Segments { encoding: SegmentEncoding::Gsm7, count: parts.len() })
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        let part = message.context.part;
        let earlier = self.called.lock().unwrap().iter().filter(|it| **it == part).count();
        assert_eq!(usize::try_from(message.attempts), Ok(earlier), "the attempts at each part are counted");
        self.called.lock().unwrap().push(part);
        if let Some(store) = &self.pauses {
            let hold = StoreHold { reason: "maintenance".to_owned(), since: Timestamp::EPOCH_2026, is_restored: false };
            OutboundStore::hold(&**store, hold).await.unwrap();
        }
        match part {
            0 => SendOutcome::Accepted { provider_message_id: Some("p0".to_owned()) },
            _ => SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "busy".into() },
        }
    }
}

/// Queues a message in a new workspace.
fn queued(tidings: &Tidings) -> (Access, Message) {
    let access = new_workspace(&tidings.ports);
    let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
    let send = SendMessage::new(Content::text("Hi"));
    let queued = block_on(tidings.conversations.send(&access, &ContactRef::Id(contact), send, None)).unwrap().value;
    (access, queued)
}

/// Sends a message in this number of parts for many days. Returns the message, and the parts of the calls.
fn sent_in(parts: usize, is_paused: bool) -> (Message, Vec<usize>) {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let pauses = Some(store.clone()).filter(|_| is_paused);
    let provider = Arc::new(Provider { parts, called: Mutex::default(), pauses });
    let connectors = Connectors::one(provider.clone());
    let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, ..Ports::of(store) });
    let (access, queued) = queued(&tidings);
    for _ in 0..20 {
        block_on(tidings.run_due(clock.now())).unwrap();
        clock.set(clock.now().plus(DAY));
    }
    let message = block_on(tidings.conversations.message(&access, queued.id)).unwrap();
    let called = provider.called.lock().unwrap().clone();
    (message, called)
}

#[test]
fn a_message_fails_after_twelve_attempts_at_one_part() {
    let (message, called) = sent_in(3, false);
    assert_eq!(message.status, MessageStatus::Failed);
    let error = message.error.unwrap();
    assert_eq!((error.code.as_str(), error.message.as_str()), (UNAVAILABLE, "Part 2 of 3: busy"));
    assert_eq!(message.parts.with_error(), Some(1));
    let mut expected = vec![0];
    expected.resize(13, 1);
    assert_eq!(called, expected);
}

#[test]
fn a_message_names_its_segments_and_what_its_channel_replaces() {
    for (parts, degraded) in [(1, vec![]), (2, vec![DegradedFeature::Text])] {
        let (message, _) = sent_in(parts, false);
        let segments = Some(Segments { encoding: SegmentEncoding::Gsm7, count: parts });
        assert_eq!((message.degraded, message.segments), (degraded, segments));
    }
}

#[test]
fn a_message_of_too_many_parts_is_not_sent() {
    let (message, called) = sent_in(MAX_PARTS + 1, false);
    assert_eq!((message.status, message.error.unwrap().code.as_str()), (MessageStatus::Failed, "too_long"));
    assert!(called.is_empty(), "{called:?}");
}

#[test]
fn a_pause_between_two_parts_stops_the_message() {
    let (message, called) = sent_in(3, true);
    let error = message.error.unwrap();
    assert_eq!((message.status, error.code.as_str()), (MessageStatus::Failed, "stopped"));
    assert_eq!(error.message, "Part 2 of 3: outbound sending is paused");
    assert_eq!(called, [0]);
}

/// A provider that takes each message in two parts. Its channel must wait thirteen times for each.
#[derive(Default)]
struct Paced {
    asked: Mutex<usize>,
    called: Mutex<Vec<(usize, i32)>>,
}

#[async_trait]
impl Connector for Paced {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        vec![content.clone(); 2]
    }

    fn pace(&self, _: &Channel) -> SendPace {
        SendPace { channel: Some(PaceLimit::per_second(1)), recipient: None }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        self.called.lock().unwrap().push((message.context.part, message.attempts));
        SendOutcome::Accepted { provider_message_id: None }
    }
}

#[async_trait]
impl SendPacer for Paced {
    async fn admit(&self, call: &PacedCall) -> Result<(), Duration> {
        assert_eq!((call.pace.channel, call.urgency), (Some(PaceLimit::per_second(1)), Urgency::Direct));
        let mut asked = self.asked.lock().unwrap();
        *asked += 1;
        if [14, 28].contains(&*asked) { Ok(()) } else { Err(Duration::from_secs(60)) }
    }
}

#[test]
fn a_message_waits_for_the_pace_without_attempts_and_before_it_begins() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let provider = Arc::new(Paced::default());
    let (connectors, pacer) = (Connectors::one(provider.clone()), provider.clone());
    let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, pacer, ..Ports::of(store) });
    let (access, queued) = queued(&tidings);
    let minutes = |count: usize| {
        for _ in 0..count {
            block_on(tidings.run_due(clock.now())).unwrap();
            clock.set(clock.now().plus(Duration::from_secs(60)));
        }
        let message = block_on(tidings.conversations.message(&access, queued.id)).unwrap();
        (message.status, message.version, provider.called.lock().unwrap().clone())
    };
    assert_eq!(minutes(13), (MessageStatus::Queued, queued.version, vec![]));
    let (status, version, called) = minutes(1);
    assert_eq!((status, called), (MessageStatus::Sending, vec![(0, 0)]));
    let expected = (MessageStatus::Sending, version, vec![(0, 0)]);
    assert_eq!(minutes(12), expected, "between two parts, too");
    let (status, _, called) = minutes(1);
    assert_eq!((status, called), (MessageStatus::Sent, vec![(0, 0), (1, 0)]));
}

/// A provider that never answers.
struct Silent {
    drops_repeats: bool,
    called: Mutex<usize>,
}

#[async_trait]
impl Connector for Silent {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn drops_repeats(&self, _: &Channel) -> bool {
        self.drops_repeats
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        *self.called.lock().unwrap() += 1;
        SendOutcome::Unknown { message: "no answer".into() }
    }
}

/// Sends a message to a provider that never answers, for many days. `has_begun`: the server stopped during an earlier
/// call. Returns the status of the message, and the number of calls.
fn sent_into_silence(drops_repeats: bool, has_begun: bool, has_left: bool) -> (MessageStatus, usize) {
    let clock = Arc::new(FixedClock::default());
    let provider = Arc::new(Silent { drops_repeats, called: Mutex::default() });
    let connectors = Connectors::one(provider.clone());
    let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, ..Ports::of(Arc::new(MemoryStore::new())) });
    let (access, mut queued) = queued(&tidings);
    if has_begun {
        queued.advance(MessageStatus::Sending, clock.now());
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Update(Row::Message(Box::new(queued.clone()))));
        block_on(tidings.ports.ledger.commit(set)).unwrap();
    }
    if has_left {
        let contact = block_on(tidings.contacts.get(&access, &ContactRef::Id(queued.contact))).unwrap();
        let (mut left, before) = (contact.clone(), contact.version);
        left.subscribed = false;
        left.touch(clock.now());
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Version(Object::Contact(left.id), before));
        set.change(Change::Update(Row::Contact(Box::new(left))));
        block_on(tidings.ports.ledger.commit(set)).unwrap();
    }
    for _ in 0..20 {
        block_on(tidings.run_due(clock.now())).unwrap();
        clock.set(clock.now().plus(DAY));
    }
    let message = block_on(tidings.conversations.message(&access, queued.id)).unwrap();
    let called = *provider.called.lock().unwrap();
    (message.status, called)
}

#[test]
fn a_message_of_unknown_outcome_is_only_repeated_if_the_provider_drops_repeats() {
    let uncertain = |calls: usize| (MessageStatus::Uncertain, calls);
    assert_eq!(sent_into_silence(false, false, false), uncertain(1));
    assert_eq!(sent_into_silence(false, true, false), uncertain(0));
    assert_eq!(sent_into_silence(true, false, false), uncertain(12));
    assert_eq!(sent_into_silence(true, true, false), uncertain(12));
    assert_eq!(sent_into_silence(true, true, true), uncertain(0), "it may have arrived before the opt-out");
    assert_eq!(sent_into_silence(true, false, true), (MessageStatus::Suppressed, 0));
}

/// A provider that is busy, with the refused calls that put off other messages.
struct Busy {
    scope: RetryScope,
    refused: Mutex<Vec<RefusedCall>>,
}

#[async_trait]
impl Connector for Busy {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::TryLater { after: Some(DAY), scope: self.scope, message: "busy".into() }
    }
}

#[async_trait]
impl SendPacer for Busy {
    async fn admit(&self, _: &PacedCall) -> Result<(), Duration> {
        Ok(())
    }

    fn put_off(&self, refused: &RefusedCall) {
        self.refused.lock().unwrap().push(refused.clone());
    }
}

#[test]
fn a_provider_that_limits_the_channel_puts_off_other_messages() {
    for (scope, count) in [(RetryScope::Recipient, 0), (RetryScope::Channel, 1), (RetryScope::Unstated, 1)] {
        let clock = Arc::new(FixedClock::default());
        let provider = Arc::new(Busy { scope, refused: Mutex::default() });
        let (connectors, pacer) = (Connectors::one(provider.clone()), provider.clone());
        let store = Arc::new(MemoryStore::new());
        let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, pacer, ..Ports::of(store) });
        let (_, queued) = queued(&tidings);
        block_on(tidings.run_due(clock.now())).unwrap();
        let refused = provider.refused.lock().unwrap().clone();
        assert_eq!(refused.len(), count, "{scope:?}");
        for call in refused {
            assert_eq!((call.channel, call.scope, call.wait), (queued.channel, scope, DAY));
            assert!(!call.address.is_empty());
        }
    }
}
