//! Runs that call other flows: an end reaches callers and called runs, also if the caller is read at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};
use tidings_domain::Tidings;
use tidings_domain::contacts::{Contact, ContactRef};
use tidings_domain::flows::{
    Call, Caller, Flow, FlowPatch, FlowStatus, InFlight, NewFlow, Run, RunFilter, RunStatus, StartFlow, Wait,
};
use tidings_domain::ids::{FlowId, RunId};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::ports::{Change, FlowChange, Job, NewJob, Pool, Row};
use tidings_domain::time::Timestamp;

use crate::Ports;
use crate::fixtures::{NOW, World, a_run, at, id, uuid};

/// The due time of steps of waiting runs.
const FAR: u64 = 9_000;

fn calls(run: &mut Run, called: RunId) {
    run.status = RunStatus::Waiting;
    run.wait = Some(Wait { call: Some(Call::Began(called)), ..Wait::for_flow() });
}

/// Stores a run with its queued step.
async fn queued(world: &World, flow: &Flow, contact: &Contact, describe: impl FnOnce(&mut Run)) -> Run {
    let mut run = a_run(flow, contact);
    run.slot = uuid();
    describe(&mut run);
    let job = NewJob::new(id(), Job::StepRun { run: run.id, visit: 0 }, at(FAR));
    let written = world.commit(|set| {
        set.change(Change::Insert(Row::Run(Box::new(run.clone()))));
        set.jobs.push(job);
    });
    written.await.unwrap();
    run
}

/// Stores three runs, each called by the one before.
async fn chain(world: &World, flows: [&Flow; 3]) -> [Run; 3] {
    let (contact, ids): (_, [RunId; 3]) = (world.contact().await, [id(), id(), id()]);
    let mut runs = Vec::new();
    for (place, flow) in flows.into_iter().enumerate() {
        let describe = |run: &mut Run| {
            run.id = ids[place];
            let depth = i64::try_from(place).unwrap();
            run.caller = place.checked_sub(1).map(|before| Caller { run: ids[before], depth });
            if let Some(called) = ids.get(place + 1) {
                calls(run, *called);
            }
        };
        runs.push(queued(world, flow, &contact, describe).await);
    }
    runs.try_into().unwrap()
}

async fn read(world: &World, run: &Run) -> Run {
    world.ports.flows.run(&world.access, run.id).await.unwrap().unwrap()
}

async fn next(world: &World) -> Option<Timestamp> {
    world.ports.engine.next_due(Pool::Work).await.unwrap()
}

/// The caller of a run, the depth and the result of the call are stored.
pub async fn stores_the_caller_and_the_result_of_a_flow_call(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    for call in [Call::Asked, Call::Began(id()), Call::Refused("start_limit".to_owned())] {
        let written = |run: &mut Run| {
            run.status = RunStatus::Waiting;
            run.wait = Some(Wait { call: Some(call), until: Some(at(7)), ..Wait::for_flow() });
            run.caller = Some(Caller { run: id(), depth: 5 });
        };
        let run = queued(&world, &flow, &contact, written).await;
        assert_eq!(read(&world, &run).await, run);
    }
}

/// Only the caller's queued step becomes due; a step with an earlier due time keeps it.
pub async fn waking_a_caller_makes_its_queued_step_due(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let caller = queued(&world, &flow, &contact, |run| calls(run, id())).await;
    queued(&world, &flow, &contact, |run| calls(run, id())).await;
    let wake = async |at| world.add(Change::Flow(FlowChange::WakeCaller { run: caller.id, at })).await;
    assert_eq!(next(&world).await, Some(at(FAR)));
    wake(at(20)).await;
    assert_eq!(next(&world).await, Some(at(20)));
    wake(at(30)).await;
    assert_eq!(next(&world).await, Some(at(20)));
    world.add(Change::Flow(FlowChange::DropSteps { run: caller.id })).await;
    assert_eq!(next(&world).await, Some(at(FAR)));
    wake(at(40)).await;
    assert_eq!(next(&world).await, Some(at(FAR)), "without a queued step nothing becomes due");
    assert_eq!(read(&world, &caller).await, caller, "the run is unchanged");
}

