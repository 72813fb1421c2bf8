//! Keyset lists: each row once, in both orders, with ties, while other rows are added and removed.

pub mod at_once;
pub mod list_filters;
pub mod queries;
pub mod sorts;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tidings_domain::broadcasts::BroadcastStatus;
use tidings_domain::contacts::{Contact, ContactFilter};
use tidings_domain::conversations::ConversationFilter;
use tidings_domain::events::EventKind;
use tidings_domain::fields::FieldKind;
use tidings_domain::flows::RunFilter;
use tidings_domain::ids::TypedId;
use tidings_domain::list_filter::{ListFilter, NameFilter};
use tidings_domain::pagination::{Order, Page, PageRequest, Sort, SortBy, SortedRequest, Total};
use tidings_domain::ports::{Change, FlowChange, Object, Row};
use tidings_domain::sequences::EnrollmentFilter;
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{DeliveryFilter, Subscription};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{
    NOW, World, a_bot_field, a_broadcast, a_bulk_operation, a_conversation, a_delivery, a_field, a_flow,
    a_flow_version, a_message, a_saved_reply, a_secret, a_segment, a_sequence, a_webhook, an_event, an_import, at, id,
    nothing,
};

/// The number of rows in each list.
const ROWS: u64 = 25;

/// Returns a time; many numbers share one.
fn tied(number: u64) -> Timestamp {
    at(number / 10)
}

/// Reads a list to its end and returns its IDs. `list` reads a page.
pub(crate) async fn walk<O: Clone, K: Clone>(
    order: O,
    limit: usize,
    list: impl AsyncFn(PageRequest<O, K>) -> Page<Uuid, K>,
) -> Vec<Uuid> {
    let mut ids = Vec::new();
    let mut request = PageRequest { limit: u32::try_from(limit).unwrap(), order, after: None, counted: false };
    loop {
        let page = list(request.clone()).await;
        assert_eq!(page.places.len(), page.items.len());
        assert!(page.items.len() <= limit);
        assert!(page.next.is_none() || page.items.len() == limit, "only the last page is short");
        ids.extend(page.items);
        let last = page.next.is_none();
        request.after = page.next;
        if last {
            break ids;
        }
    }
}

