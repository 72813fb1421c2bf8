//! Conversations and channels: one conversation for each contact and channel, content is stored completely, and each is
//! found by its names.

pub mod cut_off_sends;
pub mod expiry;
pub mod media;
pub mod replies;
pub mod sent_in_parts;

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use tidings_domain::access::{Actor, ActorKind};
use tidings_domain::channels::{
    Channel, ChannelHealth, ChannelProblem, ChannelStatus, DisconnectedMode, MAX_UNPARSED, PollProgress,
    UnparsedRequest, WhileDisconnected,
};
use tidings_domain::contacts::Identity;
use tidings_domain::conversations::{
    AssignedTo, Content, ConversationFilter, ConversationStatus, Direction, Handler, LONGEST_QUEUED,
    MarketingPreference, Message, MessageStatus, Opening,
};
use tidings_domain::ids::{ChannelId, ConversationId, TypedId, UserId};
use tidings_domain::pagination::{Order, PageRequest, SortedRequest};
use tidings_domain::ports::{
    Change, ChannelChange, Conflict, ConnectedChannel, ContactChange, ConversationChange, Guard, Object, Row, UniqueKey,
};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{
    NOW, World, a_conversation, a_message, an_http_channel, an_inbound_message, an_unparsed_request, at, conflict, id,
};

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

