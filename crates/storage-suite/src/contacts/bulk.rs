//! Bulk operations: their stored fields, and the guarantee that each contact is changed once.

use std::time::Duration;

use serde_json::json;
use tidings_domain::Tidings;
use tidings_domain::access::Actor;
use tidings_domain::bulk::{BulkAction, BulkCounts, BulkError, BulkField, BulkOperation, BulkStatus, NewBulkOperation};
use tidings_domain::contacts::{Contact, ContactFilter};
use tidings_domain::events::EventKind;
use tidings_domain::fields::FieldKind;
use tidings_domain::pagination::{PageRequest, Position};
use tidings_domain::ports::{Change, ClaimRequest, Conflict, Counted, Guard, Job, Object, Pool, Row};
use tidings_domain::segments::Audience;

use crate::Ports;
use crate::fixtures::{World, a_bulk_operation, at, conflict, id, uuid};
use crate::jobs::LONG;

/// All fields are stored. An unfinished operation counts against the limit.
pub async fn stores_all_fields_of_a_bulk_operation(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut it = a_bulk_operation();
    world.add(Change::Insert(Row::BulkOperation(Box::new(it.clone())))).await;
    let get = async |world: &World| store.bulk.get(&world.access, it.id).await.unwrap();
    assert_eq!((get(&world).await.as_ref(), get(&other).await), (Some(&it), None));
    let room = Guard::Room { what: Counted::BulkOperations, adding: 1, most: 1 };
    let is_full = async |world: &World| world.commit(|set| set.guards.push(room)).await.is_err();
    assert!(is_full(&world).await && !is_full(&other).await);
    let field = BulkField { id: id(), key: "plan".to_owned() };
    for action in [
        BulkAction::Untag(id()),
        BulkAction::SetField(field.clone(), Some(json!({"Имя": [1, null]}))),
        BulkAction::SetField(field.clone(), None),
        BulkAction::ClearField(field),
        BulkAction::Subscribe,
        BulkAction::Enroll(id()),
        BulkAction::StartFlow(id()),
        BulkAction::Delete,
    ] {
        it.action = action;
        it.behind = Some(Position { at: at(7), id: uuid() });
        it.version += 1;
        world.add(Change::Update(Row::BulkOperation(Box::new(it.clone())))).await;
        assert_eq!(store.bulk.get(&world.access, it.id).await.unwrap(), Some(it.clone()));
    }
    (it.filter, it.condition, it.behind) = (Audience::Segment(id()), None, None);
    it.status = BulkStatus::Failed;
    it.error = Some(BulkError { code: "internal".to_owned(), message: "so".to_owned() });
    it.counts = BulkCounts { matched: 9, changed: 1, unchanged: 2, failed: 3, skipped: 4, still_opted_out: 5 };
    it.created_by = Actor::system();
    (it.started_at, it.ended_at, it.updated_at, it.version) = (Some(at(1)), Some(at(2)), at(2), it.version + 1);
    world.add(Change::Update(Row::BulkOperation(Box::new(it.clone())))).await;
    assert_eq!(store.bulk.get(&world.access, it.id).await.unwrap(), Some(it.clone()));
    assert!(!is_full(&world).await, "an ended operation does not count against the limit");
    let list = async |status| store.bulk.list(&world.access, status, PageRequest::default()).await.unwrap().items;
    assert_eq!((list(None).await, list(Some(BulkStatus::Failed)).await), (vec![it.clone()], vec![it.clone()]));
    assert_eq!(list(Some(BulkStatus::Queued)).await, []);
    let stale = world.change(Change::Update(Row::BulkOperation(Box::new(it.clone())))).await;
    assert_eq!(conflict(stale), Conflict::Stale(Object::BulkOperation(it.id)));
    world.add(Change::Delete(Object::BulkOperation(it.id))).await;
    assert_eq!(store.bulk.get(&world.access, it.id).await.unwrap(), None);
}

/// Performs all jobs of an operation. Each portion is first cancelled midway, then performed twice concurrently, and
/// once more when it is complete.
async fn worked(tidings: &Tidings, store: &Ports) -> u64 {
    let mut portions = 0;
    loop {
        let claim = ClaimRequest::new(Pool::Work, 10, LONG, store.clock.now());
        let claimed = store.engine.claim(claim).await.unwrap();
        if claimed.is_empty() {
            return portions;
        }
        // By PostgreSQL's own clock, the thirty days of an operation are long over. Steps of runs and enrollments are
        // left to other workers.
        for job in claimed.into_iter().filter(|job| matches!(job.job, Job::ChangeContacts { .. })) {
            portions += 1;
            let broken_off = Duration::from_millis(portions % 7 * 3);
            tokio::time::timeout(broken_off, tidings.worker.perform(&job)).await.ok();
            let (one, two) = tokio::join!(tidings.worker.perform(&job), tidings.worker.perform(&job));
            assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
            tidings.worker.perform(&job).await.unwrap();
        }
    }
}

