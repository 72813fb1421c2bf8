//! Rule 6: live runs are unique by flow, contact and slot.

use futures::future::join_all;
use serde_json::json;
use tidings_domain::access::Actor;
use tidings_domain::flows::{RunError, RunStatus, TraceEntry, Wait};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, Conflict, Counted, Guard, UniqueKey};

use crate::Ports;
use crate::fixtures::{World, a_run, at, conflict, id, uuid};

/// One run lives in a slot; another slot is free, and so is the same one after the end.
pub async fn one_run_lives_in_a_slot(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let mut first = world.run(&flow, &contact).await;
    let again = a_run(&flow, &contact);
    let refused = world.change(Change::InsertRun(Box::new(again.clone()))).await;
    assert_eq!(conflict(refused), Conflict::Exists(UniqueKey::LiveRun));
    let mut parallel = a_run(&flow, &contact);
    parallel.slot = parallel.id.uuid();
    world.add(Change::InsertRun(Box::new(parallel))).await;
    let live = store.flows.live_run(&world.access, flow.id, contact.id).await.unwrap();
    assert_eq!(live.map(|run| run.id), Some(first.id), "the run of the shared slot, not the parallel one");

    (first.status, first.ended_at, first.version) = (RunStatus::Completed, Some(at(1)), 2);
    world.add(Change::UpdateRun(Box::new(first))).await;
    assert_eq!(store.flows.live_run(&world.access, flow.id, contact.id).await.unwrap(), None);
    world.add(Change::InsertRun(Box::new(again.clone()))).await;
    let live = store.flows.live_run(&world.access, flow.id, contact.id).await.unwrap();
    assert_eq!(live, Some(again));
}

/// Two start at once; one run lives.
pub async fn of_two_concurrent_starts_one_wins(store: Ports) {
    let world = World::new(&store).await;
    let flow = world.flow().await;
    for _ in 0..10 {
        let contact = world.contact().await;
        let start = || {
            let (world, run) = (world.clone(), a_run(&flow, &contact));
            tokio::spawn(async move { world.change(Change::InsertRun(Box::new(run))).await })
        };
        let outcomes: Vec<_> = join_all([start(), start()]).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
        let lost = outcomes.into_iter().find(Result::is_err).unwrap();
        assert_eq!(conflict(lost), Conflict::Exists(UniqueKey::LiveRun));
    }
}

/// The bound on starts counts from an instant, ended runs included, and holds under concurrency.
pub async fn starts_are_counted_from_an_instant(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let since = at(100);
    let start = |seconds: u64| {
        let (world, mut run) = (world.clone(), a_run(&flow, &contact));
        (run.slot, run.started_at) = (uuid(), at(seconds));
        let what = Counted::Starts { flow: flow.id, contact: contact.id, since };
        tokio::spawn(async move {
            world
                .commit(|set| {
                    set.guard(Guard::Room { what, adding: 1, most: 3 });
                    set.change(Change::InsertRun(Box::new(run)));
                })
                .await
        })
    };
    for seconds in [1, 50, 99] {
        start(seconds).await.unwrap().expect("starts before the instant do not count");
    }
    let outcomes: Vec<_> = join_all((100..108).map(start)).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3, "{outcomes:?}");
    let starts = store.flows.recent_starts(&world.access, flow.id, contact.id, 4).await.unwrap();
    assert_eq!(starts.len(), 4);
    assert!(starts.is_sorted_by(|a, b| a >= b) && starts[2] >= since && starts[3] == at(99), "{starts:?}");
}

/// Everything that a run says is kept.
pub async fn a_run_comes_back_as_it_was_written(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let mut run = a_run(&flow, &contact);
    (run.node, run.status) = (Some("wait".to_owned()), RunStatus::Waiting);
    run.vars = json!({"b": 1, "a": {"deep": [1.5, null, "\u{0}"]}}).as_object().cloned().unwrap();
    run.wait = Some(Wait { until: at(60) });
    run.started_by = Actor::flow(flow.id, run.id);
    (run.visit, run.nodes_visited) = (3, 7);
    world.add(Change::InsertRun(Box::new(run.clone()))).await;
    assert_eq!(store.flows.run(&world.access, run.id).await.unwrap(), Some(run.clone()));
    let entry = |node: &str| TraceEntry {
        node: node.to_owned(),
        kind: "send".to_owned(),
        at: at(61),
        outcome: "queued".to_owned(),
        message: Some(id()),
    };
    run.trace = vec![entry("a"), entry("b")];
    (run.status, run.wait, run.ended_at, run.version) = (RunStatus::Failed, None, Some(at(61)), 2);
    let path = vec!["a".to_owned(), "b".to_owned()];
    run.error =
        Some(RunError { code: "loop_guard".to_owned(), message: "m".to_owned(), node: Some("b".to_owned()), path });
    world.add(Change::UpdateRun(Box::new(run.clone()))).await;
    assert_eq!(store.flows.run(&world.access, run.id).await.unwrap(), Some(run));
    let version = store.flows.version(&world.access, flow.id, 1).await.unwrap().unwrap();
    assert_eq!(version.definition.to_string(), flow.definition.to_string());
    assert_eq!(store.flows.get(&world.access, flow.id).await.unwrap(), Some(flow.clone()));
    assert_eq!(store.flows.version(&world.access, flow.id, 2).await.unwrap(), None);
}

/// All live runs of the contact end, each one version on; others go on.
pub async fn runs_of_a_deleted_contact_end(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact, other) = (world.flow().await, world.contact().await, world.contact().await);
    let (live, untouched) = (world.run(&flow, &contact).await, world.run(&flow, &other).await);
    let mut ended = a_run(&flow, &contact);
    (ended.slot, ended.status, ended.ended_at) = (uuid(), RunStatus::Completed, Some(at(1)));
    world.add(Change::InsertRun(Box::new(ended.clone()))).await;
    world.add(Change::InterruptRuns { contact: contact.id, at: at(9) }).await;
    let read = async |run| store.flows.run(&world.access, run).await.unwrap().unwrap();
    let interrupted = read(live.id).await;
    assert_eq!((interrupted.status, interrupted.ended_at), (RunStatus::Interrupted, Some(at(9))));
    assert_eq!((interrupted.version, interrupted.updated_at), (2, at(9)));
    assert_eq!(read(ended.id).await, ended);
    assert_eq!(read(untouched.id).await, untouched);
}
