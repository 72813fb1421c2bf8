//! Conversations: one for each contact and channel, content is stored completely, and contacts are found by their
//! addresses.

pub mod channels;
pub mod cut_off_sends;
pub mod expiry;
pub mod media;
pub mod replies;
pub mod sent_in_parts;

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use tidings_domain::access::{Actor, ActorKind};
use tidings_domain::contacts::Identity;
use tidings_domain::conversations::{
    AssignedTo, Content, ConversationFilter, ConversationStatus, Direction, Handler, LONGEST_QUEUED,
    MarketingPreference, Message, MessageStatus, Opening,
};
use tidings_domain::ids::{ConversationId, UserId};
use tidings_domain::pagination::{PageRequest, SortedRequest};
use tidings_domain::ports::{Change, ChannelChange, Conflict, ContactChange, ConversationChange, Row, UniqueKey};
use tidings_domain::time::Timestamp;

use crate::Ports;
use crate::fixtures::{NOW, World, a_conversation, a_message, an_http_channel, an_inbound_message, at, conflict, id};

/// Of twenty concurrent attempts, one creates the conversation; the others get a conflict.
pub async fn concurrent_inserts_create_one_conversation(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let outcomes = join_all((0..20).map(|_| {
        let (world, contact) = (world.clone(), contact.clone());
        tokio::spawn(async move {
            world.change(Change::Insert(Row::Conversation(a_conversation(&contact, &world.channel)))).await
        })
    }))
    .await;
    let (opened, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().map(Result::unwrap).partition(Result::is_ok);
    assert_eq!((opened.len(), refused.len()), (1, 19));
    for outcome in refused {
        assert_eq!(conflict(outcome), Conflict::Exists(UniqueKey::ConversationPair));
    }
    let page = store.conversations.list(&world.access, &ConversationFilter::default(), SortedRequest::default()).await;
    assert_eq!(page.unwrap().items.len(), 1);
}

/// Of several concurrent attempts, one stores the provider's message. An outbound message may have the same provider
/// ID.
pub async fn concurrent_inserts_store_an_inbound_message_once(store: Ports) {
    let world = World::new(&store).await;
    let conversation = world.conversation(&world.contact().await).await;
    let outcomes = join_all((0..10).map(|_| {
        let (world, message) = (world.clone(), an_inbound_message(&conversation, "m1"));
        tokio::spawn(async move { world.change(Change::Insert(Row::Message(Box::new(message)))).await })
    }))
    .await;
    let refused = outcomes.into_iter().map(Result::unwrap).filter(Result::is_err);
    let refused: Vec<_> = refused.map(conflict).collect();
    assert_eq!(refused, vec![Conflict::Exists(UniqueKey::InboundMessage); 9]);
    for number in 1..=2 {
        let mut sent = a_message(&conversation);
        (sent.provider_message_id, sent.created_at) = (Some("m1".to_owned()), at(number));
        world.add(Change::Insert(Row::Message(Box::new(sent.clone())))).await;
        let found = async |direction| {
            let (access, channel) = (&world.access, world.channel.id);
            store.conversations.by_provider_id(access, channel, direction, "m1").await.unwrap()
        };
        assert_eq!(found(Direction::Outbound).await, Some(sent), "the newest message is found");
        assert_eq!(found(Direction::Inbound).await.map(|it| it.direction), Some(Direction::Inbound));
    }
    let nobody = store.conversations.by_provider_id(&world.access, id(), Direction::Inbound, "m1").await;
    assert_eq!(nobody.unwrap(), None);
}

/// Every column of a conversation is written; only a touch changes the last-seen time.
pub async fn stores_all_fields_of_a_conversation(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let mut it = world.conversation(&contact).await;
    let get = async || store.conversations.get(&world.access, it.id).await.unwrap().unwrap();
    let user: UserId = id();
    world.add(Change::Conversation(ConversationChange::Touch { conversation: it.id, at: at(1) })).await;
    (it.status, it.handler, it.assignee) = (ConversationStatus::Snoozed, Handler::Human, Some(user));
    (it.snoozed_until, it.waiting_since, it.first_reply_at) = (Some(at(5)), Some(at(2)), Some(at(3)));
    (it.window_expires_at, it.reply_address) = (Some(at(10)), Some("ada".to_owned()));
    it.opt_out_confirmed_at = Some(at(11));
    (it.resolved_at, it.unread_count, it.reopen_count) = (Some(at(4)), 7, 3);
    it.opening = Opening { opened_at: Some(at(6)), awaited_since: Some(at(7)), replied_at: Some(at(8)) };
    it.marketing = MarketingPreference { stopped_at: Some(at(11)), resumed_at: Some(at(12)) };
    (it.updated_at, it.version) = (at(9), 2);
    world.add(Change::Update(Row::Conversation(it.clone()))).await;
    it.last_message_at = Some(at(1));
    assert_eq!(get().await, it);
    let list = async |assignee| {
        let filter =
            ConversationFilter { assigned: Some(AssignedTo::Member(assignee)), ..ConversationFilter::default() };
        store.conversations.list(&world.access, &filter, SortedRequest::default()).await.unwrap().items
    };
    assert_eq!((list(user).await.len(), list(id()).await.len()), (1, 0));
    assert_eq!(store.conversations.last_used(&world.access, contact.id).await.unwrap(), Some(it.clone()));
    (it.status, it.assignee, it.snoozed_until, it.resolved_at) = (ConversationStatus::Open, None, None, None);
    it.version = 3;
    world.add(Change::Update(Row::Conversation(it.clone()))).await;
    assert_eq!(get().await, it);
}

/// Content of every type is stored completely, including content without text.
pub async fn stores_message_content_of_every_type(store: Ports) {
    let world = World::new(&store).await;
    let conversation = world.conversation(&world.contact().await).await;
    for content in [
        json!({"type": "text", "subject": "Order", "text": "Hi", "quick_replies": [{"title": "Yes", "payload": "y"}]}),
        json!({"type": "image", "attachments": [{"url": "https://example.com/a.png", "mime_type": "image/png"}]}),
        json!({"type": "location", "text": "Here", "attachments": [{"url": "geo:1,2", "name": "Home"}]}),
        json!({"type": "template", "template": {"name": "hi", "language": "de", "parameters": {"1": "Zoë"}}}),
        json!({"type": "note", "text": "She called."}),
    ] {
        let mut message = a_message(&conversation);
        message.content = Content::parse(&content).unwrap();
        world.add(Change::Insert(Row::Message(Box::new(message.clone())))).await;
        assert_eq!(store.conversations.message(&world.access, message.id).await.unwrap(), Some(message));
    }
}

/// Only messages that the provider accepted are listed as sent on the channel.
pub async fn lists_the_messages_that_a_channel_accepted(store: Ports) {
    let world = World::new(&store).await;
    let conversation = world.conversation(&world.contact().await).await;
    let mut taken = Vec::new();
    for word in MessageStatus::WORDS {
        let mut message = a_message(&conversation);
        message.status = MessageStatus::parse(word).unwrap();
        world.add(Change::Insert(Row::Message(Box::new(message.clone())))).await;
        if ["sent", "delivered", "read"].contains(word) {
            taken.insert(0, message);
        }
    }
    world.add(Change::Insert(Row::Message(Box::new(an_inbound_message(&conversation, "m1"))))).await;
    let captured = store.conversations.captured(&world.access, world.channel.id, PageRequest::default()).await;
    assert_eq!(captured.unwrap().items, taken);
}

/// Only messages that automations sent after the time, and that the contact may have, are counted.
pub async fn counts_the_automatic_messages_of_a_conversation(store: Ports) {
    let world = World::new(&store).await;
    let conversation = world.conversation(&world.contact().await).await;
    let other = world.conversation(&world.contact().await).await;
    let add = async |message: Message| {
        let message = Message { updated_at: at(60), ..message };
        world.add(Change::Insert(Row::Message(Box::new(message)))).await;
    };
    let sent = || Message { status: MessageStatus::Sent, ..a_message(&conversation) };
    for word in MessageStatus::WORDS {
        add(Message { status: MessageStatus::parse(word).unwrap(), ..a_message(&conversation) }).await;
    }
    for kind in ActorKind::ALL {
        add(Message { sender: Actor { kind, id: None }, ..sent() }).await;
    }
    add(Message { created_at: at(60).minus(LONGEST_QUEUED).minus(Duration::from_millis(1)), ..sent() }).await;
    add(Message { status: MessageStatus::Sent, ..a_message(&other) }).await;
    add(an_inbound_message(&conversation, "m1")).await;
    let count = async |of: ConversationId, since: Timestamp| {
        store.conversations.automatic_since(&world.access, of, since).await.unwrap()
    };
    // Four statuses of the service itself, and five kinds of senders.
    assert_eq!((count(conversation.id, at(60)).await, count(other.id, at(60)).await), (9, 1));
    assert_eq!((count(conversation.id, at(61)).await, count(id(), at(60)).await), (0, 0));
}

/// A dispatch contains the message with its conversation, contact and address, and its channel until that is deleted.
pub async fn a_dispatch_contains_all_that_a_send_requires(store: Ports) {
    let world = World::new(&store).await;
    let channel = an_http_channel(9);
    world.add(Change::Insert(Row::Channel(channel.clone()))).await;
    let mut contact = world.contact().await;
    let conversation = a_conversation(&contact, &channel);
    let message = a_message(&conversation);
    world.add(Change::Insert(Row::Conversation(conversation.clone()))).await;
    world.add(Change::Insert(Row::Message(Box::new(message.clone())))).await;
    let find = async || store.conversations.dispatch(&world.access, message.id).await.unwrap().unwrap();
    let found = find().await;
    assert_eq!((&found.message, &found.contact), (&message, &contact));
    assert_eq!(found.conversation.as_ref(), Some(&conversation));
    assert_eq!(found.channel, Some(channel.clone()), "the channel is returned with its secret");
    for (channel, address) in [(world.channel.id, "elsewhere"), (channel.id, "here")] {
        let identity = Identity { channel, ..world.identity(address) };
        world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity })).await;
    }
    let channel = channel.id;
    world.add(Change::Contact(ContactChange::SetOptIn { contact: contact.id, channel, opted_in: false })).await;
    let here = vec![Identity { channel, opted_in: false, ..world.identity("here") }];
    assert_eq!(find().await.contact.identities, here, "only addresses on the channel are returned");
    // Of several addresses, the last used one is returned, otherwise the oldest that accepts messages.
    let [alias, later, other] =
        ["alias", "later", "other"].map(|address| Identity { channel, ..world.identity(address) });
    let later = Identity { added_at: at(1), undeliverable_since: Some(at(2)), ..later };
    let alias = Identity { is_alias: true, ..alias };
    for identity in [&alias, &later, &other] {
        let (contact, identity) = (contact.id, identity.clone());
        world.add(Change::Contact(ContactChange::InsertIdentity { contact, identity })).await;
    }
    assert_eq!(find().await.contact.identities, std::slice::from_ref(&other));
    let mut talk = conversation.clone();
    let used = [("later", &later), ("here", &here[0]), ("alias", &alias), ("elsewhere", &other)];
    for (address, expected) in used {
        talk.reply_address = Some(address.to_owned());
        talk.version += 1;
        world.add(Change::Update(Row::Conversation(talk.clone()))).await;
        let found = find().await.contact.identities;
        assert_eq!(found, std::slice::from_ref(expected), "{address}");
    }
    let sent = Message { address: Some("later".to_owned()), version: 2, ..message.clone() };
    world.add(Change::Update(Row::Message(Box::new(sent)))).await;
    assert_eq!(find().await.contact.identities, [later], "a later attempt goes to the same address");
    (contact.deleted_at, contact.version) = (Some(at(1)), 2);
    world.add(Change::Update(Row::Contact(Box::new(contact.clone())))).await;
    world.add(Change::Channel(ChannelChange::Delete { channel, at: NOW })).await;
    let found = find().await;
    assert_eq!((found.contact.deleted_at, found.channel), (contact.deleted_at, None));
    assert_eq!(store.conversations.dispatch(&world.access, id()).await.unwrap(), None);
}

/// A contact is found by its address, and its opt-in there is stored.
pub async fn a_contact_is_found_by_its_address(store: Ports) {
    let world = World::new(&store).await;
    let mut contact = world.contact().await;
    world
        .add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity: world.identity("+4930") }))
        .await;
    let find =
        async |address: &str| store.contacts.by_identity(&world.access, world.channel.id, address).await.unwrap();
    assert_eq!(find("+4930").await.map(|it| it.identities[0].opted_in), Some(true));
    assert_eq!(find("+4931").await, None);
    let (channel, opted_in) = (world.channel.id, false);
    world.add(Change::Contact(ContactChange::SetOptIn { contact: contact.id, channel, opted_in })).await;
    assert_eq!(find("+4930").await.map(|it| it.identities[0].opted_in), Some(false));
    (contact.deleted_at, contact.version) = (Some(at(1)), 2);
    world
        .commit(|set| {
            set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
            set.change(Change::Contact(ContactChange::ReleaseIdentities { contact: contact.id }));
        })
        .await
        .unwrap();
    assert_eq!(find("+4930").await, None);
}
