//! Repeats of broadcasts: results of recipients, and the selection of recipients for a repeat.

use std::collections::BTreeMap;

use tidings_domain::broadcasts::{Broadcast, BroadcastStatus, RecipientResult, RecipientStatus};
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::{Contact, ContactFilter, UnreachedRecipients};
use tidings_domain::conversations::{Message, MessageStatus};
use tidings_domain::erasures::Erasure;
use tidings_domain::ids::{ContactId, MessageId};
use tidings_domain::merges::{Merge, MergeChange};
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::{BroadcastChange, Change, ContactChange, Row};

use crate::Ports;
use crate::fixtures::{World, a_broadcast, a_conversation, a_message, at, id};

/// Stores contacts with an address on the channel of the world.
async fn contacts(world: &World, count: usize) -> Vec<Contact> {
    let mut made = Vec::new();
    for number in 0..count {
        let contact = world.contact().await;
        let identity = world.identity(&format!("repeat-{number}"));
        world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity })).await;
        made.push(contact);
    }
    made
}

/// Stores a broadcast that started, to all contacts or as a repeat.
async fn started(world: &World, repeats: Option<&Broadcast>) -> Broadcast {
    let mut broadcast = Broadcast { repeats: repeats.map(|first| first.id), ..a_broadcast() };
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    let freeze = BroadcastChange::Freeze {
        broadcast: broadcast.id,
        selection: Box::new(Selection::Constant(true)),
        unreached: broadcast.unreached(world.channel.id),
        due_at: at(5),
        zones: BTreeMap::new(),
    };
    world.add(Change::Broadcast(freeze)).await;
    (broadcast.status, broadcast.version) = (BroadcastStatus::Sending, 2);
    world.add(Change::Update(Row::Broadcast(Box::new(broadcast.clone())))).await;
    broadcast
}

async fn end(world: &World, broadcast: &Broadcast) {
    let mut ended = broadcast.clone();
    (ended.status, ended.ended_at, ended.version) = (BroadcastStatus::Cancelled, Some(at(9)), broadcast.version + 1);
    world.add(Change::Update(Row::Broadcast(Box::new(ended)))).await;
}

async fn finish(
    world: &World,
    broadcast: &Broadcast,
    contact: &Contact,
    status: &str,
    code: Option<&str>,
) -> MessageId {
    let message = id();
    let result = RecipientResult { status: RecipientStatus::parse(status).unwrap(), code: code.map(str::to_owned) };
    let (broadcast, contact) = (broadcast.id, contact.id);
    world.add(Change::Broadcast(BroadcastChange::FinishRecipient { broadcast, contact, message, result })).await;
    message
}

/// Returns the recipients who still wait.
async fn waiting(world: &World, broadcast: &Broadcast) -> Vec<ContactId> {
    let found = world.ports.broadcasts.waiting(&world.access, broadcast.id, 0..99, 99).await.unwrap();
    let mut contacts: Vec<_> = found.into_iter().map(|it| it.contact).collect();
    contacts.sort();
    contacts
}

/// A repeat chooses recipients with a failed message or a temporary cause, if they can be reached now. It excludes
/// recipients that another repeat reached or can still reach.
pub async fn a_repeat_chooses_recipients_without_the_message(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let people = contacts(&world, 9).await;
    let first = started(&world, None).await;
    let results = [
        ("failed", Some("template_error")),
        ("suppressed", Some("no_address")),
        ("suppressed", Some("unsubscribed")),
        ("sent", None),
        ("uncertain", Some("outcome_unknown")),
        ("queued", None),
        ("failed", Some("provider_failed")),
        ("failed", Some("provider_failed")),
    ];
    for (contact, (status, code)) in people.iter().zip(results) {
        finish(&world, &first, contact, status, code).await;
    }
    // The last contact waits in a broadcast that has ended; another opted out since.
    end(&world, &first).await;
    let (opted_out, channel) = (people[7].id, world.channel.id);
    world.add(Change::Contact(ContactChange::SetOptIn { contact: opted_out, channel, opted_in: false })).await;
    let (one, two, three) = (people[0].id, people[1].id, people[6].id);

    let chosen = async |world: &World, repeat| {
        let unreached = Some(UnreachedRecipients { first: first.id, repeat, channel });
        let filter = ContactFilter { unreached, ..ContactFilter::default() };
        store.contacts.count(&world.access, &filter, 99).await.unwrap()
    };
    assert_eq!((chosen(&world, id()).await, chosen(&other, id()).await), (3, 0));
    let second = started(&world, Some(&first)).await;
    assert_eq!(waiting(&world, &second).await, [one, two, three]);
    assert_eq!(chosen(&world, second.id).await, 3, "recipients of the repeat itself are not excluded");
    assert_eq!(chosen(&world, id()).await, 0, "all recipients wait in a repeat");
    finish(&world, &second, &people[0], "sent", None).await;
    finish(&world, &second, &people[1], "failed", Some("provider_failed")).await;
    assert_eq!(chosen(&world, id()).await, 1);
    end(&world, &second).await;
    let third = started(&world, Some(&first)).await;
    assert_eq!(waiting(&world, &third).await, [two, three]);
}