/// Covers all lists, with many rows of the same time.
pub async fn every_list_shows_each_row_once_in_both_orders(store: Ports) {
    let world = World::new(&store).await;
    let mut set = tidings_domain::ports::ChangeSet::new(world.workspace);
    let mut ids: [Vec<Uuid>; 14] = Default::default();
    for number in 0..ROWS {
        let mut contact = Contact::new(id(), NOW);
        let mut tag = Tag::new(id(), &format!("tag {number}"), NOW);
        let (mut field, mut bot_field) =
            (a_field(&format!("f{number}"), FieldKind::Text), a_bot_field(&format!("b{number}")));
        let (mut flow, mut webhook) = (a_flow(), a_webhook(Subscription::All));
        let mut conversation = a_conversation(&contact, &world.channel);
        let (mut sequence, mut secret) = (a_sequence(), a_secret(&format!("S{number}")));
        let (mut segment, mut broadcast) = (a_segment(), a_broadcast());
        let (mut import, mut operation) = (an_import(), a_bulk_operation());
        let mut reply = a_saved_reply(&format!("r{number}"));
        for instant in [
            &mut contact.created_at,
            &mut tag.created_at,
            &mut field.created_at,
            &mut bot_field.created_at,
            &mut flow.created_at,
            &mut webhook.created_at,
            &mut conversation.created_at,
            &mut sequence.created_at,
            &mut secret.created_at,
            &mut segment.created_at,
            &mut reply.created_at,
            &mut broadcast.created_at,
            &mut import.created_at,
            &mut operation.created_at,
        ] {
            *instant = tied(number);
        }
        let made = [
            contact.id.uuid(),
            tag.id.uuid(),
            field.id.uuid(),
            bot_field.id.uuid(),
            flow.id.uuid(),
            webhook.id.uuid(),
            conversation.id.uuid(),
            sequence.id.uuid(),
            secret.id.uuid(),
            segment.id.uuid(),
            reply.id.uuid(),
            broadcast.id.uuid(),
            import.id.uuid(),
            operation.id.uuid(),
        ];
        ids.iter_mut().zip(made).for_each(|(ids, id)| ids.push(id));
        set.change(Change::Insert(Row::Contact(Box::new(contact))))
            .change(Change::Insert(Row::Stored(StoredRow::Tag(tag))))
            .change(Change::Insert(Row::Stored(StoredRow::CustomField(field))))
            .change(Change::Insert(Row::Stored(StoredRow::BotField(bot_field))))
            .change(Change::Insert(Row::Flow(flow)))
            .change(Change::Insert(Row::Webhook(webhook)))
            .change(Change::Insert(Row::Conversation(conversation)))
            .change(Change::Insert(Row::Sequence(Box::new(sequence))))
            .change(Change::Insert(Row::Stored(StoredRow::Secret(secret))))
            .change(Change::Insert(Row::Stored(StoredRow::Segment(segment))))
            .change(Change::Insert(Row::Stored(StoredRow::SavedReply(reply))))
            .change(Change::Insert(Row::Broadcast(Box::new(broadcast))))
            .change(Change::Insert(Row::Import(Box::new(import))))
            .change(Change::Insert(Row::BulkOperation(Box::new(operation))));
    }
    store.ledger.commit(set).await.unwrap();
    let access = &world.access;
    for limit in [1, 7, 25, 100] {
        for order in [Order::OldestFirst, Order::NewestFirst] {
            let sort = Sort { by: SortBy::CreatedAt, descending: order == Order::NewestFirst };
            let walked = [
                walk(sort, limit, async |page| {
                    store.contacts.list(access, &ContactFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(sort, limit, async |page| {
                    store.tags.list(access, &NameFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| store.fields.list(access, page).await.unwrap().map(|it| it.id.uuid()))
                    .await,
                walk(order, limit, async |page| {
                    store.fields.bot_list(access, page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store.flows.list(access, &ListFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store.webhooks.list(access, &ListFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(sort, limit, async |page| {
                    store
                        .conversations
                        .list(access, &ConversationFilter::default(), page)
                        .await
                        .unwrap()
                        .map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store.sequences.list(access, &ListFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store.workspace_secrets.list(access, page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store.segments.list(access, &NameFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store.saved_replies.list(access, page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| {
                    store
                        .broadcasts
                        .list(access, &ListFilter::default().of(Some(BroadcastStatus::Draft)), page)
                        .await
                        .unwrap()
                        .map(|it| it.id.uuid())
                })
                .await,
                walk(order, limit, async |page| store.imports.list(access, page).await.unwrap().map(|it| it.id.uuid()))
                    .await,
                walk(order, limit, async |page| {
                    store.bulk.list(access, None, page).await.unwrap().map(|it| it.id.uuid())
                })
                .await,
            ];
            for (mut walked, expected) in walked.into_iter().zip(&ids) {
                if order == Order::NewestFirst {
                    walked.reverse();
                }
                assert_eq!(walked, *expected, "{order:?} by {limit}");
            }
        }
    }
}

/// Covers the lists of an object: messages of a conversation and deliveries to a webhook.
pub async fn messages_and_deliveries_are_listed_by_page(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let conversation = world.conversation(&contact).await;
    let elsewhere = world.conversation(&world.contact().await).await;
    let (webhook, other) = (world.webhook(nothing()).await, world.webhook(nothing()).await);
    let (mut messages, mut deliveries) = (Vec::new(), Vec::new());
    let mut set = tidings_domain::ports::ChangeSet::new(world.workspace);
    for number in 0..ROWS {
        let event = an_event(EventKind::MessageSent);
        world.commit(|set| set.events.push(event.clone())).await.unwrap();
        let (mut message, mut delivery) = (a_message(&conversation), a_delivery(&webhook, &event));
        (message.created_at, delivery.created_at) = (tied(number), tied(number));
        messages.push(message.id.uuid());
        deliveries.push(delivery.id.uuid());
        set.change(Change::Insert(Row::Message(Box::new(message))))
            .change(Change::Insert(Row::Message(Box::new(a_message(&elsewhere)))))
            .change(Change::Insert(Row::Delivery(delivery)))
            .change(Change::Insert(Row::Delivery(a_delivery(&other, &event))));
    }
    store.ledger.commit(set).await.unwrap();
    let access = &world.access;
    let filter = DeliveryFilter::default();
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let mut walked = [
            walk(order, 7, async |page| {
                store.conversations.messages(access, conversation.id, page).await.unwrap().map(|it| it.id.uuid())
            })
            .await,
            walk(order, 7, async |page| {
                store.webhooks.deliveries(access, webhook.id, &filter, page).await.unwrap().map(|it| it.id.uuid())
            })
            .await,
        ];
        if order == Order::NewestFirst {
            walked.iter_mut().for_each(|walked| walked.reverse());
        }
        assert_eq!(walked, [messages.clone(), deliveries.clone()]);
    }
}

/// Every list that can be counted counts the rows that match its filter, on every page.
pub async fn counts_the_rows_of_every_list_on_request(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    for (world, rows) in [(&other, 1), (&world, 3)] {
        let (flow, sequence) = (world.flow().await, world.sequence().await);
        world.add(Change::Flow(FlowChange::InsertVersion(a_flow_version(&flow, 2)))).await;
        for number in 0..rows {
            let contact = world.contact().await;
            let conversation = world.conversation(&contact).await;
            world.message(&conversation).await;
            world.tag(&format!("tag {number}")).await;
            world.field(&format!("f{number}"), FieldKind::Text).await;
            world.add(Change::Insert(Row::Stored(StoredRow::BotField(a_bot_field(&format!("b{number}")))))).await;
            world.add(Change::Insert(Row::Stored(StoredRow::Secret(a_secret(&format!("S{number}")))))).await;
            world.add(Change::Insert(Row::Stored(StoredRow::Segment(a_segment())))).await;
            world.add(Change::Insert(Row::Stored(StoredRow::SavedReply(a_saved_reply(&format!("r{number}")))))).await;
            world.add(Change::Insert(Row::Broadcast(Box::new(a_broadcast())))).await;
            world.add(Change::Insert(Row::Import(Box::new(an_import())))).await;
            world.add(Change::Insert(Row::BulkOperation(Box::new(a_bulk_operation())))).await;
            world.webhook(nothing()).await;
            world.run(&flow, &contact).await;
            world.enrollment(&sequence, &contact).await;
        }
    }
    let access = &world.access;
    let page = || PageRequest { limit: 1, counted: true, ..PageRequest::default() };
    let sorted = || SortedRequest { limit: 1, counted: true, ..SortedRequest::default() };
    let flow = store.flows.list(access, &ListFilter::default(), page()).await.unwrap().items.remove(0).id;
    let conversation = store.conversations.list(access, &ConversationFilter::default(), sorted()).await.unwrap();
    let behind = SortedRequest { after: conversation.next, ..sorted() };
    let behind = store.conversations.list(access, &ConversationFilter::default(), behind).await.unwrap();
    let conversation = conversation.items.into_iter().next().unwrap();
    let of_contact = EnrollmentFilter { contact: Some(conversation.contact), ..EnrollmentFilter::default() };
    let totals = [
        (3, store.contacts.list(access, &ContactFilter::default(), sorted()).await.unwrap().total),
        (3, store.tags.list(access, &NameFilter::default(), sorted()).await.unwrap().total),
        (3, store.fields.list(access, page()).await.unwrap().total),
        (3, store.fields.bot_list(access, page()).await.unwrap().total),
        (3, store.workspace_secrets.list(access, page()).await.unwrap().total),
        (3, store.segments.list(access, &NameFilter::default(), page()).await.unwrap().total),
        (3, store.saved_replies.list(access, page()).await.unwrap().total),
        (3, store.bulk.list(access, None, page()).await.unwrap().total),
        (3, store.imports.list(access, page()).await.unwrap().total),
        (3, store.broadcasts.list(access, &ListFilter::default(), page()).await.unwrap().total),
        (1, store.flows.list(access, &ListFilter::default(), page()).await.unwrap().total),
        (2, store.flows.versions(access, flow, page()).await.unwrap().total),
        (3, store.flows.runs(access, &RunFilter::default(), page()).await.unwrap().total),
        (1, store.sequences.list(access, &ListFilter::default(), page()).await.unwrap().total),
        (3, store.sequences.enrollments(access, &EnrollmentFilter::default(), page()).await.unwrap().total),
        (1, store.sequences.enrollments(access, &of_contact, page()).await.unwrap().total),
        (3, store.webhooks.list(access, &ListFilter::default(), page()).await.unwrap().total),
        (1, store.channels.list(access, &ListFilter::default(), page()).await.unwrap().total),
        (0, store.conversations.captured(access, world.channel.id, page()).await.unwrap().total),
        (3, store.conversations.list(access, &ConversationFilter::default(), sorted()).await.unwrap().total),
        (3, behind.total),
        (1, store.conversations.messages(access, conversation.id, page()).await.unwrap().total),
    ];
    for (place, (expected, total)) in totals.into_iter().enumerate() {
        assert_eq!(total, Some(Total::of(expected)), "list {place}");
    }
    assert_eq!(store.tags.list(access, &NameFilter::default(), SortedRequest::default()).await.unwrap().total, None);
}

/// Rows that exist throughout are listed once, whatever is added and removed around them.
pub async fn lists_each_row_once_during_concurrent_changes(store: Ports) {
    let world = World::new(&store).await;
    let mut staying = Vec::new();
    let mut set = tidings_domain::ports::ChangeSet::new(world.workspace);
    for number in 0..200 {
        let tag = Tag::new(id(), &format!("tag {number}"), NOW);
        staying.push(tag.id.uuid());
        set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag))));
    }
    store.ledger.commit(set).await.unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let others = {
        let (world, done) = (world.clone(), done.clone());
        tokio::spawn(async move {
            let mut rounds = 0;
            while !done.load(Ordering::SeqCst) {
                // An ID lower than those that stay, at the same time.
                let tag = Tag::new(TypedId::from_uuid(Uuid::from_u128(rounds)), &format!("other {rounds}"), NOW);
                world.add(Change::Insert(Row::Stored(StoredRow::Tag(tag.clone())))).await;
                let above = Tag::new(id(), &format!("above {rounds}"), NOW);
                world.add(Change::Insert(Row::Stored(StoredRow::Tag(above.clone())))).await;
                world.add(Change::Delete(Object::Stored(StoredId::Tag(tag.id)))).await;
                world.add(Change::Delete(Object::Stored(StoredId::Tag(above.id)))).await;
                rounds += 1;
            }
        })
    };
    for descending in [false, true, false, true] {
        let sort = Sort { by: SortBy::CreatedAt, descending };
        let mut walked = walk(sort, 5, async |page| {
            store.tags.list(&world.access, &NameFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
        })
        .await;
        walked.retain(|id| staying.contains(id));
        if descending {
            walked.reverse();
        }
        assert_eq!(walked, staying);
    }
    done.store(true, Ordering::SeqCst);
    others.await.unwrap();
}
