//! Timelines of contacts: each entry once, newest first, from all sources.

use std::collections::{BTreeMap, BTreeSet};

use tidings_domain::Tidings;
use tidings_domain::contacts::{Contact, ContactRef};
use tidings_domain::conversations::{Message, Suppression};
use tidings_domain::events::{Event, EventKind};
use tidings_domain::flows::{Flow, Run, RunStatus, TraceEntry};
use tidings_domain::ids::ContactId;
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Change, ChangeSet, ContactChange, Row};
use tidings_domain::time::Timestamp;
use tidings_domain::timeline::{MAX_WITH_VALUES, TimelineEntry, TimelineEntryView, TimelineKind, TimelineRequest};

use crate::Ports;
use crate::fixtures::{
    NOW, World, a_custom_event, a_message, a_run, an_enrollment, an_event, an_inbound_message, at, uuid,
};

/// The time, type and ID that identify an entry.
type Seen = (Timestamp, TimelineKind, String);

fn seen(entry: &TimelineEntry) -> Seen {
    let view = TimelineEntryView::from(entry);
    (view.at, view.kind, view.id)
}

/// Reads all entries of these types, page by page; `between` runs between pages.
async fn read(
    world: &World,
    contact: ContactId,
    kinds: &[TimelineKind],
    limit: u32,
    mut between: impl AsyncFnMut(usize),
) -> Vec<Seen> {
    let tidings = Tidings::new(world.ports.clone());
    let (kinds, mut entries) = (kinds.iter().copied().collect::<BTreeSet<_>>(), Vec::new());
    let mut request: TimelineRequest = PageRequest { limit, ..PageRequest::default() };
    for number in 0.. {
        let page = tidings.timeline.of(&world.access, &ContactRef::Id(contact), &kinds, request).await.unwrap();
        assert!(page.items.len() <= limit as usize);
        entries.extend(page.items.iter().map(seen));
        let Some(next) = page.next else { break };
        request.after = Some(next);
        between(number).await;
    }
    entries
}

/// Checks that no entry appears twice or before a newer one.
fn come_once_in_order(entries: &[Seen]) {
    let ids: BTreeSet<&String> = entries.iter().map(|(.., id)| id).collect();
    assert_eq!(ids.len(), entries.len(), "each entry is listed once");
    assert!(entries.is_sorted_by(|one, next| one.0 >= next.0), "entries are listed newest first");
}

fn of_kinds(entries: &[Seen]) -> BTreeMap<TimelineKind, usize> {
    let mut counts = BTreeMap::new();
    entries.iter().for_each(|(_, kind, _)| *counts.entry(*kind).or_default() += 1);
    counts
}

fn an_event_about(contact: &Contact, happened: Timestamp) -> Event {
    Event { contact: Some(contact.id), at: happened, ..an_event(EventKind::ContactUpdated) }
}

fn suppressed(mut message: Message) -> Message {
    message.suppress(Suppression::Unsubscribed, message.created_at);
    message.version = 1;
    message
}

/// Returns a run with a step at each of these seconds.
fn stepped(flow: &Flow, contact: &Contact, seconds: &[u64]) -> Run {
    let mut run = a_run(flow, contact);
    let step = |second: &u64| TraceEntry {
        node: "say".to_owned(),
        kind: "send_message".to_owned(),
        at: at(*second),
        outcome: "queued".to_owned(),
        exit: Some("next".to_owned()),
        resumed: false,
        message: None,
        run: None,
        decision: None,
    };
    run.trace = seconds.iter().map(step).collect();
    (run.slot, run.started_at, run.updated_at) = (uuid(), at(seconds[0]), at(*seconds.last().unwrap()));
    (run.status, run.ended_at) = (RunStatus::Completed, Some(run.updated_at));
    run
}

/// Ten thousand rows of the same time from every source appear once each, on any page, while others are written.
pub async fn lists_ten_thousand_entries_of_one_time_once_each(store: Ports) {
    let world = World::new(&store).await;
    let (contact, flow, sequence) = (world.contact().await, world.flow().await, world.sequence().await);
    let conversation = world.conversation(&contact).await;
    let each = async |count: usize, add: &dyn Fn(&mut ChangeSet)| {
        for portion in (0..count).collect::<Vec<_>>().chunks(500) {
            world.commit(|set| portion.iter().for_each(|_| add(set))).await.unwrap();
        }
    };
    each(4_000, &|set| {
        let event = Box::new(a_custom_event(&contact));
        set.change(Change::Contact(ContactChange::RecordEvent { event, depth: 0 }));
    })
    .await;
    each(3_000, &|set| set.events.push(an_event_about(&contact, NOW))).await;
    each(1_500, &|set| _ = set.change(Change::Insert(Row::Message(Box::new(a_message(&conversation)))))).await;
    let alone = || Message { conversation: None, ..a_message(&conversation) };
    each(500, &|set| _ = set.change(Change::Insert(Row::Message(Box::new(alone()))))).await;
    each(500, &|set| _ = set.change(Change::Insert(Row::Message(Box::new(suppressed(a_message(&conversation)))))))
        .await;
    each(50, &|set| _ = set.change(Change::Insert(Row::Run(Box::new(stepped(&flow, &contact, &[0; 10])))))).await;
    world.add(Change::Insert(Row::Enrollment(Box::new(an_enrollment(&sequence, &contact))))).await;
    let later = async |number: usize| {
        // New entries are newer than all pages.
        if number.is_multiple_of(10) {
            world.commit(|set| set.events.push(an_event_about(&contact, at(9)))).await.unwrap();
        }
    };
    let entries = read(&world, contact.id, &[], 100, later).await;
    come_once_in_order(&entries);
    let expected = [
        (TimelineKind::Event, 3_000),
        (TimelineKind::CustomEvent, 4_000),
        (TimelineKind::Message, 2_000),
        (TimelineKind::Suppression, 500),
        (TimelineKind::RunStep, 500),
        (TimelineKind::Enrollment, 1),
    ];
    assert_eq!(of_kinds(&entries), expected.into());
    let kinds = [TimelineKind::Message, TimelineKind::RunStep];
    let some = read(&world, contact.id, &kinds, 97, async |_| ()).await;
    come_once_in_order(&some);
    assert_eq!(of_kinds(&some), [expected[2], expected[4]].into());
    let reasons = read(&world, contact.id, &[TimelineKind::Suppression], 33, async |_| ()).await;
    come_once_in_order(&reasons);
    assert_eq!(of_kinds(&reasons), [expected[3]].into());
}

