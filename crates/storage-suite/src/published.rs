//! What operators see of all workspaces' published flows.

use serde_json::Value;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, FlowChange};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World};

/// A flow among all workspaces'.
type Key = (Uuid, Uuid);

/// Each is read once, page by page, whatever the workspace; deleted flows are not.
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
