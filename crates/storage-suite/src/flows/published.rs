//! The published flows of all workspaces, for operators.

use serde_json::{Value, json};
use tidings_domain::flows::{Flow, FlowVersion};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, FlowChange, Row};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, a_flow, a_flow_version};

/// The position of a flow among all workspaces' flows.
type Key = (Uuid, Uuid);

/// Each definition is read once, by page, from every workspace; deleted flows are skipped.
pub async fn published_definitions_are_read(store: Ports, read: impl AsyncFn(Option<Key>, u16) -> Vec<(Key, Value)>) {
    let (one, other) = (World::new(&store).await, World::new(&store).await);
    let mut kept = Vec::new();
    for world in [&one, &one, &other] {
        let flow = world.flow().await;
        kept.push((world.access.workspace().uuid(), flow.id.uuid()));
    }
    let gone = one.flow().await;
    one.add(Change::Flow(FlowChange::Delete { flow: gone.id, at: NOW })).await;
    kept.sort();
    let first = read(None, 2).await;
    let rest = read(first.last().map(|(key, _)| *key), 2).await;
    let found: Vec<Key> = first.iter().chain(&rest).map(|(key, _)| *key).collect();
    assert_eq!((first.len(), found), (2, kept));
    assert!(first.iter().all(|(_, definition)| definition["z"] == 1), "{first:?}");
}

/// Only current versions of existing flows of the workspace that mention secrets are returned.
pub async fn finds_published_versions_that_mention_secrets(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    world.flow().await;
    let publish = async |world: &World, mentions: [bool; 2]| {
        let flow = Flow { version_published: Some(2), ..a_flow() };
        let version = |number, mentions| FlowVersion {
            definition: if mentions { json!({"url": "{{ secrets.A }}"}) } else { json!({"url": "x"}) },
            ..a_flow_version(&flow, number)
        };
        let [first, second] = [version(1, mentions[0]), version(2, mentions[1])];
        world.add(Change::Insert(Row::Flow(flow.clone()))).await;
        world.add(Change::Flow(FlowChange::InsertVersion(first))).await;
        world.add(Change::Flow(FlowChange::InsertVersion(second))).await;
        flow.id
    };
    let current = publish(&world, [false, true]).await;
    publish(&world, [true, false]).await;
    publish(&other, [true, true]).await;
    let gone = publish(&world, [true, true]).await;
    world.add(Change::Flow(FlowChange::Delete { flow: gone, at: NOW })).await;
    let found = store.flows.published_with_secrets(&world.access).await.unwrap();
    assert_eq!(found.iter().map(|it| (it.flow, it.number)).collect::<Vec<_>>(), [(current, 2)]);
}
