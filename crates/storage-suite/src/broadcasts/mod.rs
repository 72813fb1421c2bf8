//! Broadcasts: one statement freezes the audience, each recipient gets one message, and outcomes are counted without
//! locks on the broadcast.

pub mod repeats;

use std::collections::BTreeMap;

use serde_json::json;
use tidings_domain::broadcasts::{
    Audience, Broadcast, BroadcastError, BroadcastStats, BroadcastStatus, BroadcastZone, Count, RecipientResult,
    WaitingRecipient,
};
use tidings_domain::conditions::{Condition, Selection, Vocabulary};
use tidings_domain::contacts::{Contact, TimeZone};
use tidings_domain::conversations::{Content, Message};
use tidings_domain::ids::{ContactId, JobId, TypedId};
use tidings_domain::list_filter::ListFilter;
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{
    BroadcastChange, Change, ClaimedJob, Conflict, ConversationChange, HeldUntil, Job, JobChange, NewJob, Object, Pool,
    PortionPlace, Row, StoreError,
};

use crate::Ports;
use crate::fixtures::{NOW, World, a_broadcast, a_conversation, a_message, at, conflict, id, uuid};
use crate::jobs::request;

async fn added(world: &World) -> Broadcast {
    let broadcast = a_broadcast();
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    broadcast
}

fn freeze(
    broadcast: &Broadcast,
    selection: Selection,
    zones: BTreeMap<String, tidings_domain::time::Timestamp>,
) -> Change {
    let (broadcast, selection, due_at) = (broadcast.id, Box::new(selection), at(5));
    Change::Broadcast(BroadcastChange::Freeze { broadcast, selection, unreached: None, due_at, zones })
}

async fn waiting(
    world: &World,
    broadcast: &Broadcast,
    places: std::ops::Range<i64>,
    limit: u32,
) -> Vec<WaitingRecipient> {
    world.ports.broadcasts.waiting(&world.access, broadcast.id, places, limit).await.unwrap()
}

/// All fields are stored. Updates do not change the number of targeted contacts.
pub async fn stores_all_fields_of_a_broadcast(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut it = added(&world).await;
    let get = async |world: &World| store.broadcasts.get(&world.access, it.id).await.unwrap();
    assert_eq!((get(&world).await.as_ref(), get(&other).await), (Some(&it), None));
    let message = json!({"type": "image", "text": "Ü {{ now }}", "attachments": [{"url": "https://example.com/a.png"}],
        "quick_replies": [{"title": "Yes", "payload": "y"}]});
    (it.message, it.audience) = (Content::parse(&message).unwrap(), Audience::Segment(id()));
    (it.name, it.channel, it.rate_per_minute) = ("Другая 🦀".to_owned(), Some(world.channel.id), Some(90));
    it.repeats = Some(id());
    (it.scheduled_at, it.time_zone, it.round) = (Some(at(9)), BroadcastZone::Contact, 7);
    (it.started_at, it.ended_at, it.status) = (Some(at(10)), Some(at(11)), BroadcastStatus::Failed);
    it.error = Some(BroadcastError { code: "channel_deleted".to_owned(), message: "gone".to_owned() });
    (it.targeted, it.updated_at, it.version) = (99, at(12), 2);
    world.add(Change::Update(Row::Broadcast(Box::new(it.clone())))).await;
    it.targeted = 0;
    assert_eq!(store.broadcasts.get(&world.access, it.id).await.unwrap(), Some(it.clone()));
    let list = async |status| {
        let filter = ListFilter::default().of(status);
        store.broadcasts.list(&world.access, &filter, PageRequest::default()).await.unwrap().items
    };
    assert_eq!((list(None).await, list(Some(BroadcastStatus::Failed)).await), (vec![it.clone()], vec![it]));
    assert_eq!(list(Some(BroadcastStatus::Draft)).await, []);
}