/// Runs called by the ended run end, too, with their queued steps. Its caller and other runs continue.
pub async fn called_runs_end_with_their_caller(store: Ports) {
    let world = World::new(&store).await;
    let (flow, other) = (world.flow().await, world.flow().await);
    let [root, middle, leaf] = chain(&world, [&flow, &other, &flow]).await;
    let [_, beside, below] = chain(&world, [&other, &flow, &other]).await;
    let contact = world.contact().await;
    let ended_before = queued(&world, &flow, &contact, |run| {
        run.caller = Some(Caller { run: root.id, depth: 1 });
        (run.status, run.ended_at) = (RunStatus::Completed, Some(at(1)));
    })
    .await;
    world.add(Change::Flow(FlowChange::InterruptCalled { run: root.id, at: at(9) })).await;
    for run in [&middle, &leaf] {
        let ended = read(&world, run).await;
        assert_eq!((ended.status, ended.ended_at, ended.wait), (RunStatus::Interrupted, Some(at(9)), None));
        assert_eq!((ended.version, ended.updated_at, ended.caller), (2, at(9), run.caller));
    }
    for run in [&root, &beside, &below, &ended_before] {
        assert_eq!(read(&world, run).await, *run);
    }
    world.add(Change::Flow(FlowChange::WakeCaller { run: leaf.id, at: at(9) })).await;
    world.add(Change::Flow(FlowChange::WakeCaller { run: middle.id, at: at(9) })).await;
    assert_eq!(next(&world).await, Some(at(FAR)), "the steps of the ended runs are removed");
}

/// Runs of the flow end with the runs that they called, and their callers' steps become due.
pub async fn ending_a_flow_ends_called_runs_and_wakes_callers(store: Ports) {
    let world = World::new(&store).await;
    let (outer, middle, inner) = (world.flow().await, world.flow().await, world.flow().await);
    let [caller, called, deepest] = chain(&world, [&outer, &middle, &inner]).await;
    let (alone, contact) = (chain(&world, [&outer, &inner, &outer]).await, world.contact().await);
    let uncalled = queued(&world, &middle, &contact, |_| {}).await;
    world.add(Change::Flow(FlowChange::Interrupt { flow: middle.id, at: at(9), due_at: at(9) })).await;
    for run in [&called, &deepest, &uncalled] {
        let ended = read(&world, run).await;
        assert_eq!((ended.status, ended.ended_at, ended.version), (RunStatus::Interrupted, Some(at(9)), 2));
    }
    for run in alone.iter().chain([&caller]) {
        assert_eq!(read(&world, run).await, *run);
    }
    assert_eq!(next(&world).await, Some(at(9)));
    world.add(Change::Flow(FlowChange::DropSteps { run: caller.id })).await;
    assert_eq!(next(&world).await, Some(at(FAR)), "no other step becomes due");
}

/// A called run may have ended while the flow was paused.
pub async fn resuming_a_flow_wakes_runs_that_wait_for_a_call(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let caller = queued(&world, &flow, &contact, |run| calls(run, id())).await;
    queued(&world, &flow, &contact, |run| {
        (run.status, run.wait) = (RunStatus::Waiting, Some(Wait::until(at(5_000))));
    })
    .await;
    world.add(Change::Flow(FlowChange::WakeRuns { flow: flow.id, at: at(20), due_at: at(20) })).await;
    assert_eq!(next(&world).await, Some(at(20)));
    world.add(Change::Flow(FlowChange::DropSteps { run: caller.id })).await;
    assert_eq!(next(&world).await, Some(at(FAR)), "steps with a later due time keep it");
}

