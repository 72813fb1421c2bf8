//! Samples of flows with their versions, triggers and schedules.

use serde_json::json;
use tidings_domain::conditions::Selection;
use tidings_domain::flows::{AwaitedKind, Flow, NodeVisit, Passage, StatisticsRequest};
use tidings_domain::ids::{ContactId, FlowId};
use tidings_domain::ports::{Change, FlowChange, Row};
use tidings_domain::time::Timestamp;

use super::sample::{Does, Maker, Sample, maker, row_makers, unique};
use crate::fixtures::{World, a_flow, a_flow_version, a_schedule, at, uuid};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = row_makers(flow);
    samples.extend([
        maker(insert_version),
        maker(put_triggers),
        maker(put_awaited),
        maker(put_schedule),
        maker(freeze_audience),
        maker(take_recipient),
        maker(drop_recipients),
        maker(count),
        maker(delete),
    ]);
    samples
}

async fn read(world: &World, flow: FlowId) -> Option<Flow> {
    world.ports.flows.get(&world.access, flow).await.unwrap()
}

async fn flow(world: World, does: Does) -> Sample {
    let flow = a_flow();
    let own = flow.id;
    let change = |it: &mut Flow| (it.name, it.updated_at, it.version) = (unique(), at(9), 2);
    does.row(&world, Row::Flow, flow, change, async move |w| read(w, own).await).await
}

async fn insert_version(world: World) -> Sample {
    let flow = world.flow().await;
    let version = a_flow_version(&flow, 2);
    let change = Change::Flow(FlowChange::InsertVersion(version.clone()));
    Sample::new(&world, change, Some(version), async move |w| {
        w.ports.flows.version(&w.access, flow.id, 2).await.unwrap()
    })
}

async fn put_triggers(world: World) -> Sample {
    let flow = world.flow().await.id;
    let trigger = json!({"type": "keyword", "match": "exact", "keywords": [unique()]});
    let change = Change::Flow(FlowChange::PutTriggers { flow, triggers: vec![trigger] });
    Sample::new(&world, change, 1, async move |w| {
        let triggers = w.ports.flows.keyword_triggers(&w.access).await.unwrap();
        triggers.iter().filter(|it| it.flow == flow).count()
    })
}

async fn put_awaited(world: World) -> Sample {
    let (flow, awaited) = (world.flow().await.id, AwaitedKind::Custom(unique().parse().unwrap()));
    let change = Change::Flow(FlowChange::PutAwaited { flow, awaited: vec![awaited.clone()], keeps_earlier: true });
    Sample::new(&world, change, true, async move |w| {
        let known = w.ports.listeners.listeners(w.workspace, None).await.unwrap().revision;
        // The store reads the listeners again if the known revision is outdated.
        let present = w.ports.listeners.listeners(w.workspace, Some(known)).await.unwrap();
        present.awaited.contains(&awaited)
    })
}

async fn put_schedule(world: World) -> Sample {
    let flow = world.flow().await;
    let schedule = a_schedule(&flow, 1);
    Sample::new(&world, Change::Flow(FlowChange::PutSchedule(schedule)), Some(schedule), async move |w| {
        w.ports.flows.schedule(&w.access, flow.id).await.unwrap()
    })
}

/// Stores a flow and a contact, and returns the change that makes all contacts recipients of the flow.
async fn firing(world: &World) -> (FlowId, ContactId, Change) {
    let (flow, contact) = (world.flow().await.id, world.contact().await.id);
    let audience = Selection::Constant(true);
    (flow, contact, Change::Flow(FlowChange::FreezeAudience { flow, at: at(1), audience }))
}

/// Whether the contact is a recipient of the flow.
async fn is_recipient(world: &World, flow: FlowId, contact: ContactId) -> bool {
    let recipients: Vec<(Timestamp, ContactId)> = world.ports.flows.recipients(&world.access, flow, 100).await.unwrap();
    recipients.contains(&(at(1), contact))
}

async fn freeze_audience(world: World) -> Sample {
    let (flow, contact, freeze) = firing(&world).await;
    Sample::new(&world, freeze, true, async move |w| is_recipient(w, flow, contact).await)
}

async fn take_recipient(world: World) -> Sample {
    let (flow, contact, freeze) = firing(&world).await;
    world.add(freeze).await;
    let change = Change::Flow(FlowChange::TakeRecipient { flow, at: at(1), contact });
    Sample::new(&world, change, false, async move |w| is_recipient(w, flow, contact).await)
}

async fn drop_recipients(world: World) -> Sample {
    let (flow, contact, freeze) = firing(&world).await;
    world.add(freeze).await;
    let change = Change::Flow(FlowChange::DropRecipients { flow, limit: 100 });
    Sample::new(&world, change, false, async move |w| is_recipient(w, flow, contact).await)
}

async fn count(world: World) -> Sample {
    let flow = world.flow().await.id;
    let visits = vec![NodeVisit { node: "say".to_owned(), entered: true, left: None, failed: false }];
    let passage = Passage { flow, version: 1, visits };
    let change = Change::Flow(FlowChange::Count { id: uuid(), passage, at: at(9) });
    Sample::new(&world, change, vec![("say".to_owned(), 1)], async move |w| {
        while w.ports.engine.count_facts(100).await.unwrap() > 0 {}
        let counts = w.ports.flows.node_counts(&w.access, flow, StatisticsRequest::default()).await.unwrap();
        counts.into_iter().map(|it| (it.node, it.amount)).collect()
    })
}

async fn delete(world: World) -> Sample {
    let flow = world.flow().await.id;
    let change = Change::Flow(FlowChange::Delete { flow, at: at(9) });
    Sample::new(&world, change, None, async move |w| read(w, flow).await)
}
