//! Rules 1 and 2: a set is written completely or not at all, and no caller gets a result before the commit.

use futures::future::join_all;
use tidings_domain::contacts::Contact;
use tidings_domain::events::EventKind;
use tidings_domain::ports::{
    Change, ChangeSet, ClaimRequest, CommitError, Conflict, Guard, Job, MAX_ROWS, NewJob, Object, Pool, Row,
    StoreError, TagChange, UniqueKey,
};
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::tags::Tag;

use crate::Ports;
use crate::fixtures::{NOW, World, a_run, an_answer, an_event, at, conflict, id};

/// Builds a set with a contact with a tag, an event with its job, and an idempotency record.
fn everything(set: &mut ChangeSet, contact: &Contact, tag: &Tag) {
    set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag.clone()))))
        .change(Change::Insert(Row::Contact(Box::new(contact.clone()))))
        .change(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW }));
    let event = an_event(EventKind::ContactCreated);
    set.jobs.push(NewJob::new(id(), Job::RelayEvent { event: event.id, depth: 0 }, NOW));
    set.events.push(event);
    set.idempotency = Some(an_answer("once"));
}

/// Returns which of the five parts of [`everything`] are in the store.
async fn present(world: &World, set: &ChangeSet, contact: &Contact, tag: &Tag) -> [bool; 5] {
    let ports = &world.ports;
    let contact = ports.contacts.find_even_deleted(&world.access, contact.id).await.unwrap();
    let event = ports.engine.event(world.workspace, set.events[0].id).await.unwrap();
    let answer = ports.idempotency.find(&world.access, "POST", "/v1/contacts", &"once".into(), NOW).await.unwrap();
    let lease = std::time::Duration::from_secs(3_600);
    let request = ClaimRequest::new(Pool::Work, 10, lease, NOW);
    let claimed = ports.engine.claim(request).await.unwrap();
    let relayed = Job::RelayEvent { event: set.events[0].id, depth: 0 };
    let job = claimed.iter().any(|job| job.job == relayed);
    [contact.is_some(), world.has_tag(tag).await, event.is_some(), answer.is_some(), job]
}

/// Contact, tag, event, idempotency record and job all exist after the commit.
pub async fn a_set_is_written_as_a_whole(store: Ports) {
    let world = World::new(&store).await;
    let (contact, tag) = (Contact::new(id(), NOW), Tag::new(id(), "vip", NOW));
    let mut set = ChangeSet::new(world.workspace);
    everything(&mut set, &contact, &tag);
    store.ledger.commit(set.clone()).await.unwrap();
    assert_eq!(present(&world, &set, &contact, &tag).await, [true; 5]);
    let read = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap().unwrap();
    assert!(read.has_tag(tag.id));
}

/// If the last part of a set conflicts, nothing of the set is written, whichever part it is.
pub async fn writes_nothing_of_a_set_with_a_conflict(store: Ports) {
    let world = World::new(&store).await;
    world.commit(|set| set.idempotency = Some(an_answer("used"))).await.unwrap();
    let taken = world.tag("taken").await;

    let (contact, tag) = (Contact::new(id(), NOW), Tag::new(id(), "vip", NOW));
    let mut set = ChangeSet::new(world.workspace);
    everything(&mut set, &contact, &tag);
    let mut by_answer = set.clone();
    by_answer.idempotency = Some(an_answer("used"));
    assert_eq!(conflict(store.ledger.commit(by_answer).await), Conflict::IdempotencyKeyUsed);
    assert_eq!(present(&world, &set, &contact, &tag).await, [false; 5]);

    let mut by_change = set.clone();
    by_change.change(Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(id(), "Taken", NOW)))));
    assert_eq!(conflict(store.ledger.commit(by_change).await), Conflict::Exists(UniqueKey::TagName));
    assert_eq!(present(&world, &set, &contact, &tag).await, [false; 5]);

    let mut by_count = set.clone();
    by_count.change(Change::Tag(TagChange::Unlink { contact: contact.id, tag: taken.id }));
    assert_eq!(conflict(store.ledger.commit(by_count).await), Conflict::NoLink);
    assert_eq!(present(&world, &set, &contact, &tag).await, [false; 5]);

    // Without the conflict the same set is accepted, so nothing of it remained.
    store.ledger.commit(set).await.unwrap();
}

/// Guards are checked before changes, changes in order, and the idempotency record last.
pub async fn reports_the_first_conflict_of_a_set(store: Ports) {
    let world = World::new(&store).await;
    let tag = world.tag("vip").await;
    world.commit(|set| set.idempotency = Some(an_answer("used"))).await.unwrap();
    let again = Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(id(), "vip", NOW))));
    let unlink = Change::Tag(TagChange::Unlink { contact: id(), tag: tag.id });
    let gone = Object::Contact(id());

    let mut set = ChangeSet::new(world.workspace);
    set.idempotency = Some(an_answer("used"));
    assert_eq!(conflict(store.ledger.commit(set.clone()).await), Conflict::IdempotencyKeyUsed);
    set.change(again);
    assert_eq!(conflict(store.ledger.commit(set.clone()).await), Conflict::Exists(UniqueKey::TagName));
    set.changes.insert(0, unlink);
    assert_eq!(conflict(store.ledger.commit(set.clone()).await), Conflict::NoLink);
    set.guard(Guard::Live(gone));
    assert_eq!(conflict(store.ledger.commit(set.clone()).await), Conflict::Stale(gone));
    set.guards.insert(0, Guard::Version(Object::Stored(StoredId::Tag(tag.id)), 9));
    assert_eq!(conflict(store.ledger.commit(set).await), Conflict::Stale(Object::Stored(StoredId::Tag(tag.id))));
}