/// All fields of a channel are stored. It is found by its token and hidden after deletion; its conversations stay.
pub async fn a_channel_is_found_by_its_token_until_it_is_deleted(store: Ports) {
    let world = World::new(&store).await;
    let mut channel = an_http_channel(7);
    world.add(Change::Insert(Row::Channel(channel.clone()))).await;
    let by_token = async |digest| store.channels.by_inbound_digest([digest; 32]).await.unwrap();
    assert_eq!(by_token(7).await, Some((world.workspace, channel.clone())));
    assert_eq!(by_token(8).await, None);
    (channel.status, channel.last_error) = (ChannelStatus::Disconnected, Some("no".to_owned()));
    (channel.connected_at, channel.name, channel.version) = (None, "Ours".to_owned(), 2);
    channel.while_disconnected = WhileDisconnected::new(DisconnectedMode::Wait, Some("PT90M".to_owned()));
    channel.waits_until = Some(at(90));
    world.add(Change::Update(Row::Channel(channel.clone()))).await;
    assert_eq!(store.channels.get(&world.access, channel.id).await.unwrap(), Some(channel.clone()));
    let list = async || {
        let page = store.channels.list(&world.access, &Default::default(), PageRequest::default()).await.unwrap();
        page.items.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(list().await, [channel.id, world.channel.id]);
    let contact = world.contact().await;
    let conversation = a_conversation(&contact, &channel);
    world.add(Change::Insert(Row::Conversation(conversation.clone()))).await;
    world.add(Change::Channel(ChannelChange::Delete { channel: channel.id, at: NOW })).await;
    assert_eq!((by_token(7).await, list().await), (None, vec![world.channel.id]));
    assert_eq!(store.channels.get(&world.access, channel.id).await.unwrap(), None);
    let object = Object::Channel(channel.id);
    assert_eq!(conflict(world.commit(|set| set.guards.push(Guard::Live(object))).await), Conflict::Stale(object));
    channel.version = 3;
    assert_eq!(conflict(world.change(Change::Update(Row::Channel(channel.clone()))).await), Conflict::Stale(object));
    assert_eq!(store.conversations.get(&world.access, conversation.id).await.unwrap(), Some(conversation));
    // Its token and its default role are free again.
    world.add(Change::Insert(Row::Channel(an_http_channel(7)))).await;
    world.add(Change::Channel(ChannelChange::Delete { channel: world.channel.id, at: NOW })).await;
    assert_eq!(store.channels.default_channel(&world.access).await.unwrap(), None);
    world.add(Change::Insert(Row::Channel(Channel::sandbox(id(), true, NOW)))).await;
}

/// Of two concurrent updates of the health, one is stale. The channel itself does not change, and its updates do not
/// change the health.
pub async fn the_health_of_a_channel_has_its_own_version(store: Ports) {
    let world = World::new(&store).await;
    let mut channel = an_http_channel(7);
    world.add(Change::Insert(Row::Channel(channel.clone()))).await;
    let id = channel.id;
    let read = async || store.channels.health(&world.access, id).await.unwrap();
    assert_eq!(read().await, ChannelHealth::default());
    let problem = ChannelProblem { code: "invalid_token".to_owned(), message: "„No.“".to_owned(), since: at(1) };
    let polling = PollProgress {
        round: 4,
        last: Some(1 << 52),
        last_at: Some(at(2)),
        at_once: 5,
        failures: 1,
        problem: Some("x".to_owned()),
        exclusive_at: Some(at(3)),
    };
    let health = ChannelHealth {
        round: 2,
        polling,
        refusals: 3,
        failing_since: Some(at(1)),
        limits: [("tier".to_owned(), json!("TIER_1K"))].into_iter().collect(),
        problems: vec![problem],
        version: 1,
        ..ChannelHealth::default()
    };
    let update = |health: &ChannelHealth| {
        Change::Channel(ChannelChange::UpdateHealth { channel: id, health: Box::new(health.clone()) })
    };
    world.add(update(&health)).await;
    assert_eq!(read().await, health);
    assert_eq!(store.channels.healths(&world.access).await.unwrap(), [(id, health.clone())]);
    assert_eq!(conflict(world.change(update(&health)).await), Conflict::Stale(Object::Channel(id)));
    assert_eq!(store.channels.get(&world.access, id).await.unwrap().map(|it| it.version), Some(1));
    channel.touch(at(3));
    world.add(Change::Update(Row::Channel(channel.clone()))).await;
    assert_eq!(read().await, health);

    world.add(Change::Channel(ChannelChange::Delete { channel: id, at: at(9) })).await;
    assert_eq!(read().await, ChannelHealth::default());
    let next = ChannelHealth { version: 2, ..health };
    assert_eq!(conflict(world.change(update(&next)).await), Conflict::Stale(Object::Channel(id)));
}

/// Connected channels are found in portions, with the round of their next check.
pub async fn finds_the_connected_channels_of_all_workspaces(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut off = an_http_channel(7);
    off.status = ChannelStatus::Disconnected;
    let (mut on, deleted) = (an_http_channel(8), an_http_channel(9));
    on.status = ChannelStatus::Connected;
    for channel in [&off, &on, &deleted] {
        world.add(Change::Insert(Row::Channel(channel.clone()))).await;
    }
    world.add(Change::Channel(ChannelChange::Delete { channel: deleted.id, at: NOW })).await;
    let health = Box::new(ChannelHealth { round: 3, version: 1, ..ChannelHealth::default() });
    world.add(Change::Channel(ChannelChange::UpdateHealth { channel: on.id, health })).await;
    let found = |world: &World, channel, round| ConnectedChannel { workspace: world.workspace, channel, round };
    let mut expected =
        vec![found(&world, world.channel.id, 0), found(&other, other.channel.id, 0), found(&world, on.id, 3)];
    expected.sort_unstable_by_key(|it| it.place());
    // Other workspaces of the store have channels, too.
    let (first, last) = (world.workspace.min(other.workspace), world.workspace.max(other.workspace));
    let ours = |it: &ConnectedChannel| [first, last].contains(&it.workspace);
    for portion in [1, 2, 100] {
        let (mut all, mut after) = (Vec::new(), Some((first, ChannelId::from_uuid(Uuid::nil()))));
        while let Some(place) = after {
            let found = store.engine.connected_channels(Some(place), portion).await.unwrap();
            assert!(found.len() <= portion as usize);
            after = found.last().map(|it| it.place()).filter(|(workspace, _)| *workspace <= last);
            all.extend(found);
        }
        assert!(all.is_sorted_by_key(|it| it.place()));
        assert_eq!(all.into_iter().filter(ours).collect::<Vec<_>>(), expected);
    }
    assert_eq!(store.engine.connected_channels(None, 1).await.unwrap().len(), 1);
}

/// A second record of an event is a conflict on its channel, until it expires or the channel is deleted.
pub async fn an_event_of_a_provider_is_recorded_once_until_it_expires(store: Ports) {
    let (world, elsewhere) = (World::new(&store).await, World::new(&store).await);
    let other = an_http_channel(9);
    world.add(Change::Insert(Row::Channel(other.clone()))).await;
    let record = async |world: &World, channel: &Channel, number: u8, seconds: u64| {
        let (channel, digest, at) = (channel.id, [number; 32], at(seconds));
        world.change(Change::Channel(ChannelChange::RecordEvent { channel, digest, at })).await
    };
    let known = Conflict::Exists(UniqueKey::ProviderEvent);
    for (world, channel) in [(&world, &world.channel), (&world, &other), (&elsewhere, &elsewhere.channel)] {
        for number in 1..=3 {
            record(world, channel, number, u64::from(number)).await.unwrap();
            assert_eq!(conflict(record(world, channel, number, 9).await), known, "event {number}");
        }
    }

    let expire = async |limit| store.engine.expire_provider_events(at(3), limit).await.unwrap();
    assert_eq!((expire(4).await, expire(100).await), (4, 2), "the oldest ones expire first, in all workspaces");
    record(&world, &world.channel, 2, 9).await.unwrap();
    assert_eq!(conflict(record(&world, &world.channel, 3, 9).await), known);

    world.add(Change::Channel(ChannelChange::Delete { channel: other.id, at: at(9) })).await;
    record(&world, &other, 3, 9).await.expect("the events of a channel are deleted with it");
    assert_eq!(conflict(record(&world, &world.channel, 3, 9).await), known, "those of other channels stay");
}

/// A channel keeps its newest requests that were not understood, until they expire or the channel is deleted. Those of
/// other channels stay.
pub async fn keeps_the_newest_requests_that_were_not_understood(store: Ports) {
    let (world, elsewhere) = (World::new(&store).await, World::new(&store).await);
    let other = an_http_channel(9);
    world.add(Change::Insert(Row::Channel(other.clone()))).await;
    let keep = async |world: &World, channel: &Channel, seconds: u64| {
        let request = UnparsedRequest { received_at: at(seconds), ..an_unparsed_request(channel) };
        world.add(Change::Channel(ChannelChange::KeepUnparsed(Box::new(request.clone())))).await;
        request
    };
    let (theirs, next) = (keep(&elsewhere, &elsewhere.channel, 1).await, keep(&world, &other, 1).await);
    let most = MAX_UNPARSED as u64;
    let mut kept = Vec::new();
    for seconds in 1..=most + 2 {
        kept.push(keep(&world, &world.channel, seconds).await);
    }
    // A request that is older than the kept ones is deleted at once.
    keep(&world, &world.channel, 0).await;
    let page = PageRequest { limit: 100, ..PageRequest::default() };
    let of = async |channel: &Channel| store.channels.unparsed(&world.access, channel.id, page).await.unwrap().items;
    kept.reverse();
    kept.truncate(MAX_UNPARSED as usize);
    assert_eq!((of(&world.channel).await, of(&other).await), (kept.clone(), vec![next.clone()]));
    let first = PageRequest { limit: 2, order: Order::OldestFirst, ..PageRequest::default() };
    let all = store.channels.all_unparsed(&world.access, first).await.unwrap();
    assert_eq!(all.items, [next, kept[99].clone()]);
    let second = store.channels.all_unparsed(&world.access, PageRequest { after: all.next, ..first }).await.unwrap();
    assert_eq!(second.items, [kept[98].clone(), kept[97].clone()]);

    world.add(Change::Channel(ChannelChange::Delete { channel: other.id, at: at(9) })).await;
    assert_eq!(of(&other).await, [], "they are deleted with their channel");
    let expire = async |limit| store.engine.expire_unparsed(at(5), limit).await.unwrap();
    assert_eq!((expire(2).await, expire(100).await), (2, 1), "the oldest ones expire first, in all workspaces");
    assert_eq!(of(&world.channel).await, kept[..98]);
    let left = store.channels.all_unparsed(&elsewhere.access, page).await.unwrap().items;
    assert!(!left.contains(&theirs));
}
