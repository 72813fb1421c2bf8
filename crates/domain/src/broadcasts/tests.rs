//! Broadcasts over the store in memory, from the draft to the end.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::json;

use super::*;
use crate::Tidings;
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::{ContactPatch, ContactRef, NewContact};
use crate::conversations::{Content, MessageStatus};
use crate::error::Error;
use crate::ids::{BroadcastId, ContactId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::patch::Patch;
use crate::ports::{Change, ChangeSet, Clock, CommitError, Ledger, Pool, Ports};
use crate::references::Deletion;
use crate::testing::{an_inbound_message, with_workspace};

pub(super) struct Bench {
    store: Arc<MemoryStore>,
    pub(super) clock: Arc<FixedClock>,
    pub(super) tidings: Tidings,
    pub(super) access: Access,
    pub(super) channel: Channel,
}

impl Bench {
    fn new() -> Self {
        Self::with(|ports| ports)
    }

    pub(super) fn with(change: impl FnOnce(Ports) -> Ports) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let (tidings, access) = with_workspace(change(Ports { clock: clock.clone(), ..Ports::of(store.clone()) }));
        let channel = block_on(tidings.ports.channels.default_channel(&access)).unwrap().unwrap();
        Self { store, clock, tidings, access, channel }
    }

    fn contact(&self, name: &str) -> ContactId {
        let contact = NewContact { first_name: Some(name.to_owned()), ..NewContact::default() };
        block_on(self.tidings.contacts.create(&self.access, contact, None)).unwrap().value.id
    }

    pub(super) fn draft(&self, change: impl FnOnce(&mut NewBroadcast)) -> BroadcastId {
        let mut command = NewBroadcast {
            name: "News".to_owned(),
            audience: Audience::Condition(json!({"all": []}).into()),
            message: Content::text("Hi {{ contact.first_name }}"),
            channel: None,
            scheduled_at: None,
            time_zone: BroadcastZone::Workspace,
            rate_per_minute: None,
        };
        change(&mut command);
        block_on(self.tidings.broadcasts.create(&self.access, command, None)).unwrap().value.broadcast.id
    }

    pub(super) fn send(&self, broadcast: BroadcastId) {
        block_on(self.tidings.broadcasts.send(&self.access, broadcast, None, &ExpectedVersion::Any, None)).unwrap();
    }

    pub(super) fn run(&self) {
        let work = block_on(self.tidings.run_due(self.clock.now())).unwrap();
        assert_eq!(work.failed, []);
    }

    pub(super) fn wait(&self, seconds: u64) {
        self.clock.set(self.clock.now().plus(Duration::from_secs(seconds)));
        self.run();
    }

    pub(super) fn get(&self, broadcast: BroadcastId) -> CountedBroadcast {
        block_on(self.tidings.broadcasts.get(&self.access, broadcast)).unwrap()
    }

    fn said(&self) -> Vec<String> {
        let page = crate::pagination::PageRequest { limit: 100, ..Default::default() };
        let captured =
            block_on(self.tidings.ports.conversations.captured(&self.access, self.channel.id, page)).unwrap();
        let mut texts: Vec<_> = captured.items.into_iter().filter_map(|it| it.content.text).collect();
        texts.sort();
        texts
    }

    fn count_events(&self, kind: &str) -> usize {
        self.store.events(self.access.workspace()).iter().filter(|event| event.kind.as_str() == kind).count()
    }
}

/// A ledger that lets a contact opt out after a portion has read it and before the portion is committed.
struct OptOutBetween {
    ledger: Arc<dyn Ledger>,
    who: Mutex<Option<(Tidings, Access, ContactId)>>,
}

#[async_trait]
impl Ledger for OptOutBetween {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let is_portion =
            set.changes.iter().any(|it| matches!(it, Change::Broadcast(BroadcastChange::FinishRecipient { .. })));
        let who = if is_portion { self.who.lock().unwrap().take() } else { None };
        if let Some((tidings, access, contact)) = who {
            let off = ContactPatch { subscribed: Some(false), ..ContactPatch::default() };
            tidings.contacts.update(&access, &ContactRef::Id(contact), off, &ExpectedVersion::Any).await.unwrap();
        }
        self.ledger.commit(set).await
    }
}

#[test]
fn suppresses_a_contact_who_opts_out_during_a_portion() {
    let bench = Bench::new();
    let (_, eve) = (bench.contact("Ada"), bench.contact("Eve"));
    let broadcast = bench.draft(|_| {});
    bench.send(broadcast);
    let ports = bench.tidings.ports.clone();
    let who = Mutex::new(Some((bench.tidings.clone(), bench.access.clone(), eve)));
    let ledger = Arc::new(OptOutBetween { ledger: ports.ledger.clone(), who });
    let racing = Tidings::new(Ports { ledger, ..(*ports).clone() });
    assert_eq!(block_on(racing.run_due(bench.clock.now())).unwrap().failed, []);
    bench.wait(1);
    assert_eq!(bench.get(broadcast).stats, stats(2, 1, 0, 1));
    assert_eq!(bench.count_events("message.sent"), 1);
}