/// A thousand rows are accepted. A larger set is a programming error, and nothing is written.
pub async fn rejects_a_set_of_more_than_a_thousand_rows(store: Ports) {
    let world = World::new(&store).await;
    let tags: Vec<Tag> = (0..=MAX_ROWS).map(|number| Tag::new(id(), &format!("tag {number}"), NOW)).collect();
    let changes = |count: usize| {
        tags.iter().take(count).cloned().map(|it| Change::Insert(Row::Stored(it.into()))).collect::<Vec<_>>()
    };
    let refused = world.commit(|set| set.changes = changes(MAX_ROWS + 1)).await;
    assert!(matches!(refused, Err(CommitError::Store(StoreError::Corrupt(_)))), "{refused:?}");
    assert!(!world.has_tag(&tags[0]).await);
    world.commit(|set| set.changes = changes(MAX_ROWS)).await.unwrap();
    assert!(world.has_tag(&tags[MAX_ROWS - 1]).await);
}

/// Many callers commit concurrently; each finds its row as soon as its commit returns.
pub async fn acknowledged_sets_are_visible_at_once(store: Ports) {
    let world = World::new(&store).await;
    let outcomes = join_all((0..200).map(|number| {
        let world = world.clone();
        tokio::spawn(async move {
            let tag = Tag::new(id(), &format!("tag {number}"), NOW);
            // An overloaded store may return an error, but it may not lose an acknowledged set.
            match world.change(Change::Insert(Row::Stored(StoredRow::Tag(tag.clone())))).await {
                Ok(()) => assert!(world.has_tag(&tag).await, "{tag:?} was acknowledged but is missing"),
                Err(error) => assert!(matches!(error, CommitError::Store(StoreError::Unavailable(_))), "{error:?}"),
            }
        })
    }))
    .await;
    assert!(outcomes.into_iter().all(|outcome| outcome.is_ok()));
}

/// Only the sets with conflicts fail when many are committed concurrently.
pub async fn a_conflict_fails_only_its_own_set(store: Ports) {
    let world = World::new(&store).await;
    world.tag("taken").await;
    let outcomes = join_all((0..60).map(|number| {
        let world = world.clone();
        tokio::spawn(async move {
            let (before, after) = (Tag::new(id(), &format!("a{number}"), NOW), Tag::new(id(), "Taken", NOW));
            let contradicts = number % 3 == 0;
            let outcome = world
                .commit(|set| {
                    set.change(Change::Insert(Row::Stored(StoredRow::Tag(before.clone()))));
                    if contradicts {
                        set.change(Change::Insert(Row::Stored(StoredRow::Tag(after))));
                    }
                })
                .await;
            if contradicts {
                assert_eq!(conflict(outcome), Conflict::Exists(UniqueKey::TagName));
            } else {
                outcome.unwrap();
            }
            assert_eq!(world.has_tag(&before).await, !contradicts);
        })
    }))
    .await;
    assert!(outcomes.into_iter().all(|outcome| outcome.is_ok()));
}

/// A caller may be cancelled at any moment: its set is written completely or not at all, and the store continues to
/// work.
pub async fn a_cancelled_commit_is_written_whole_or_not_at_all(store: Ports) {
    let world = World::new(&store).await;
    let mut pairs = Vec::new();
    for number in 0..60 {
        let tags = ["a", "b", "c", "d"].map(|part| Tag::new(id(), &format!("{part} {number}"), NOW));
        let mut set = ChangeSet::new(world.workspace);
        set.changes.extend(tags.iter().cloned().map(|it| Change::Insert(Row::Stored(it.into()))));
        let ledger = store.ledger.clone();
        let task = tokio::spawn(async move { ledger.commit(set).await });
        for _ in 0..number {
            tokio::task::yield_now().await;
        }
        task.abort();
        pairs.push((tags, task.await));
    }
    // This commit comes after all others, so they have ended by now or never will.
    let last = world.contact().await;
    assert!(store.contacts.find_even_deleted(&world.access, last.id).await.unwrap().is_some());
    for ([first, .., last], answer) in &pairs {
        // The last row is checked first: if it exists, the whole set was written.
        if world.has_tag(last).await {
            assert!(world.has_tag(first).await);
        } else {
            assert!(!matches!(answer, Ok(Ok(()))), "an acknowledged set is missing");
        }
    }
}

/// A row with a missing owner is a programming error, not a conflict, and nothing is written.
pub async fn rejects_a_row_with_a_missing_owner(store: Ports) {
    let world = World::new(&store).await;
    let (flow, tag) = (world.flow().await, Tag::new(id(), "vip", NOW));
    let nobody = Contact::new(id(), NOW);
    let outcome = world
        .commit(|set| {
            set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag.clone()))))
                .change(Change::Insert(Row::Run(Box::new(a_run(&flow, &nobody)))));
        })
        .await;
    assert!(matches!(outcome, Err(CommitError::Store(StoreError::Corrupt(_)))), "{outcome:?}");
    assert!(!world.has_tag(&tag).await);
}

/// The domain rejects U+0000. A store rejects it or stores it, and never truncates the text.
pub async fn rejects_or_stores_a_text_with_a_nul_character(store: Ports) {
    let world = World::new(&store).await;
    let mut contact = Contact::new(id(), at(1));
    contact.first_name = Some("a\0b".to_owned());
    match world.change(Change::Insert(Row::Contact(Box::new(contact.clone())))).await {
        Ok(()) => {
            let read = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap().unwrap();
            assert_eq!(read.first_name, contact.first_name);
        }
        Err(error) => assert!(matches!(error, CommitError::Store(StoreError::Corrupt(_))), "{error:?}"),
    }
}