/// The steps of overlapping runs are merged by time, even if some runs last as long as all the others.
pub async fn merges_steps_of_overlapping_runs_by_time(store: Ports) {
    let world = World::new(&store).await;
    let (contact, other, flow) = (world.contact().await, world.contact().await, world.flow().await);
    let mut expected = Vec::new();
    for number in 0..45_u64 {
        let seconds: Vec<u64> = match number {
            0 => (0..90).map(|step| step * 997).collect(),
            1 => vec![3, 80_000],
            number => vec![number * 1_900, number * 1_900 + 7, number * 1_900 + number * 211],
        };
        let run = stepped(&flow, &contact, &seconds);
        expected.extend(seconds.iter().zip(0..).map(|(second, place)| (at(*second), format!("{}.{place}", run.id))));
        world.add(Change::Insert(Row::Run(Box::new(run)))).await;
    }
    world.add(Change::Insert(Row::Run(Box::new(stepped(&flow, &other, &[5]))))).await;
    expected.sort();
    expected.reverse();
    for limit in [7, 100] {
        let entries = read(&world, contact.id, &[TimelineKind::RunStep], limit, async |_| ()).await;
        come_once_in_order(&entries);
        let found: Vec<_> = entries.into_iter().map(|(at, _, id)| (at, id)).collect();
        let sorted = |mut all: Vec<(Timestamp, String)>| {
            all.sort();
            all
        };
        assert_eq!(sorted(found), sorted(expected.clone()), "{limit}");
    }
}

/// Each contact has its own timeline, and each type its own entries; a page continues after the previous one.
pub async fn a_timeline_contains_only_its_contact(store: Ports) {
    let (world, elsewhere) = (World::new(&store).await, World::new(&store).await);
    let (ada, eve) = (world.contact().await, world.contact().await);
    let conversation = world.conversation(&ada).await;
    world
        .commit(|set| {
            set.events.push(an_event_about(&ada, at(1)));
            set.events.push(an_event_about(&eve, at(2)));
            set.events.push(an_event(EventKind::ChannelConnected));
            let mut said = an_inbound_message(&conversation, "m1");
            said.created_at = at(3);
            set.change(Change::Insert(Row::Message(Box::new(said))));
            let mut failed = a_message(&conversation);
            failed.created_at = at(4);
            failed.fail("refused", "the provider refused it", at(4));
            failed.version = 1;
            set.change(Change::Insert(Row::Message(Box::new(failed))));
            let mut silent = a_message(&conversation);
            silent.created_at = at(5);
            set.change(Change::Insert(Row::Message(Box::new(suppressed(silent)))));
        })
        .await
        .unwrap();
    let kinds = |entries: Vec<Seen>| entries.into_iter().map(|(_, kind, _)| kind).collect::<Vec<_>>();
    let message = TimelineKind::Message;
    for limit in 1..=5 {
        let of_ada = read(&world, ada.id, &[], limit, async |_| ()).await;
        assert_eq!(kinds(of_ada), [TimelineKind::Suppression, message, message, TimelineKind::Event], "{limit}");
        let said = read(&world, ada.id, &[message], limit, async |_| ()).await;
        assert_eq!(kinds(said), [message, message], "{limit}");
    }
    assert_eq!(kinds(read(&world, eve.id, &[], 10, async |_| ()).await), [TimelineKind::Event]);
    let tidings = Tidings::new(store.clone());
    let named = ContactRef::Id(ada.id);
    let foreign = tidings.timeline.of(&elsewhere.access, &named, &BTreeSet::new(), PageRequest::default()).await;
    assert_eq!(foreign.err(), Some(tidings_domain::Error::NotFound));
}

/// Events with changed values are read whole, up to a size; of other events only the IDs are read.
pub async fn changed_values_are_read_with_their_events(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let about = |kind, second| Event { contact: Some(contact.id), at: at(second), ..an_event(kind) };
    let large = format!(r#"{{"text": "{}"}}"#, "ä".repeat(MAX_WITH_VALUES / 2));
    let events = [
        about(EventKind::ContactUpdated, 1),
        about(EventKind::ContactFieldChanged, 2),
        about(EventKind::ContactTagAdded, 3),
        Event { full: large, ..about(EventKind::ContactUpdated, 4) },
    ];
    let whole = events[0].full.clone();
    world.commit(|set| set.events.extend(events)).await.unwrap();
    let page = PageRequest { limit: 10, ..PageRequest::default() };
    let found = world.ports.timeline.events(&world.access, contact.id, page).await.unwrap();
    let mut envelopes: Vec<_> = found.into_iter().map(|it| (it.at, it.envelope)).collect();
    envelopes.sort();
    let ids = "{}".to_owned();
    assert_eq!(envelopes, [(at(1), whole.clone()), (at(2), whole), (at(3), ids.clone()), (at(4), ids)]);
}