fn stats(targeted: i64, sent: i64, failed: i64, suppressed: i64) -> BroadcastStats {
    BroadcastStats::of(targeted, &[(Count::Sent, sent), (Count::Failed, failed), (Count::Suppressed, suppressed)])
}

#[test]
fn sends_one_personalized_message_to_each_subscriber() {
    let bench = Bench::new();
    let (_, eve) = (bench.contact("Ada"), bench.contact("Eve"));
    let off = ContactPatch { subscribed: Some(false), ..ContactPatch::default() };
    block_on(bench.tidings.contacts.update(&bench.access, &ContactRef::Id(eve), off, &ExpectedVersion::Any)).unwrap();
    let broadcast = bench.draft(|_| {});
    bench.send(broadcast);
    assert_eq!(bench.get(broadcast).broadcast.status, BroadcastStatus::Scheduled);
    bench.run();
    bench.wait(1);
    let done = bench.get(broadcast);
    assert_eq!((done.broadcast.status, done.stats), (BroadcastStatus::Completed, stats(2, 1, 0, 1)));
    assert_eq!(bench.said(), ["Hi Ada"]);
    assert_eq!((bench.count_events("message.sent"), bench.count_events("broadcast.completed")), (1, 1));
    assert_eq!(bench.count_events("conversation.created"), 0, "a broadcast alone creates no conversation");
    bench.wait(60);
    assert_eq!(bench.said().len(), 1);
}

#[test]
fn a_reply_opens_a_conversation_with_the_broadcast_message() {
    let bench = Bench::new();
    let ada = bench.contact("Ada");
    let broadcast = bench.draft(|_| {});
    bench.send(broadcast);
    bench.run();
    let answer = an_inbound_message("m1", ada.to_string(), Content::text("Hello"));
    let heard = block_on(bench.tidings.inbound.receive(&bench.access, &bench.channel, answer)).unwrap().value;
    let page = Default::default();
    let conversation = heard.conversation.unwrap();
    let said = block_on(bench.tidings.conversations.messages(&bench.access, conversation, page)).unwrap().items;
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().any(|it| it.sender.kind_str() == "broadcast" && it.status == MessageStatus::Sent));
}

