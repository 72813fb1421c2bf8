//! Sequences and enrollments: a contact has at most one active enrollment in a sequence.

use futures::future::join_all;
use serde_json::json;
use tidings_domain::access::Actor;
use tidings_domain::ids::{EnrollmentId, SequenceId, TypedId};
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::{Change, ChangeSet, Conflict, Counted, Guard, Object, Row, SequenceChange, UniqueKey};
use tidings_domain::sequences::{
    EnrollmentError, EnrollmentFilter, EnrollmentStatus, ExitOn, ExitReason, Reenroll, SequenceStatus, SequenceZone,
    StepRecord,
};

use crate::Ports;
use crate::fixtures::{World, a_sequence, an_enrollment, at, conflict, id};

/// All fields of a sequence are stored. A deleted one is hidden and cannot be updated.
pub async fn stores_all_fields_of_a_sequence(store: Ports) {
    let world = World::new(&store).await;
    let mut it = world.sequence().await;
    assert_eq!(store.sequences.get(&world.access, it.id).await.unwrap(), Some(it.clone()));
    (it.name, it.status, it.time_zone) = ("Другая 🦀".to_owned(), SequenceStatus::Paused, SequenceZone::Workspace);
    (it.exit_on, it.exit_when) =
        (vec![ExitOn::Unsubscribe], Some(json!({"b": [1.5, null], "a": {"deep": "x"}}).into()));
    it.reenroll = Reenroll::parse(&json!({"after": "P30D"})).unwrap();
    (it.steps, it.revision, it.version, it.updated_at) = (vec![], 7, 2, at(9));
    world.add(Change::Update(Row::Sequence(Box::new(it.clone())))).await;
    assert_eq!(store.sequences.get(&world.access, it.id).await.unwrap(), Some(it.clone()));

    (it.deleted_at, it.version) = (Some(at(10)), 3);
    world.add(Change::Update(Row::Sequence(Box::new(it.clone())))).await;
    assert_eq!(store.sequences.get(&world.access, it.id).await.unwrap(), None);
    assert_eq!(store.sequences.get_even_deleted(&world.access, it.id).await.unwrap(), Some(it.clone()));
    assert_eq!(
        store.sequences.list(&world.access, &Default::default(), PageRequest::default()).await.unwrap().items,
        []
    );
    let stale = Conflict::Stale(Object::Sequence(it.id));
    assert_eq!(conflict(world.commit(|set| set.guards.push(Guard::Live(Object::Sequence(it.id)))).await), stale);
    it.version = 4;
    assert_eq!(conflict(world.change(Change::Update(Row::Sequence(Box::new(it)))).await), stale);
    // A deleted sequence does not count against the limit.
    let room = Guard::Room { what: Counted::Sequences, adding: 1, most: 1 };
    let new = Change::Insert(Row::Sequence(Box::new(a_sequence())));
    let add = |set: &mut ChangeSet| {
        set.guard(room).change(new);
    };
    assert_eq!(world.commit(add).await, Ok(()));
    let full = world.commit(|set| set.guards.push(room)).await;
    assert_eq!(conflict(full), Conflict::Full { what: Counted::Sequences, most: 1 });
}

/// All fields of an enrollment are stored.
pub async fn stores_all_fields_of_an_enrollment(store: Ports) {
    let world = World::new(&store).await;
    let (sequence, contact) = (world.sequence().await, world.contact().await);
    let mut it = world.enrollment(&sequence, &contact).await;
    assert_eq!(store.sequences.enrollment(&world.access, it.id).await.unwrap(), Some(it.clone()));
    let record = |step: &str| StepRecord {
        step: step.to_owned(),
        kind: "send_message".to_owned(),
        at: at(3),
        outcome: "queued".to_owned(),
        message: Some(id()),
        run: Some(id()),
    };
    it.steps_done = vec![record("a"), record("ß")];
    (it.step, it.next_run_at, it.visit, it.revision, it.version) = (Some("c".to_owned()), Some(at(60)), 3, 2, 2);
    it.enrolled_by = Actor::sequence(sequence.id);
    world.add(Change::Update(Row::Enrollment(Box::new(it.clone())))).await;
    assert_eq!(store.sequences.enrollment(&world.access, it.id).await.unwrap(), Some(it.clone()));
    (it.status, it.exit_reason, it.ended_at) = (EnrollmentStatus::Failed, Some(ExitReason::Failed), Some(at(61)));
    (it.next_run_at, it.version) = (None, 3);
    it.error = Some(EnrollmentError { code: "x".to_owned(), message: "y".to_owned(), step: Some("c".to_owned()) });
    world.add(Change::Update(Row::Enrollment(Box::new(it.clone())))).await;
    assert_eq!(store.sequences.enrollment(&world.access, it.id).await.unwrap(), Some(it));
    assert_eq!(store.sequences.enrollment(&world.access, id()).await.unwrap(), None);
}