/// Merged recipients count as one contact, who gets the message once, whichever broadcast sent it.
pub async fn a_repeat_excludes_contacts_who_got_the_message_before_a_merge(store: Ports) {
    let world = World::new(&store).await;
    let people = contacts(&world, 8).await;
    let first = started(&world, None).await;
    for (contact, status) in people.iter().zip(["failed", "sent", "failed", "failed", "failed", "uncertain"]) {
        finish(&world, &first, contact, status, None).await;
    }
    end(&world, &first).await;
    let merge = async |gone: usize, kept: usize| {
        let contact = Box::new(Erasure::emptied(&people[gone], at(10)));
        let merge = Merge { contact: contact.id, into: people[kept].id, merged_at: at(10), moved_at: Some(at(10)) };
        world.add(Change::Merge(MergeChange::Begin { contact, merge })).await;
    };
    let channel = world.channel.id;
    let chosen = async |repeat| {
        let unreached = Some(UnreachedRecipients { first: first.id, repeat, channel });
        let filter = ContactFilter { unreached, ..ContactFilter::default() };
        store.contacts.count(&world.access, &filter, 99).await.unwrap()
    };
    assert_eq!(chosen(id()).await, 4);
    merge(1, 0).await;
    assert_eq!(chosen(id()).await, 3, "the merged contact got the message");
    merge(3, 2).await;
    assert_eq!(chosen(id()).await, 2, "both failed: the survivor gets it");
    // A chain of merges leads to the last survivor.
    merge(5, 7).await;
    merge(7, 4).await;
    assert_eq!(chosen(id()).await, 1);
    let repeat = started(&world, Some(&first)).await;
    assert_eq!(waiting(&world, &repeat).await, [people[2].id]);
    merge(2, 6).await;
    finish(&world, &first, &people[6], "failed", None).await;
    assert_eq!(chosen(id()).await, 0, "the merged contact waits in a repeat");
    end(&world, &repeat).await;
    assert_eq!(chosen(id()).await, 1, "the recipient waited until the end and got no message");
}

/// The list is sorted by contact in both directions, contains all recipients or those with one status, and shows the
/// results of messages.
pub async fn recipients_are_listed_with_their_results(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let people = contacts(&world, 4).await;
    let first = started(&world, None).await;
    let conversation = a_conversation(&people[0], &world.channel);
    let mut message = Message { conversation: None, ..a_message(&conversation) };
    let made = RecipientResult::of(&message);
    let (broadcast, contact) = (first.id, people[0].id);
    let sent = world.commit(|set| {
        let finish = BroadcastChange::FinishRecipient { broadcast, contact, message: message.id, result: made.clone() };
        set.change(Change::Broadcast(finish)).change(Change::Insert(Row::Message(Box::new(message.clone()))));
    });
    sent.await.unwrap();
    finish(&world, &first, &people[1], "failed", Some("template_error")).await;
    finish(&world, &first, &people[2], "failed", Some("provider_failed")).await;
    let list = async |world: &World, status: Option<&str>, page: PageRequest| {
        let status = status.map(|status| RecipientStatus::parse(status).unwrap());
        store.broadcasts.recipients(&world.access, broadcast, status, page).await.unwrap()
    };
    let contacts_of = async |status, order| {
        let (mut found, mut page) = (Vec::new(), PageRequest { limit: 1, order, ..PageRequest::default() });
        loop {
            let part = list(&world, status, page).await;
            found.extend(part.items.iter().map(|it| it.contact));
            page.after = part.next;
            if page.after.is_none() {
                break found;
            }
        }
    };
    let ids: Vec<_> = people.iter().map(|it| it.id).collect();
    assert_eq!(contacts_of(None, Order::OldestFirst).await, ids);
    assert_eq!(contacts_of(Some("failed"), Order::OldestFirst).await, ids[1..3]);
    assert_eq!(contacts_of(Some("failed"), Order::NewestFirst).await, [ids[2], ids[1]]);
    assert_eq!(contacts_of(Some("waiting"), Order::NewestFirst).await, ids[3..]);
    assert_eq!(contacts_of(Some("uncertain"), Order::NewestFirst).await, []);
    assert_eq!(list(&other, None, PageRequest::default()).await.items, []);

    let queued = list(&world, Some("queued"), PageRequest::default()).await.items;
    let shown: Vec<_> =
        queued.iter().map(|it| (it.contact, it.message.as_ref().map(|it| (it.id, it.status)))).collect();
    assert_eq!(shown, [(contact, Some((message.id, MessageStatus::Queued)))]);
    message.fail("provider_failed", "it was refused", at(3));
    message.version = 2;
    let (result, own) = (RecipientResult::of(&message), message.id);
    let settled = world.commit(|set| {
        let another = BroadcastChange::SettleRecipient { broadcast, contact, message: id(), result: made };
        let settle = BroadcastChange::SettleRecipient { broadcast, contact, message: own, result: result.clone() };
        set.change(Change::Broadcast(settle)).change(Change::Update(Row::Message(Box::new(message.clone()))));
        set.change(Change::Broadcast(another));
    });
    settled.await.unwrap();
    let failed =
        list(&world, Some("failed"), PageRequest { order: Order::OldestFirst, ..PageRequest::default() }).await;
    let told = failed.items[0].message.as_ref().unwrap();
    assert_eq!((failed.items.len(), &failed.items[0].result), (3, &result));
    assert_eq!((told.contact, &told.error, told.updated_at), (contact, &message.error, at(3)));
}
