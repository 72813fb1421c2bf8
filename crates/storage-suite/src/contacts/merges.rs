//! Merges of contacts: all data of one contact moves to the other, and no other data moves.

use tidings_domain::contacts::{Contact, ContactRef};
use tidings_domain::conversations::{Message, MessageStatus};
use tidings_domain::erasures::Erasure;
use tidings_domain::events::{Event, EventKind};
use tidings_domain::flows::RunStatus;
use tidings_domain::ids::{ContactId, ConversationId};
use tidings_domain::merges::{Merge, MergeChange};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Change, Conflict, ContactChange, Object, Row, TagChange};
use tidings_domain::sequences::{Enrollment, EnrollmentStatus};

use crate::Ports;
use crate::fixtures::{NOW, World, a_custom_event, a_message, a_run, an_enrollment, an_event, at, conflict};

/// Returns a merge of the contact into the other.
pub(crate) fn merge(contact: ContactId, into: ContactId) -> Merge {
    Merge { contact, into, merged_at: at(1), moved_at: None }
}

/// Returns the change that starts the merge.
pub(crate) fn begin(contact: &Contact, into: &Contact) -> Change {
    let left = Box::new(Erasure::emptied(contact, at(1)));
    Change::Merge(MergeChange::Begin { contact: left, merge: merge(contact.id, into.id) })
}

async fn move_all(world: &World, contact: ContactId, into: ContactId) {
    let mut portions = 0;
    while world.ports.merges.is_left(&world.access, contact, into).await.unwrap() {
        world.add(Change::Merge(MergeChange::MovePart { contact, into, limit: 1, at: at(2) })).await;
        portions += 1;
        assert!(portions < 100, "the merge ends");
    }
}

/// Returns a settled message; the fixtures' messages are queued.
fn said(world: ConversationId, message: Message) -> Message {
    Message { status: MessageStatus::Sent, conversation: Some(world), ..message }
}

async fn page_of(world: &World, talk: ConversationId) -> Vec<Message> {
    let page = PageRequest { limit: 100, ..PageRequest::default() };
    world.ports.conversations.messages(&world.access, talk, page).await.unwrap().items
}

/// In portions of any size, all data of a contact moves to the survivor, and its addresses and identifiers are free
/// again. A queued message stays until it is settled.
pub async fn moves_the_data_of_a_merged_contact_to_the_survivor(store: Ports) {
    let world = World::new(&store).await;
    let gone = world.contact_with(|it| it.external_id = "gone".parse().ok()).await;
    let (stays, other) = (world.contact().await, world.contact().await);
    let (tag, flow, sequence) = (world.tag("vip").await, world.flow().await, world.sequence().await);
    let talk = world.conversation(&gone).await;
    let told = Event { contact: Some(gone.id), ..an_event(EventKind::ContactCreated) };
    let of_other = Event { contact: Some(other.id), ..an_event(EventKind::ContactCreated) };
    let mut run = a_run(&flow, &gone);
    (run.status, run.ended_at) = (RunStatus::Completed, Some(NOW));
    let over = |it: Enrollment| Enrollment { status: EnrollmentStatus::Completed, ended_at: Some(NOW), ..it };
    let (earlier, moving) = (over(an_enrollment(&sequence, &stays)), over(an_enrollment(&sequence, &gone)));
    let (sent, queued) = (said(talk.id, a_message(&talk)), a_message(&talk));
    let alone = Message { conversation: None, status: MessageStatus::Sent, ..a_message(&talk) };
    world
        .commit(|set| {
            set.change(Change::Tag(TagChange::Link { contact: gone.id, tag: tag.id, at: NOW }))
                .change(Change::Contact(ContactChange::InsertIdentity {
                    contact: gone.id,
                    identity: world.identity("gone"),
                }))
                .change(Change::Contact(ContactChange::RecordEvent {
                    event: Box::new(a_custom_event(&gone)),
                    depth: 0,
                }))
                .change(Change::Insert(Row::Run(Box::new(run.clone()))))
                .change(Change::Insert(Row::Enrollment(Box::new(earlier.clone()))))
                .change(Change::Insert(Row::Enrollment(Box::new(moving.clone()))))
                .change(Change::Insert(Row::Message(Box::new(sent.clone()))))
                .change(Change::Insert(Row::Message(Box::new(queued.clone()))))
                .change(Change::Insert(Row::Message(Box::new(alone.clone()))));
            set.events.extend([told.clone(), of_other.clone()]);
        })
        .await
        .unwrap();

    world.add(begin(&gone, &stays)).await;
    let (access, page) = (&world.access, PageRequest { limit: 100, ..PageRequest::default() });
    assert_eq!(store.merges.get(access, gone.id).await.unwrap(), Some(merge(gone.id, stays.id)));
    assert_eq!(store.merges.merged_into(access, stays.id, 9).await.unwrap(), [merge(gone.id, stays.id)]);
    assert_eq!(store.merges.get(access, stays.id).await.unwrap(), None);
    assert_eq!(store.contacts.find(access, &ContactRef::Id(gone.id)).await.unwrap(), None);
    assert_eq!(store.contacts.by_identity(access, world.channel.id, "gone").await.unwrap(), None);
    let left = store.contacts.find_deleted(access, gone.id).await.unwrap().expect("the row of the contact stays");
    assert_eq!(left, Erasure::emptied(&gone, at(1)));
    world.contact_with(|it| it.external_id = "gone".parse().ok()).await;

    move_all(&world, gone.id, stays.id).await;
    assert!(store.merges.is_sending(access, gone.id, stays.id).await.unwrap());
    assert_eq!(store.merges.unsettled(access, gone.id, stays.id).await.unwrap(), Some(queued.id));
    assert_eq!(store.timeline.events(access, stays.id, page).await.unwrap().len(), 1);
    assert_eq!(
        store.timeline.events(access, other.id, page).await.unwrap().len(),
        1,
        "data of other contacts is unchanged"
    );
    assert_eq!(store.timeline.custom_events(access, stays.id, page).await.unwrap().len(), 1);
    assert_eq!(store.timeline.messages_alone(access, stays.id, page).await.unwrap().items.len(), 1);
    let moved_run = store.flows.run(access, run.id).await.unwrap().unwrap();
    assert_eq!((moved_run.contact, moved_run.updated_at, moved_run.version), (stays.id, at(2), 2));
    let enrolled = store.sequences.enrollment(access, moving.id).await.unwrap().unwrap();
    assert_eq!((enrolled.contact, enrolled.number), (stays.id, 2));
    assert_eq!((enrolled.updated_at, enrolled.version), (at(2), 2));
    let talks = store.conversations.with(access, stays.id).await.unwrap();
    assert_eq!(
        talks.iter().map(|it| (it.id, it.updated_at, it.version)).collect::<Vec<_>>(),
        [(talk.id, at(2), talk.version + 1)],
        "the survivor had no conversation on the channel"
    );
    let message = |id| store.conversations.message(access, id);
    let moved = message(sent.id).await.unwrap().unwrap();
    assert_eq!((moved.contact, moved.updated_at, moved.version), (stays.id, at(2), 2));
    assert_eq!(message(queued.id).await.unwrap().as_ref(), Some(&queued), "a queued message does not move");

    let settled = Message { status: MessageStatus::Suppressed, version: 2, ..queued };
    world.add(Change::Update(Row::Message(Box::new(settled.clone())))).await;
    move_all(&world, gone.id, stays.id).await;
    assert!(!store.merges.is_sending(access, gone.id, stays.id).await.unwrap());
    assert_eq!(store.merges.unsettled(access, gone.id, stays.id).await.unwrap(), None);
    assert_eq!(message(settled.id).await.unwrap().map(|it| it.contact), Some(stays.id));
    world.add(Change::Merge(MergeChange::End { contact: gone.id, at: at(3) })).await;
    let done = Merge { moved_at: Some(at(3)), ..merge(gone.id, stays.id) };
    assert_eq!(store.merges.get(access, gone.id).await.unwrap(), Some(done));
}