/// The audience contains the existing contacts of the workspace that match the condition, earliest due time first.
pub async fn freezes_an_audience_in_the_order_of_due_times(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    other.contact().await;
    let mut expected = Vec::new();
    for (name, zone, chosen) in
        [("a", None, true), ("b", Some("Asia/Tokyo"), true), ("c", Some("Mars/Base"), true), ("d", None, false)]
    {
        let mut contact = Contact::new(id(), NOW);
        contact.last_name = chosen.then(|| "Chosen".to_owned());
        contact.first_name = Some(name.to_owned());
        contact.time_zone = zone.map(|zone| TimeZone::from_store(zone.to_owned()));
        world.add(Change::Insert(Row::Contact(Box::new(contact.clone())))).await;
        expected.push(contact.id);
    }
    let mut gone = Contact::new(id(), NOW);
    (gone.last_name, gone.deleted_at) = (Some("Chosen".to_owned()), Some(NOW));
    world.add(Change::Insert(Row::Contact(Box::new(gone)))).await;
    let condition = json!({"field": "last_name", "op": "eq", "value": "chosen"});
    let selection = Condition::parse(&condition, &Vocabulary::default()).unwrap().selection(
        &serde_json::Map::new(),
        NOW,
        tidings_domain::send_window::Tz::UTC,
    );
    let zones = BTreeMap::from([("Asia/Tokyo".to_owned(), at(1)), ("Europe/Berlin".to_owned(), at(2))]);

    let all = added(&world).await;
    world.add(freeze(&all, selection.clone(), BTreeMap::new())).await;
    let due: Vec<_> = waiting(&world, &all, 0..99, 99).await.iter().map(|it| it.due_at).collect();
    assert_eq!(due, [at(5); 3]);
    let own = added(&world).await;
    world.add(freeze(&own, selection, zones)).await;
    let found = waiting(&world, &own, 0..99, 99).await;
    let places: Vec<_> = found.iter().map(|it| it.place).collect();
    assert_eq!(places, [0, 1, 2]);
    let due: Vec<_> = found.iter().map(|it| it.due_at).collect();
    assert_eq!((found[0].contact, due), (expected[1], vec![at(1), at(5), at(5)]));
    let mut contacts: Vec<ContactId> = found.iter().map(|it| it.contact).collect();
    contacts.sort();
    let mut chosen = expected[..3].to_vec();
    chosen.sort();
    assert_eq!(contacts, chosen);
    assert_eq!(store.broadcasts.get(&world.access, own.id).await.unwrap().unwrap().targeted, 3);
    assert_eq!(waiting(&world, &own, 1..3, 1).await, found[1..2]);
    let nobody = added(&world).await;
    world.add(freeze(&nobody, Selection::Constant(false), BTreeMap::new())).await;
    assert_eq!(waiting(&world, &nobody, 0..99, 99).await, []);
    assert_eq!(store.broadcasts.get(&world.access, nobody.id).await.unwrap().unwrap().targeted, 0);
}

/// Of several concurrent attempts to finish a recipient, one succeeds. A contact that is not a recipient cannot be
/// finished.
pub async fn a_recipient_is_finished_once(store: Ports) {
    let world = World::new(&store).await;
    let (one, two, late) = (world.contact().await.id, world.contact().await.id, id());
    let broadcast = added(&world).await;
    world.add(freeze(&broadcast, Selection::Constant(true), BTreeMap::new())).await;
    let finish = |contact: ContactId| {
        let result = RecipientResult::deleted();
        let finish = BroadcastChange::FinishRecipient { broadcast: broadcast.id, contact, message: id(), result };
        Change::Broadcast(finish)
    };
    let both = world.commit(|set| {
        set.change(finish(one)).change(finish(two));
    });
    both.await.unwrap();
    assert_eq!(waiting(&world, &broadcast, 0..9, 9).await, []);
    for again in [one, late] {
        let stale = conflict(world.change(finish(again)).await);
        assert_eq!(stale, Conflict::Stale(Object::Broadcast(broadcast.id)));
    }
    let third = added(&world).await;
    world.add(freeze(&third, Selection::Constant(true), BTreeMap::new())).await;
    let result = RecipientResult::deleted();
    let finish = BroadcastChange::FinishRecipient { broadcast: third.id, contact: one, message: id(), result };
    let finish = Change::Broadcast(finish);
    let racing = (0..8).map(|_| {
        let (world, finish) = (world.clone(), finish.clone());
        tokio::spawn(async move { world.change(finish).await })
    });
    let outcomes = futures::future::join_all(racing.collect::<Vec<_>>()).await;
    assert_eq!(outcomes.into_iter().filter(|it| it.as_ref().unwrap().is_ok()).count(), 1);
}