#[test]
fn keeps_the_rate_and_sends_nothing_while_paused() {
    let bench = Bench::new();
    (0..5).for_each(|number| {
        bench.contact(&format!("C{number}"));
    });
    let broadcast = bench.draft(|it| it.rate_per_minute = Some(60));
    bench.send(broadcast);
    bench.run();
    assert_eq!(bench.said().len(), 1);
    bench.wait(1);
    assert_eq!(bench.said().len(), 2);
    let service = &bench.tidings.broadcasts;
    let pause = || block_on(service.pause(&bench.access, broadcast, &ExpectedVersion::Any, None));
    pause().unwrap();
    assert_eq!(pause().unwrap().outcome, crate::outcome::Outcome::Unchanged);
    bench.wait(30);
    assert_eq!((bench.said().len(), bench.get(broadcast).broadcast.status), (2, BroadcastStatus::Paused));
    block_on(service.resume(&bench.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
    bench.run();
    assert_eq!(bench.said().len(), 3, "a resumed broadcast keeps its rate");
    for _ in 0..4 {
        bench.wait(1);
    }
    let done = bench.get(broadcast);
    assert_eq!((done.broadcast.status, done.stats), (BroadcastStatus::Completed, stats(5, 5, 0, 0)));
    assert!(matches!(pause(), Err(Error::BroadcastStatus(BroadcastStatus::Completed))));
}

#[test]
fn a_cancelled_broadcast_sends_no_further_messages() {
    let bench = Bench::new();
    (0..3).for_each(|number| {
        bench.contact(&format!("C{number}"));
    });
    let broadcast = bench.draft(|it| it.rate_per_minute = Some(60));
    bench.send(broadcast);
    bench.run();
    block_on(bench.tidings.broadcasts.cancel(&bench.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
    bench.wait(600);
    assert_eq!(bench.said().len(), 1);
    let waits = bench.draft(|it| it.scheduled_at = Some(bench.clock.now().plus(Duration::from_secs(60))));
    bench.send(waits);
    block_on(bench.tidings.broadcasts.cancel(&bench.access, waits, &ExpectedVersion::Any, None)).unwrap();
    bench.wait(600);
    assert_eq!((bench.said().len(), bench.get(waits).stats), (1, stats(0, 0, 0, 0)));
    assert_eq!(bench.count_events("broadcast.completed"), 0);
}

#[test]
fn sends_at_the_local_time_of_each_contact() {
    let bench = Bench::new();
    for (name, zone) in [("Tokyo", "Asia/Tokyo"), ("Berlin", "Europe/Berlin"), ("Nowhere", "")] {
        let contact = bench.contact(name);
        let zone = zone.parse().map_or(Patch::Keep, Patch::Set);
        let patch = ContactPatch { time_zone: zone, ..ContactPatch::default() };
        block_on(bench.tidings.contacts.update(&bench.access, &ContactRef::Id(contact), patch, &ExpectedVersion::Any))
            .unwrap();
    }
    let day = Duration::from_secs(86_400);
    let broadcast = bench.draft(|it| {
        it.scheduled_at = Some(bench.clock.now().plus(day));
        it.time_zone = BroadcastZone::Contact;
    });
    bench.send(broadcast);
    let hour = 3_600;
    bench.wait(9 * hour);
    bench.wait(5 * hour);
    assert_eq!(bench.said(), Vec::<String>::new());
    bench.wait(hour);
    assert_eq!(bench.said(), ["Hi Tokyo"], "Tokyo is nine hours ahead of UTC");
    let engine = &bench.tidings.ports.engine;
    let next = [Pool::Work, Pool::Sends].map(|pool| block_on(engine.next_due(pool)).unwrap());
    let berlin = bench.clock.now().plus(Duration::from_secs(8 * hour));
    assert_eq!(next, [None, Some(berlin)], "nothing is due before the next portion");
    bench.wait(8 * hour);
    assert_eq!(bench.said(), ["Hi Berlin", "Hi Tokyo"]);
    bench.wait(hour);
    assert_eq!(bench.said().len(), 3);
    bench.wait(1);
    assert_eq!(bench.get(broadcast).broadcast.status, BroadcastStatus::Completed);
}

#[test]
fn protects_referenced_objects_and_stops_if_they_are_deleted() {
    let bench = Bench::new();
    bench.contact("Ada");
    let vip = crate::tags::NewTagCommand { name: "vip".into(), color: None, description: None };
    let tag = block_on(bench.tidings.tags.create(&bench.access, vip, None)).unwrap().value.id;
    let later = bench.clock.now().plus(Duration::from_secs(60));
    let to_tagged = json!({"not": {"field": "tags", "op": "has", "value": tag}});
    let broadcast = bench.draft(|it| {
        (it.audience, it.scheduled_at) = (Audience::Condition(to_tagged.into()), Some(later));
    });
    bench.send(broadcast);
    let delete = |how| block_on(bench.tidings.tags.delete(&bench.access, tag, how, &ExpectedVersion::Any));
    assert!(matches!(delete(Deletion::IfUnused), Err(Error::InUse(_))));
    delete(Deletion::ByForce).unwrap();
    bench.wait(61);
    let paused = bench.get(broadcast).broadcast;
    assert_eq!((paused.status, paused.error, paused.started_at), (BroadcastStatus::Paused, None, None));
    assert_eq!(bench.said(), Vec::<String>::new());

    let running = bench.draft(|it| it.rate_per_minute = Some(1));
    bench.contact("Bob");
    bench.send(running);
    bench.run();
    let of_channel = |how| {
        block_on(bench.tidings.channels.delete(&bench.access, bench.channel.id, how, &ExpectedVersion::Any)).map(|_| ())
    };
    assert!(matches!(of_channel(Deletion::IfUnused), Err(Error::InUse(_))));
    of_channel(Deletion::ByForce).unwrap();
    bench.wait(61);
    let failed = bench.get(running).broadcast;
    assert_eq!(failed.error.map(|error| error.code).as_deref(), Some("channel_deleted"));
}

#[test]
fn previews_recipients_texts_and_suppressions() {
    let bench = Bench::new();
    let (_, bob) = (bench.contact("Ada"), bench.contact("Bob"));
    let blocked = ContactPatch { status: Some(crate::contacts::ContactStatus::Blocked), ..ContactPatch::default() };
    block_on(bench.tidings.contacts.update(&bench.access, &ContactRef::Id(bob), blocked, &ExpectedVersion::Any))
        .unwrap();
    let broadcast = bench.draft(|_| {});
    let preview = block_on(bench.tidings.broadcasts.preview(&bench.access, broadcast)).unwrap();
    assert_eq!((preview.contacts, preview.suppressed.get("blocked")), (2, Some(&1)));
    let texts: Vec<_> = preview.sample.iter().filter_map(|it| it.message.as_ref()?["text"].as_str()).collect();
    assert_eq!(texts, ["Hi Ada"]);
    let send = |expected| {
        block_on(bench.tidings.broadcasts.send(&bench.access, broadcast, expected, &ExpectedVersion::Any, None))
    };
    assert!(matches!(send(Some(3)), Err(Error::AudienceChanged { count: 2 })));
    let tested = block_on(bench.tidings.broadcasts.test(&bench.access, broadcast, &[bob], None)).unwrap().value;
    assert_eq!((tested.len(), tested[0].status), (1, MessageStatus::Suppressed));
    send(Some(2)).unwrap();
    assert!(matches!(send(Some(2)), Err(Error::BroadcastStatus(BroadcastStatus::Scheduled))));
}

#[test]
fn completes_a_broadcast_with_an_empty_audience() {
    let bench = Bench::new();
    let broadcast = bench.draft(|_| {});
    bench.send(broadcast);
    bench.run();
    assert_eq!(bench.get(broadcast).broadcast.status, BroadcastStatus::Completed);
    assert_eq!(bench.count_events("broadcast.completed"), 1);
}