/// Two conversations on one channel become one, with the messages of both.
pub async fn a_merge_combines_conversations_on_the_same_channel(store: Ports) {
    let world = World::new(&store).await;
    let (gone, stays) = (world.contact().await, world.contact().await);
    let (talk, kept) = (world.conversation(&gone).await, world.conversation(&stays).await);
    let own = said(kept.id, a_message(&kept));
    for message in [said(talk.id, a_message(&talk)), said(talk.id, a_message(&talk)), own] {
        world.add(Change::Insert(Row::Message(Box::new(message)))).await;
    }
    world.add(begin(&gone, &stays)).await;
    move_all(&world, gone.id, stays.id).await;
    assert!(!store.merges.is_sending(&world.access, gone.id, stays.id).await.unwrap());
    assert_eq!(store.conversations.get(&world.access, talk.id).await.unwrap(), None);
    let all = page_of(&world, kept.id).await;
    assert_eq!((all.len(), all.iter().all(|it| it.contact == stays.id)), (3, true));
}

/// A portion decided before the survivor was merged as well gets a conflict; the next one moves the data to the last
/// survivor.
pub async fn follows_a_chain_of_merges_to_the_last_survivor(store: Ports) {
    let world = World::new(&store).await;
    let (first, second, third) = (world.contact().await, world.contact().await, world.contact().await);
    let told = Event { contact: Some(first.id), ..an_event(EventKind::ContactCreated) };
    world.commit(|set| set.events.push(told.clone())).await.unwrap();
    world.add(begin(&first, &second)).await;
    world.add(begin(&second, &third)).await;
    let late = world
        .change(Change::Merge(MergeChange::MovePart { contact: first.id, into: second.id, limit: 9, at: at(2) }))
        .await;
    assert_eq!(conflict(late), Conflict::Stale(Object::Contact(first.id)));
    let merges = store.merges.merged_into(&world.access, third.id, 9).await.unwrap();
    let mut expected = vec![merge(first.id, third.id), merge(second.id, third.id)];
    expected.sort_by_key(|it| it.contact);
    assert_eq!(merges, expected);
    assert_eq!(store.merges.merged_into(&world.access, third.id, 1).await.unwrap().len(), 1);
    move_all(&world, first.id, third.id).await;
    let page = PageRequest { limit: 100, ..PageRequest::default() };
    assert_eq!(store.timeline.events(&world.access, third.id, page).await.unwrap().len(), 1);
    // A change based on the contact before the merge is stale.
    let mut changed = first.clone();
    changed.touch(at(2));
    let late = world.change(Change::Update(Row::Contact(Box::new(changed)))).await;
    assert_eq!(conflict(late), Conflict::Stale(Object::Contact(first.id)));
}