/// Of two concurrent enrollments, one is created. After its end the next number is free.
pub async fn enrolls_a_contact_in_a_sequence_once(store: Ports) {
    let world = World::new(&store).await;
    let sequence = world.sequence().await;
    for _ in 0..10 {
        let contact = world.contact().await;
        let enroll = || {
            let (world, it) = (world.clone(), an_enrollment(&sequence, &contact));
            tokio::spawn(async move { world.change(Change::Insert(Row::Enrollment(Box::new(it)))).await })
        };
        let outcomes: Vec<_> = join_all([enroll(), enroll()]).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
        let Conflict::Exists(key) = conflict(outcomes.into_iter().find(Result::is_err).unwrap()) else {
            panic!("expected a conflict of a unique key")
        };
        assert!([UniqueKey::LiveEnrollment, UniqueKey::EnrollmentNumber].contains(&key), "{key:?}");

        let mut first = store.sequences.last_enrollment(&world.access, sequence.id, contact.id).await.unwrap().unwrap();
        (first.status, first.ended_at, first.version) = (EnrollmentStatus::Completed, Some(at(1)), 2);
        world.add(Change::Update(Row::Enrollment(Box::new(first)))).await;
        let mut second = an_enrollment(&sequence, &contact);
        second.number = 2;
        world.add(Change::Insert(Row::Enrollment(Box::new(second.clone())))).await;
        let last = store.sequences.last_enrollment(&world.access, sequence.id, contact.id).await.unwrap();
        assert_eq!(last, Some(second));
    }
}

/// All active enrollments of the contact end, each with its next version and visit; others continue.
pub async fn enrollments_of_a_deleted_contact_end(store: Ports) {
    let world = World::new(&store).await;
    let (one, two) = (world.sequence().await, world.sequence().await);
    let (contact, other) = (world.contact().await, world.contact().await);
    let active = world.enrollment(&one, &contact).await;
    let mut paused = an_enrollment(&two, &contact);
    (paused.status, paused.visit) = (EnrollmentStatus::Paused, 4);
    world.add(Change::Insert(Row::Enrollment(Box::new(paused.clone())))).await;
    let mut ended = an_enrollment(&one, &contact);
    (ended.number, ended.status, ended.ended_at) = (2, EnrollmentStatus::Completed, Some(at(1)));
    world.add(Change::Insert(Row::Enrollment(Box::new(ended.clone())))).await;
    let untouched = world.enrollment(&one, &other).await;
    let live = async |contact| store.sequences.live_enrollments(&world.access, contact).await.unwrap();
    assert_eq!(live(contact.id).await, [active.clone(), paused.clone()]);

    let reason = ExitReason::ContactDeleted;
    world.add(Change::Sequence(SequenceChange::ExitEnrollments { contact: contact.id, reason, at: at(9) })).await;
    for mut expected in [active.clone(), paused.clone()] {
        (expected.status, expected.exit_reason, expected.next_run_at) = (EnrollmentStatus::Exited, Some(reason), None);
        (expected.ended_at, expected.updated_at) = (Some(at(9)), at(9));
        (expected.visit, expected.version) = (expected.visit + 1, expected.version + 1);
        let read = store.sequences.enrollment(&world.access, expected.id).await.unwrap();
        assert_eq!(read, Some(expected));
    }
    assert_eq!(live(contact.id).await, []);
    assert_eq!(live(other.id).await, [untouched]);
    let deleted = async |instant| {
        let found = store.sequences.enrollments_deleted_at(&world.access, contact.id, instant).await.unwrap();
        found.into_iter().map(|it| it.id).collect::<Vec<EnrollmentId>>()
    };
    assert_eq!(deleted(at(9)).await, [active.id, paused.id]);
    assert_eq!(deleted(at(1)).await, [], "enrollments that ended otherwise are not returned");
}