/// Counts of one commit and of several are added.
pub async fn adds_up_the_counts_of_a_broadcast(store: Ports) {
    let world = World::new(&store).await;
    let (one, two) = (added(&world).await, added(&world).await);
    let count = |broadcast: &Broadcast, count, amount| {
        Change::Broadcast(BroadcastChange::Count { id: uuid(), broadcast: broadcast.id, count, amount, at: NOW })
    };
    for _ in 0..3 {
        let counted = world.commit(|set| {
            set.change(count(&one, Count::Sent, 1)).change(count(&one, Count::Sent, 1));
            set.change(count(&one, Count::Suppressed, 1)).change(count(&two, Count::Uncertain, 1));
        });
        counted.await.unwrap();
        store.engine.count_facts(100).await.unwrap();
    }
    world.add(count(&two, Count::Uncertain, -1)).await;
    store.engine.count_facts(100).await.unwrap();
    let mut counts = store.broadcasts.counts(&world.access, &[one.id, two.id]).await.unwrap();
    counts.sort_by_key(|(id, count, _)| (*id, count.as_str()));
    let mut expected = vec![(one.id, Count::Sent, 6), (one.id, Count::Suppressed, 3), (two.id, Count::Uncertain, 2)];
    expected.sort_by_key(|(id, count, _)| (*id, count.as_str()));
    assert_eq!(counts, expected);
    let of_one: Vec<_> =
        counts.iter().filter(|(id, ..)| *id == one.id).map(|(_, count, amount)| (*count, *amount)).collect();
    assert_eq!(BroadcastStats::of(10, &of_one).outcomes(), 9);
    assert_eq!(store.broadcasts.counts(&World::new(&store).await.access, &[one.id]).await.unwrap(), []);
}

/// All written outcomes are counted. The last one queues the job that closes the broadcast: only in a live workspace,
/// once, and not earlier.
pub async fn the_last_outcome_queues_the_closing_job(store: Ports) {
    let world = World::new(&store).await;
    let mut it = added(&world).await;
    for _ in 0..2 {
        world.contact().await;
    }
    world.add(freeze(&it, Selection::Constant(true), BTreeMap::new())).await;
    (it.status, it.version) = (BroadcastStatus::Sending, 2);
    world.add(Change::Update(Row::Broadcast(Box::new(it.clone())))).await;
    let fact = uuid();
    let counted = async |id, count, amount| {
        world.add(Change::Broadcast(BroadcastChange::Count { id, broadcast: it.id, count, amount, at: NOW })).await;
    };
    let settled = async || {
        let counts = store.broadcasts.outcome_counts(&world.access, it.id).await.unwrap();
        BroadcastStats::of(2, &counts).outcomes()
    };
    let closes = async || {
        store.engine.count_facts(100).await.unwrap();
        let job = store.jobs.get(&world.access, JobId::from_uuid(fact)).await.unwrap();
        job.map(|job| job.job)
    };
    counted(uuid(), Count::Sent, 1).await;
    counted(uuid(), Count::Delivered, 1).await;
    assert_eq!((settled().await, closes().await, settled().await), (1, None, 1));
    counted(fact, Count::Uncertain, 1).await;
    let close = Job::CloseBroadcast { broadcast: it.id, round: 0 };
    assert_eq!((settled().await, closes().await, settled().await), (2, Some(close), 2));
    let (third, fourth) = (uuid(), uuid());
    counted(third, Count::Read, 1).await;
    counted(fourth, Count::FailedLater, 1).await;
    closes().await;
    for later in [third, fourth] {
        assert_eq!(store.jobs.get(&world.access, JobId::from_uuid(later)).await.unwrap(), None);
    }
}

