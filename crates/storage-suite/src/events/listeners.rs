//! Rule 10: listeners are cached with a revision, which each commit compares with the store's revision.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use tidings_domain::contacts::Contact;
use tidings_domain::events::{EventKind, Listeners};
use tidings_domain::flows::AwaitedKind;
use tidings_domain::ids::ContactId;
use tidings_domain::ports::{
    Change, ChangeSet, CommitError, Conflict, Counted, FlowChange, Guard, JobChange, Row, StoreError,
};
use tidings_domain::stored::StoredKind;
use tidings_domain::webhooks::{Subscription, Webhook, WebhookStatus};

use crate::Ports;
use crate::fixtures::{NOW, World, a_sequence, a_webhook, at, conflict, id, uuid};

/// Additions that select how a store commits a set: none, so it may share a transaction; a change that is committed
/// separately; and a limit, with guards that are checked one after another.
const WAYS: [fn(&mut ChangeSet); 3] = [
    |_| {},
    |set| {
        set.change(Change::Job(JobChange::Release { group: uuid(), due_at: NOW }));
    },
    |set| {
        set.guard(Guard::Room { what: Counted::Stored(StoredKind::Tag), adding: 1, most: 100 });
    },
];

async fn listeners(world: &World, outdated: Option<i64>) -> Arc<Listeners> {
    world.ports.listeners.listeners(world.workspace, outdated).await.unwrap()
}

async fn revision(world: &World, outdated: Option<i64>) -> i64 {
    listeners(world, outdated).await.revision
}

/// Writes a contact that relies on listeners of this revision.
async fn write(world: &World, revision: i64, way: fn(&mut ChangeSet)) -> (ContactId, Result<(), CommitError>) {
    let contact = Contact::new(id(), NOW);
    let commit = world.commit(|set| {
        set.guard(Guard::Listeners(revision));
        set.change(Change::Insert(Row::Contact(Box::new(contact.clone()))));
        way(set);
    });
    (contact.id, commit.await)
}

async fn is_there(world: &World, contact: ContactId) -> bool {
    world.ports.contacts.find_even_deleted(&world.access, contact).await.unwrap().is_some()
}

/// After any change to the listeners, sets with the old revision are rejected however they are committed, and sets with
/// the current one are accepted. Other workspaces are not affected.
pub async fn rejects_sets_with_an_old_listener_revision(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (flow, elsewhere) = (world.flow().await, revision(&other, None).await);
    let webhook = a_webhook(Subscription::Kinds(vec![EventKind::ContactCreated]));
    let more = Webhook { events: Subscription::All, updated_at: at(1), version: 2, ..webhook.clone() };
    let disabled = Webhook { status: WebhookStatus::Disabled, updated_at: at(2), version: 3, ..more.clone() };
    let trigger = json!({"type": "event", "event": "contact.tag_added"});
    let awaited = vec![AwaitedKind::Event(EventKind::ContactUpdated)];
    let changes = [
        Change::Insert(Row::Webhook(webhook)),
        Change::Update(Row::Webhook(more)),
        Change::Update(Row::Webhook(disabled)),
        Change::Flow(FlowChange::PutTriggers { flow: flow.id, triggers: vec![trigger] }),
        Change::Insert(Row::Sequence(Box::new(a_sequence()))),
        Change::Flow(FlowChange::PutAwaited { flow: flow.id, awaited, keeps_earlier: true }),
        Change::Flow(FlowChange::PutTriggers { flow: flow.id, triggers: vec![] }),
    ];
    let mut before = revision(&world, None).await;
    for change in changes {
        let told = format!("{change:?}");
        world.add(change).await;
        for way in WAYS {
            let (contact, refused) = write(&world, before, way).await;
            assert_eq!(refused, Err(CommitError::Conflict(Conflict::ListenersChanged)), "{told}");
            assert!(!is_there(&world, contact).await, "{told}");
        }
        let present = revision(&world, Some(before)).await;
        for way in WAYS {
            let (contact, written) = write(&world, present, way).await;
            assert_eq!(written, Ok(()), "{told}");
            assert!(is_there(&world, contact).await, "{told}");
        }
        before = present;
    }
    for way in WAYS {
        assert_eq!(write(&other, elsewhere, way).await.1, Ok(()));
    }
}

/// Of many concurrent sets, the ones with an old revision are rejected and the others written. An old revision of one
/// workspace may equal the current revision of another.
pub async fn rejects_only_the_sets_with_an_old_revision(store: Ports) {
    let worlds = [World::new(&store).await, World::new(&store).await];
    worlds[1].webhook(Subscription::All).await;
    let mut revisions = Vec::new();
    for world in &worlds {
        let before = revision(world, None).await;
        world.webhook(Subscription::Kinds(vec![EventKind::ContactCreated])).await;
        revisions.push([before, revision(world, Some(before)).await]);
    }
    for _ in 0..4 {
        let sets = (0..60).map(|number| {
            let (world, is_present) = (&worlds[number % 2], number % 3 != 0);
            let revision = revisions[number % 2][usize::from(is_present)];
            async move { (world, is_present, write(world, revision, WAYS[0]).await) }
        });
        for (world, is_present, (contact, outcome)) in join_all(sets).await {
            match is_present {
                true => assert_eq!(outcome, Ok(())),
                false => assert_eq!(conflict(outcome), Conflict::ListenersChanged),
            }
            assert_eq!(is_there(world, contact).await, is_present);
        }
    }
}

/// Four tasks write all the time while webhooks are created one after another. No write that began after a webhook's
/// commit returned may miss the webhook.
pub async fn a_commit_knows_all_webhooks_created_before_it(store: Ports) {
    const WEBHOOKS: usize = 30;
    let world = World::new(&store).await;
    let (made, written) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let is_over = Arc::new(AtomicBool::new(false));
    let writers = (0..4).map(|_| {
        let (world, is_over) = (world.clone(), is_over.clone());
        let (made, written) = (made.clone(), written.clone());
        tokio::spawn(async move {
            let mut known = listeners(&world, None).await;
            while !is_over.load(Ordering::SeqCst) {
                let there = made.load(Ordering::SeqCst);
                match write(&world, known.revision, WAYS[0]).await.1 {
                    Ok(()) => {
                        let knows = known.webhooks.len();
                        assert!(knows >= there, "the writer knows {knows} webhooks, but {there} existed before");
                        written.fetch_add(1, Ordering::SeqCst);
                    }
                    Err(CommitError::Conflict(Conflict::ListenersChanged)) => {
                        known = listeners(&world, Some(known.revision)).await;
                    }
                    Err(CommitError::Store(StoreError::Contention)) => {}
                    Err(error) => panic!("{error:?}"),
                }
                tokio::task::yield_now().await;
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let begun = Instant::now();
    for number in 1..=WEBHOOKS {
        world.webhook(Subscription::Kinds(vec![EventKind::ContactCreated])).await;
        made.store(number, Ordering::SeqCst);
        let goal = written.load(Ordering::SeqCst) + 8;
        while written.load(Ordering::SeqCst) < goal && !writers.iter().any(|it| it.is_finished()) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no set is written after {number} webhooks");
            tokio::task::yield_now().await;
        }
    }
    is_over.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(listeners(&world, None).await.webhooks.len(), WEBHOOKS, "all webhooks are listeners");
}