async fn publish(tidings: &Tidings, world: &World, nodes: Value) -> FlowId {
    // The longest expiry: PostgreSQL uses its own clock, which is later than the time of the cases.
    let definition = json!({"start": nodes[0]["id"], "nodes": nodes, "settings": {"expires_after": "P3660D"}});
    let new = NewFlow { name: "Calls".to_owned(), definition };
    let flow = tidings.flows.create(&world.access, new, None).await.unwrap().value.id;
    tidings.flows.publish(&world.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await.unwrap();
    flow
}

/// A called run ends, on its own or from outside, while its caller's step is in progress and finds it live: the caller
/// continues in either order of the commits.
pub async fn wakes_the_caller_in_any_order_of_commits(store: Ports) {
    let world = World::new(&store).await;
    let tidings = Tidings::new(store.clone());
    let ask = json!({"id": "ask", "type": "ask", "message": {"type": "text", "text": "?"}, "next": "end"});
    let set = json!({"id": "set", "type": "set_field", "field": "vars.done", "value": true, "next": "end"});
    let end = json!({"id": "end", "type": "end"});
    let calling = |called: FlowId| {
        json!([{"id": "call", "type": "start_flow", "flow_id": called, "save_to": "vars.back", "next": "end",
            "on_error": "end"}, end])
    };
    let brief = publish(&tidings, &world, json!([set, end])).await;
    let asking = publish(&tidings, &world, json!([ask, end])).await;
    let (of_brief, of_asking) =
        (publish(&tidings, &world, calling(brief)).await, publish(&tidings, &world, calling(asking)).await);
    for round in 0..9 {
        let contact = world.contact().await.id;
        let flow = if round % 3 == 0 { of_brief } else { of_asking };
        let start = StartFlow { flow, vars: Map::new(), mode: None };
        let caller = tidings.flows.start(&world.access, &ContactRef::Id(contact), start, None).await.unwrap().value;
        let is_over = Arc::new(AtomicBool::new(false));
        let looks = {
            let (world, run, is_over) = (world.clone(), caller.id, is_over.clone());
            tokio::spawn(async move {
                while !is_over.load(Ordering::SeqCst) {
                    // A wake that conflicts on the step's row may fail; there are many.
                    world.change(Change::Flow(FlowChange::WakeCaller { run, at: NOW })).await.ok();
                    tokio::task::yield_now().await;
                }
            })
        };
        let works = [(); 2].map(|()| {
            let (tidings, is_over) = (tidings.clone(), is_over.clone());
            tokio::spawn(async move {
                while !is_over.load(Ordering::SeqCst) {
                    tidings.run_due(NOW).await.unwrap();
                    tokio::task::yield_now().await;
                }
            })
        });
        let of_contact = RunFilter { contact: Some(contact), ..RunFilter::default() };
        let called = loop {
            let runs = store.flows.runs(&world.access, &of_contact, Default::default()).await.unwrap().items;
            let called = runs.into_iter().find(|run| run.caller.is_some_and(|by| by.run == caller.id));
            // A called run waits if another task is to end it.
            if let Some(called) = called.filter(|run| !run.status.is_live() || run.status == RunStatus::Waiting) {
                break called;
            }
            tokio::task::yield_now().await;
        };
        let change = |status| FlowPatch { status: Some(status), ..FlowPatch::default() };
        match round % 3 {
            0 => {}
            1 => drop(tidings.flows.cancel(&world.access, called.id, None).await.unwrap()),
            _ => {
                for status in [FlowStatus::Archived, FlowStatus::Active] {
                    tidings.flows.update(&world.access, asking, change(status), &ExpectedVersion::Any).await.unwrap();
                }
            }
        }
        is_over.store(true, Ordering::SeqCst);
        looks.await.unwrap();
        for work in works {
            work.await.unwrap();
        }
        tidings.run_due(NOW).await.unwrap();
        let ended = read(&world, &caller).await;
        assert_eq!(ended.status, RunStatus::Completed, "round {round}: {ended:?}");
        let exit = ended.trace.iter().rev().find_map(|entry| entry.exit.clone());
        assert_eq!(exit.as_deref(), Some(if round % 3 == 0 { "next" } else { "on_error" }), "round {round}");
        assert_eq!(ended.vars.contains_key("back"), round % 3 == 0, "round {round}");
    }
}