/// Active enrollments with an older revision of the sequence are returned in portions.
pub async fn returns_outdated_enrollments_in_portions(store: Ports) {
    let world = World::new(&store).await;
    let (sequence, other) = (world.sequence().await, world.sequence().await);
    let mut outdated = Vec::new();
    for revision in [1, 1, 2, 3, 1] {
        let mut it = an_enrollment(&sequence, &world.contact().await);
        it.revision = revision;
        world.add(Change::Insert(Row::Enrollment(Box::new(it.clone())))).await;
        if revision < 3 {
            outdated.push(it.id);
        }
    }
    let mut over = an_enrollment(&sequence, &world.contact().await);
    (over.status, over.ended_at) = (EnrollmentStatus::Exited, Some(at(1)));
    world.add(Change::Insert(Row::Enrollment(Box::new(over)))).await;
    world.enrollment(&other, &world.contact().await).await;
    let ask = async |sequence: SequenceId, revision, limit| {
        let found = store.sequences.outdated_enrollments(&world.access, sequence, revision, limit).await.unwrap();
        found.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(ask(sequence.id, 3, 100).await, outdated);
    assert_eq!(ask(sequence.id, 3, 2).await, outdated[..2]);
    assert_eq!(ask(sequence.id, 1, 100).await, []);
}

/// Every part of the filter must match. The list contains each row once in both orders.
pub async fn enrollments_are_filtered_and_listed_by_page(store: Ports) {
    let world = World::new(&store).await;
    let (sequence, other) = (world.sequence().await, world.sequence().await);
    let mut of_sequence = Vec::new();
    for number in 0..25_u64 {
        let contact = world.contact().await;
        let mut it = an_enrollment(&sequence, &contact);
        it.started_at = at(number / 10);
        if number % 5 == 0 {
            (it.status, it.ended_at) = (EnrollmentStatus::Completed, Some(at(50)));
        }
        of_sequence.push((it.id.uuid(), contact.id, it.status));
        world.add(Change::Insert(Row::Enrollment(Box::new(it)))).await;
        world.enrollment(&other, &contact).await;
    }
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let filter = EnrollmentFilter { sequence: Some(sequence.id), ..EnrollmentFilter::default() };
        let mut request = PageRequest { limit: 7, order, ..PageRequest::default() };
        let mut walked = Vec::new();
        loop {
            let page = store.sequences.enrollments(&world.access, &filter, request).await.unwrap();
            walked.extend(page.items.iter().map(|it| it.id.uuid()));
            request.after = page.next;
            if page.next.is_none() {
                break;
            }
        }
        if order == Order::NewestFirst {
            walked.reverse();
        }
        assert_eq!(walked, of_sequence.iter().map(|(id, ..)| *id).collect::<Vec<_>>());
    }
    let count = async |filter: EnrollmentFilter| {
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        store.sequences.enrollments(&world.access, &filter, page).await.unwrap().items.len()
    };
    let completed = Some(EnrollmentStatus::Completed);
    let contact = Some(of_sequence[0].1);
    assert_eq!(count(EnrollmentFilter::default()).await, 50);
    assert_eq!(count(EnrollmentFilter { status: completed, ..EnrollmentFilter::default() }).await, 5);
    assert_eq!(count(EnrollmentFilter { contact, ..EnrollmentFilter::default() }).await, 2);
    assert_eq!(count(EnrollmentFilter { contact, sequence: Some(other.id), status: completed }).await, 0);
}
