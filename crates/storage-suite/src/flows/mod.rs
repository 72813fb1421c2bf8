//! Flows without their runs: found by trigger, stored in versions, hidden after deletion.

pub mod flow_calls;
pub mod published;
pub mod runs;
pub mod schedules;
pub mod statistics;

use serde_json::json;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{Flow, FlowStatus};
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::{Change, Conflict, Counted, FlowChange, Guard, Object, Row};

use crate::Ports;
use crate::fixtures::{World, a_flow_version, at, conflict};

/// The triggers of active flows are found by type and event, the oldest flow first.
pub async fn triggers_of_active_flows_are_found(store: Ports) {
    let world = World::new(&store).await;
    let (old, new) = (world.flow().await, world.flow().await);
    let word = |word: &str| json!({"type": "keyword", "match": "exact", "keywords": [word]});
    let event = json!({"type": "event", "event": "contact.tag_added"});
    world.add(Change::Flow(FlowChange::PutTriggers { flow: new.id, triggers: vec![word("a")] })).await;
    world.add(Change::Flow(FlowChange::PutTriggers { flow: old.id, triggers: vec![word("b"), event.clone()] })).await;
    let keywords = async || {
        let found = store.flows.keyword_triggers(&world.access).await.unwrap();
        found.iter().map(|it| it.flow).collect::<Vec<_>>()
    };
    assert_eq!(keywords().await, [old.id, new.id]);
    let of_event = async |kind| store.flows.event_triggers(&world.access, kind).await.unwrap();
    assert_eq!(of_event(EventKind::ContactTagAdded).await.len(), 1);
    let referrals = async || {
        let found = store.flows.referral_triggers(&world.access).await.unwrap();
        found.iter().map(|it| it.flow).collect::<Vec<_>>()
    };
    assert_eq!(referrals().await, []);
    let link = json!({"type": "referral", "ref": "spring", "match": "starts_with"});
    let both = vec![word("b"), event, link];
    world.add(Change::Flow(FlowChange::PutTriggers { flow: old.id, triggers: both })).await;
    assert_eq!(referrals().await, [old.id]);
    assert_eq!(of_event(EventKind::ContactCreated).await, []);

    world.add(Change::Flow(FlowChange::PutTriggers { flow: new.id, triggers: vec![] })).await;
    assert_eq!(keywords().await, [old.id], "new triggers replace the old ones");
    let paused = Flow { status: FlowStatus::Paused, version: 2, ..old.clone() };
    world.add(Change::Update(Row::Flow(paused))).await;
    assert_eq!((keywords().await, referrals().await), (vec![], vec![]));
}

/// Flows with a trigger for a custom event are found by its name, and are listeners with a revision.
pub async fn flows_that_listen_to_custom_events_are_found(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let flow = world.flow().await;
    let listening = async || store.listeners.listeners(world.workspace, None).await.unwrap();
    assert!(listening().await.custom.is_empty());
    let trigger = json!({"type": "custom_event", "name": "order.paid",
        "filter": {"field": "event.data.total", "op": "gt", "value": 7}});
    let event = json!({"type": "event", "event": "contact.tag_added"});
    world.add(Change::Flow(FlowChange::PutTriggers { flow: flow.id, triggers: vec![event, trigger] })).await;
    let of = async |access, name: &str| {
        let found = store.flows.custom_event_triggers(access, &name.parse().unwrap()).await.unwrap();
        found.iter().map(|it| it.flow).collect::<Vec<_>>()
    };
    assert_eq!(of(&world.access, "order.paid").await, [flow.id]);
    assert_eq!(of(&world.access, "order.sent").await, []);
    assert_eq!(of(&other.access, "order.paid").await, []);
    let outdated = listening().await.revision;
    let now = store.listeners.listeners(world.workspace, Some(outdated)).await.unwrap();
    let now = if now.custom.is_empty() { listening().await } else { now };
    assert!(now.custom.contains("order.paid"), "{now:?}");
    assert!(now.reactions.contains(&EventKind::ContactTagAdded));
    world
        .commit(|set| set.guards.push(Guard::Listeners(now.revision)))
        .await
        .expect("the guard accepts the current revision");

    let paused = Flow { status: FlowStatus::Paused, version: 2, ..flow.clone() };
    world.add(Change::Update(Row::Flow(paused))).await;
    assert_eq!(of(&world.access, "order.paid").await, []);
}

/// A deleted flow is hidden everywhere except in its history.
pub async fn a_deleted_flow_is_hidden(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let run = world.run(&flow, &contact).await;
    world.add(Change::Flow(FlowChange::Delete { flow: flow.id, at: at(1) })).await;
    assert_eq!(store.flows.get(&world.access, flow.id).await.unwrap(), None);
    assert_eq!(store.flows.list(&world.access, &Default::default(), Default::default()).await.unwrap().items, []);
    assert_eq!(store.flows.present(&world.access, &[flow.id]).await.unwrap(), []);
    let again = world.change(Change::Flow(FlowChange::Delete { flow: flow.id, at: at(2) })).await;
    assert_eq!(conflict(again), Conflict::Stale(Object::Flow(flow.id)));
    let edited = Flow { version: 2, ..flow.clone() };
    assert_eq!(conflict(world.change(Change::Update(Row::Flow(edited))).await), Conflict::Stale(Object::Flow(flow.id)));
    let room = Guard::Room { what: Counted::Flows, adding: 1, most: 1 };
    world.commit(|set| set.guards.push(room)).await.expect("a deleted flow does not count against the limit");
    assert_eq!(store.flows.run(&world.access, run.id).await.unwrap(), Some(run));
    let versions = store.flows.versions(&world.access, flow.id, PageRequest::default()).await.unwrap();
    assert_eq!(versions.items.len(), 1);
}

/// The versions of a flow are paged from either end, without versions of other flows.
pub async fn lists_versions_of_a_flow_in_pages(store: Ports) {
    let world = World::new(&store).await;
    let (flow, _other) = (world.flow().await, world.flow().await);
    for number in 2..=5 {
        world.add(Change::Flow(FlowChange::InsertVersion(a_flow_version(&flow, number)))).await;
    }
    for (order, expected) in [(Order::NewestFirst, [5, 4, 3, 2, 1]), (Order::OldestFirst, [1, 2, 3, 4, 5])] {
        let (mut after, mut seen) = (None, Vec::new());
        loop {
            let page = PageRequest { limit: 2, order, after, counted: true };
            let page = store.flows.versions(&world.access, flow.id, page).await.unwrap();
            assert!(page.items.len() <= 2);
            seen.extend(page.items.iter().map(|version| version.number));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, expected);
    }
}
