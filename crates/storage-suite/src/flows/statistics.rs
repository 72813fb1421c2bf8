//! Counts of flow nodes, and the current nodes of runs.

use std::time::Duration;

use tidings_domain::flows::{
    Flow, NodeCount, NodeTally, NodeVisit, Passage, Run, RunFilter, RunStatus, StatisticsRequest,
};
use tidings_domain::ids::RunId;
use tidings_domain::pagination::{PageRequest, Total};
use tidings_domain::ports::{Change, FlowChange, Row};
use tidings_domain::time::Timestamp;

use crate::Ports;
use crate::fixtures::{NOW, World, a_run, at, uuid};

fn step(flow: &Flow, version: i64, at: Timestamp) -> Change {
    let left = Some(("next".to_owned(), 7));
    let visits = vec![
        NodeVisit { node: "ask".to_owned(), entered: false, left, failed: false },
        NodeVisit { node: "say".to_owned(), entered: true, left: None, failed: true },
    ];
    Change::Flow(FlowChange::Count { id: uuid(), passage: Passage { flow: flow.id, version, visits }, at })
}

async fn tallies(world: &World, flow: &Flow, request: StatisticsRequest) -> Vec<NodeTally> {
    let mut tallies = world.ports.flows.node_counts(&world.access, flow.id, request).await.unwrap();
    tallies.sort_by_key(|it| (it.node.clone(), it.count.clone()));
    tallies
}

fn expected(amount: i64) -> Vec<NodeTally> {
    let tally = |node: &str, count| NodeTally { node: node.to_owned(), count, amount };
    let left = NodeCount::Left("next".to_owned(), 7);
    vec![tally("ask", left), tally("say", NodeCount::Entered), tally("say", NodeCount::Failed)]
}

/// Counts of one commit and of several are added, by hour and in total, by version and for all.
pub async fn adds_up_the_counts_of_flow_nodes(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (flow, another) = (world.flow().await, world.flow().await);
    for _ in 0..2 {
        let counted = world.commit(|set| {
            set.change(step(&flow, 1, NOW)).change(step(&flow, 1, at(600))).change(step(&flow, 2, at(3_600)));
            set.change(step(&another, 1, NOW));
        });
        counted.await.unwrap();
        while store.engine.count_facts(3).await.unwrap() > 0 {}
    }
    let all = StatisticsRequest::default();
    assert_eq!(tallies(&world, &flow, all).await, expected(6));
    assert_eq!(tallies(&world, &another, all).await, expected(2));
    assert_eq!(tallies(&world, &flow, StatisticsRequest { version: Some(1), ..all }).await, expected(4));
    let of_hour = |from: u64| StatisticsRequest { span: Some((at(from), at(from + 3_600))), ..all };
    assert_eq!(tallies(&world, &flow, of_hour(0)).await, expected(4));
    assert_eq!(tallies(&world, &flow, of_hour(3_600)).await, expected(2));
    assert_eq!(tallies(&world, &flow, of_hour(7_200)).await, []);
    assert_eq!(tallies(&other, &flow, all).await, []);
}

/// A rejected set counts nothing.
pub async fn a_rejected_step_is_not_counted(store: Ports) {
    let world = World::new(&store).await;
    let flow = world.flow().await;
    let refused = world.commit(|set| {
        set.change(step(&flow, 1, NOW));
        set.change(Change::Flow(FlowChange::TakeRecipient { flow: flow.id, at: NOW, contact: crate::fixtures::id() }));
    });
    refused.await.unwrap_err();
    while store.engine.count_facts(100).await.unwrap() > 0 {}
    assert_eq!(tallies(&world, &flow, StatisticsRequest::default()).await, []);
}

