//! Channels: their tokens, their health, and the requests and events that they received from their providers.

use serde_json::json;
use tidings_domain::channels::{
    Channel, ChannelHealth, ChannelProblem, ChannelStatus, DisconnectedMode, MAX_UNPARSED, PollProgress,
    UnparsedRequest, WhileDisconnected,
};
use tidings_domain::ids::{ChannelId, TypedId};
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::{Change, ChannelChange, Conflict, ConnectedChannel, Guard, Object, Row, UniqueKey};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, a_conversation, an_http_channel, an_unparsed_request, at, conflict, id};

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
