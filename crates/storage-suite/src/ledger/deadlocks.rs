//! Commits that change or guard the same rows do not deadlock.

use std::time::Duration;

use futures::future::join_all;
use tidings_domain::ports::{
    Change, CommitError, Conflict, ContactChange, ConversationChange, Counted, FlowChange, Guard, Job, NewJob, Object,
    ReferenceChange, Row, TagChange,
};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::stored::StoredId;

use super::guards::at_once;
use crate::Ports;
use crate::fixtures::{NOW, World, a_message, conflict, id, nothing};

/// Two sends to one contact change the same rows without a deadlock.
pub async fn concurrent_sends_to_one_contact_do_not_deadlock(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let opened = world.conversation(&contact).await;
    for _ in 0..10 {
        let sends = (0..4).map(|_| {
            let (world, conversation, contact) = (world.clone(), opened.id, contact.id);
            let message = a_message(&opened);
            async move {
                world
                    .commit(|set| {
                        set.guard(Guard::Live(Object::Contact(contact)));
                        set.jobs.push(NewJob::new(
                            id(),
                            Job::SendMessage {
                                message: message.id,
                                conversation: Some(conversation),
                                channel: None,
                                depth: 0,
                            },
                            NOW,
                        ));
                        set.change(Change::Insert(Row::Message(Box::new(message))));
                        set.change(Change::Conversation(ConversationChange::Touch { conversation, at: NOW }));
                        set.change(Change::Contact(ContactChange::Touch { contact, at: NOW }));
                    })
                    .await
            }
        });
        let outcomes = tokio::time::timeout(Duration::from_secs(5), at_once(sends.collect::<Vec<_>>())).await;
        assert_eq!(outcomes.expect("no deadlock"), vec![Ok(()); 4]);
    }
}

/// A commit that counts a contact's tags also guards the contact, and takes the stronger lock at once.
pub async fn concurrent_links_to_one_contact_do_not_deadlock(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await.id;
    for round in 0..5 {
        let tags = join_all((0..4).map(async |number| world.tag(&format!("tag {round} {number}")).await)).await;
        let links = tags.into_iter().map(|tag| {
            let world = world.clone();
            async move {
                world
                    .commit(|set| {
                        set.guard(Guard::Live(Object::Contact(contact)));
                        set.guard(Guard::Live(Object::Stored(StoredId::Tag(tag.id))));
                        set.guard(Guard::Room { what: Counted::TagsOf(contact), adding: 1, most: 100 });
                        set.change(Change::Tag(TagChange::Link { contact, tag: tag.id, at: NOW }));
                    })
                    .await
            }
        });
        let outcomes = tokio::time::timeout(Duration::from_secs(5), at_once(links.collect::<Vec<_>>())).await;
        assert_eq!(outcomes.expect("no deadlock"), vec![Ok(()); 4]);
    }
}

/// A forced delete of a flow guards it first, and takes the stronger lock at once.
pub async fn forced_deletes_of_one_flow_do_not_deadlock(store: Ports) {
    let world = World::new(&store).await;
    for _ in 0..3 {
        let flow = world.flow().await.id;
        let deletions = (0..4).map(|_| {
            let world = world.clone();
            async move {
                world
                    .commit(|set| {
                        set.guard(Guard::Live(Object::Flow(flow)));
                        let (target, owner) = (Referent::Flow(flow), Referrer::Flow(flow));
                        set.change(Change::Reference(ReferenceChange::Lose {
                            target,
                            name: "Welcome".to_owned(),
                            at: NOW,
                        }));
                        set.change(Change::Reference(ReferenceChange::Put { owner, targets: Vec::new() }));
                        set.change(Change::Flow(FlowChange::Delete { flow, at: NOW }));
                        set.change(Change::Flow(FlowChange::Interrupt { flow, at: NOW, due_at: NOW }));
                    })
                    .await
            }
        });
        of_all_one_wins(deletions.collect(), Conflict::Stale(Object::Flow(flow))).await;
    }
}

/// Updates that guard the same webhook do not deadlock.
pub async fn updates_of_one_webhook_do_not_deadlock(store: Ports) {
    let world = World::new(&store).await;
    let mut webhook = world.webhook(nothing()).await;
    for _ in 0..3 {
        webhook.version += 1;
        let updates = (0..4).map(|_| {
            let (world, webhook) = (world.clone(), webhook.clone());
            async move {
                world
                    .commit(|set| {
                        set.guard(Guard::Live(Object::Webhook(webhook.id)));
                        set.change(Change::Update(Row::Webhook(webhook)));
                    })
                    .await
            }
        });
        of_all_one_wins(updates.collect(), Conflict::Stale(Object::Webhook(webhook.id))).await;
    }
}

async fn of_all_one_wins<F>(all: Vec<F>, others: Conflict)
where
    F: Future<Output = Result<(), CommitError>> + Send + 'static,
{
    let outcomes = tokio::time::timeout(Duration::from_secs(5), at_once(all)).await.expect("no deadlock");
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.into_iter().filter(Result::is_err).all(|outcome| conflict(outcome) == others));
}