/// Live runs are counted by their current node, optionally of one version.
pub async fn counts_live_runs_by_their_node(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let flow = world.flow().await;
    world.add(Change::Flow(FlowChange::InsertVersion(crate::fixtures::a_flow_version(&flow, 2)))).await;
    for (node, version, ended) in [
        (Some("ask"), 1, false),
        (Some("ask"), 2, false),
        (Some("say"), 1, false),
        (Some("ask"), 1, true),
        (None, 1, false),
    ] {
        let contact = world.contact().await;
        let mut run = a_run(&flow, &contact);
        (run.node, run.flow_version) = (node.map(ToOwned::to_owned), version);
        if ended {
            (run.status, run.ended_at) = (RunStatus::Completed, Some(NOW.plus(Duration::from_secs(1))));
        }
        world.add(Change::Insert(Row::Run(Box::new(run)))).await;
    }
    let waiting = async |version| {
        let mut found = store.flows.waiting_at(&world.access, flow.id, version).await.unwrap();
        found.sort();
        found
    };
    assert_eq!(waiting(None).await, [("ask".to_owned(), 2), ("say".to_owned(), 1)]);
    assert_eq!(waiting(Some(2)).await, [("ask".to_owned(), 1)]);
    assert_eq!(store.flows.waiting_at(&other.access, flow.id, None).await.unwrap(), []);
}

/// Stores a run of a new contact with this start time and node.
async fn at_node(world: &World, flow: &Flow, began: u64, node: Option<&str>, status: RunStatus) -> Run {
    let mut run = a_run(flow, &world.contact().await);
    (run.node, run.status, run.started_at) = (node.map(ToOwned::to_owned), status, at(began));
    run.ended_at = (!status.is_live()).then_some(at(began));
    world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
    run
}

/// Live runs at a node are listed by page: no other runs of the flow, and none at a node of the same name in another
/// flow.
pub async fn lists_live_runs_at_a_node(store: Ports) {
    use RunStatus::{Active, Completed, Failed, Waiting};
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (flow, another) = (world.flow().await, world.flow().await);
    let first = at_node(&world, &flow, 1, Some("ask"), Waiting).await;
    at_node(&world, &flow, 2, Some("say"), Waiting).await;
    let second = at_node(&world, &flow, 3, Some("ask"), Active).await;
    at_node(&world, &flow, 4, Some("ask"), Completed).await;
    at_node(&world, &flow, 5, Some("ask"), Failed).await;
    at_node(&world, &flow, 6, None, Active).await;
    at_node(&world, &another, 7, Some("ask"), Waiting).await;
    let third = at_node(&world, &flow, 8, Some("ask"), Waiting).await;
    let listed = async |filter: &RunFilter, page: PageRequest| {
        let page = store.flows.runs(&world.access, filter, page).await.unwrap();
        (page.items.iter().map(|run| run.id).collect::<Vec<RunId>>(), page.next)
    };
    let all = async |filter: RunFilter| listed(&filter, PageRequest::default()).await.0;
    let asking = RunFilter { flow: Some(flow.id), node: Some("ask".to_owned()), ..RunFilter::default() };
    assert_eq!(all(asking.clone()).await, [third.id, second.id, first.id]);
    assert_eq!(all(RunFilter { status: Some(Waiting), ..asking.clone() }).await, [third.id, first.id]);
    assert_eq!(all(RunFilter { status: Some(Completed), ..asking.clone() }).await, []);
    assert_eq!(all(RunFilter { contact: Some(second.contact), ..asking.clone() }).await, [second.id]);
    assert_eq!(all(RunFilter { node: Some("nowhere".to_owned()), ..asking.clone() }).await, []);
    let page = PageRequest { limit: 2, counted: true, ..PageRequest::default() };
    let (begun, next) = listed(&asking, page).await;
    assert_eq!(begun, [third.id, second.id]);
    let (left, next) = listed(&asking, PageRequest { after: next, ..page }).await;
    assert_eq!((left, next), (vec![first.id], None));
    let total = store.flows.runs(&world.access, &asking, page).await.unwrap().total;
    assert_eq!(total, Some(Total::of(3)));
    assert_eq!(store.flows.runs(&other.access, &asking, page).await.unwrap().items, []);

    world.add(Change::Flow(FlowChange::InterruptRuns { contact: third.contact, at: at(9) })).await;
    assert_eq!(all(asking).await, [second.id, first.id], "an ended run is at no node");
}