/// A portion is held while too many messages have no outcome. Only the outcome that lets it continue makes it due.
pub async fn a_counted_outcome_releases_the_next_portion(store: Ports) {
    let world = World::new(&store).await;
    let mut it = added(&world).await;
    (it.status, it.version) = (BroadcastStatus::Sending, 2);
    world.add(Change::Update(Row::Broadcast(Box::new(it.clone())))).await;
    let portion = |made| Job::SendPortion { broadcast: it.id, place: PortionPlace { round: 0, from: made } };
    let claimed = async || loop {
        match store.engine.claim(request(Pool::Sends, 100)).await {
            Err(StoreError::Contention) => {}
            claimed => break claimed.unwrap(),
        }
    };
    let hold = async |made, job: &ClaimedJob| {
        let until = HeldUntil::BroadcastContinues(it.id);
        let held = world.commit(|set| {
            set.change(Change::Broadcast(BroadcastChange::RequireOpen { broadcast: it.id, made }));
            set.change(Change::Job(JobChange::Hold { job: job.id, token: job.token, until }));
        });
        held.await
    };
    let counted = async |count| {
        world
            .add(Change::Broadcast(BroadcastChange::Count { id: uuid(), broadcast: it.id, count, amount: 1, at: NOW }))
            .await;
        store.engine.count_facts(100).await.unwrap();
    };
    world.commit(|set| set.jobs.push(NewJob::new(id(), portion(2_002), NOW))).await.unwrap();
    let job = claimed().await.remove(0);
    hold(2_002, &job).await.unwrap();
    counted(Count::Delivered).await;
    counted(Count::Sent).await;
    assert_eq!(claimed().await, [], "too many messages have no outcome");
    counted(Count::Failed).await;
    let job = claimed().await.remove(0);
    assert_eq!(job.job, portion(2_002));
    let refused = hold(2_002, &job).await;
    assert_eq!(
        conflict(refused),
        Conflict::Stale(Object::Broadcast(it.id)),
        "a broadcast that can continue is not held"
    );
    hold(2_003, &job).await.unwrap();
    let lost = world.change(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    assert_eq!(conflict(lost), Conflict::ClaimLost);
}

/// A new conversation adopts the messages of the same contact and channel. An update from an older reading does not
/// remove them from it.
pub async fn a_new_conversation_adopts_messages_without_one(store: Ports) {
    let world = World::new(&store).await;
    let (contact, other) = (world.contact().await, world.contact().await);
    let conversation = a_conversation(&contact, &world.channel);
    let alone = Message { conversation: None, ..a_message(&conversation) };
    let elsewhere = Message { conversation: None, contact: other.id, ..a_message(&conversation) };
    for message in [&alone, &elsewhere] {
        world.add(Change::Insert(Row::Message(Box::new(message.clone())))).await;
    }
    let dispatch = store.conversations.dispatch(&world.access, alone.id).await.unwrap().unwrap();
    assert_eq!((&dispatch.message, dispatch.conversation), (&alone, None));
    let opened = world.commit(|set| {
        set.change(Change::Insert(Row::Conversation(conversation.clone())));
        set.change(Change::Conversation(ConversationChange::Adopt {
            conversation: conversation.id,
            contact: contact.id,
            channel: world.channel.id,
        }));
    });
    opened.await.unwrap();
    let taken = Message { conversation: Some(conversation.id), ..alone.clone() };
    let read = async |message: &Message| store.conversations.message(&world.access, message.id).await.unwrap();
    assert_eq!((read(&alone).await, read(&elsewhere).await), (Some(taken.clone()), Some(elsewhere.clone())));
    let later = Message { version: 2, updated_at: at(3), ..alone };
    world.add(Change::Update(Row::Message(Box::new(later.clone())))).await;
    let listed =
        store.conversations.messages(&world.access, conversation.id, PageRequest::default()).await.unwrap().items;
    assert_eq!(listed, [Message { version: 2, updated_at: at(3), ..taken }]);
    assert_eq!(
        store.conversations.between_all(&world.access, &[contact.id, other.id], world.channel.id).await.unwrap(),
        [conversation]
    );
    let mut both = store.contacts.by_ids(&world.access, &[contact.id, other.id, id()]).await.unwrap();
    both.sort_by_key(|it| it.id.uuid());
    assert_eq!(both.len(), 2);
}

/// Recipients are removed in portions, broadcast by broadcast, in the order of their ends. Those of an active broadcast
/// stay.
pub async fn removes_recipients_of_ended_broadcasts_in_portions(store: Ports) {
    let world = World::new(&store).await;
    for _ in 0..3 {
        world.contact().await;
    }
    let mut sent = Vec::new();
    for ended in [Some(2), Some(1), Some(3), None] {
        let mut broadcast = added(&world).await;
        world.add(freeze(&broadcast, Selection::Constant(true), BTreeMap::new())).await;
        (broadcast.ended_at, broadcast.version) = (ended.map(at), 2);
        world.add(Change::Update(Row::Broadcast(Box::new(broadcast.clone())))).await;
        sent.push(broadcast);
    }
    let left = async || {
        let mut left = Vec::new();
        for broadcast in &sent {
            left.push(waiting(&world, broadcast, 0..99, 99).await.len());
        }
        left
    };
    let expire = async |from, limit| store.engine.expire_recipients(from, at(3), limit).await.unwrap();
    assert_eq!((expire(at(0), 2).await, left().await), (Some(at(1)), vec![3, 1, 3, 3]));
    assert_eq!(
        (expire(at(1), 2).await, left().await),
        (Some(at(1)), vec![3, 0, 3, 3]),
        "the next portion continues with the same broadcast"
    );
    assert_eq!((expire(at(1), 9).await, left().await), (Some(at(2)), vec![0, 0, 3, 3]));
    assert_eq!((expire(at(2), 9).await, left().await), (None, vec![0, 0, 3, 3]));
    assert_eq!(
        store.broadcasts.get(&world.access, sent[0].id).await.unwrap().unwrap().targeted,
        3,
        "the number of targeted contacts stays"
    );
}