/// A worker that is killed at any moment, or a repeat of finished work, changes no contact twice and skips none.
pub async fn an_interrupted_bulk_operation_changes_each_contact_once(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let tidings = Tidings::new(store.clone());
    let (tag, now) = (world.tag("Seen").await, store.clock.now());
    for portion in 0..7 {
        let contact = |number: usize| {
            let mut contact = Contact::new(id(), now);
            contact.first_name = Some(if number.is_multiple_of(3) { "Eve" } else { "Ada" }.to_owned());
            contact
        };
        let contacts: Vec<Contact> = (portion * 100..portion * 100 + 100).map(contact).collect();
        let rows = contacts.into_iter().map(|it| Change::Insert(Row::Contact(Box::new(it))));
        world.commit(|set| set.changes.extend(rows)).await.unwrap();
    }
    let neighbour = other.contact().await;
    let ask = async |filter: serde_json::Value, action, expected_count| {
        let new = NewBulkOperation { filter: Audience::Condition(filter.into()), action, expected_count };
        tidings.bulk.start(&world.access, new, None).await.unwrap().value
    };
    let get = async |it: &BulkOperation| store.bulk.get(&world.access, it.id).await.unwrap().unwrap();
    let unseen = json!({"not": {"field": "tags", "op": "has", "value": "seen"}});
    let tagging = ask(unseen, BulkAction::Tag(tag.id), None).await;
    assert!(worked(&tidings, &store).await > 3);
    let done = get(&tagging).await;
    let all = BulkCounts { matched: 700, changed: 700, ..BulkCounts::default() };
    assert_eq!((done.status, done.counts, done.error), (BulkStatus::Completed, all, None));
    let eve = json!({"field": "first_name", "op": "eq", "value": "eve"});
    let untagging = ask(eve.clone(), BulkAction::Untag(tag.id), None).await;
    worked(&tidings, &store).await;
    let some = BulkCounts { matched: 234, changed: 234, ..BulkCounts::default() };
    assert_eq!(get(&untagging).await.counts, some);
    let carrying = ContactFilter { tags: vec![tag.id], ..ContactFilter::default() };
    assert_eq!(store.contacts.count(&world.access, &carrying, 2_000).await.unwrap(), 466);
    let deleting = ask(eve, BulkAction::Delete, Some(234)).await;
    worked(&tidings, &store).await;
    assert_eq!(get(&deleting).await.counts, some);
    assert_eq!(store.contacts.count(&world.access, &ContactFilter::default(), 2_000).await.unwrap(), 466);
    assert!(store.contacts.find_even_deleted(&other.access, neighbour.id).await.unwrap().unwrap().deleted_at.is_none());
    store.engine.number_events(uuid(), Duration::ZERO, 10_000, store.clock.now()).await.unwrap();
    let expected =
        [(EventKind::ContactTagAdded, 700), (EventKind::ContactTagRemoved, 234), (EventKind::ContactDeleted, 234)];
    for (kind, expected) in expected {
        let told = store.events.feed(&world.access, 0, vec![kind], 2_000, usize::MAX).await.unwrap().events.len();
        assert_eq!(told, expected, "{kind:?}");
    }
}

/// Fields are set, contacts subscribed and enrolled, and flows started once each, even after interruptions.
pub async fn an_interrupted_bulk_operation_acts_on_each_contact_once(store: Ports) {
    let world = World::new(&store).await;
    let tidings = Tidings::new(store.clone());
    let (flow, sequence) = (world.flow().await, world.sequence().await);
    let field = world.field("plan", FieldKind::Text).await;
    let rows = (0..130).map(|number| {
        let mut contact = Contact::new(id(), store.clock.now());
        (contact.subscribed, contact.never_subscribed) = (false, number % 2 == 0);
        contact.first_name = Some("Ada".to_owned());
        Change::Insert(Row::Contact(Box::new(contact)))
    });
    let rows: Vec<_> = rows.collect();
    world.commit(|set| set.changes.extend(rows)).await.unwrap();
    let ada = json!({"field": "first_name", "op": "eq", "value": "Ada"});
    let done = async |action: BulkAction| {
        let filter = Audience::Condition(ada.clone().into());
        let new = NewBulkOperation { filter, action, expected_count: Some(130) };
        let asked = tidings.bulk.start(&world.access, new, None).await.unwrap().value;
        worked(&tidings, &store).await;
        let done = store.bulk.get(&world.access, asked.id).await.unwrap().unwrap();
        assert_eq!((done.status, done.counts.done()), (BulkStatus::Completed, 130), "{done:?}");
        done.counts
    };
    let counts = |changed| BulkCounts { matched: 130, changed, ..BulkCounts::default() };
    let named = BulkField { id: field.id, key: field.key.clone() };
    assert_eq!(done(BulkAction::SetField(named.clone(), Some(json!("pro")))).await, counts(130));
    let unchanged = BulkCounts { unchanged: 130, ..counts(0) };
    assert_eq!(done(BulkAction::SetField(named.clone(), Some(json!("pro")))).await, unchanged);
    assert_eq!(done(BulkAction::ClearField(named.clone())).await, counts(130));
    assert!(!store.fields.has_values(&world.access, field.id).await.unwrap());
    let subscribed = BulkCounts { still_opted_out: 65, ..counts(65) };
    assert_eq!(done(BulkAction::Subscribe).await, subscribed);
    let subscribed = ContactFilter { subscribed: Some(true), ..ContactFilter::default() };
    assert_eq!(store.contacts.count(&world.access, &subscribed, 2_000).await.unwrap(), 65);
    let skipped = BulkCounts { skipped: 130, ..counts(0) };
    for action in [BulkAction::Enroll(sequence.id), BulkAction::StartFlow(flow.id)] {
        assert_eq!(done(action.clone()).await, counts(130));
        assert_eq!(done(action).await, skipped);
    }
    store.engine.number_events(uuid(), Duration::ZERO, 10_000, store.clock.now()).await.unwrap();
    let expected = [
        (EventKind::ContactFieldChanged, 260),
        (EventKind::ContactUpdated, 65),
        (EventKind::SequenceEnrolled, 130),
        (EventKind::FlowStarted, 130),
    ];
    for (kind, expected) in expected {
        let told = store.events.feed(&world.access, 0, vec![kind], 2_000, usize::MAX).await.unwrap().events.len();
        assert_eq!(told, expected, "{kind:?}");
    }
}
